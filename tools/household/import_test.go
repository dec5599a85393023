package household

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

func date(s string) tools.Date {
	d, err := tools.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

func cycle(s string) tools.Cycle {
	c, err := tools.ParseCycle(s)
	if err != nil {
		panic(err)
	}
	return c
}

func TestImportAddsOnce(t *testing.T) {
	a := newHome(t)
	if got := title(t, a, "ann", "household_import_apply", sampleRows()); got != "Add 3 subscriptions from n26.csv: 16.11 EUR a month" {
		t.Error(got)
	}
	out, receipt := apply[Imported](t, a, "ann", "household_import_apply", sampleRows())
	if len(out.Added) != 3 || out.Added[0].Charges != 3 || out.Added[1].Charges != 2 || out.Added[2].Charges != 3 {
		t.Errorf("%+v", out)
	}
	list := read[subscriptionListOut](t, a, "bob", "household_subscription_list", args{"status": "all"}).Items
	got := map[string]Subscription{}
	for _, s := range list {
		got[s.Name] = s
	}
	disney := got["Disney+"]
	if diff := cmp.Diff([]tools.Price{{From: date("2025-10-08"), Amount: "8.99"}, {From: date("2025-12-08"), Amount: "10.99"}}, disney.Prices); diff != "" || disney.Amount != "10.99" || disney.Merchant != "Disney+" || disney.Mine {
		t.Errorf("%+v %s", disney, diff)
	}
	if s := got["Old Gym"]; s.Status != ended || s.EndsOn != date("2025-03-30") || s.AnchorDay != 31 {
		t.Errorf("%+v", s)
	}
	before := dump(t, a)

	// The same file again, its status as the reader left it, as matched, and
	// after somebody has renamed what came of it.
	const nothing = "There is nothing new in n26.csv"
	refused(t, a, "household_import_apply", sampleRows(), tools.Conflict, nothing)
	if _, err := a.Apply(a.As("bob"), "household_import_apply", sampleRows()); tools.KindOf(err) != tools.Conflict {
		t.Errorf("by another member: %v", err)
	}
	matched := read[tools.ImportRows](t, a, "ann", "household_import_match", sampleRows())
	for _, r := range matched.Subscriptions {
		if r.Status != tools.StatusKnown || r.Known != got[r.Merchant].ID {
			t.Errorf("%s is %s %s", r.Merchant, r.Status, r.Known)
		}
	}
	if _, err := a.Preview(a.As("ann"), "household_import_apply", matched); tools.KindOf(err) != tools.Conflict || !strings.Contains(err.Error(), nothing) {
		t.Errorf("previewed: %v", err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": got["Haftpflicht Nordstern"].ID, "name": "Liability", "merchant": "something else"})
	refused(t, a, "household_import_apply", sampleRows(), tools.Conflict, nothing)
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err == nil {
		t.Error("an undo went over the renaming")
	}
}

func TestImportOfALaterFile(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", args{"first_date": "2025-01-08"}).ID
	later := tools.ImportRows{File: "later.csv", Subscriptions: []tools.Recurring{{
		Merchant: "NETFLIX.COM", Cycle: cycle("P1M"), Amount: "17.99", Currency: "EUR", FirstDate: date("2025-11-08"), LastDate: date("2026-01-08"), Occurrences: 3, Active: true,
		Prices: []tools.Price{{From: date("2025-11-08"), Amount: "15.99"}, {From: date("2026-01-08"), Amount: "17.99"}},
		Evidence: []tools.Evidence{
			{Date: date("2025-11-08"), Amount: "15.99"}, {Date: date("2025-12-08"), Amount: "15.99"}, {Date: date("2026-01-08"), Amount: "17.99"},
		},
	}}}
	matched := read[tools.ImportRows](t, a, "bob", "household_import_match", later)
	if r := matched.Subscriptions[0]; r.Status != tools.StatusPriceChanged || r.Known != id {
		t.Errorf("%s %s", r.Status, r.Known)
	}
	p, err := a.Preview(a.As("ann"), "household_import_apply", matched)
	if err != nil {
		t.Fatal(err)
	}
	card := p.Items[0].Card
	if got := a.Catalogue.English(card.Title) + "; " + a.Catalogue.English(card.Lines[0]); got != "Add to 1 subscription from later.csv; Netflix: 17.99 EUR instead of 15.99 EUR from 8 January 2026" {
		t.Error(got)
	}
	out, receipt := apply[Imported](t, a, "ann", "household_import_apply", matched)
	if len(out.Changed) != 1 || out.Changed[0].Charges != 3 || out.Changed[0].PriceFrom != date("2026-01-08") {
		t.Errorf("%+v", out)
	}
	s := read[Details](t, a, "ann", "household_subscription_get", args{"id": id})
	if diff := cmp.Diff([]tools.Price{{From: date("2025-01-08"), Amount: "15.99"}, {From: date("2026-01-08"), Amount: "17.99"}}, s.Prices); diff != "" || len(s.Charges) != 3 {
		t.Errorf("%+v %s", s, diff)
	}
	refused(t, a, "household_import_apply", matched, tools.Conflict, "nothing new in later.csv")
	// An older file brings its charges, and changes no price that is known.
	older := later
	older.Subscriptions = []tools.Recurring{{
		Merchant: "Netflix", Cycle: cycle("P1M"), Amount: "14.99", Currency: "EUR", FirstDate: date("2024-10-08"), LastDate: date("2024-12-08"), Active: true,
		Evidence: []tools.Evidence{{Date: date("2024-12-08"), Amount: "14.99"}},
	}}
	out, _ = apply[Imported](t, a, "ann", "household_import_apply", older)
	if len(out.Changed) != 1 || out.Changed[0].Charges != 1 || !out.Changed[0].PriceFrom.IsZero() {
		t.Errorf("%+v", out)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
		t.Errorf("undo of an import that a later one has built on: %v", err)
	}
}

// Two equal payments are two: in one file, and in one day.
func TestImportKeepsTwins(t *testing.T) {
	a := newHome(t)
	twin := tools.Recurring{
		Merchant: "Parking", Cycle: cycle("P1M"), Amount: "5", Currency: "EUR", FirstDate: date("2025-11-03"), LastDate: date("2026-01-03"), Active: true,
		Evidence: []tools.Evidence{{Date: date("2026-01-03"), Amount: "5"}, {Date: date("2026-01-03"), Amount: "5"}},
	}
	rows := tools.ImportRows{File: "f", Subscriptions: []tools.Recurring{twin, twin}}
	out, _ := apply[Imported](t, a, "ann", "household_import_apply", rows)
	if len(out.Added) != 2 || out.Added[0].Charges != 2 || out.Added[1].Charges != 2 {
		t.Errorf("%+v", out)
	}
	refused(t, a, "household_import_apply", rows, tools.Conflict, "nothing new in f")
}

func TestMatch(t *testing.T) {
	a := newHome(t)
	ids := map[string]string{}
	for _, s := range []args{
		{"name": "Allianz", "amount": "100", "cycle": "P1Y"},
		{"name": "Allianz", "amount": "110", "cycle": "P1Y", "notes": "2"},
		{"name": "Spotify", "amount": "10.99", "merchant": "SPOTIFY AB P12345678"},
		{"name": "Strom", "amount": "80", "merchant": "Stadtwerke Köln GmbH"},
		{"name": "Amazon Prime", "amount": "8.99"},
		{"name": "Yen", "amount": "1000", "currency": "JPY"},
	} {
		out := add(t, a, "ann", s)
		ids[out.Name+out.Amount] = out.ID
	}
	rows := []struct {
		merchant, amount, cycle, currency string
		want                              tools.Status
		known                             string
	}{
		{"ALLIANZ VERSICHERUNG", "110", "P1Y", "EUR", tools.StatusKnown, "Allianz110.00"},
		{"ALLIANZ", "96", "P1Y", "EUR", tools.StatusNew, ""}, // both are taken by surer ones
		{"Allianz", "100", "P1Y", "EUR", tools.StatusKnown, "Allianz100.00"},
		{"Spotify", "10.99", "P1M", "EUR", tools.StatusKnown, "Spotify10.99"},
		{"STADTWERKE KOLN", "91.99", "P1M", "EUR", tools.StatusPriceChanged, "Strom80.00"},
		{"Amazon", "8.99", "P1M", "EUR", tools.StatusKnown, "Amazon Prime8.99"},
		{"Amaz", "8.99", "P1M", "EUR", tools.StatusNew, ""},
		{"Yen", "1000", "P1M", "EUR", tools.StatusNew, ""},
		{"Yen", "1000", "P1Y", "JPY", tools.StatusNew, ""},
		{"Yen", "1151", "P1M", "JPY", tools.StatusNew, ""},
	}
	in := tools.ImportRows{File: "f"}
	for _, r := range rows {
		in.Subscriptions = append(in.Subscriptions, tools.Recurring{
			Merchant: r.merchant, Amount: r.amount, Cycle: cycle(r.cycle), Currency: r.currency, FirstDate: date("2025-06-01"), LastDate: date("2026-01-01"),
		})
	}
	out := read[tools.ImportRows](t, a, "bob", "household_import_match", in)
	for i, r := range rows {
		if got := out.Subscriptions[i]; got.Status != r.want || got.Known != ids[r.known] {
			t.Errorf("%s %s is %s %s, want %s %s", r.merchant, r.amount, got.Status, got.Known, r.want, ids[r.known])
		}
	}
}

func TestMerchantKey(t *testing.T) {
	rows := []struct{ a, b string }{
		{"NETFLIX.COM", "Netflix"}, {"Café Müller GmbH", "cafe muller"}, {"SPOTIFY P3F2A1B0C", "Spotify AB"}, {"www.dazn.com", "DAZN"}, {"1&1 Telecom", "1 1 telecom"}, {"Ｎｅｔﬂix", "Netflix"},
	}
	for _, r := range rows {
		if merchantKey(r.a) != merchantKey(r.b) {
			t.Errorf("%q is %q, %q is %q", r.a, merchantKey(r.a), r.b, merchantKey(r.b))
		}
	}
	if merchantKey("12345678") == "" || merchantKey("AG") == "" {
		t.Error("a name of noise alone has no key")
	}
}

func TestNominal(t *testing.T) {
	rows := []struct {
		day    string
		anchor int
		want   string
	}{
		{"2026-02-02", 31, "2026-01-31"},
		{"2026-01-31", 1, "2026-02-01"},
		{"2026-03-01", 31, "2026-02-28"},
		{"2026-02-10", 8, "2026-02-10"},
		{"2026-02-28", 31, "2026-02-28"},
		{"2026-02-05", 0, "2026-02-05"},
		{"2025-12-30", 2, "2026-01-02"},
		{"2026-01-15", 31, "2026-01-15"},
	}
	for _, r := range rows {
		if got := nominal(date(r.day), r.anchor); got.String() != r.want {
			t.Errorf("booked on %s, meant for day %d: %s, want %s", r.day, r.anchor, got, r.want)
		}
	}
}
