package household

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// priceHistory lists what a subscription costs since when.
func priceHistory(s Subscription) (list []string) {
	for _, p := range s.Prices {
		list = append(list, p.From.String()+" "+p.Amount)
	}
	return list
}

func shown(tb testing.TB, a *toolstest.App, id string) Subscription {
	tb.Helper()
	return read[Details](tb, a, "ann", "household_subscription_get", args{"id": id}).Subscription
}

func TestIntroductoryPrice(t *testing.T) {
	a, clock := homeAt(t, noon)
	in := args{"name": "Phone", "amount": "25", "currency": "EUR", "cycle": "P1M", "first_date": "2026-03-15", "intro_amount": "4", "intro_until": "2026-06-14"}
	says(t, a, "household_subscription_add", in, "Add Phone: 4.00 EUR a month", "Next charge on 15 March 2026", "4.00 EUR until 14 June 2026, then 25.00 EUR a month")
	out := add(t, a, "ann", in)
	if diff := cmp.Diff([]string{"2026-03-15 4.00", "2026-06-15 25.00"}, priceHistory(out.Subscription)); diff != "" {
		t.Error(diff)
	}
	var due []string
	for _, u := range read[upcomingOut](t, a, "ann", "household_upcoming", args{"days": 130}).Items {
		due = append(due, u.Date.String()+" "+u.Amount)
	}
	if diff := cmp.Diff([]string{"2026-03-15 4.00", "2026-04-15 4.00", "2026-05-15 4.00", "2026-06-15 25.00", "2026-07-15 25.00"}, due); diff != "" {
		t.Error(diff)
	}
	longer, _ := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": out.ID, "intro_amount": "5", "intro_until": "2026-07-14", "amount": "26"})
	if diff := cmp.Diff([]string{"2026-03-15 5.00", "2026-07-15 26.00"}, priceHistory(longer.Subscription)); diff != "" {
		t.Error(diff)
	}
	later := add(t, a, "ann", args{"name": "Later", "first_date": "2026-01-31"}).ID
	given, _ := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": later, "intro_amount": "0", "intro_until": "2026-04-29"})
	if diff := cmp.Diff([]string{"2026-01-31 0.00", "2026-04-30 15.99"}, priceHistory(given.Subscription)); diff != "" {
		t.Error(diff)
	}
	*clock = clock.AddDate(1, 0, 0)
	if s := shown(t, a, out.ID); s.Amount != "26.00" {
		t.Errorf("it costs %s long after", s.Amount)
	}
}

func TestBadIntroductoryPrice(t *testing.T) {
	a, _ := homeAt(t, noon)
	paid := add(t, a, "ann", args{"name": "Paid", "first_date": "2026-01-15"}).ID
	store(t, a, charges, args{"subscription": paid, "date": "2026-02-16", "amount": 1599, "currency": "EUR"})
	three := add(t, a, "ann", args{"name": "Three", "first_date": "2026-01-15", "intro_amount": "1", "intro_until": "2026-02-14"}).ID
	apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": three, "amount": "20", "from": "2026-05-15"})
	before := dump(t, a)
	full := func(in args) args {
		all := args{"name": "X", "amount": "9", "cycle": "P1M", "currency": "EUR", "first_date": "2026-03-15"}
		for k, v := range in {
			all[k] = v
		}
		return all
	}
	const addTool, update = "household_subscription_add", "household_subscription_update"
	for _, c := range []struct {
		tool  string
		in    args
		kind  tools.Kind
		words string
	}{
		{addTool, full(args{"intro_amount": "1"}), tools.Invalid, "intro_amount|X|intro_until"},
		{addTool, full(args{"intro_until": "2026-06-14"}), tools.Invalid, "intro_until|X|intro_amount"},
		{addTool, full(args{"intro_amount": "1", "intro_until": "2026-03-14"}), tools.Invalid, "intro_until|X|15 March 2026"},
		{addTool, full(args{"intro_amount": "1", "intro_until": "2026-04-01", "trial_ends_on": "2026-04-01"}), tools.Invalid, "intro_until|X|15 April 2026"},
		{addTool, full(args{"intro_amount": "-1", "intro_until": "2026-06-14"}), tools.Invalid, "intro_amount|below zero"},
		{addTool, full(args{"intro_amount": "1", "intro_until": "2199-12-31"}), tools.Invalid, "intro_until|2199"},
		{update, args{"id": paid, "intro_amount": "1", "intro_until": "2026-06-14"}, tools.Conflict, "intro_until|Paid|15.99 EUR|16 February 2026"},
		{update, args{"id": paid, "intro_until": "2026-06-14"}, tools.Invalid, "intro_until|Paid|intro_amount"},
		{update, args{"id": paid, "intro_amount": "1", "intro_until": "2026-06-14", "amount": "3", "price_from": "2026-06-15"}, tools.Invalid, "price_from|intro_until|Paid"},
		{update, args{"id": three, "intro_amount": "1", "intro_until": "2026-06-14"}, tools.Invalid, "intro_amount|Three|household_price_set"},
	} {
		refused(t, a, c.tool, c.in, c.kind, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%v: %s", c.in, diff)
		}
	}
}

