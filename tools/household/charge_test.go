package household

import (
	"testing"

	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// charge stores one as a statement would, or with more values.
func charge(tb testing.TB, a *toolstest.App, sub, day string, amount int, more map[string]any) string {
	tb.Helper()
	rec := record(tb, a.App, charges, map[string]any{"subscription": sub, "date": day, "amount": amount, "currency": "EUR"})
	rec.Load(more)
	if err := a.Save(rec); err != nil {
		tb.Fatal(err)
	}
	return rec.Id
}

// What the bank has booked early, or somebody has confirmed or skipped ahead,
// is not to come any more.
func TestSettledAheadIsNotUpcoming(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	early := add(t, a, "ann", args{"name": "Early", "first_date": "2026-01-16"}).ID
	add(t, a, "ann", args{"name": "Late", "first_date": "2026-01-11"})
	charge(t, a, early, "2026-05-13", 1599, nil)
	charge(t, a, early, "2026-06-16", 0, map[string]any{"due": "2026-06-16", "state": skipped})
	charge(t, a, early, "2026-05-13", 1599, map[string]any{"due": "2026-08-16", "state": confirmed})
	want, got := "Late 2026-06-11, Late 2026-07-11, Early 2026-07-16, Late 2026-08-11, Late 2026-09-11, Early 2026-09-16, ", ""
	for _, u := range read[upcomingOut](t, a, "ann", "household_upcoming", args{"days": 126}).Items {
		got += u.Name + " " + u.Date.String() + ", "
	}
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if next := read[Overview](t, a, "ann", "household_overview", nil).Next; len(next) != 1 || next[0].Name != "Late" {
		t.Errorf("%+v", next)
	}
	s := read[Details](t, a, "bob", "household_subscription_get", args{"id": early})
	if s.NextCharge.Date != date("2026-07-16") || len(s.Upcoming) != 3 || s.Upcoming[1].Date != date("2026-09-16") {
		t.Errorf("%+v %+v", s.NextCharge, s.Upcoming)
	}
}
