package household

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

const shareTool = "household_subscription_share"

// Whatever is divided, the parts add up to it, none is below zero, and nobody
// of equal weight bears more than one minor unit more than another.
func TestSplit(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	amounts := []int64{0, 1, 2, 99, 1599, 100_000, tools.MaxMinor - 1, tools.MaxMinor}
	for range 20_000 {
		amount := amounts[random.IntN(len(amounts))]
		if random.IntN(2) == 0 {
			amount = random.Int64N(10_000)
		}
		list := make([]share, random.IntN(maxShares)+1)
		fixed, weighted := int64(0), false
		for i := range list {
			switch random.IntN(4) {
			case 0:
				list[i].fixed = amounts[random.IntN(len(amounts))]
				fixed = plus(fixed, list[i].fixed)
			case 1:
				list[i].fixed = random.Int64N(amount/4 + 1)
				fixed = plus(fixed, list[i].fixed)
			default:
				list[i].weight = random.IntN(3) + 1
				weighted = true
			}
		}
		parts := split(amount, list)
		var sum int64
		for i, part := range parts {
			if sum += part; part < 0 {
				t.Fatalf("split(%d, %+v) = %v", amount, list, parts)
			}
			fits := fixed == amount || (fixed < amount && weighted)
			if fits && list[i].weight == 0 && part != list[i].fixed {
				t.Fatalf("split(%d, %+v) = %v: a fixed part is another", amount, list, parts)
			}
			for j, other := range parts {
				if list[i].weight == list[j].weight && list[i].fixed == list[j].fixed && (part-other > 1 || (i < j && part < other)) {
					t.Fatalf("split(%d, %+v) = %v: %d and %d are treated differently", amount, list, parts, i, j)
				}
			}
		}
		if sum != amount {
			t.Fatalf("split(%d, %+v) = %v, in all %d", amount, list, parts, sum)
		}
	}
}

func TestSplitByHand(t *testing.T) {
	w := func(weights ...int) (list []share) {
		for _, n := range weights {
			list = append(list, share{weight: n})
		}
		return list
	}
	f := func(amounts ...int64) (list []share) {
		for _, n := range amounts {
			list = append(list, share{fixed: n})
		}
		return list
	}
	rows := []struct {
		name   string
		amount int64
		list   []share
		want   []int64
	}{
		{"odd cents to the first", 1000, w(1, 1, 1), []int64{334, 333, 333}},
		{"the largest remainder first", 100, w(1, 2, 3), []int64{17, 33, 50}},
		{"then by position", 101, w(1, 1, 1, 1), []int64{26, 25, 25, 25}},
		{"fixed first", 1599, append(f(400), w(1, 1)...), []int64{400, 600, 599}},
		{"fixed takes all", 400, append(f(400), w(1, 1)...), []int64{400, 0, 0}},
		{"fixed alone", 1599, f(1000, 599), []int64{1000, 599}},
		{"a price that has risen", 1799, f(1000, 599), []int64{1125, 674}},
		{"a price that has fallen", 1000, append(f(1000, 500), w(3)...), []int64{667, 333, 0}},
		{"fixed at nothing", 5, f(0, 0), []int64{3, 2}},
		{"nobody", 5, nil, []int64{}},
	}
	for _, row := range rows {
		if got := split(row.amount, row.list); !slices.Equal(got, row.want) {
			t.Errorf("%s: split(%d) = %v, want %v", row.name, row.amount, got, row.want)
		}
	}
}