func TestPriceSet(t *testing.T) {
	a, _ := homeAt(t, noon)
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	change := func(amount, from string) args { return args{"subscription": id, "amount": amount, "from": from} }
	const tool = "household_price_set"
	says(t, a, tool, change("17.99", "2026-04-15"), "Netflix: 17.99 EUR instead of 15.99 EUR from 15 April 2026", "2.00 EUR more a month")
	says(t, a, tool, change("9.99", "2026-02-15"), "Netflix: 9.99 EUR instead of 15.99 EUR from 15 February 2026", "6.00 EUR less a month")
	out, _ := apply[Repriced](t, a, "ann", tool, change("17.99", "2026-04-15"))
	if out.Before != "15.99" || out.After != "17.99" || out.Amount != "15.99" {
		t.Errorf("%+v", out)
	}
	apply[Repriced](t, a, "ann", tool, change("1", "2026-01-15"))
	if diff := cmp.Diff([]string{"2026-01-15 1.00", "2026-04-15 17.99"}, priceHistory(shown(t, a, id))); diff != "" {
		t.Error(diff)
	}
	before := dump(t, a)
	refused(t, a, tool, change("17.99", "2026-05-01"), tools.Conflict, "Netflix", "17.99 EUR", "1 May 2026")
	refused(t, a, tool, change("18", "2026-01-14"), tools.Invalid, "from", "Netflix", "15 January 2026")
	refused(t, a, tool, change("18,1", "2026-05-01"), tools.Invalid, "amount", "15.99")
	refused(t, a, tool, change("18", "2026-02-30"), tools.Invalid, "from", "2026-02-30")
	refused(t, a, tool, args{"subscription": "nobody", "amount": "1", "from": "2026-05-01"}, tools.NotFound, "nobody")
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// What was paid is history: no price that is said later contradicts it.
func TestPriceInThePastOfACharge(t *testing.T) {
	a, _ := homeAt(t, noon)
	id := add(t, a, "ann", args{"first_date": "2025-09-15"}).ID
	charge := func(values args) {
		t.Helper()
		full := args{"subscription": id, "amount": 1599, "currency": "EUR"}
		for k, v := range values {
			full[k] = v
		}
		store(t, a, charges, full)
	}
	charge(args{"date": "2025-10-17"})                                                     // booked late
	charge(args{"date": "2025-11-15", "due": "2025-11-15", "amount": 0, "state": skipped}) // says nothing
	charge(args{"date": "2025-12-15", "amount": 1750, "currency": "USD"})                  // nor does another currency
	charge(args{"date": "2026-01-20", "due": "2026-01-15", "amount": 1799})                // named by its day
	charge(args{"date": "2026-02-13", "amount": 1799, "state": confirmed})                 // booked early
	charge(args{"date": "2026-02-25", "amount": 4711, "text": "not one of the due"})       // asked for by no due day
	try := func(ok bool, amount, from string, words ...string) {
		t.Helper()
		before := dump(t, a)
		for tool, in := range map[string]args{
			"household_price_set":           {"subscription": id, "amount": amount, "from": from},
			"household_subscription_update": {"id": id, "amount": amount, "price_from": from},
		} {
			field := "from"
			if tool != "household_price_set" {
				field = "price_from"
			}
			if ok {
				if _, err := a.Preview(a.As("ann"), tool, in); err != nil {
					t.Errorf("%s %v: %v", tool, in, err)
				}
				continue
			}
			refused(t, a, tool, in, tools.Conflict, append(words, field+":", "Netflix")...)
		}
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Error(diff)
		}
	}
	try(true, "17.99", "2026-01-15")                                   // what the charges say
	try(true, "17.99", "2025-10-16")                                   // after the due day that was booked late
	try(false, "17.99", "2025-10-15", "15.99 EUR", "17 October 2025")  // on it
	try(false, "19.99", "2026-01-15", "17.99 EUR", "20 January 2026")  // of a charge that differs
	try(false, "19.99", "2026-02-15", "17.99 EUR", "13 February 2026") // booked before its due day
	try(true, "19.99", "2026-02-16")
	try(true, "19.99", day(40))
	// A later price bounds what a new one is for.
	apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": id, "amount": "17.99", "from": "2026-01-15"})
	try(true, "16.50", "2025-11-15")
	try(false, "16.50", "2025-10-01", "15.99 EUR")
}

