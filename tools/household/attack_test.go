package household

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// One test for each thing that an attack found.

// A fixed part is of one charge, not of a month.
func TestFixedShareOfOtherCycles(t *testing.T) {
	a := newHome(t)
	year := add(t, a, "ann", args{"name": "Year", "amount": "120.00", "cycle": "P1Y"}).ID
	apply[Divided](t, a, "ann", "household_subscription_share", args{"id": year, "shares": []args{{"person": "Oma", "fixed": "60.00"}, {"member": "ann", "weight": 1}}})
	week := add(t, a, "ann", args{"name": "Week", "amount": "10.00", "cycle": "P1W", "currency": "USD"}).ID
	apply[Divided](t, a, "ann", "household_subscription_share", args{"id": week, "shares": []args{{"person": "Oma", "fixed": "5.00"}, {"member": "ann", "weight": 1}}})
	got := map[string]string{}
	for _, p := range read[ShareOverview](t, a, "ann", "household_share_overview", nil).People {
		for _, s := range p.Sums {
			got[p.Name+" "+s.Currency] = s.PerMonth
		}
	}
	want := map[string]string{"ann EUR": "5.00", "Oma EUR": "5.00", "ann USD": "21.74", "Oma USD": "21.74"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A pause that begins when a term has ended lies in the next one: the last day
// to give notice stays.
func TestPauseOfTheNextTerm(t *testing.T) {
	a, _ := homeAt(t, "2026-01-10T12:00:00Z")
	id := add(t, a, "ann", args{"first_date": "2025-04-01"}).ID
	apply[any](t, a, "ann", "household_subscription_terms", args{"id": id, "min_term": "P12M", "extension": "P12M", "notice": "P1M"})
	apply[Paused](t, a, "ann", "household_subscription_pause", args{"id": id, "from": "2026-04-01", "resumes": "2026-05-01", "shift": true})
	got := read[Details](t, a, "ann", "household_subscription_get", args{"id": id}).Terms
	if got.NoticeBy.String() != "2026-02-28" || got.EndsOn.String() != "2026-03-31" {
		t.Errorf("%+v", got)
	}
}

// What somebody was reminded of is theirs alone, by any way in.
func TestRemindersAreTheirOwn(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	id := add(t, a, "ann", args{"first_date": "2025-03-12"}).ID
	apply[Reminder](t, a, "ann", "household_reminder_done", args{"kind": "charge", "subscription": id, "on": "2026-03-12"})
	col, err := a.FindCollectionByNameOrId(reminders)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := a.FindFirstRecordByData(reminders, "subscription", id)
	if err != nil {
		t.Fatal(err)
	}
	for who, want := range map[string]bool{"ann": true, "bob": false} {
		ok, err := a.CanAccessRecord(rec, &core.RequestInfo{Auth: a.Member(who), Context: core.RequestInfoContextDefault}, col.ViewRule)
		if err != nil || ok != want {
			t.Errorf("%s sees it: %v, %v", who, ok, err)
		}
	}
	p, err := a.Preview(a.As("bob"), "household_subscription_delete", args{"id": id})
	if err != nil || p.Items[0].Unseen != 1 {
		t.Errorf("bob's card: %v, %+v", err, p.Items)
	}
}

// A pause that moves what has been paid would count a month twice.
func TestPauseOverWhatWasPaid(t *testing.T) {
	a, _ := homeAt(t, "2026-03-20T12:00:00Z")
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	for _, due := range []string{"2026-01-15", "2026-02-15", "2026-03-15"} {
		apply[ChargeDone](t, a, "ann", "household_charge_confirm", args{"subscription": id, "due": due, "date": due})
	}
	for _, in := range []args{
		{"id": id, "from": "2026-01-20", "resumes": "2026-01-27", "shift": true},
		{"id": id, "from": "2026-02-10", "resumes": "2026-02-20", "shift": true},
		{"id": id, "from": "2026-03-01", "shift": true},
	} {
		refused(t, a, "household_subscription_pause", in, tools.Conflict, "from", "Netflix", "15.99 EUR")
	}
	refused(t, a, "household_subscriptions_bulk_pause", args{"ids": []string{id}, "from": "2026-03-10", "resumes": "2026-03-25", "shift": true}, tools.Conflict, "from", "Netflix", "15 March 2026")
	apply[Paused](t, a, "ann", "household_subscription_pause", args{"id": id, "from": "2026-01-20", "resumes": "2026-01-27"})
	apply[Paused](t, a, "ann", "household_subscription_pause", args{"id": id, "from": "2026-03-16", "resumes": "2026-05-16", "shift": true})
}

// A skip that becomes a charge is booked today at the latest.
func TestSkippedAheadIsBookedToday(t *testing.T) {
	a, _ := homeAt(t, "2026-02-28T12:00:00Z")
	id := add(t, a, "ann", args{"first_date": "2026-01-28"}).ID
	apply[ChargeSkipped](t, a, "ann", "household_charge_skip", args{"subscription": id, "due": "2026-06-28"})
	rec, err := a.FindFirstRecordByData(charges, "subscription", id)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := apply[ChargeDone](t, a, "ann", "household_charge_update", args{"id": rec.Id, "amount": "3.00"})
	if out.Date.String() != "2026-02-28" || out.Due.String() != "2026-06-28" {
		t.Errorf("booked on %s for %s", out.Date, out.Due)
	}
}
