package household

import (
	"encoding/json/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

func TestContract(t *testing.T) { toolstest.Contract(t, Plugin{}) }

type args map[string]any

// day is a date some days from today, in the household's time zone.
func day(n int) string { return tools.DateOf(time.Now().UTC()).AddDays(n).String() }

// newHome is an instance whose calls have time on a slow machine, too.
func newHome(tb testing.TB) *toolstest.App {
	tb.Helper()
	return toolstest.NewWith(tb, tools.Config{Limit: time.Minute}, Plugin{})
}

// read runs a read tool and gives its answer as T.
func read[T any](tb testing.TB, a *toolstest.App, who, tool string, in any) T {
	tb.Helper()
	out, err := a.Read(a.As(who), tool, in)
	if err != nil {
		tb.Fatalf("%s: %v", tool, err)
	}
	return out.(T)
}

// apply runs a tool that changes something and gives its answer as T.
func apply[T any](tb testing.TB, a *toolstest.App, who, tool string, in any) (T, tools.Receipt) {
	tb.Helper()
	receipt, err := a.Apply(a.As(who), tool, in)
	if err != nil {
		tb.Fatalf("%s: %v", tool, err)
	}
	return receipt.Outputs[0].(T), receipt
}

// add makes a subscription: what is not given is Netflix at 15.99 EUR a month.
func add(tb testing.TB, a *toolstest.App, who string, in args) Added {
	tb.Helper()
	full := args{"name": "Netflix", "amount": "15.99", "currency": "EUR", "cycle": "P1M", "first_date": "2025-01-15"}
	for k, v := range in {
		full[k] = v
	}
	out, _ := apply[Added](tb, a, who, "household_subscription_add", full)
	return out
}

// dump is everything that is stored, autodates left out.
func dump(tb testing.TB, a *toolstest.App) map[string]map[string]any {
	tb.Helper()
	all := map[string]map[string]any{}
	for _, name := range []string{subscriptions, prices, charges, categories, settings, methods, pauses, shares, rates, reminders} {
		recs, err := a.FindAllRecords(name)
		if err != nil {
			tb.Fatal(err)
		}
		for _, rec := range recs {
			raw, err := rec.DBExport(a)
			if err != nil {
				tb.Fatal(err)
			}
			delete(raw, "created")
			delete(raw, "updated")
			for k, v := range raw {
				b, err := json.Marshal(v, json.Deterministic(true))
				if err != nil {
					tb.Fatal(err)
				}
				raw[k] = string(b)
			}
			all[name+"/"+rec.Id] = raw
		}
	}
	return all
}

// title is the first sentence of the only card of a preview.
func title(tb testing.TB, a *toolstest.App, who, tool string, in any) string {
	tb.Helper()
	p, err := a.Preview(a.As(who), tool, in)
	if err != nil {
		tb.Fatalf("%s: %v", tool, err)
	}
	return a.Catalogue.English(p.Items[0].Card.Title)
}

// says wants the only card of a preview by ann to begin with these sentences,
// the title first.
func says(tb testing.TB, a *toolstest.App, tool string, in any, want ...string) {
	tb.Helper()
	p, err := a.Preview(a.As("ann"), tool, in)
	if err != nil {
		tb.Errorf("%s %v: %v", tool, in, err)
		return
	}
	got := []string{a.Catalogue.English(p.Items[0].Card.Title)}
	for _, line := range p.Items[0].Card.Lines {
		got = append(got, a.Catalogue.English(line))
	}
	if diff := cmp.Diff(want, got[:min(len(want), len(got))]); diff != "" {
		tb.Errorf("%s %v: %s", tool, in, diff)
	}
}

// said is a date as English cards write it.
func said(a *toolstest.App, date string) string {
	d, _ := tools.ParseDate(date)
	return a.Catalogue.English(tools.T("", d))
}

// sampleRows are what a reader found: one with two prices, one that is paid
// yearly, one that has ended.
func sampleRows() tools.ImportRows {
	date := func(s string) tools.Date { d, _ := tools.ParseDate(s); return d }
	month, year := tools.Cycle{N: 1, Unit: tools.Months}, tools.Cycle{N: 1, Unit: tools.Years}
	return tools.ImportRows{File: "n26.csv", Fingerprint: "f1", Subscriptions: []tools.Recurring{
		{
			Merchant: "Disney+", Cycle: month, Amount: "10.99", Currency: "EUR", FirstDate: date("2025-10-08"), LastDate: date("2025-12-08"), Occurrences: 3, Active: true, Confidence: 0.9,
			Prices: []tools.Price{{From: date("2025-10-08"), Amount: "8.99"}, {From: date("2025-12-08"), Amount: "10.99"}},
			Evidence: []tools.Evidence{
				{Line: 2, Date: date("2025-10-08"), Amount: "-8.99", Text: "DISNEY PLUS"},
				{Line: 9, Date: date("2025-11-10"), Amount: "-8.99", Text: "DISNEY PLUS"},
				{Line: 14, Date: date("2025-12-08"), Amount: "-10.99", Text: "DISNEY PLUS"},
			},
		},
		{
			Merchant: "Haftpflicht Nordstern", Cycle: year, Amount: "61.40", Currency: "EUR", FirstDate: date("2024-11-03"), LastDate: date("2025-11-03"), Occurrences: 2, Active: true, Confidence: 0.8,
			Evidence: []tools.Evidence{{Line: 3, Date: date("2024-11-03"), Amount: "61.40", Text: "NORDSTERN"}, {Line: 11, Date: date("2025-11-03"), Amount: "61.40", Text: "NORDSTERN"}},
		},
		{
			Merchant: "Old Gym", Cycle: month, Amount: "29.90", Currency: "EUR", AnchorDay: 31, FirstDate: date("2025-01-31"), LastDate: date("2025-02-28"), Occurrences: 2, Confidence: 0.8,
			Evidence: []tools.Evidence{{Line: 1, Date: date("2025-01-31"), Amount: "29.90"}, {Line: 4, Date: date("2025-02-28"), Amount: "29.90"}, {Line: 5, Date: date("2025-02-28"), Amount: "29.90"}},
		},
	}}
}
