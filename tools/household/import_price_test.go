package household

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// monthlyRow is a row of monthly charges of one amount.
func monthlyRow(merchant, amount, first, last string) tools.Recurring {
	r := tools.Recurring{
		Merchant: merchant, Cycle: cycle("P1M"), Amount: amount, Currency: "EUR", FirstDate: date(first), LastDate: date(last), Active: true,
		Prices: []tools.Price{{From: date(first), Amount: amount}},
	}
	for k := 0; ; k++ {
		d := r.Cycle.Nth(r.FirstDate, 0, k)
		if d.After(r.LastDate) {
			r.Occurrences = k
			return r
		}
		r.Evidence = append(r.Evidence, tools.Evidence{Line: k, Date: d, Amount: amount, Text: merchant})
	}
}

func statement(file string, rows ...tools.Recurring) tools.ImportRows {
	return tools.ImportRows{File: file, Subscriptions: rows}
}

func TestOldStatementLeavesTodaysPrice(t *testing.T) {
	rows := []struct {
		name   string
		stored []tools.Recurring // taken over before
		price  args              // a change of price by hand before
		row    tools.Recurring
		prices string // "" where there are no dated ones
		card   string
	}{
		{
			"later charges",
			[]tools.Recurring{monthlyRow("Gym", "10.00", "2024-07-05", "2025-12-05")},
			nil,
			monthlyRow("Gym", "9.50", "2024-01-05", "2024-06-05"), "2024-01-05 9.50, 2024-07-05 10.00",
			"Gym: 9.50 EUR instead of 10.00 EUR from 5 January 2024 to 4 July 2024; what holds today stays",
		},
		{
			"a later price", nil,
			args{"amount": "10.00", "price_from": "2025-03-05"},
			monthlyRow("Gym", "9.50", "2024-02-05", "2024-06-05"), "2024-01-05 9.99, 2024-02-05 9.50, 2025-03-05 10.00", "",
		},
		{
			"charges of that time say otherwise",
			[]tools.Recurring{monthlyRow("Gym", "10.00", "2024-01-05", "2025-12-05")},
			nil,
			monthlyRow("Gym", "9.50", "2024-01-05", "2024-06-05"), "", "",
		},
		{
			"a price of that time says otherwise",
			[]tools.Recurring{monthlyRow("Gym", "10.00", "2024-07-05", "2025-12-05")},
			args{"amount": "10.00", "price_from": "2024-03-05"},
			monthlyRow("Gym", "9.50", "2024-01-05", "2024-06-05"), "2024-01-05 9.99, 2024-03-05 10.00", "",
		},
		{
			"a price that begins when it ends", nil,
			args{"amount": "10.00", "price_from": "2024-03-05"},
			monthlyRow("Gym", "9.50", "2024-01-05", "2024-02-05"), "2024-01-05 9.50, 2024-03-05 10.00", "",
		},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			a := newHome(t)
			amount := "10.00"
			if r.price != nil {
				amount = "9.99"
			}
			id := add(t, a, "ann", args{"name": "Gym", "amount": amount, "first_date": "2024-01-05"}).ID
			if r.price != nil {
				r.price["id"] = id
				apply[Updated](t, a, "ann", "household_subscription_update", r.price)
			}
			if r.stored != nil {
				apply[Imported](t, a, "ann", "household_import_apply", statement("new.csv", r.stored...))
			}
			matched := read[tools.ImportRows](t, a, "ann", "household_import_match", statement("old.csv", r.row))
			if got := matched.Subscriptions[0]; got.Status != tools.StatusKnown || got.Known != id {
				t.Errorf("it is %s %s", got.Status, got.Known)
			}
			before := dump(t, a)
			out, receipt := apply[Imported](t, a, "ann", "household_import_apply", matched)
			if len(out.Changed) != 1 || out.Changed[0].Charges != len(r.row.Evidence) || out.Changed[0].Amount != "10.00" {
				t.Errorf("%+v", out)
			}
			if got := a.Catalogue.English(receipt.Cards[0].Lines[0]); r.card != "" && got != r.card {
				t.Error(got)
			}
			s := read[Details](t, a, "ann", "household_subscription_get", args{"id": id})
			got := ""
			for i, p := range s.Prices {
				if i > 0 {
					got += ", "
				}
				got += p.From.String() + " " + p.Amount
			}
			if got != r.prices || s.Amount != "10.00" {
				t.Errorf("it costs %s, %s; want %s", s.Amount, got, r.prices)
			}
			refused(t, a, "household_import_apply", matched, tools.Conflict, "nothing new in old.csv")
			if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, dump(t, a)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A price that somebody has noted for a time to come is no reason to leave
// today's wrong.
func TestPriceToComeStays(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", args{"first_date": "2024-01-08"}).ID
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "21.99", "price_from": day(100)})
	rows := statement("f", monthlyRow("Netflix", "17.99", "2025-01-08", "2025-06-08"))
	out, _ := apply[Imported](t, a, "ann", "household_import_apply", rows)
	if len(out.Changed) != 1 || out.Changed[0].Amount != "17.99" || !out.Changed[0].PriceTo.IsZero() {
		t.Errorf("%+v", out)
	}
	s := read[Details](t, a, "ann", "household_subscription_get", args{"id": id})
	if n := len(s.Prices); n != 3 || s.Prices[n-1] != (tools.Price{From: date(day(100)), Amount: "21.99"}) {
		t.Errorf("%+v", s.Prices)
	}
}

