package document

import (
	"encoding/json/v2"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

func today() tools.Date { return tools.Date{Year: 2026, Month: time.November, Day: 30} }

// good is a row that is taken, with some of its fields written otherwise.
func good(but map[string]any) map[string]any {
	row := map[string]any{
		"merchant": "Netflix", "amount": "15.99", "currency": "EUR", "cycle": "P1M", "first_date": "2026-09-14",
		"evidence": []map[string]any{{"date": "2026-10-14", "amount": "-15.99", "text": "NETFLIX.COM 10"}, {"date": "2026-11-14", "amount": 15.99, "text": "NETFLIX.COM 11"}},
	}
	for k, v := range but {
		row[k] = v
	}
	return row
}

func report(rows ...map[string]any) gateway.Call {
	raw, err := json.Marshal(map[string]any{"rows": rows}, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return gateway.Call{Name: reportTool, Args: raw}
}

func extract(t *testing.T, scenes ...gateway.Scene) (Found, *gateway.Script, error) {
	t.Helper()
	s := gateway.NewScript(scenes...)
	found, err := Extract(t.Context(), s, today(), say("a statement"))
	return found, s, err
}

func TestExtract(t *testing.T) {
	found, s, err := extract(t, gateway.Scene{Calls: []gateway.Call{report(good(nil), good(map[string]any{"merchant": "Gym", "cycle": "P4W", "evidence": []any{}, "next_date": "2026-12-24"}))}})
	if err != nil {
		t.Fatal(err)
	}
	date := func(m time.Month, d int) tools.Date { return tools.Date{Year: 2026, Month: m, Day: d} }
	want := []tools.Recurring{
		{
			Merchant: "Netflix", Cycle: tools.Cycle{N: 1, Unit: tools.Months}, Amount: "15.99", Currency: "EUR", FirstDate: date(9, 14), LastDate: date(11, 14), NextDate: date(12, 14),
			Occurrences: 2, Active: true, Confidence: unsure, Prices: []tools.Price{}, Status: tools.StatusNew,
			Evidence: []tools.Evidence{{Line: 1, Date: date(10, 14), Amount: "15.99", Text: "NETFLIX.COM 10"}, {Line: 2, Date: date(11, 14), Amount: "15.99", Text: "NETFLIX.COM 11"}},
		},
		{
			Merchant: "Gym", Cycle: tools.Cycle{N: 4, Unit: tools.Weeks}, Amount: "15.99", Currency: "EUR", FirstDate: date(9, 14), LastDate: date(9, 14), NextDate: date(12, 24),
			Active: true, Confidence: unsure, Prices: []tools.Price{}, Status: tools.StatusNew, Evidence: []tools.Evidence{},
		},
	}
	if diff := cmp.Diff(want, found.Rows); diff != "" || len(found.Skipped) != 0 {
		t.Error(diff, found.Skipped)
	}
	ask := s.Asked()[0]
	if len(ask.Tools) != 1 || ask.Tools[0].Name != reportTool || string(ask.Tools[0].Schema) != reportSchema || len(ask.System) != 1 || ask.System[0].Text != rules {
		t.Errorf("the model is given %+v", ask.Tools)
	}
	if len(s.Asked()) != 1 {
		t.Errorf("%d requests", len(s.Asked()))
	}
}

// Each row is held against what a document can show, and its reason is named by
// its number, without a word of what was reported.
func TestBadRows(t *testing.T) {
	evidence := func(date, amount any, text string) map[string]any {
		return map[string]any{"evidence": []map[string]any{{"date": date, "amount": amount, "text": text}}}
	}
	many := make([]map[string]any, maxEvidence+1)
	for i := range many {
		many[i] = map[string]any{"date": "2026-10-14", "amount": "1", "text": "x"}
	}
	for _, c := range []struct {
		name string
		but  map[string]any
		key  string
	}{
		{"two lines", map[string]any{"merchant": "Net\nflix"}, "merchant"},
		{"no merchant", map[string]any{"merchant": " "}, "merchant"},
		{"a merchant that is none", map[string]any{"merchant": 7}, "shape"},
		{"a long merchant", map[string]any{"merchant": strings.Repeat("x", maxMerchant+1)}, "merchant"},
		{"a direction that turns", map[string]any{"merchant": "Net\u202eflix"}, "merchant"},
		{"what nobody sees", map[string]any{"merchant": "Net\u200bflix"}, "merchant"},
		{"tags", map[string]any{"merchant": "Net\U000e0041flix"}, "merchant"},
		{"an escape", map[string]any{"merchant": "\x1b[31mNetflix"}, "merchant"},
		{"a line of Unicode", map[string]any{"merchant": "Net\u2028flix"}, "merchant"},
		{"no amount", map[string]any{"amount": ""}, "amount"},
		{"nothing", map[string]any{"amount": "0.00"}, "amount"},
		{"words", map[string]any{"amount": "fifteen"}, "amount"},
		{"a comma", map[string]any{"amount": "15,99"}, "amount"},
		{"an exponent", map[string]any{"amount": 1e20}, "amount"},
		{"too much", map[string]any{"amount": "9999999999999"}, "amount"},
		{"more decimals than there are", map[string]any{"amount": "15.999"}, "amount"},
		{"an object", map[string]any{"amount": map[string]any{}}, "amount"},
		{"no currency", map[string]any{"currency": "euro"}, "currency"},
		{"lower case", map[string]any{"currency": "eur"}, "currency"},
		{"another cycle", map[string]any{"cycle": "P5M"}, "cycle"},
		{"no cycle", map[string]any{"cycle": "monthly"}, "cycle"},
		{"no day", map[string]any{"first_date": "2026-02-30"}, "first_date"},
		{"no date", map[string]any{"first_date": ""}, "first_date"},
		{"too early", map[string]any{"first_date": "1899-01-01"}, "first_date"},
		{"to come", map[string]any{"first_date": "2027-03-01"}, "first_date"},
		{"far to come", map[string]any{"next_date": "2199-01-01"}, "next_date"},
		{"no next day", map[string]any{"next_date": "soon"}, "next_date"},
		{"a charge to come", evidence("2027-03-01", "1", "x"), "evidence_date"},
		{"a charge of nothing", evidence("2026-10-14", "0", "x"), "evidence_amount"},
		{"a charge of two lines", evidence("2026-10-14", "1", "x\ny"), "evidence_text"},
		{"a long charge", evidence("2026-10-14", "1", strings.Repeat("x", maxLine+1)), "evidence_text"},
		{"too many charges", map[string]any{"evidence": many}, "evidence_many"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, _, err := extract(t, gateway.Scene{Calls: []gateway.Call{report(good(nil), good(c.but))}})
			if err != nil || len(found.Rows) != 1 || len(found.Skipped) != 1 {
				t.Fatalf("%+v %v", found, err)
			}
			if got := found.Skipped[0]; got.Line != 2 || got.Reason.Key != "document.skip."+c.key {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A document that has the model call something else reaches nothing.
func TestOtherCalls(t *testing.T) {
	evil := gateway.Call{Name: "household_subscription_delete", Args: []byte(`{"id":"x"}`)}
	found, s, err := extract(t, gateway.Scene{Calls: []gateway.Call{evil, report(good(nil)), {Name: reportTool, Invalid: true}}})
	if err != nil || len(found.Rows) != 1 || len(s.Asked()) != 1 {
		t.Fatalf("%+v %v", found, err)
	}
	if len(found.Skipped) != 2 || found.Skipped[0].Reason.Key != "document.skip.tool" || found.Skipped[1].Reason.Key != "document.skip.call" {
		t.Errorf("%+v", found.Skipped)
	}

	// Two hundred rows are a document; more are not.
	rows := make([]map[string]any, maxRows+50)
	for i := range rows {
		rows[i] = good(map[string]any{"merchant": fmt.Sprint("m", i)})
	}
	found, _, err = extract(t, gateway.Scene{Calls: []gateway.Call{report(rows...)}})
	if err != nil || len(found.Rows) != maxRows || len(found.Skipped) != 1 || found.Skipped[0].Reason.Key != "document.skip.many" {
		t.Errorf("%d rows, %v, %v", len(found.Rows), found.Skipped, err)
	}
}

// One that calls nothing is asked once more, and no oftener.
func TestAskedAgain(t *testing.T) {
	found, s, err := extract(t, gateway.Scene{Say: "I see a statement."}, gateway.Scene{Calls: []gateway.Call{report()}})
	if err != nil || len(found.Rows) != 0 || len(s.Asked()) != 2 {
		t.Errorf("%+v %v", found, err)
	}
	for _, c := range []struct {
		scene gateway.Scene
		asked int
		kind  tools.Kind
	}{
		{gateway.Scene{Say: "No.", Always: true}, 2, tools.Unavailable},
		{gateway.Scene{Calls: []gateway.Call{{Name: "undo"}}, Always: true}, 2, tools.Unavailable},
		{gateway.Scene{Finish: gateway.MaxTokens, Always: true}, 1, tools.TooLarge},
		{gateway.Scene{Refusal: &gateway.Refusal{}, Always: true}, 1, tools.Unavailable},
		{gateway.Scene{Err: tools.Fail(tools.Limit, "budget.reached.day_cost"), Always: true}, 1, tools.Limit},
	} {
		found, s, err := extract(t, c.scene)
		if len(s.Asked()) != c.asked || tools.KindOf(err) != c.kind || len(found.Rows) != 0 {
			t.Errorf("%+v: asked %d times, %v", c.scene, len(s.Asked()), err)
		}
	}
}