func TestPriceDelete(t *testing.T) {
	a, _ := homeAt(t, noon)
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	const tool = "household_price_delete"
	refused(t, a, tool, args{"subscription": id, "from": "2026-01-15"}, tools.NotFound, "from", "Netflix")
	for from, amount := range map[string]string{"2026-02-15": "16.99", "2026-06-15": "19.99"} {
		apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": id, "amount": amount, "from": from})
	}
	says(t, a, tool, args{"subscription": id, "from": "2026-06-15"}, "Netflix: delete the price of 19.99 EUR from 15 June 2026", "From that day it costs 16.99 EUR", "3.00 EUR less a month")
	refused(t, a, tool, args{"subscription": id, "from": "2026-06-16"}, tools.NotFound, "from", "Netflix", "16 June 2026")
	p, err := a.Preview(a.As("ann"), tool, args{"subscription": id, "from": "2026-06-15"})
	if err != nil || p.Items[0].Effect != tools.EffectDestroy || !p.Items[0].Money {
		t.Errorf("%+v, %v", p.Items, err)
	}
	before := dump(t, a)
	first, receipt := apply[Repriced](t, a, "ann", tool, args{"subscription": id, "from": "2026-01-15"})
	if diff := cmp.Diff([]string{"2026-01-15 16.99", "2026-06-15 19.99"}, priceHistory(first.Subscription)); diff != "" {
		t.Error(diff)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	apply[Repriced](t, a, "ann", tool, args{"subscription": id, "from": "2026-06-15"})
	_, receipt = apply[Repriced](t, a, "ann", tool, args{"subscription": id, "from": "2026-02-15"})
	if s := shown(t, a, id); s.Amount != "15.99" || len(s.Prices) != 0 || !s.NextCharge.Date.After(date("2026-03-10")) {
		t.Errorf("%+v", s)
	}
	if n, err := a.CountRecords(prices); n != 0 || err != nil {
		t.Errorf("%d prices are left, %v", n, err)
	}
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "currency": "CHF", "amount": "1"}) // nothing holds it
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err == nil {
		t.Error("prices in EUR came back below a subscription in CHF")
	}
}

