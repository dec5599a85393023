package household

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// totalsOf adds up amounts by currency; what comes to nothing is left out.
type totalsOf map[string]int64

func (t totalsOf) add(amount, currency string) {
	if t[currency] += moneyOf(amount, currency).Minor; t[currency] == 0 {
		delete(t, currency)
	}
}

// Whatever was written, all tools that tell what is due tell the same.
func TestReadsAgree(t *testing.T) {
	for seed := range uint64(2) {
		a := newHome(t)
		w := &writer{tb: t, app: a, rng: rand.New(rand.NewPCG(seed, 11))}
		calls := w.calls()
		for range 25 {
			if _, err := a.Apply(a.As("ann"), "household_subscription_add", calls["household_subscription_add"]()); err != nil {
				t.Fatal(err)
			}
		}
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(calls)), func(n string) bool {
			return n == "household_subscription_delete" || n == "household_subscriptions_bulk_delete" || n == "household_subscriptions_bulk_cancel"
		})
		for range 120 {
			tool := names[w.rng.IntN(len(names))]
			_, _ = a.Apply(a.As("ann"), tool, calls[tool]()) // some are refused
		}
		today := read[Settings](t, a, "ann", "household_settings_get", nil).Today
		span := func(days int) args {
			return args{"from": today.String(), "to": today.AddDays(days).String(), "limit": 200}
		}
		due, first := []string{}, map[string]tools.Date{}
		sixty, thirty := totalsOf{}, totalsOf{}
		for _, u := range read[upcomingOut](t, a, "ann", "household_upcoming", args{"days": 60, "limit": 200}).Items {
			due = append(due, u.Date.String()+" "+u.Subscription+" "+u.Amount+" "+u.Currency)
			if _, seen := first[u.Subscription]; !seen {
				first[u.Subscription] = u.Date
			}
			if sixty.add(u.Amount, u.Currency); !u.Date.After(today.AddDays(30)) {
				thirty.add(u.Amount, u.Currency)
			}
		}
		if len(due) < 20 || len(due) == 200 {
			t.Fatalf("seed %d: %d are due: it tries little", seed, len(due))
		}
		slices.Sort(due)
		same := func(what string, want, got any) {
			t.Helper()
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("seed %d, %s: %s", seed, what, diff)
			}
		}
		var days, list []string
		for _, d := range read[Calendar](t, a, "ann", calendarName, span(60)).Days {
			for _, e := range d.Entries {
				if e.Kind == "charge" && e.State == expected {
					days = append(days, d.Date.String()+" "+e.Subscription+" "+e.Amount+" "+e.Currency)
				}
			}
		}
		in := span(60)
		in["state"] = expected
		for _, c := range read[chargeListOut](t, a, "ann", "household_charge_list", in).Items {
			list = append(list, c.Date.String()+" "+c.Subscription+" "+c.Amount+" "+c.Currency)
		}
		slices.Sort(days)
		slices.Sort(list)
		same("calendar", due, days)
		same("charges", due, list)

		in = span(60)
		in["by"] = "member"
		spent, over, borne := totalsOf{}, totalsOf{}, totalsOf{}
		for _, row := range read[Spending](t, a, "ann", "household_spending", in).Items {
			for _, s := range row.Sums {
				spent.add(s.Expected, s.Currency)
			}
		}
		for _, s := range read[Overview](t, a, "ann", "household_overview", nil).Sums {
			over.add(s.Next30Days, s.Currency)
		}
		for _, p := range read[ShareOverview](t, a, "ann", shareOverviewName, nil).People {
			for _, s := range p.Sums {
				borne.add(s.Next30Days, s.Currency)
			}
		}
		same("spending", sixty, spent)
		same("overview", thirty, over)
		same("shares", thirty, borne)
		for _, s := range read[subscriptionListOut](t, a, "ann", "household_subscription_list", args{"status": "all", "limit": 200}).Items {
			next := tools.Date{}
			if s.NextCharge != nil && !s.NextCharge.Date.After(today.AddDays(60)) {
				next = s.NextCharge.Date
			}
			same("next of "+s.Name, first[s.ID], next)
		}
	}
}
