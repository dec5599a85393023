package household

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// One row that cannot be judged keeps nobody from the rest of a review.
func TestMatchJudgesWhatItCan(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	add(t, a, "ann", args{"name": "***", "amount": "3"})
	good := monthlyRow("Netflix", "15.99", "2025-01-15", "2025-06-15")
	bad := []func(*tools.Recurring){
		func(r *tools.Recurring) { r.Merchant = "" },
		func(r *tools.Recurring) { r.Merchant = "\u200b\u202e" },
		func(r *tools.Recurring) { r.Merchant = "§§§" },
		func(r *tools.Recurring) { r.Merchant = strings.Repeat("x", 5000) },
		func(r *tools.Recurring) { r.Amount = "x" },
		func(r *tools.Recurring) { r.Amount = "-1" },
		func(r *tools.Recurring) { r.Currency = "nix" },
		func(r *tools.Recurring) { r.LastDate = tools.Date{} },
		func(r *tools.Recurring) { r.AnchorDay = 99 },
		func(r *tools.Recurring) { r.Evidence[0].Amount = "8,99" },
		func(r *tools.Recurring) { r.Status, r.Known = tools.StatusKnown, "nobody" },
	}
	in := statement("f")
	for _, change := range bad {
		r := monthlyRow("Something", "4.00", "2025-01-15", "2025-06-15")
		change(&r)
		in.Subscriptions = append(in.Subscriptions, r)
	}
	stars := monthlyRow("***", "3.00", "2025-01-15", "2025-06-15")
	in.Subscriptions = append(in.Subscriptions, stars, good)
	out := read[tools.ImportRows](t, a, "ann", "household_import_match", in).Subscriptions
	for i := range bad {
		if out[i].Status != tools.StatusNew || out[i].Known != "" {
			t.Errorf("row %d %q is %s %s", i, short(out[i].Merchant), out[i].Status, out[i].Known)
		}
	}
	for _, r := range out[len(bad):] {
		if r.Status != tools.StatusKnown {
			t.Errorf("%s is %s", r.Merchant, r.Status)
		}
	}
	if last := out[len(out)-1]; last.Known != id {
		t.Errorf("known is %s", last.Known)
	}

	// More rows than one import takes are compared all the same.
	many := statement("f")
	for i := range 2000 {
		r := good
		r.Merchant, r.Evidence = fmt.Sprintf("Shop %c%c", 'a'+i%26, 'a'+i/26), nil
		many.Subscriptions = append(many.Subscriptions, r)
	}
	if out := read[tools.ImportRows](t, a, "ann", "household_import_match", many); len(out.Subscriptions) != 2000 {
		t.Errorf("%d rows came back", len(out.Subscriptions))
	}
}

func TestImportTidiesWhatAFileSays(t *testing.T) {
	a := newHome(t)
	r := monthlyRow("\u202eACME\u200b\x07 "+strings.Repeat("ä", 300), "4.00", "2025-01-15", "2025-06-15")
	r.Evidence[0].Text = "a\x00b\u2066\n c" + strings.Repeat("t", 600)
	file := "bad\u202egpj\n\x1b[2J.csv" + strings.Repeat("f", 300)
	in := statement(file, r, monthlyRow("§§§", "5.00", "2025-01-15", "2025-06-15"))
	p, err := a.Preview(a.As("ann"), "household_import_apply", in)
	if err != nil {
		t.Fatal(err)
	}
	card := a.Catalogue.English(p.Items[0].Card.Title)
	if strings.ContainsAny(card, "\u202e\n\x1b") || !strings.Contains(card, "from badgpj [2J.csvfff") || len(card) > 280 {
		t.Errorf("%q", card)
	}
	out, _ := apply[Imported](t, a, "ann", "household_import_apply", in)
	s := read[Details](t, a, "ann", "household_subscription_get", args{"id": out.Added[0].ID})
	if want := "ACME " + strings.Repeat("ä", 115); s.Name != want || s.Merchant != "ACME "+strings.Repeat("ä", 195) {
		t.Errorf("%q %q", s.Name, s.Merchant)
	}
	if text := s.Charges[len(s.Charges)-1].Text; !strings.HasPrefix(text, "ab ct") || len(text) != maxCharge {
		t.Errorf("%q", text)
	}
	refused(t, a, "household_import_apply", in, tools.Conflict, "nothing new")
	in = statement("\u200b\n", monthlyRow("Other", "4.00", "2025-01-15", "2025-06-15"))
	if got := title(t, a, "ann", "household_import_apply", in); got != "Add 1 subscription from the statement: 4.00 EUR a month" {
		t.Error(got)
	}
}

