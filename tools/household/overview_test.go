package household

import (
	"strings"
	"testing"
)

// TestOverviewByStatus: what is paused now costs nothing a month, in the
// overview, in the shares and in the briefing alike; each status is counted as
// the list says it, and what is due again within thirty days is due.
func TestOverviewByStatus(t *testing.T) {
	a := newHome(t)
	add(t, a, "ann", args{"name": "Runs", "amount": "10.00", "cycle": "P1M", "first_date": day(5)})
	rests := add(t, a, "ann", args{"name": "Rests", "amount": "20.00", "cycle": "P4W", "first_date": day(-16)})
	alone := add(t, a, "ann", args{"name": "Alone", "amount": "300", "currency": "JPY", "cycle": "P4W", "first_date": day(-8)})
	add(t, a, "ann", args{"name": "Tried", "amount": "4.00", "cycle": "P1M", "first_date": day(9), "trial_ends_on": day(8)})
	ends := add(t, a, "ann", args{"name": "Ends", "amount": "1.00", "cycle": "P1M", "first_date": day(0)})
	apply[Paused](t, a, "ann", "household_subscription_pause", args{"id": rests.ID, "resumes": day(10)})
	apply[Paused](t, a, "ann", "household_subscription_pause", args{"id": alone.ID})
	apply[Cancelled](t, a, "ann", "household_subscription_cancel", args{"id": ends.ID})

	out := add(t, a, "ann", args{"name": "Runs out", "amount": "0.00", "cycle": "P4W", "first_date": day(-3)})
	apply[Cancelled](t, a, "ann", "household_subscription_cancel", args{"id": out.ID})

	o := read[Overview](t, a, "ann", "household_overview", nil)
	if o.Active != 1 || o.Paused != 2 || o.Trial != 1 || o.Cancelled != 2 {
		t.Errorf("%d active, %d paused, %d tried, %d cancelled", o.Active, o.Paused, o.Trial, o.Cancelled)
	}
	for i, want := range []OverviewSum{
		{Currency: "EUR", Subscriptions: 4, PerMonth: "15.00", Next30Days: "35.00"},
		{Currency: "JPY", PerMonth: "0", Next30Days: "0"},
	} {
		got := o.Sums[i]
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	for status, want := range map[string]int{"active": o.Active, "trial": o.Trial, "paused": o.Paused, "cancelled": o.Cancelled} {
		if got := len(read[subscriptionListOut](t, a, "ann", "household_subscription_list", args{"status": status}).Items); got != want {
			t.Errorf("%d %s in the list, %d in the overview", got, status, want)
		}
	}
	for _, b := range read[ShareOverview](t, a, "ann", "household_share_overview", nil).People {
		if b.Name == "ann" && (b.Sums[0].PerMonth != "15.00" || b.Sums[0].Subscriptions != 4 || b.Sums[1].PerMonth != "0") {
			t.Errorf("%+v", b.Sums)
		}
	}
	said, _ := spoken(t, a, "ann", "en")
	if !strings.Contains(said, "4 subscriptions run, 15.00 EUR a month") || !strings.Contains(said, "Runs out, 0.00 EUR, P4W, ends "+day(24)) || !strings.Contains(said, "2 subscriptions are paused") {
		t.Error(said)
	}
}

// What ended up to ninety days ago is told of, the latest first, and what ends
// today has not ended.
func TestOverviewTellsWhatEnded(t *testing.T) {
	a := homeOn(t, "2026-03-31")
	for name, ends := range map[string]string{"long ago": "2025-12-30", "ninety": "2025-12-31", "yesterday": "2026-03-30", "today": "2026-03-31"} {
		add(t, a, "ann", args{"name": name, "ends_on": ends})
	}
	o := read[Overview](t, a, "bob", "household_overview", nil)
	if len(o.Ended) != 2 || o.Ended[0].Name != "yesterday" || o.Ended[1].Name != "ninety" || len(o.Ending) != 1 || o.Ending[0].Name != "today" {
		t.Errorf("ended %+v, ending %+v", o.Ended, o.Ending)
	}
}
