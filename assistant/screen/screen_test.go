package screen

import (
	"encoding/json/v2"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

type row struct {
	ID       string      `json:"id"`
	Name     tools.Words `json:"name"`
	On       tools.Date  `json:"on"`
	Amount   string      `json:"amount"`
	Currency string      `json:"currency"`
	Notes    string      `json:"notes,omitzero"`
	Count    int         `json:"count"`
}

type answer struct {
	Items []row  `json:"items"`
	Sums  []sum  `json:"sums,omitempty"`
	Days  int    `json:"days"`
	Next  string `json:"next"`
}

type sum struct {
	Currency string `json:"currency"`
	Total    string `json:"total"`
}

func source(t *testing.T, out any) Source {
	t.Helper()
	catalogue, err := i18n.Load(i18n.Core(), Locales())
	if err != nil {
		t.Fatal(err)
	}
	tool := tools.NewRead(tools.Def{Name: "toy_list", Title: "value.none"}, func(*tools.Reader, struct{}) (answer, error) { return answer{}, nil })
	return Source{Tool: tool, Output: out, Catalogue: catalogue, Language: "de"}
}

func rows(n int) (all []row) {
	for i := range n {
		all = append(all, row{ID: fmt.Sprintf("%015d", i), Name: tools.W(fmt.Sprintf("Row %d", i)), On: tools.Date{Year: 2026, Month: 3, Day: 1 + i%28}, Amount: "1234.50", Currency: "EUR", Count: 1000 + i})
	}
	return all
}

// written is a screen as texts.
func written(sc Screen) (lines []string) {
	var head []string
	for _, c := range sc.Columns {
		head = append(head, fmt.Sprintf("%s:%s:%s", c.Name, c.Label, c.Type))
	}
	lines = append(lines, strings.Join(head, "|"))
	for _, r := range sc.Rows {
		var cells []string
		for _, c := range r {
			cells = append(cells, c.Text+"="+string(c.Value)+c.Currency)
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	return lines
}

func TestDraw(t *testing.T) {
	two := []row{rows(2)[1], rows(1)[0]}
	two[0].Currency, two[0].Amount = "JPY", "1200"
	for _, c := range []struct {
		name, form string
		columns    []string
		out        any
		want       []string
	}{
		{"the usual columns", Table, nil, answer{Items: rows(1)}, []string{
			"name:Name:text|on:On:date|amount:Betrag:money|count:Anzahl:number",
			`Row 0=|1. März 2026="2026-03-01"|1.234,50 EUR="1234.50"EUR|1.000=1000`,
		}},
		{"named columns, once each", Table, []string{"count", "items.name", "count"}, answer{Items: rows(1)}, []string{"count:Anzahl:number|name:Name:text", "1.000=1000|Row 0="}},
		{"what the answer left out", Table, []string{"notes"}, answer{Items: rows(1)}, []string{"notes:Notizen:text", "="}},
		{"nothing found", Table, nil, answer{}, []string{"name:Name:text|on:On:date|amount:Betrag:text|notes:Notizen:text|count:Anzahl:text"}},
		{"bars of the likeliest number", Bars, nil, answer{Items: rows(1)}, []string{"name:Name:text|amount:Betrag:money", `Row 0=|1.234,50 EUR="1234.50"EUR`}},
		{"a line goes on by days", Line, []string{"on", "count"}, answer{Items: two}, []string{
			"on:On:date|count:Anzahl:number",
			`1. März 2026="2026-03-01"|1.000=1000`, `2. März 2026="2026-03-02"|1.001=1001`,
		}},
		{"each currency is a scale of its own", Bars, nil, answer{Items: two}, []string{
			"name:Name:text|amount.JPY:Betrag (JPY):money|amount.EUR:Betrag (EUR):money",
			`Row 1=|1.200 JPY="1200"JPY|=`, `Row 0=|=|1.234,50 EUR="1234.50"EUR`,
		}},
		{"totals by currency", Total, nil, answer{Sums: []sum{{"EUR", "1.00"}, {"JPY", "7"}}}, []string{"total:Gesamt:money", `1,00 EUR="1.00"EUR`, `7 JPY="7"JPY`}},
		{"a total that is named", Total, []string{"days"}, answer{Days: 7}, []string{"days:Days:number", "7=7"}},
		{"another list by its columns", Table, []string{"total"}, answer{Items: rows(2), Sums: []sum{{"EUR", "1.00"}}}, []string{"total:Gesamt:money", `1,00 EUR="1.00"EUR`}},
		{"names stay text", Table, []string{"name", "notes"}, answer{Items: []row{{Name: tools.W("2026-03-01"), Notes: "12.50", Currency: "EUR"}}}, []string{"name:Name:text|notes:Notizen:text", "2026-03-01=|12.50="}},
		{"one line of what can be seen", Table, []string{"notes"}, answer{Items: []row{{Notes: "a\nb\u202e\u200bc\x07"}}}, []string{"notes:Notizen:text", "a bc="}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, err := Draw(source(t, c.out), c.form, c.columns)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, written(sc)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Nothing that a model writes gets onto a screen, and what it gets wrong is told
// by what there is.
func TestDrawRefuses(t *testing.T) {
	const evil = "<script>alert(1)</script>"
	writes := source(t, answer{})
	writes.Tool.Effect = tools.EffectWrite
	for _, c := range []struct {
		name, form string
		columns    []string
		s          Source
		want       string
	}{
		{"a form that there is none of", evil, nil, source(t, answer{Items: rows(1)}), "screen.form"},
		{"a column that there is none of", Table, []string{"name", evil}, source(t, answer{Items: rows(1)}), "screen.no_column"},
		{"a path out of the answer", Table, []string{"../name"}, source(t, answer{Items: rows(1)}), "screen.no_column"},
		{"the empty name", Table, []string{""}, source(t, answer{Items: rows(1)}), "screen.no_column"},
		{"too many columns", Table, strings.Split(strings.Repeat("name,", 13), ","), source(t, answer{Items: rows(1)}), "screen.columns"},
		{"a chart without a number", Bars, []string{"name", "notes"}, source(t, answer{Items: rows(1)}), "screen.no_chart"},
		{"a chart of nothing", Line, nil, source(t, answer{}), "screen.no_chart"},
		{"a total that there is none of", Total, []string{"amount"}, source(t, answer{Items: rows(1)}), "screen.no_column"},
		{"no object", Table, nil, source(t, []string{"x"}), "screen.nothing"},
		{"an empty object", Table, nil, Source{Tool: tools.Tool{Def: tools.Def{Name: "toy_list", Effect: tools.EffectRead}}, Output: struct{}{}, Catalogue: writes.Catalogue}, "screen.nothing"},
		{"a tool that writes", Table, nil, writes, "screen.not_read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Draw(c.s, c.form, c.columns)
			e, ok := errors.AsType[*tools.Error](err)
			if !ok || e.Kind != tools.Invalid || e.Text.Key != c.want {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			if said := c.s.Catalogue.English(e.Text); strings.Contains(said, "script") {
				t.Errorf("it repeats what the model wrote: %s", said)
			}
		})
	}
}

// What is large is cut, and says so.
func TestDrawIsBounded(t *testing.T) {
	many := rows(5000)
	many[0].Notes = strings.Repeat("ä", 10_000)
	sc, err := Draw(source(t, answer{Items: many, Next: "more"}), Table, []string{"notes", "name"})
	if err != nil {
		t.Fatal(err)
	}
	if len(sc.Rows) != maxRows || sc.More != 5000-maxRows || !sc.Partial {
		t.Errorf("%d rows, %d more, partial %v", len(sc.Rows), sc.More, sc.Partial)
	}
	if n := len([]rune(sc.Rows[0][0].Text)); n != maxCell+1 {
		t.Errorf("a cell of %d characters", n)
	}
	wide := map[string]any{}
	for i := range 3000 {
		wide[fmt.Sprintf("c%04d", i)] = "x"
	}
	s := source(t, map[string]any{"items": []any{wide}})
	if sc, err = Draw(s, Table, nil); err != nil || len(sc.Columns) > maxColumns {
		t.Errorf("%d columns, %v", len(sc.Columns), err)
	}
	_, err = Draw(s, Table, []string{"none"})
	if e, ok := errors.AsType[*tools.Error](err); !ok || len(s.Catalogue.English(e.Text)) > 1000 {
		t.Errorf("the names of all columns: %v", err)
	}
	deep := strings.Repeat("[", 3000) + strings.Repeat("]", 3000)
	var nested any
	if err := json.Unmarshal([]byte(deep), &nested); err != nil {
		t.Fatal(err)
	}
	sc, err = Draw(source(t, map[string]any{"items": nested}), Table, []string{"days"})
	if err != nil || len(sc.Rows) != 1 || sc.Rows[0][0].Text != "" {
		t.Errorf("a nest of lists: %v, %v", sc, err)
	}
}

// A screen is what the events promise.
func TestScreenShape(t *testing.T) {
	s := source(t, answer{Items: rows(1)})
	sc, err := Draw(s, Bars, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(sc, json.WithMarshalers(s.Catalogue.Marshalers("de")), json.Deterministic(true))
	want := `{"title":{"text":"—","key":"value.none","args":[]},"form":"bars","columns":[{"name":"name","label":"Name","type":"text"},{"name":"amount","label":"Betrag","type":"money"}],` +
		`"rows":[[{"text":"Row 0"},{"text":"1.234,50 EUR","value":"1234.50","currency":"EUR"}]]}`
	if err != nil || string(got) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
}

func BenchmarkDraw(b *testing.B) {
	t := &testing.T{}
	s := source(t, answer{Items: rows(200)})
	for b.Loop() {
		if _, err := Draw(s, Table, nil); err != nil {
			b.Fatal(err)
		}
	}
}