// Six fields are enough. Whether it goes on is told by the last date.
func TestImportOfMinimalRows(t *testing.T) {
	a := newHome(t)
	row := func(more args) args {
		full := args{"merchant": "Gym", "cycle": "P1M", "amount": "20", "currency": "EUR", "first_date": day(-100), "last_date": day(-10)}
		for k, v := range more {
			full[k] = v
		}
		return full
	}
	in := args{"file": "f", "fingerprint": "", "subscriptions": []args{
		row(nil), row(args{"merchant": "Old", "last_date": day(-60)}), row(args{"merchant": "Said", "active": false, "last_date": day(-40)}), row(args{"merchant": "Kept", "active": true, "last_date": day(-60)}),
	}}
	out, _ := apply[Imported](t, a, "ann", "household_import_apply", in)
	got := ""
	for _, item := range out.Added {
		s := read[Details](t, a, "ann", "household_subscription_get", args{"id": item.ID})
		got += fmt.Sprint(s.Name, " ", s.Status, " ", s.Amount, " ", s.EndsOn.IsZero(), "; ")
	}
	if want := "Gym active 20.00 true; Old ended 20.00 false; Said ended 20.00 false; Kept active 20.00 true; "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	refused(t, a, "household_import_apply", args{"file": "f", "fingerprint": "", "subscriptions": []args{{"merchant": "X"}}}, tools.Invalid, "subscriptions[0].cycle")
	none := monthlyRow("Netflix", "15.99", "2025-08-20", "2025-12-20")
	none.Status, none.Known = tools.StatusKnown, "nobody"
	refused(t, a, "household_import_apply", statement("f", none), tools.NotFound, "subscriptions[0].known", "nobody")
}

func TestImportCardAddsUp(t *testing.T) {
	a := newHome(t)
	p, err := a.Preview(a.As("ann"), "household_import_apply", sampleRows())
	if err != nil {
		t.Fatal(err)
	}
	got := []string{a.Catalogue.English(p.Items[0].Card.Title)}
	for _, line := range p.Items[0].Card.Lines[:4] {
		got = append(got, a.Catalogue.English(line))
	}
	want := []string{
		"Add 3 subscriptions from n26.csv: 16.11 EUR a month",
		"Disney+: 10.99 EUR a month", "Haftpflicht Nordstern: 61.40 EUR a year (5.12 EUR a month)", "Old Gym: ended 30 March 2025",
		"8 charges from the statement",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A history that contradicts itself still gives prices in order.
func TestHistory(t *testing.T) {
	rows := []struct {
		prices []tools.Price
		amount string
		want   string
	}{
		{nil, "5", "2025-03-10 5.00"},
		{[]tools.Price{{From: date("2025-03-10"), Amount: "4"}, {From: date("2025-05-10"), Amount: "5"}}, "5", "2025-03-10 4.00, 2025-05-10 5.00"},
		{[]tools.Price{{From: date("2024-01-10"), Amount: "3"}, {From: date("2024-05-10"), Amount: "4"}}, "5", "2025-03-10 4.00, 2025-06-10 5.00"},
		{[]tools.Price{{From: date("2025-03-10"), Amount: "4"}, {From: date("2025-06-10"), Amount: "6"}}, "5", "2025-03-10 4.00, 2025-06-10 5.00"},
		{[]tools.Price{{From: date("2025-03-10"), Amount: "4"}, {From: date("2025-09-10"), Amount: "6"}}, "5", "2025-03-10 4.00, 2025-06-10 5.00"},
		{[]tools.Price{{From: date("2025-03-10"), Amount: "4"}, {From: date("2025-04-10"), Amount: "4"}}, "4", "2025-03-10 4.00"},
	}
	for _, r := range rows {
		row, err := parseRow(0, tools.Recurring{
			Merchant: "X", Cycle: cycle("P1M"), Amount: r.amount, Currency: "EUR", FirstDate: date("2025-03-10"), LastDate: date("2025-06-10"), Prices: r.prices,
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range row.history(row.FirstDate) {
			got = append(got, p.from.String()+" "+tools.Money{Minor: p.amount, Currency: "EUR"}.Decimal())
		}
		if s := strings.Join(got, ", "); s != r.want {
			t.Errorf("%v: %s, want %s", r.prices, s, r.want)
		}
	}
}
