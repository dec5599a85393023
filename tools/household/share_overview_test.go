package household

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nodkeep/nodkeep/tools"
)

const shareOverviewName = "household_share_overview"

func TestShareOverview(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	ann, bob := a.Member("ann").Id, a.Member("bob").Id
	share := func(id string, list ...ShareIn) {
		apply[Divided](t, a, "ann", shareTool, args{"id": id, "shares": list})
	}
	share(add(t, a, "ann", args{"name": "Weekly", "amount": "1.01", "cycle": "P1W", "first_date": "2026-03-06"}).ID, // five charges until 4 April, each with an odd cent
		ShareIn{Member: "bob", Weight: 2}, ShareIn{Person: "Eve", Weight: 1})
	share(add(t, a, "ann", args{"name": "Yearly", "amount": "120", "cycle": "P1Y", "first_date": "2026-08-01"}).ID, // nothing is due
		ShareIn{Member: "ann", Weight: 1}, ShareIn{Person: "EVE", Weight: 2})
	add(t, a, "ann", args{"name": "Own", "amount": "900", "currency": "JPY"})
	add(t, a, "bob", args{"name": "Hidden", "amount": "50", "private": true})
	free := add(t, a, "ann", args{"name": "Free", "amount": "3"}).ID
	rec, err := a.FindRecordById(subscriptions, free)
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("owner", "")
	if err := a.Save(rec); err != nil {
		t.Fatal(err)
	}
	want := []Bearer{
		{Member: tools.Account(ann), Name: "ann", Sums: []ShareSum{{Currency: "EUR", Subscriptions: 1, PerMonth: "3.33", Next30Days: "0.00"}, {Currency: "JPY", Subscriptions: 1, PerMonth: "900", Next30Days: "900"}}},
		{Member: tools.Account(bob), Name: "bob", Sums: []ShareSum{{Currency: "EUR", Subscriptions: 1, PerMonth: "2.93", Next30Days: "3.35"}}},
		{Name: "Eve", Sums: []ShareSum{{Currency: "EUR", Subscriptions: 2, PerMonth: "8.13", Next30Days: "1.70"}}},
		{Sums: []ShareSum{{Currency: "EUR", Subscriptions: 1, PerMonth: "3.00", Next30Days: "3.00"}}},
	}
	out := read[ShareOverview](t, a, "ann", shareOverviewName, nil)
	if diff := cmp.Diff(want, out.People, cmpopts.IgnoreUnexported(ShareSum{})); diff != "" {
		t.Error(diff)
	}
	for _, who := range []string{"ann", ann} {
		out = read[ShareOverview](t, a, "bob", shareOverviewName, args{"member": who})
		if diff := cmp.Diff(want[:1], out.People, cmpopts.IgnoreUnexported(ShareSum{})); diff != "" {
			t.Error(diff)
		}
	}
	// What bob has for himself is in his own figures only.
	want[1].Sums[0] = ShareSum{Currency: "EUR", Subscriptions: 2, PerMonth: "52.93", Next30Days: "53.35"}
	out = read[ShareOverview](t, a, "bob", shareOverviewName, args{"member": "bob"})
	if diff := cmp.Diff(want[1:2], out.People, cmpopts.IgnoreUnexported(ShareSum{})); diff != "" {
		t.Error(diff)
	}
	if _, err := a.Read(a.As("ann"), shareOverviewName, args{"member": "nobody"}); err == nil {
		t.Error("somebody who is no member was shown")
	}
}

// The parts come to the sums of the overview.
func TestShareOverviewAddsUp(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	for i, amount := range []string{"0.01", "10.00", "99.99", "7.77"} {
		id := add(t, a, "ann", args{"name": amount, "amount": amount, "cycle": []string{"P1W", "P4W", "P3M", "P1M"}[i], "first_date": "2026-03-10"}).ID
		apply[Divided](t, a, "ann", shareTool, args{"id": id, "shares": []ShareIn{{Member: "ann", Weight: 3}, {Member: "bob", Weight: 2}, {Person: "Eve", Weight: 2}}})
	}
	var month, next int64
	for _, p := range read[ShareOverview](t, a, "ann", shareOverviewName, nil).People {
		for _, sum := range p.Sums {
			month += moneyOf(sum.PerMonth, "EUR").Minor
			next += moneyOf(sum.Next30Days, "EUR").Minor
		}
	}
	all := read[Overview](t, a, "ann", "household_overview", nil).Sums[0]
	if month != moneyOf(all.PerMonth, "EUR").Minor || next != moneyOf(all.Next30Days, "EUR").Minor {
		t.Errorf("%d and %d, but %s and %s", month, next, all.PerMonth, all.Next30Days)
	}
}
