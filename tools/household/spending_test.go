package household

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// spentOn lists the rows of one answer: "name: total currency (booked+expected)".
func spentOn(a *toolstest.App, out Spending) string {
	var lines []string
	for _, row := range out.Items {
		name := row.Month
		if name == "" {
			name = a.Catalogue.English(tools.Text(row.Name))
		}
		var sums []string
		for _, s := range row.Sums {
			sums = append(sums, fmt.Sprintf("%s %s (%s x%d + %s x%d)", s.Total, s.Currency, s.Booked, s.Charges, s.Expected, s.Open))
		}
		lines = append(lines, strings.TrimSpace(name+": "+strings.Join(sums, ", ")))
	}
	return strings.Join(lines, "\n")
}

func spentBy(t *testing.T, a *toolstest.App, who string, in args) Spending {
	t.Helper()
	return read[Spending](t, a, who, "household_spending", in)
}

// Charges count on the day that the bank booked them, what was never booked on
// the day that it was due: over month ends, a leap year, the year's change,
// five weeks in a month, once a year.
func TestSpendingHasRealDates(t *testing.T) {
	for _, row := range []struct {
		what string
		sub  args
		in   args
		want string
	}{
		{
			"month's end",
			args{"amount": "10.00", "first_date": "2024-01-31"},
			args{"from": "2024-01-15", "to": "2024-04-29"},
			"2024-01: 10.00 EUR (0.00 x0 + 10.00 x1)\n2024-02: 10.00 EUR (0.00 x0 + 10.00 x1)\n2024-03: 10.00 EUR (0.00 x0 + 10.00 x1)\n2024-04:",
		},
		{
			"weeks",
			args{"amount": "5.00", "cycle": "P1W", "first_date": "2025-11-03"},
			args{"from": "2025-11-01", "to": "2026-01-31"},
			"2025-11: 20.00 EUR (0.00 x0 + 20.00 x4)\n2025-12: 25.00 EUR (0.00 x0 + 25.00 x5)\n2026-01: 20.00 EUR (0.00 x0 + 20.00 x4)",
		},
		{
			"once a year",
			args{"amount": "120.00", "cycle": "P1Y", "first_date": "2024-02-29"},
			args{"from": "2025-02-01", "months": 0, "to": "2026-03-31", "by": "subscription"},
			"Netflix: 240.00 EUR (0.00 x0 + 240.00 x2)",
		},
		{
			"until today",
			args{"amount": "1.00", "first_date": "2026-03-14"},
			args{"months": 3},
			"2026-03: 1.00 EUR (0.00 x0 + 1.00 x1)\n2026-04: 1.00 EUR (0.00 x0 + 1.00 x1)\n2026-05: 1.00 EUR (0.00 x0 + 1.00 x1)",
		},
		{
			"not after today",
			args{"amount": "1.00", "first_date": "2026-03-15"},
			args{"months": 2},
			"2026-04: 1.00 EUR (0.00 x0 + 1.00 x1)\n2026-05:",
		},
		{
			"after today, as asked",
			args{"amount": "1.00", "first_date": "2026-03-15"},
			args{"from": "2026-05-15", "to": "2026-06-15"},
			"2026-05: 1.00 EUR (0.00 x0 + 1.00 x1)\n2026-06: 1.00 EUR (0.00 x0 + 1.00 x1)",
		},
	} {
		a := homeOn(t, "2026-05-14")
		add(t, a, "ann", row.sub)
		if got := spentOn(a, spentBy(t, a, "ann", row.in)); got != row.want {
			t.Errorf("%s: got\n%s\nwant\n%s", row.what, got, row.want)
		}
	}
}