func TestShare(t *testing.T) {
	rows := []struct {
		name   string
		sub    args
		shares []ShareIn
		want   string // amounts
		you    string
		says   string
	}{
		{"evenly", nil, []ShareIn{{Member: "ann", Weight: 1}, {Member: "bob", Weight: 1}}, "8.00 7.99", "8.00", "Split Netflix, 15.99 EUR a month: ann 8.00 EUR, bob 7.99 EUR\nYour share is 8.00 EUR a month"},
		{"with somebody else", nil, []ShareIn{{Member: "bob", Weight: 2}, {Person: " Tía  Eve ", Weight: 1}}, "10.66 5.33", "0.00", "Split Netflix, 15.99 EUR a month: bob 10.66 EUR, Tía Eve 5.33 EUR\nYour share is 0.00 EUR a month"},
		{"fixed", nil, []ShareIn{{Member: "bob", Fixed: "5.99"}, {Member: "ann", Fixed: "10"}}, "5.99 10.00", "10.00", "Split Netflix, 15.99 EUR a month: bob 5.99 EUR, ann 10.00 EUR\nYour share is 10.00 EUR a month"},
		{"fixed and the rest", nil, []ShareIn{{Person: "Eve", Fixed: "5"}, {Member: "ann", Weight: 1}, {Member: "bob", Weight: 1}}, "5.00 5.50 5.49", "5.50", "Split Netflix, 15.99 EUR a month: Eve 5.00 EUR, ann 5.50 EUR, bob 5.49 EUR\nYour share is 5.50 EUR a month"},
		{"without minor units", args{"amount": "1000", "currency": "JPY"}, []ShareIn{{Person: "A", Weight: 1}, {Person: "B", Weight: 1}, {Member: "ann", Weight: 1}}, "334 333 333", "333", "Split Netflix, 1,000 JPY a month: A 334 JPY, B 333 JPY, ann 333 JPY\nYour share is 333 JPY a month"},
		{"with three decimals", args{"amount": "0.001", "currency": "KWD"}, []ShareIn{{Member: "bob", Weight: 1000}, {Member: "ann", Weight: 1}}, "0.001 0.000", "0.000", "Split Netflix, 0.001 KWD a month: bob 0.001 KWD, ann 0.000 KWD\nYour share is 0.000 KWD a month"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			a := newHome(t)
			in := args{"id": add(t, a, "ann", row.sub).ID, "shares": row.shares}
			if said := card(t, a, "ann", shareTool, in); !strings.HasPrefix(said, row.says+"\n") {
				t.Errorf("the card is\n%s\nwant\n%s", said, row.says)
			}
			out, _ := apply[Divided](t, a, "ann", shareTool, in)
			if out.YouBear != row.you {
				t.Errorf("it says %s", out.YouBear)
			}
			if got := amountsOf(get(t, a, "bob", out.ID).Shares); got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		})
	}
}

func amountsOf(list []Share) string {
	var amounts []string
	for _, sh := range list {
		amounts = append(amounts, sh.Amount)
	}
	return strings.Join(amounts, " ")
}