// Of a price that another has followed its card says until when it held.
func TestDeletePastPrice(t *testing.T) {
	a, _ := homeAt(t, noon)
	past := args{"subscription": add(t, a, "ann", args{"name": "Past", "first_date": "2025-01-15"}).ID, "amount": "17.00", "from": "2025-06-15"}
	apply[Repriced](t, a, "ann", "household_price_set", past)
	apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": past["subscription"], "amount": "20.00", "from": "2026-01-15"})
	delete(past, "amount")
	says(t, a, "household_price_delete", past, "Past: delete the price of 17.00 EUR from 15 June 2025", "Past: 15.99 EUR instead of 17.00 EUR from 15 June 2025 to 14 January 2026; what holds today stays", "Delete 17.00 EUR from 15 June 2025")
}

// A price that was paid cannot be deleted, one that was not can.
func TestDeletePriceThatWasPaid(t *testing.T) {
	a, _ := homeAt(t, noon)
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": id, "amount": "17.99", "from": "2026-02-15"})
	store(t, a, charges, args{"subscription": id, "date": "2026-02-15", "amount": 1799, "currency": "EUR"})
	before := dump(t, a)
	for _, from := range []string{"2026-02-15"} {
		refused(t, a, "household_price_delete", args{"subscription": id, "from": from}, tools.Conflict, "from:", "Netflix", "15.99 EUR", "17.99 EUR", "15 February 2026")
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	apply[Repriced](t, a, "ann", "household_price_delete", args{"subscription": id, "from": "2026-01-15"})
	if s := shown(t, a, id); s.Amount != "17.99" || len(s.Prices) != 0 {
		t.Errorf("%+v", s)
	}
}

func TestCurrencyIsHeld(t *testing.T) {
	a := newHome(t)
	change := func(id string) args { return args{"id": id, "currency": "CHF", "amount": "1"} }
	for name, below := range map[string]func(id string){
		"Charged": func(id string) {
			store(t, a, charges, args{"subscription": id, "date": "2026-01-15", "amount": 1, "currency": "EUR"})
		},
		"Priced": func(id string) {
			apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": id, "amount": "2", "from": "2026-01-15"})
		},
		"Shared": func(id string) {
			store(t, a, shares, args{"subscription": id, "person": "Oma", "weight": 1, "currency": "EUR"})
		},
	} {
		id := add(t, a, "ann", args{"name": name}).ID
		if _, err := a.Preview(a.As("ann"), "household_subscription_update", change(id)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		below(id)
		refused(t, a, "household_subscription_update", change(id), tools.Invalid, "currency", name, "EUR")
	}
}

// A correction is for a price that was wrong ever since, not for one that was paid.
func TestPriceThatWasPaidIsNotCorrected(t *testing.T) {
	a, _ := homeAt(t, noon)
	const tool = "household_subscription_update"
	sub := func(name string, rows ...args) string {
		t.Helper()
		id := add(t, a, "ann", args{"name": name, "first_date": "2025-09-15"}).ID
		for _, row := range rows {
			full := args{"subscription": id, "amount": 1599, "currency": "EUR"}
			for k, v := range row {
				full[k] = v
			}
			store(t, a, charges, full)
		}
		return id
	}
	paid := sub("Paid", args{"date": "2025-10-17"}, args{"date": "2025-11-15"})
	before := dump(t, a)
	refused(t, a, tool, args{"id": paid, "amount": "17.99"}, tools.Conflict, "amount:", "Paid", "15.99 EUR", "17 October 2025", "17.99 EUR", "price_from")
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	apply[Updated](t, a, "ann", tool, args{"id": paid, "amount": "15.99"}) // says nothing new
	apply[Updated](t, a, "ann", tool, args{"id": paid, "amount": "17.99", "price_from": "2025-12-15"})
	apply[Updated](t, a, "ann", tool, args{"id": paid, "amount": "18.99"}) // the one that was paid is older
	if diff := cmp.Diff([]string{"2025-09-15 15.99", "2025-12-15 18.99"}, priceHistory(shown(t, a, paid))); diff != "" {
		t.Error(diff)
	}
	store(t, a, charges, args{"subscription": paid, "date": "2026-01-16", "amount": 1899, "currency": "EUR"})
	refused(t, a, tool, args{"id": paid, "amount": "19.99"}, tools.Conflict, "amount:", "Paid", "18.99 EUR", "16 January 2026")
	for name, rows := range map[string][]args{
		"Never":   nil,
		"Varies":  {{"date": "2025-10-15", "amount": 8400}, {"date": "2025-11-15", "amount": 9100}},
		"Besides": {{"date": "2025-10-25"}},
		"Foreign": {{"date": "2025-10-15", "currency": "USD"}},
	} {
		id := sub(name, rows...)
		if out, _ := apply[Updated](t, a, "ann", tool, args{"id": id, "amount": "17.99"}); out.Amount != "17.99" || len(out.Prices) != 0 {
			t.Errorf("%s: %+v", name, out)
		}
	}
	free := add(t, a, "ann", args{"name": "Free", "amount": "0", "first_date": "2025-09-15"}).ID
	store(t, a, charges, args{"subscription": free, "date": "2025-10-15", "due": "2025-10-15", "amount": 0, "currency": "EUR", "state": skipped})
	apply[Updated](t, a, "ann", tool, args{"id": free, "amount": "17.99"}) // nothing was paid
}

// A price that another has followed long since changes nothing of today.
func TestPriceBetweenTwoOthers(t *testing.T) {
	a, _ := homeAt(t, noon)
	id := add(t, a, "ann", args{"first_date": "2024-01-31"}).ID
	apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": id, "amount": "17.99", "from": "2025-01-31"})
	for tool, in := range map[string]args{
		"household_price_set":           {"subscription": id, "amount": "12.99", "from": "2024-06-30"},
		"household_subscription_update": {"id": id, "amount": "12.99", "price_from": "2024-06-30"},
	} {
		p, err := a.Preview(a.As("ann"), tool, in)
		if err != nil {
			t.Fatal(err)
		}
		for lang, want := range map[string]string{
			"en": "Netflix: 12.99 EUR instead of 15.99 EUR from 30 June 2024 to 30 January 2025; what holds today stays",
			"de": "Netflix: 12,99 EUR statt 15,99 EUR vom 30. Juni 2024 bis zum 30. Januar 2025; was heute gilt, bleibt",
			"es": "Netflix: 12,99 EUR en vez de 15,99 EUR desde el 30 de junio de 2024 hasta el 30 de enero de 2025; lo que vale hoy se queda igual",
		} {
			if got := a.Catalogue.Say(lang, p.Items[0].Card.Title); got != want {
				t.Errorf("%s %s: %q, want %q", tool, lang, got, want)
			}
		}
		for _, line := range p.Items[0].Card.Lines {
			if strings.HasSuffix(line.Key, ".cheaper") || strings.HasSuffix(line.Key, ".dearer") {
				t.Errorf("%s: %s", tool, a.Catalogue.English(line))
			}
		}
	}
	says(t, a, "household_subscription_update", args{"id": id, "amount": "19.99", "price_from": "2026-05-31"},
		"Netflix: 19.99 EUR instead of 17.99 EUR from 31 May 2026", "2.00 EUR more a month")
	says(t, a, "household_subscription_update", args{"id": id, "cycle": "P1Y"},
		"Change Netflix", "It costs 17.99 EUR a year now", "For comparing: 1.50 EUR a month instead of 17.99 EUR", "Next charge on 31 January 2027")
	says(t, a, "household_subscription_update", args{"id": id, "anchor_day": 15}, "Change Netflix", "Next charge on 15 March 2026")
}
