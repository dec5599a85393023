package budget

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// TestUsage lists by day and by month, oldest first, page by page.
func TestUsage(t *testing.T) {
	h := newHome(t)
	for i, day := range []string{"2026-10-31", "2026-11-01", "2026-11-01", "2026-11-29"} {
		at, _ := time.Parse(time.DateOnly, day)
		h.at(at)
		for _, person := range []string{h.ann, h.bob} {
			for _, a := range []Assistant{cloud, local} {
				h.hold(person, a, ask(4000, 1000)).Settle(gateway.Spent{Usage: usage(int64(i+1), 10, 100, 1000)})
			}
		}
	}
	all := func(q UsageQuery) (items []Used) {
		t.Helper()
		for range 100 {
			page, err := h.l.Usage(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			items = append(items, page.Items...)
			if q.Cursor = page.Next; q.Cursor == "" {
				return items
			}
		}
		t.Fatal("it has no end")
		return nil
	}
	whole := all(UsageQuery{})
	if len(whole) != 12 || whole[0].Day != "2026-10-31" || whole[11].Day != "2026-11-29" {
		t.Fatalf("%+v", whole)
	}
	for limit := 1; limit < 14; limit++ {
		if d := cmp.Diff(whole, all(UsageQuery{Limit: limit})); d != "" {
			t.Errorf("in pages of %d: %s", limit, d)
		}
	}
	mine := all(UsageQuery{Person: h.ann, Assistant: "cloud", Months: true, Limit: 1})
	want := []Used{
		{Month: "2026-10", Period: "2026-10", Person: h.ann, Assistant: "cloud", Currency: "USD", Requests: 1, Uncached: 1, CacheRead: 10, CacheWrite: 100, Output: 1000, Cost: 1 + 1 + 125 + 2000},
		{Month: "2026-11", Period: "2026-11", Person: h.ann, Assistant: "cloud", Currency: "USD", Requests: 3, Uncached: 9, CacheRead: 30, CacheWrite: 300, Output: 3000, Cost: 9 + 3 + 375 + 6000},
	}
	if d := cmp.Diff(want, mine); d != "" {
		t.Error(d)
	}
	if got := all(UsageQuery{Person: h.ann, From: "2026-11-01", To: "2026-11-28", Assistant: "local"}); len(got) != 1 || got[0].Requests != 2 || got[0].Unpriced != 2 || got[0].Cost != 0 {
		t.Errorf("%+v", got)
	}
	if got := all(UsageQuery{Person: h.ann, From: "2026-11-29", To: "2026-11-29", Assistant: "local"}); len(got) != 1 || got[0].Requests != 1 {
		t.Errorf("both days are included: %+v", got)
	}
	for _, q := range []UsageQuery{{From: "2026-13-01"}, {To: "soon"}, {Cursor: "x"}, {Cursor: "a_b_c_d_e"}} {
		if _, err := h.l.Usage(t.Context(), q); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%+v gives %v", q, err)
		}
	}
	if page, err := h.l.Usage(t.Context(), UsageQuery{Person: "' OR 1=1 --"}); err != nil || len(page.Items) != 0 {
		t.Errorf("%+v, %v", page, err)
	}
}