// What was booked stands for what was due, as it was booked; what was skipped
// cost nothing; what nobody asked for counts all the same.
func TestSpendingPrefersWhatWasBooked(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	id := add(t, a, "ann", args{"amount": "10.00", "first_date": "2026-01-30"}).ID
	charge(t, a, id, "2026-02-02", 1100, nil)                                                       // of 30 January, late and dearer
	charge(t, a, id, "2026-03-30", 0, map[string]any{"due": "2026-03-30", "state": skipped})        // 28 February is open
	charge(t, a, id, "2026-03-10", 250, nil)                                                        // beside
	charge(t, a, id, "2026-05-02", 900, map[string]any{"due": "2026-04-30", "currency": "USD"})     // in another currency
	charge(t, a, id, "2026-05-04", 1000, map[string]any{"due": "2026-05-30", "state": "confirmed"}) // early
	charge(t, a, id, "2026-06-20", 700, nil)                                                        // after today
	want := "2026-01:\n2026-02: 21.00 EUR (11.00 x1 + 10.00 x1)\n2026-03: 2.50 EUR (2.50 x1 + 0.00 x0)\n2026-04:\n2026-05: 10.00 EUR (10.00 x1 + 0.00 x0), 9.00 USD (9.00 x1 + 0.00 x0)"
	out := spentBy(t, a, "ann", args{"months": 5})
	if got := spentOn(a, out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	totals := []SpendingSum{{"EUR", "23.50", "10.00", "33.50", 3, 1}, {"USD", "9.00", "0.00", "9.00", 1, 0}}
	if diff := cmp.Diff(totals, out.Totals); diff != "" {
		t.Error(diff)
	}
	if got := spentOn(a, spentBy(t, a, "ann", args{"from": "2026-05-15", "to": "2026-07-31"})); got != "2026-05:\n2026-06: 17.00 EUR (7.00 x1 + 10.00 x1)\n2026-07: 10.00 EUR (0.00 x0 + 10.00 x1)" {
		t.Error(got)
	}
}

// Members bear what shares give them of each charge, to the cent; else the
// owner does. Who has no account is there by name, once.
func TestSpendingByMember(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	ann, bob := a.Member("ann").Id, a.Member("bob").Id
	flat := add(t, a, "ann", args{"name": "Flat", "amount": "100.00", "first_date": "2026-04-01"}).ID
	for i, s := range []args{{"member": ann, "weight": 1}, {"member": bob, "weight": 1}, {"person": "Grandma", "weight": 1}} {
		s["subscription"], s["currency"], s["position"] = flat, "EUR", i
		store(t, a, shares, s)
	}
	phone := add(t, a, "bob", args{"name": "Phone", "amount": "30.00", "first_date": "2026-05-02"}).ID
	for i, s := range []args{{"person": "grandma", "fixed": 1000}, {"member": bob, "weight": 2}} {
		s["subscription"], s["currency"], s["position"] = phone, "EUR", i
		store(t, a, shares, s)
	}
	charge(t, a, phone, "2026-05-02", 1001, map[string]any{"currency": "USD"}) // as 10 and 20 of 30 EUR
	charge(t, a, phone, "2026-05-09", 1001, nil)                               // 10.00 is fixed
	add(t, a, "ann", args{"name": "Hers", "amount": "1.00", "first_date": "2026-05-03"})
	nobody := add(t, a, "ann", args{"name": "Nobody's", "amount": "2.00", "first_date": "2026-05-03"}).ID
	set(t, a, nobody, args{"owner": ""})
	out := spentBy(t, a, "bob", args{"by": "member", "months": 2})
	want := strings.Join([]string{
		"Grandma: 76.66 EUR (10.00 x1 + 66.66 x2), 3.34 USD (3.34 x1 + 0.00 x0)",
		"ann: 67.68 EUR (0.00 x0 + 67.68 x3)",
		"bob: 66.67 EUR (0.01 x1 + 66.66 x2), 6.67 USD (6.67 x1 + 0.00 x0)",
		"nobody: 2.00 EUR (0.00 x0 + 2.00 x1)",
	}, "\n")
	if got := spentOn(a, out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if out.Items[1].ID != ann || out.Items[0].ID != "" || !out.Items[3].None || out.Items[0].None {
		t.Errorf("%+v", out.Items)
	}
}

// What has two tags counts in both, and the answer says so; totals do not.
func TestSpendingByTagOverlaps(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	add(t, a, "ann", args{"name": "A", "amount": "1.00", "first_date": "2026-05-01", "tags": []string{"fun", "home"}})
	add(t, a, "ann", args{"name": "B", "amount": "2.00", "first_date": "2026-05-01", "tags": []string{"FUN"}})
	add(t, a, "ann", args{"name": "C", "amount": "4.00", "first_date": "2026-05-01"})
	out := spentBy(t, a, "ann", args{"by": "tag", "months": 1})
	if got := spentOn(a, out); got != "without a tag: 4.00 EUR (0.00 x0 + 4.00 x1)\nfun: 3.00 EUR (0.00 x0 + 3.00 x2)\nhome: 1.00 EUR (0.00 x0 + 1.00 x1)" || !out.Overlaps {
		t.Error(got, out.Overlaps)
	}
	if out.Totals[0].Total != "7.00" {
		t.Errorf("%+v", out.Totals)
	}
	out = spentBy(t, a, "ann", args{"by": "tag", "months": 1, "tag": "Home"})
	if got := spentOn(a, out); got != "fun: 1.00 EUR (0.00 x0 + 1.00 x1)\nhome: 1.00 EUR (0.00 x0 + 1.00 x1)" {
		t.Error(got)
	}
	if out = spentBy(t, a, "ann", args{"by": "category", "months": 1, "tag": "nothing"}); len(out.Items) != 0 || len(out.Totals) != 0 || out.Overlaps {
		t.Errorf("%+v", out)
	}
}

// Pages go on where the last one ended, in one order; totals are of all.
func TestSpendingPages(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	for i, name := range []string{"C", "A", "B", "D", "E"} {
		add(t, a, "ann", args{"name": name, "amount": fmt.Sprint(min(3, i+1)), "first_date": "2026-05-01", "currency": []string{"EUR", "USD"}[i/4]})
	}
	whole := spentBy(t, a, "ann", args{"by": "subscription", "months": 1})
	var got []SpendingRow
	cursor := ""
	for range 3 {
		out := spentBy(t, a, "ann", args{"by": "subscription", "months": 1, "limit": 2, "cursor": cursor})
		if diff := cmp.Diff(whole.Totals, out.Totals); diff != "" {
			t.Error(diff)
		}
		got, cursor = append(got, out.Items...), out.Next
	}
	if diff := cmp.Diff(whole.Items, got); diff != "" || cursor != "" || len(got) != 5 {
		t.Error(diff, cursor)
	}
	if last := a.Catalogue.English(tools.Text(got[4].Name)); last != "E" {
		t.Errorf("%s is last, though it alone is paid in dollars", last)
	}
}

// Each month is converted at its own end, the totals at the end of all; where
// a rate is missing there is none.
func TestSpendingConverts(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	add(t, a, "ann", args{"name": "A", "amount": "10.00", "first_date": "2026-03-01"})
	add(t, a, "ann", args{"name": "B", "amount": "20.00", "currency": "USD", "first_date": "2026-03-01"})
	rated(t, a, "2026-03-31", map[string]string{"USD": "2"})
	rated(t, a, "2026-05-13", map[string]string{"USD": "4"})
	rated(t, a, "2026-05-29", map[string]string{"USD": "8"}) // nobody knows it yet
	out := spentBy(t, a, "ann", args{"months": 3})
	var got []string
	for _, row := range out.Items {
		got = append(got, fmt.Sprint(row.Converted.Amount, " ", row.Converted.On, " ", len(row.Converted.Rates), " ", len(row.Converted.Missing)))
	}
	if diff := cmp.Diff([]string{"20.00 2026-03-31 1 0", "  0 1", "15.00 2026-05-13 1 0"}, got); diff != "" {
		t.Error(diff)
	}
	if c := out.Converted; c == nil || c.Amount != "45.00" || c.On.String() != "2026-05-13" || len(c.Rates) != 1 {
		t.Errorf("%+v", c)
	}
	out = spentBy(t, a, "ann", args{"months": 3, "by": "subscription", "in": "USD"})
	if c := out.Items[1].Converted; out.Items[1].ID == "" || c.Amount != "60.00" || out.Converted.Amount != "180.00" {
		t.Errorf("%+v", out)
	}
	if out = spentBy(t, a, "ann", args{"months": 3, "subscription": out.Items[0].ID}); out.Converted != nil || out.Items[0].Converted != nil {
		t.Error("converted, though there is nothing to convert")
	}
}

func TestSpendingRefusesBadInput(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	private := add(t, a, "ann", args{"private": true}).ID
	for _, row := range []struct {
		in    args
		kind  tools.Kind
		words string
	}{
		{args{"by": "owner"}, tools.Invalid, "by"},
		{args{"months": -1}, tools.Invalid, "months"},
		{args{"months": 241}, tools.Invalid, "months"},
		{args{"months": 3, "from": "2026-01-01"}, tools.Invalid, "from"},
		{args{"from": "2026-02-30"}, tools.Invalid, "from"},
		{args{"to": "May"}, tools.Invalid, "to"},
		{args{"from": "2026-05-15"}, tools.Invalid, "from"},
		{args{"from": "2000-01-01"}, tools.Invalid, "from"},
		{args{"category": "None such"}, tools.Invalid, "category"},
		{args{"tag": " "}, tools.Invalid, "tag"},
		{args{"in": "euro"}, tools.Invalid, "in"},
		{args{"limit": 201}, tools.Invalid, "limit"},
		{args{"cursor": "x"}, tools.Invalid, "cursor"},
		{args{"subscription": private}, tools.NotFound, "subscription: there is no"},
	} {
		_, err := a.Read(a.As("bob"), "household_spending", row.in)
		if tools.KindOf(err) != row.kind || !strings.Contains(err.Error(), row.words) {
			t.Errorf("%v: %v", row.in, err)
		}
	}
}

// Whatever days have rates: each month has the newest on or before its end that
// are not older than a week, or is told of the newest that are.
func TestSpendingFindsTheRatesOfEachMonth(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	add(t, a, "ann", args{"amount": "10.00", "currency": "USD", "first_date": "2024-01-01"})
	rnd := rand.New(rand.NewPCG(5, 1))
	on := date("2024-02-20")
	var days []tools.Date
	for on.Before(date("2026-06-01")) {
		days = append(days, on)
		rated(t, a, on.String(), map[string]string{"USD": fmt.Sprintf("1.%03d1", len(days))})
		on = on.AddDays(1 + rnd.IntN(28))
	}
	out := spentBy(t, a, "ann", args{"months": 29, "in": "EUR"})
	found, old := 0, 0
	for _, row := range out.Items {
		month, _ := tools.ParseDate(row.Month + "-01")
		end := earlier(monthStart(month, 1).AddDays(-1), date("2026-05-14"))
		var newest tools.Date
		n := 0
		for i, d := range days {
			if !d.After(end) {
				newest, n = d, i+1
			}
		}
		switch c := row.Converted; {
		case newest.IsZero():
			if c.Missing[0].Reason != rateNone {
				t.Errorf("%s: %+v", row.Month, c)
			}
		case end.DaysSince(newest) > maxRateAge:
			old++
			if c.Amount != "" || c.Missing[0].Latest != newest || c.Missing[0].Reason != rateOld {
				t.Errorf("%s: %+v, want those of %s to be too old", row.Month, c, newest)
			}
		default:
			found++
			if c.On != newest || c.Rates[0].PerEuro != fmt.Sprintf("1.%03d1", n) || c.Amount == "" {
				t.Errorf("%s: %+v, want those of %s", row.Month, c, newest)
			}
		}
	}
	if found < 5 || old < 5 {
		t.Errorf("%d found, %d old", found, old)
	}
}