// A new list takes the place of the old one: whoever stays keeps their record,
// and only where somebody drops out a record is deleted, which is asked for
// first.
func TestShareIsDropped(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	before := dump(t, a)
	list := func(names ...string) args {
		in := args{"id": id}
		var shares []ShareIn
		for _, n := range names {
			if n == "ann" || n == "bob" {
				shares = append(shares, ShareIn{Member: n, Weight: 1})
			} else {
				shares = append(shares, ShareIn{Person: n, Weight: 1})
			}
		}
		in["shares"] = shares
		return in
	}
	rows := []struct {
		in     args
		effect tools.Effect
		want   string
		gone   string
	}{
		{list("ann", "bob", "Eve"), tools.EffectWrite, "ann bob Eve", ""},
		{list("bob", "EVE", "ann"), tools.EffectWrite, "bob EVE ann", ""},
		{list("bob", "Carl", "ann"), tools.EffectWrite, "bob Carl ann", "EVE"},
		{list("ann", "Carl"), tools.EffectDestroy, "ann Carl", "bob"},
		{list("Dora", "bob"), tools.EffectWrite, "Dora bob", "ann, Carl"},
		{args{"id": id, "clear": true}, tools.EffectDestroy, "", "Dora, bob"},
	}
	var audit []string
	ids := map[string]string{} // a member's record stays the same
	for _, row := range rows {
		p, err := a.Preview(a.As("ann"), shareTool, row.in)
		if err != nil {
			t.Fatal(err)
		}
		if p.Items[0].Effect != row.effect || !p.Items[0].Money {
			t.Errorf("%v is a %s", row.in, p.Items[0].Effect)
		}
		said := card(t, a, "ann", shareTool, row.in)
		if strings.Contains(said, "No part in it any more") != (row.gone != "") || !strings.Contains(said+"\n", row.gone+"\n") {
			t.Errorf("%v is said as %s", row.in, said)
		}
		out, receipt := apply[Divided](t, a, "ann", shareTool, row.in)
		audit = append(audit, receipt.Audit...)
		var names []string
		for _, sh := range out.Shares {
			names = append(names, sh.Handle+sh.Person)
		}
		if got := strings.Join(names, " "); got != row.want {
			t.Errorf("%s, want %s", got, row.want)
		}
		recs, err := a.FindAllRecords(shares)
		if err != nil || len(recs) != len(names) {
			t.Fatalf("%d records, %v", len(recs), err)
		}
		for _, rec := range recs {
			if m := rec.GetString("member"); m == a.Member("bob").Id {
				if ids[m] != "" && ids[m] != rec.Id && row.want != "Dora bob" {
					t.Errorf("%v: another record is bob's", row.in)
				}
				ids[m] = rec.Id
			}
		}
	}
	if got := title(t, a, "ann", shareTool, list("ann")); got != "Split Netflix, 15.99 EUR a month: ann 15.99 EUR" {
		t.Error(got)
	}
	if _, err := a.Undo(a.As("ann"), audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// Fixed parts that were agreed for another price are scaled: what is shown
// comes to what is paid.
func TestSharesOfAnotherPrice(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	id := add(t, a, "ann", nil).ID
	apply[Divided](t, a, "ann", shareTool, args{"id": id, "shares": []ShareIn{{Member: "ann", Fixed: "10.00"}, {Member: "bob", Fixed: "5.99"}}})
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "17.99", "price_from": "2026-02-15"})
	out := get(t, a, "ann", id)
	if amountsOf(out.Shares) != "11.25 6.74" || out.Shares[0].Fixed != "10.00" {
		t.Errorf("%+v", out.Shares)
	}
	refused(t, a, shareTool, args{"id": id, "shares": []ShareIn{{Member: "ann", Fixed: "10.00"}, {Member: "bob", Fixed: "5.99"}}}, tools.Invalid, "17.99 EUR", "2.00 EUR is missing")
}