// What the bank charged last is taken even if a price noted by hand lies
// between, and once.
func TestLastChargeOverrulesAPriceNotedBefore(t *testing.T) {
	for _, amount := range []string{"15.99", "16.49"} {
		a := newHome(t)
		id := add(t, a, "ann", args{"first_date": "2025-01-08"}).ID
		apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "17.00", "price_from": "2025-03-08"})
		rows := statement("f", monthlyRow("Netflix", amount, "2025-02-08", "2025-06-08"))
		out, _ := apply[Imported](t, a, "ann", "household_import_apply", rows)
		if len(out.Changed) != 1 || out.Changed[0].Amount != amount || out.Changed[0].PriceFrom != date("2025-06-08") {
			t.Errorf("%+v", out)
		}
		refused(t, a, "household_import_apply", rows, tools.Conflict, "nothing new")
	}
}

func TestTwoOfOneMerchantStayTwo(t *testing.T) {
	stored := monthlyRow("Netflix", "15.99", "2025-06-08", "2025-12-08")
	stored.Evidence[4].Date = date("2025-10-10") // of 8 October, after a weekend
	rows := []struct {
		name string
		row  tools.Recurring
		want tools.Status
	}{
		{"another amount on another day in the same months", monthlyRow("Netflix", "17.99", "2025-08-20", "2025-12-20"), tools.StatusNew},
		{"the day after", monthlyRow("NETFLIX.COM", "17.99", "2025-08-09", "2025-12-09"), tools.StatusNew},
		{"the old one stops when it begins", monthlyRow("Netflix", "17.99", "2025-12-20", "2026-03-20"), tools.StatusPriceChanged},
		{"the day is the same", monthlyRow("Netflix", "17.99", "2026-01-08", "2026-03-08"), tools.StatusPriceChanged},
		{"the amount is the same", monthlyRow("Netflix", "15.99", "2025-08-20", "2025-12-20"), tools.StatusKnown},
		{"an overlap that begins with a late booking", func() tools.Recurring {
			r := monthlyRow("Netflix", "17.99", "2025-10-08", "2026-02-08")
			r.FirstDate, r.Evidence[0].Date = date("2025-10-10"), date("2025-10-10")
			return r
		}(), tools.StatusPriceChanged},
		{"an overlap with a new price", func() tools.Recurring {
			r := monthlyRow("Netflix", "17.99", "2025-11-08", "2026-02-08")
			r.Prices = []tools.Price{{From: date("2025-11-08"), Amount: "15.99"}, {From: date("2026-01-08"), Amount: "17.99"}}
			r.Evidence[0].Amount, r.Evidence[1].Amount = "15.99", "15.99"
			return r
		}(), tools.StatusPriceChanged},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			a := newHome(t)
			first, _ := apply[Imported](t, a, "ann", "household_import_apply", statement("ann.csv", stored))
			id := first.Added[0].ID
			bare := r.row
			bare.Evidence = nil // as the review asks
			got := read[tools.ImportRows](t, a, "bob", "household_import_match", statement("bob.csv", bare)).Subscriptions[0]
			if got.Status != r.want || (got.Known == id) != (r.want != tools.StatusNew) {
				t.Errorf("it is %s %s", got.Status, got.Known)
			}
			before := dump(t, a)
			out, receipt := apply[Imported](t, a, "bob", "household_import_apply", statement("bob.csv", r.row))
			if r.want != tools.StatusNew {
				if len(out.Changed) != 1 || len(out.Added) != 0 {
					t.Errorf("%+v", out)
				}
				return
			}
			if len(out.Changed) != 0 || len(out.Added) != 1 || (len(out.Added[0].Similar) == 1) != (r.row.Merchant == "Netflix") {
				t.Errorf("%+v", out)
			}
			if n := len(out.Added[0].Similar); n == 1 && a.Catalogue.English(receipt.Cards[0].Lines[1]) != "There is 1 subscription named Netflix already" {
				t.Errorf("%+v", receipt.Cards[0].Lines)
			}
			after := dump(t, a)
			for key := range before {
				if diff := cmp.Diff(before[key], after[key]); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}
