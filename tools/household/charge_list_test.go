package household

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// paged reads a list by pages of some items, and gives each with its due day.
func paged(tb testing.TB, list func(cursor string, limit int) chargeListOut, limit int) []string {
	tb.Helper()
	all, cursor := []string{}, ""
	for {
		out := list(cursor, limit)
		if len(out.Items) > limit || (out.Next != "" && len(out.Items) < limit) {
			tb.Errorf("%d items on a page of %d", len(out.Items), limit)
		}
		for _, c := range out.Items {
			all = append(all, fmt.Sprint(c.Date, " ", c.Name, " ", c.State, " ", c.Amount, " due ", c.Due, " ", c.ExpectedAmount, " ", c.ID))
		}
		if cursor = out.Next; cursor == "" {
			return all
		}
	}
}

// Whatever charges there are: those that were booked are the confirmed and the
// changed ones, all are the states together, each once, newest first, in pages
// of any size, and a subscription's own list is its part of all.
func TestChargeStatesForAnyCharges(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	rnd := rand.New(rand.NewPCG(5, 5))
	names := []string{"A", "B", "C", "D"}
	ids := map[string]string{}
	for i, name := range names {
		in := args{"name": name, "first_date": date("2025-09-27").AddDays(i * 9).String(), "cycle": []string{"P1M", "P1W", "P4W", "P1M"}[i]}
		if i == 3 {
			in["ends_on"] = "2026-04-01"
		}
		id := add(t, a, "ann", in).ID
		ids[name] = id
		rec, err := a.FindRecordById(subscriptions, id)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scheduleOf(rec, below{})
		if err != nil {
			t.Fatal(err)
		}
		named := map[string]bool{}
		for _, d := range s.between(s.first, date("2026-06-30"), 40) {
			amount := []int{1599, 1599, 1799}[rnd.IntN(3)]
			switch due := d.String(); rnd.IntN(5) {
			case 0, 1:
				charge(t, a, id, d.AddDays(rnd.IntN(13)-6).String(), amount, nil)
			case 2:
				if !named[due] {
					charge(t, a, id, d.AddDays(rnd.IntN(80)-40).String(), amount, map[string]any{"due": due, "state": confirmed})
				}
				named[due] = true
			case 3:
				if !named[due] {
					charge(t, a, id, due, 0, map[string]any{"due": due, "state": skipped})
				}
				named[due] = true
			}
		}
	}
	list := func(in args) func(string, int) chargeListOut {
		return func(cursor string, limit int) chargeListOut {
			full := args{"cursor": cursor, "limit": limit}
			for k, v := range in {
				full[k] = v
			}
			return read[chargeListOut](t, a, "bob", chargesTool, full)
		}
	}
	all := paged(t, list(args{"state": "all"}), 200)
	if !slices.IsSortedFunc(all, func(x, y string) int { return strings.Compare(y[:10], x[:10]) }) {
		t.Error("not newest first")
	}
	count := map[string]int{}
	for _, state := range []string{expected, confirmed, differs, skipped} {
		want := []string{}
		for _, c := range all {
			if strings.Contains(c, " "+state+" ") {
				want = append(want, c)
			}
		}
		count[state] = len(want)
		same(t, state, want, paged(t, list(args{"state": state}), 7))
	}
	if count[expected] < 10 || count[confirmed] < 10 || count[differs] < 10 || count[skipped] < 5 {
		t.Errorf("%v: it tries little", count)
	}
	booked := slices.DeleteFunc(slices.Clone(all), func(c string) bool { return strings.Contains(c, " expected ") || strings.Contains(c, " skipped ") })
	same(t, "booked", booked, paged(t, list(nil), 7))
	same(t, "booked", booked, paged(t, list(args{"state": "booked"}), 200))
	same(t, "all", all, paged(t, list(args{"state": "all"}), 9))
	var apart []string
	for _, name := range names {
		apart = append(apart, paged(t, list(args{"state": "all", "subscription": ids[name]}), 11)...)
	}
	same(t, "by subscription", all, apart)
	for _, state := range []string{"all", "booked", "changed"} {
		var parts []string
		for d := date("2025-08-01"); d.Before(date("2026-08-01")); d = d.AddDays(10) {
			parts = append(parts, paged(t, list(args{"state": state, "from": d.String(), "to": d.AddDays(9).String()}), 200)...)
		}
		in := args{"state": state, "from": "2025-08-01", "to": date("2025-08-01").AddDays(369).String()}
		same(t, state+" in parts", paged(t, list(in), 200), parts)
	}
}