func TestBadShares(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	yen := add(t, a, "ann", args{"name": "Yen", "amount": "900", "currency": "JPY"}).ID
	apply[Divided](t, a, "ann", shareTool, args{"id": yen, "shares": []ShareIn{{Member: "ann", Weight: 1}}})
	before := dump(t, a)
	many := make([]ShareIn, 21)
	for i := range many {
		many[i] = ShareIn{Person: strings.Repeat("x", i+1), Weight: 1}
	}
	of := func(id string, list ...ShareIn) args { return args{"id": id, "shares": list} }
	ann, bob := ShareIn{Member: "ann", Weight: 1}, ShareIn{Member: "bob", Weight: 1}
	calls := []struct {
		in    args
		kind  tools.Kind
		words string
	}{
		{args{"id": id}, tools.Invalid, "shares|empty|clear"},
		{of(id), tools.Invalid, "shares|empty"},
		{args{"id": id, "clear": true}, tools.Conflict, "clear|Netflix"},
		{args{"id": id, "clear": true, "shares": []ShareIn{ann}}, tools.Invalid, "shares|cleared"},
		{of("nobody", ann), tools.NotFound, "nobody"},
		{of(id, many...), tools.Invalid, "shares|21|20"},
		{of(id, ann, ShareIn{Weight: 1}), tools.Invalid, "shares[1].member|person"},
		{of(id, ShareIn{Member: "ann", Person: "Ann", Weight: 1}), tools.Invalid, "shares[0].member|person"},
		{of(id, ann, ShareIn{Member: "bob"}), tools.Invalid, "shares[1].weight|fixed"},
		{of(id, ann, ShareIn{Member: "bob", Weight: 1, Fixed: "1"}), tools.Invalid, "shares[1].weight|fixed"},
		{of(id, ann, ShareIn{Member: "bob", Weight: 1001}), tools.Invalid, "shares[1].weight|1001|1000"},
		{of(id, ann, ShareIn{Member: "bob", Weight: -1}), tools.Invalid, "shares[1].weight|-1|1000"},
		{of(id, ann, ShareIn{Member: "carla", Weight: 1}), tools.Invalid, "shares[1].member|carla"},
		{of(id, ann, ShareIn{Member: a.Member("ann").Id, Weight: 1}), tools.Invalid, "shares[1].member|twice"},
		{of(id, ann, ShareIn{Person: "Zoë", Weight: 1}, ShareIn{Person: "ZOE\u0308", Weight: 1}), tools.Invalid, "shares[2].person|twice"},
		{of(id, ann, ShareIn{Person: "\u200b", Weight: 1}), tools.Invalid, "shares[1].person|empty"},
		{of(id, ann, ShareIn{Person: strings.Repeat("é", 61), Weight: 1}), tools.Invalid, "shares[1].person|60"},
		{of(id, ann, ShareIn{Person: "Eve", Fixed: "-1"}), tools.Invalid, "shares[1].fixed|below zero"},
		{of(id, ann, ShareIn{Person: "Eve", Fixed: "1.005"}), tools.Invalid, "shares[1].fixed|decimal places"},
		{of(id, ann, ShareIn{Person: "Eve", Fixed: "16"}), tools.Invalid, "shares|Netflix|16.00 EUR|15.99 EUR|0.01 EUR is too much"},
		{of(id, ShareIn{Member: "ann", Fixed: "8"}, ShareIn{Member: "bob", Fixed: "7.98"}), tools.Invalid, "shares|Netflix|15.98 EUR|15.99 EUR|0.01 EUR is missing"},
		{of(id, ShareIn{Member: "ann", Fixed: "8"}, ShareIn{Member: "bob", Fixed: "8"}), tools.Invalid, "shares|Netflix|16.00 EUR|0.01 EUR is too much"},
		{of(yen, ann, ShareIn{Person: "Eve", Fixed: "1.5"}), tools.Invalid, "shares[1].fixed|JPY"},
		{args{"id": id, "shares": []args{{"member": "ann", "amount": "1"}}}, tools.Invalid, "amount|unknown"},
	}
	for _, c := range calls {
		refused(t, a, shareTool, c.in, c.kind, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%v stored something: %s", c.in, diff)
		}
	}
	refused(t, a, "household_subscription_update", args{"id": yen, "currency": "EUR", "amount": "9"}, tools.Invalid, "currency", "Yen", "shares")
	apply[Divided](t, a, "ann", shareTool, of(id, bob, ann, ShareIn{Person: "Ann", Weight: 1000}))
}

// Shares that are brought back are in the subscription's currency, or not at
// all.
func TestUndoBringsBackNoOtherCurrency(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	apply[Divided](t, a, "ann", shareTool, args{"id": id, "shares": []ShareIn{{Member: "ann", Fixed: "15.99"}}})
	_, cleared := apply[Divided](t, a, "ann", shareTool, args{"id": id, "clear": true})
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "currency": "JPY", "amount": "900"})
	before := dump(t, a)
	if _, err := a.Undo(a.As("ann"), cleared.Audit...); tools.KindOf(err) != tools.Conflict {
		t.Errorf("euros came back below yen: %v", err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// Who owns what is divided no longer bears all of it, and is not said to have no part.
func TestShareClearedIsTheOwners(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", args{"name": "Netflix"}).ID
	apply[Divided](t, a, "ann", shareTool, args{"id": id, "shares": []ShareIn{{Member: "ann", Weight: 1}, {Member: "bob", Weight: 1}}})
	says(t, a, shareTool, args{"id": id, "clear": true}, "Stop splitting Netflix: 15.99 EUR a month", "Your share is 15.99 EUR a month", "No part in it any more: bob")
}