// TestStanding tells what is spent, held and left, without what is of another
// month or person.
func TestStanding(t *testing.T) {
	h := newHome(t)
	for _, day := range []time.Time{time.Date(2026, 10, 31, 23, 59, 59, 0, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)} { // the clock went wrong
		h.at(day)
		h.hold(h.ann, cloud, ask(4000, 1000)).Settle(gateway.Spent{})
		h.hold(h.ann, cloud, ask(4000, 1000))
	}
	h.at(noon.AddDate(0, 0, -1))
	h.hold(h.ann, cloud, ask(4000, 1000)).Settle(gateway.Spent{})
	h.at(noon)
	h.hold(h.ann, cloud, ask(4000, 1000)).Settle(gateway.Spent{Usage: usage(100, 0, 0, 50)})
	h.hold(h.ann, cloud, ask(4000, 1000))
	h.hold(h.bob, cloud, ask(4000, 1000)).Settle(gateway.Spent{})
	got, err := h.l.Standing(t.Context(), h.ann)
	want := Standing{Currency: "USD", Day: Sum{200, 150}, Month: Sum{7200, 5150}, Limits: []Limit{}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	h.put("budgets", map[string]any{"everybody": true, "day_cost": "5000000", "month_tokens": "100000"})
	h.put("limits", map[string]any{"person": h.ann, "day_cost": "0"})
	got, err = h.l.Standing(t.Context(), h.ann)
	midnight, first := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	want.Limits = []Limit{
		{DayCost, false, 5_000_000, 200, 7000, midnight},
		{MonthTokens, false, 100_000, 5150, 5000, first},
		{DayCost, true, 0, 200, 7000, midnight},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
}

// TestMidnight: a call counts on the day on which it was held.
func TestMidnight(t *testing.T) {
	h := newHome(t)
	h.put("budgets", map[string]any{"person": h.ann, "day_cost": "7000"})
	h.at(noon.Add(12*time.Hour - time.Millisecond))
	m := h.hold(h.ann, cloud, ask(4000, 1000))
	h.at(noon.Add(12 * time.Hour))
	m2 := h.hold(h.ann, cloud, ask(4000, 1000)) // a new day: yesterday's hold is not in the way
	m.Settle(gateway.Spent{})
	_ = h.refused(h.ann, cloud, ask(4000, 1000))
	m2.Settle(gateway.Spent{Unbilled: true})
	h.hold(h.ann, cloud, ask(4000, 1000))
	page, err := h.l.Usage(t.Context(), UsageQuery{})
	if err != nil || len(page.Items) != 1 || page.Items[0].Day != "2026-11-29" {
		t.Errorf("%+v, %v", page, err)
	}
}

// TestNotice: at four fifths of a limit the person is told, once for each.
func TestNotice(t *testing.T) {
	h := newHome(t)
	h.put("budgets", map[string]any{"person": h.ann, "day_cost": "1000000", "month_tokens": "2000000"})
	for _, row := range []struct {
		tokens int64
		want   string
	}{{400_000, ""}, {399_999, ""}, {1, "day_cost"}, {50_000, ""}, {10_000, ""}} {
		h.told = nil
		h.hold(h.ann, cloud, ask(max(int(row.tokens), 2100), 1)).Settle(gateway.Spent{Usage: usage(row.tokens, 0, 0, 0)})
		var got string
		for _, n := range h.told {
			got += string(n.Which)
			for _, lang := range []string{"en", "de", "es"} {
				if text := h.catalog.Say(lang, n.Text); strings.Contains(text, "budget.") || !strings.Contains(strings.ReplaceAll(text, ",", "."), "0.80 USD") {
					t.Error(text)
				}
			}
		}
		if got != row.want {
			t.Errorf("after %d more they are told of %q, want %q", row.tokens, got, row.want)
		}
	}
	// What was held the day before counts for the month, while its day is over.
	h.sql("UPDATE nodkeep_budgets SET day_cost = '1800000'")
	m := h.hold(h.ann, cloud, ask(740_000, 100))
	h.at(noon.AddDate(0, 0, 1))
	h.told = nil
	m.Settle(gateway.Spent{})
	if len(h.told) != 1 || h.told[0].Which != MonthTokens || h.told[0].Used != 1_600_100 {
		t.Errorf("%+v", h.told)
	}
}

// TestUsagePages: 50 at a time unless more is wished, and never above 200.
func TestUsagePages(t *testing.T) {
	h := newHome(t)
	for n := range 210 {
		h.sql(fmt.Sprintf("INSERT INTO nodkeep_usage (id, person, day, assistant, currency) VALUES ('u%d', '%s', '%s', 'cloud', 'USD')", n, h.ann, dayOf(noon.AddDate(0, 0, -n))))
	}
	for limit, want := range map[int]int{0: 50, -1: 50, 3: 3, 200: 200, 1000: 200} {
		page, err := h.l.Usage(t.Context(), UsageQuery{Limit: limit})
		if err != nil || len(page.Items) != want || page.Next == "" || page.Items[0].Day != dayOf(noon.AddDate(0, 0, -209)) {
			t.Errorf("%d gives %d, %q, %v", limit, len(page.Items), page.Next, err)
		}
	}
}

// TestOtherCurrency: what was spent in one is never added to another.
func TestOtherCurrency(t *testing.T) {
	h := newHome(t)
	h.hold(h.ann, cloud, ask(4000, 1000)).Settle(gateway.Spent{Usage: usage(1000, 0, 0, 1000)})
	h.open(Config{Currency: "EUR"})
	h.hold(h.ann, cloud, ask(4000, 1000)).Settle(gateway.Spent{Usage: usage(2000, 0, 0, 1000)})
	page, err := h.l.Usage(t.Context(), UsageQuery{Person: h.ann, Months: true})
	if err != nil || len(page.Items) != 2 || page.Items[0].Currency != "EUR" || page.Items[0].Cost != 4000 || page.Items[1].Currency != "USD" || page.Items[1].Cost != 3000 {
		t.Errorf("%+v %v", page, err)
	}
	if s, err := h.l.Standing(t.Context(), h.ann); err != nil || s.Day.Cost != 4000 || s.Day.Tokens != 5000 {
		t.Errorf("%+v %v", s, err)
	}
}

// TestDaysAreThoseOfUTC, wherever the clock of the machine stands.
func TestDaysAreThoseOfUTC(t *testing.T) {
	h := newHome(t)
	h.put("budgets", map[string]any{"everybody": true, "day_tokens": "10000"})
	h.at(time.Date(2026, 12, 1, 1, 0, 0, 0, time.FixedZone("east", 5*3600))) // the 30th in UTC
	h.hold(h.ann, cloud, ask(4000, 1000)).Settle(gateway.Spent{Usage: usage(4000, 0, 0, 1000)})
	if page, err := h.l.Usage(t.Context(), UsageQuery{}); err != nil || len(page.Items) != 1 || page.Items[0].Day != "2026-11-30" {
		t.Errorf("%+v %v", page, err)
	}
	if r := h.refused(h.ann, cloud, ask(5000, 1000)); !r.Until.Equal(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", r)
	}
}

// TestAdvice: whose limit it is says who can raise it, and what nobody asked is
// told to nobody.
func TestAdvice(t *testing.T) {
	h := newHome(t)
	h.put("budgets", map[string]any{"everybody": true, "day_tokens": "5500"})
	advice := func() string {
		t.Helper()
		for _, arg := range h.refused(h.ann, cloud, ask(5000, 1000)).Text.Args {
			if text, ok := arg.(tools.Text); ok && strings.HasPrefix(text.Key, "budget.advice.") {
				return text.Key
			}
		}
		return ""
	}
	if got := advice(); got != "budget.advice.operator" {
		t.Error(got)
	}
	own := h.put("limits", map[string]any{"person": h.ann, "month_tokens": "5400"})
	if got := advice(); got != "budget.advice.own" {
		t.Error(got)
	}
	if err := h.Delete(own); err != nil {
		t.Fatal(err)
	}
	m := h.l.Trial("", cloud, ask(4000, 1000))
	if err := m.Hold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m.Settle(gateway.Spent{Usage: usage(4000, 0, 0, 1000)}); len(h.told) != 0 {
		t.Errorf("nobody is told %+v", h.told)
	}
}