// same compares lists of any order.
func same(tb testing.TB, what string, want, got []string) {
	tb.Helper()
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))); diff != "" {
		tb.Errorf("%s: %s", what, diff)
	}
}

// What is shown of one subscription says the same as the list.
func TestDetailsShowStates(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	charge(t, a, id, "2026-03-18", 1799, map[string]any{"text": "NETFLIX"})
	apply[ChargeSkipped](t, a, "ann", skipTool, args{"subscription": id, "due": "2026-06-15"})
	got := read[Details](t, a, "bob", "household_subscription_get", args{"id": id}).Charges
	want := []Charge{
		{ID: got[0].ID, Subscription: id, Name: "Netflix", State: skipped, Due: date("2026-06-15"), Date: date("2026-06-15"), Amount: "0.00", Currency: "EUR"},
		{ID: got[1].ID, Subscription: id, Name: "Netflix", State: differs, Due: date("2026-03-15"), Date: date("2026-03-18"), Amount: "17.99", ExpectedAmount: "15.99", Currency: "EUR", Text: "NETFLIX"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[1:], read[chargeListOut](t, a, "ann", chargesTool, nil).Items); diff != "" {
		t.Error(diff)
	}
}

// What was stored before the years were bounded is listed, and breaks no list.
func TestChargeBeyondAllYears(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	apply[ChargeDone](t, a, "ann", "household_charge_confirm", args{"subscription": id})
	for _, day := range []string{"9999-12-31", "0001-01-01"} {
		if _, err := a.DB().NewQuery("UPDATE household_charges SET date = '" + day + "', due = ''").Execute(); err != nil {
			t.Fatal(err)
		}
		for _, in := range []args{{}, {"state": "all"}, {"subscription": id}} {
			out := read[chargeListOut](t, a, "ann", "household_charge_list", in)
			i := slices.IndexFunc(out.Items, func(c Charge) bool { return c.ID != "" })
			if i < 0 || out.Items[i].Date.String() != day {
				t.Errorf("%s %v: %+v", day, in, out.Items)
			}
		}
		if sub := read[Details](t, a, "ann", "household_subscription_get", args{"id": id}); len(sub.Charges) != 1 {
			t.Errorf("%s: %+v", day, sub.Charges)
		}
	}
	if out, err := shownLines(&tools.Reader{}, []line{{}}); err != nil || len(out) != 0 {
		t.Errorf("%+v %v", out, err)
	}
}

// What is open for years is not looked at unless somebody asks for it, page by
// page; what was booked is listed however old it is.
func TestOpenForYears(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	id := add(t, a, "ann", args{"name": "Old", "first_date": "1990-01-15"}).ID
	apply[ChargeDone](t, a, "ann", "household_charge_confirm", args{"subscription": id, "due": "1990-01-15"})
	list := func(in args) func(string, int) chargeListOut {
		return func(cursor string, limit int) chargeListOut {
			in["cursor"], in["limit"] = cursor, limit
			return read[chargeListOut](t, a, "ann", chargesTool, in)
		}
	}
	for _, row := range []struct {
		in          args
		n           int
		first, last string
	}{
		{args{"state": "expected"}, 13, "2026-06-15", "2025-06-15"},
		{args{"state": "expected", "to": "2020-05-20"}, 12, "2020-05-15", "2019-06-15"},
		{args{"state": "expected", "from": "1990-01-01"}, 437, "2026-06-15", "1990-02-15"},
		{args{"state": "all"}, 14, "2026-06-15", "1990-01-15"},
		{args{"state": "confirmed"}, 1, "1990-01-15", "1990-01-15"},
	} {
		got := paged(t, list(row.in), 50)
		if len(got) != row.n || !strings.HasPrefix(got[0], row.first) || !strings.HasPrefix(got[len(got)-1], row.last) {
			t.Errorf("%v: %d, %s to %s", row.in, len(got), got[0], got[len(got)-1])
		}
	}
	out, _ := apply[ChargesConfirmed](t, a, "ann", allTool, args{"from": "2026-01-01"})
	if out.Count != 5 || out.Older != 431 {
		t.Errorf("%d, %d older", out.Count, out.Older)
	}
}
