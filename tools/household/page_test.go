package household

import (
	"encoding/json/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// aPage is what every list gives.
type aPage struct {
	Items []any `json:"items"`
	Days  []struct {
		Entries []any `json:"entries"`
	} `json:"days"` // of the calendar
	Next *string `json:"next"`
}

// Every tool that takes a cursor gives page by page what it gives at once, and
// an empty list, never none, where there is nothing.
func TestEveryListHasPages(t *testing.T) {
	a, bare := homeOn(t, "2026-03-05"), homeOn(t, "2026-03-05")
	rich(t, a)
	in := map[string]args{
		"household_calendar":            {"from": "2025-01-01", "to": "2025-12-31"},
		"household_charge_list":         {"state": "all", "from": "2025-01-01"},
		"household_price_changes":       {"since": "2024-01-01"},
		"household_reminder_list":       {"days": 366},
		"household_savings":             {"months": 1, "rise_percent": 0},
		"household_search":              {"query": "s"},
		"household_spending":            {"by": "subscription"},
		"household_subscription_list":   {"status": "all"},
		"household_upcoming":            {"days": 400},
		"household_category_list":       {},
		"household_payment_method_list": {},
		"household_rate_list":           {},
		"household_tag_list":            {},
	}
	apply[Badge](t, a, "ann", "household_payment_method_add", args{"name": "Cash"})
	store(t, a, rates, args{"date": "2025-02-03", "source": "ECB", "rates": map[string]string{"USD": "1.09"}})
	priced(t, a, args{"name": "Spotify"}, "2026-01-15 20.00")
	page := func(app *toolstest.App, tool string, more args) ([]any, string) {
		t.Helper()
		all := args{}
		for _, m := range []args{in[tool], more} {
			for k, v := range m {
				all[k] = v
			}
		}
		b, err := json.Marshal(read[any](t, app, "ann", tool, all))
		if err != nil {
			t.Fatal(err)
		}
		var p aPage
		if err := json.Unmarshal(b, &p); err != nil {
			t.Fatal(err)
		}
		items := p.Items
		for _, d := range p.Days {
			items = append(items, d.Entries...)
		}
		if p.Next == nil || (p.Items == nil && p.Days == nil) {
			t.Errorf("%s %v: %.300s", tool, all, b)
			return items, ""
		}
		return items, *p.Next
	}
	for _, tool := range a.Registry.Tools() {
		if _, pages := tool.Input.Properties["cursor"]; !pages || tool.Effect != tools.EffectRead || tool.Name == "household_export" {
			continue
		}
		if in[tool.Name] == nil {
			t.Errorf("%s is not tried", tool.Name)
			continue
		}
		page(bare, tool.Name, nil)
		whole, next := page(a, tool.Name, args{"limit": maxPage})
		if next != "" || len(whole) < 2 {
			t.Errorf("%s: %d at once, then %q: it tries little", tool.Name, len(whole), next)
		}
		var pages []any
		for cursor := ""; len(pages) <= len(whole); {
			some, next := page(a, tool.Name, args{"limit": 1, "cursor": cursor})
			if pages = slices.Concat(pages, some); len(some) != 1 || next == "" {
				break
			}
			cursor = next
		}
		if diff := cmp.Diff(whole, pages); diff != "" {
			t.Errorf("%s in pages: %s", tool.Name, diff)
		}
	}
}
