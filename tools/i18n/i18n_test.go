package i18n

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// source is a plugin's locales: each language's file as it is given, and the
// same empty one for those that are not.
func source(files map[string]string) fs.FS {
	m := fstest.MapFS{}
	for _, lang := range Languages() {
		m[lang+".json"] = &fstest.MapFile{Data: []byte("{}")}
	}
	for name, data := range files {
		m[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return m
}

func everywhere(data string) fs.FS {
	files := map[string]string{}
	for _, lang := range Languages() {
		files[lang+".json"] = data
	}
	return source(files)
}

func sample(t testing.TB) *Catalogue {
	t.Helper()
	c, err := Load(Core(), source(map[string]string{
		"en.json": `{"cancel": "Cancel {0}: last day {1}, saves {2}", "days": {"one": "one day", "other": "{0} days"}, "twice": "{1} {0} {1}"}`,
		"de.json": `{"cancel": "{0} kündigen: letzter Tag {1}, spart {2}", "days": {"one": "ein Tag", "other": "{0} Tage"}, "twice": "{1} {0} {1}"}`,
		"es.json": `{"cancel": "Cancelar {0}: último día {1}, ahorra {2}", "days": {"one": "un día", "other": "{0} días"}, "twice": "{1} {0} {1}"}`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSay(t *testing.T) {
	c := sample(t)
	day := tools.Date{Year: 2027, Month: time.March, Day: 14}
	eur := func(minor int64) tools.Money { return tools.Money{Minor: minor, Currency: "EUR"} }
	cancel := tools.T("cancel", "Netflix", day, eur(1599))
	rows := []struct {
		lang string
		text tools.Text
		want string
	}{
		{"en", cancel, "Cancel Netflix: last day 14 March 2027, saves 15.99 EUR"},
		{"de", cancel, "Netflix kündigen: letzter Tag 14. März 2027, spart 15,99 EUR"},
		{"es", cancel, "Cancelar Netflix: último día 14 de marzo de 2027, ahorra 15,99 EUR"},
		{"fr", cancel, "Cancel Netflix: last day 14 March 2027, saves 15.99 EUR"},
		{"en", tools.T("days", 1), "one day"},
		{"en", tools.T("days", 0), "0 days"},
		{"de", tools.T("days", uint8(1)), "ein Tag"},
		{"es", tools.T("days", int64(21)), "21 días"},
		{"en", tools.T("days", "1"), "1 days"}, // a string is no number
		{"en", tools.T("twice", "{1}", "{0}"), "{0} {1} {0}"},
		{"en", tools.T("twice", "alone"), "{1} alone {1}"},
		{"en", tools.T("nobody.knows", "Netflix", eur(5)), "nobody.knows Netflix 0.05 EUR"},
		{"en", tools.Text{}, ""},
		{"de", tools.Text(tools.W(eur(1599))), "15,99 EUR"},
		{"de", tools.T("twice", tools.Decimal("25.267"), tools.Decimal("17420.91")), "17.420,91 25,267 17.420,91"},
		{"en", tools.Text(tools.W(tools.Decimal("25.267"))), "25.267"},
		{"es", tools.T("twice", tools.W(day), tools.W("x")), "x 14 de marzo de 2027 x"},
		{"de", tools.T("twice", tools.T("days", 3), []tools.Text{tools.T("days", 1), tools.T("days", 2)}), "ein Tag, 2 Tage 3 Tage ein Tag, 2 Tage"},
		{"en", tools.T("twice", tools.Date{}, tools.Date{Year: 2027, Month: 99, Day: 1}), "2027-99-01  2027-99-01"},
		{"en", tools.T("days", nil), "<nil> days"},
	}
	for _, row := range rows {
		if got := c.Say(row.lang, row.text); got != row.want {
			t.Errorf("%s %v: got %q, want %q", row.lang, row.text, got, row.want)
		}
	}
}

func TestSayMoney(t *testing.T) {
	rows := []struct {
		money      tools.Money
		en, de, es string
	}{
		{tools.Money{Minor: 5, Currency: "EUR"}, "0.05 EUR", "0,05 EUR", "0,05 EUR"},
		{tools.Money{Minor: 99_999, Currency: "EUR"}, "999.99 EUR", "999,99 EUR", "999,99 EUR"},
		{tools.Money{Minor: 123_456, Currency: "EUR"}, "1,234.56 EUR", "1.234,56 EUR", "1234,56 EUR"},
		{tools.Money{Minor: -1_234_567, Currency: "EUR"}, "-12,345.67 EUR", "-12.345,67 EUR", "-12.345,67 EUR"},
		{tools.Money{Minor: 1_234_567, Currency: "JPY"}, "1,234,567 JPY", "1.234.567 JPY", "1.234.567 JPY"},
		{tools.Money{Minor: 1_000_000, Currency: "KWD"}, "1,000.000 KWD", "1.000,000 KWD", "1000,000 KWD"},
	}
	for _, row := range rows {
		got := []string{sayMoney("en", row.money), sayMoney("de", row.money), sayMoney("es", row.money)}
		if diff := cmp.Diff([]string{row.en, row.de, row.es}, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTextThatHoldsItselfEnds(t *testing.T) {
	args := []any{"x", nil}
	args[1] = tools.Text{Key: "twice", Args: args}
	// Two places each double it: what matters is that it comes back.
	if got := sample(t).Say("en", tools.Text{Key: "cancel", Args: args}); !strings.Contains(got, "…") {
		t.Errorf("no end in %.80q", got)
	}
}

func TestLoadNamesWhatIsWrong(t *testing.T) {
	rows := []struct {
		name    string
		sources []fs.FS
		want    []string
	}{
		{"file missing", []fs.FS{fstest.MapFS{}}, []string{"en.json of source 1", "de.json of source 1", "es.json of source 1"}},
		{"no JSON", []fs.FS{source(map[string]string{"de.json": `{"a": `})}, []string{"de.json of source 1"}},
		{"key twice in a file", []fs.FS{everywhere(`{"a": "x", "a": "y"}`)}, []string{"en.json", `"a"`}},
		{"key in two sources", []fs.FS{everywhere(`{"a": "x"}`), everywhere(`{"a": "y"}`)}, []string{"es.json of source 2", `"a"`}},
		{"key missing in one", []fs.FS{source(map[string]string{"en.json": `{"a": "x"}`, "es.json": `{"a": "x"}`})}, []string{`de.json: "a" is missing`}},
		{"key missing in the first", []fs.FS{source(map[string]string{"es.json": `{"a": "x"}`})}, []string{`en.json: "a" is missing`, `de.json: "a" is missing`}},
		{"other places", []fs.FS{source(map[string]string{"en.json": `{"a": "{0}"}`, "de.json": `{"a": "{0}"}`, "es.json": `{"a": "{1}"}`})}, []string{`es.json: "a"`, "[{1}]", "[{0}]"}},
		{"a number", []fs.FS{everywhere(`{"a": 1}`)}, []string{"en.json", `"a"`}},
		{"empty", []fs.FS{everywhere(`{"a": ""}`)}, []string{`"a"`, "empty"}},
		{"half a plural", []fs.FS{everywhere(`{"a": {"one": "x"}}`)}, []string{`"a"`, "empty"}},
		{"a form too many", []fs.FS{everywhere(`{"a": {"one": "x", "other": "y", "few": "z"}}`)}, []string{`"a"`, "few"}},
		{"a named place", []fs.FS{everywhere(`{"a": "Hello {name}"}`)}, []string{`"a"`, "brace"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := Load(row.sources...)
			if err == nil {
				t.Fatal("loaded")
			}
			for _, want := range row.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
		})
	}
}

func TestPluralMayDifferByLanguage(t *testing.T) {
	if _, err := Load(source(map[string]string{
		"en.json": `{"a": {"one": "one new", "other": "{0} new"}}`, "de.json": `{"a": "{0} neu"}`, "es.json": `{"a": "{0} de nuevo"}`,
	})); err != nil {
		t.Error(err)
	}
}

func TestMarshalers(t *testing.T) {
	c := sample(t)
	value := []any{tools.W(tools.T("days", 2)), tools.W(tools.Date{}), map[string]any{"card": struct {
		Title tools.Text   `json:"title"`
		Lines []tools.Text `json:"lines"`
	}{
		tools.T("cancel", "Netf\xfflix", tools.Date{Year: 2027, Month: time.March, Day: 14}, tools.Money{Minor: 1599, Currency: "EUR"}),
		[]tools.Text{tools.T("twice", tools.T("days", 1), []tools.Text{tools.T("days", 2)})},
	}}}
	got, err := json.Marshal(value, json.WithMarshalers(c.Marshalers("de")))
	if err != nil {
		t.Fatal(err)
	}
	want := `["2 Tage","",{"card":{"title":{"text":"Netf�lix kündigen: letzter Tag 14. März 2027, spart 15,99 EUR","key":"cancel","args":["Netf�lix","2027-03-14","15.99 EUR"]},` +
		`"lines":[{"text":"2 Tage ein Tag 2 Tage","key":"twice","args":[{"text":"ein Tag","key":"days","args":[1]},[{"text":"2 Tage","key":"days","args":[2]}]]}]}}]`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	got, err = json.Marshal(tools.Text{Key: "x", Args: []any{make(chan int), nil}}, json.WithMarshalers(c.Marshalers("en")))
	if err != nil || !jsontext.Value(got).IsValid() {
		t.Errorf("odd arguments: %s, %v", got, err)
	}
}

func TestTexts(t *testing.T) {
	texts := sample(t).Texts("es")
	if diff := cmp.Diff(map[string]any{"month.3": "marzo", "days": map[string]string{"one": "un día", "other": "{0} días"}},
		map[string]any{"month.3": texts["month.3"], "days": texts["days"]}); diff != "" {
		t.Error(diff)
	}
}

func TestMatch(t *testing.T) {
	rows := []struct{ header, profile, want string }{
		{"", "", "en"},
		{"de-AT,de;q=0.9,en;q=0.8", "es", "de"},
		{"fr-FR, es;q=0.5", "de", "es"},
		{"fr", "de", "de"},
		{"*", "es", "es"},
		{"", "es-MX", "es"},
		{"no such;;;language", "de", "de"},
		{"zh", "ja", "en"},
	}
	for _, row := range rows {
		if got := Match(row.header, row.profile); got != row.want {
			t.Errorf("Match(%q, %q) = %q, want %q", row.header, row.profile, got, row.want)
		}
	}
}

func FuzzSay(f *testing.F) {
	c := sample(f)
	f.Add("en", "cancel", "Netflix", int64(1599), 2027, 3)
	f.Add("es", "twice", "{0}{1}", int64(-1), -1, 13)
	f.Add("xx", "{0}", "\xff", int64(1)<<62, 0, 0)
	f.Fuzz(func(t *testing.T, lang, key, word string, number int64, year, month int) {
		text := tools.T(key, word, tools.Date{Year: year, Month: time.Month(month), Day: 1}, tools.Money{Minor: number, Currency: word}, number)
		text.Args = append(text.Args, text)
		said := c.Say(lang, text)
		if utf8.ValidString(key) && utf8.ValidString(word) && !utf8.ValidString(said) {
			t.Errorf("%q is no UTF-8", said)
		}
		if key == "cancel" && !strings.Contains(said, word) {
			t.Errorf("%q lost %q", said, word)
		}
		out, err := json.Marshal(text, json.WithMarshalers(c.Marshalers(lang)))
		if err != nil || !jsontext.Value(out).IsValid() {
			t.Errorf("%s: %v", out, err)
		}
	})
}
