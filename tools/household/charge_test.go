package household

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
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

const (
	confirmTool, skipTool     = "household_charge_confirm", "household_charge_skip"
	chargeAddName, updateTool = "household_charge_add", "household_charge_update"
	deleteTool, allTool       = "household_charge_delete", "household_charges_bulk_confirm"
	chargesTool               = "household_charge_list"
)

// listed are the charges of a list: "2026-05-15 Netflix changed 17.99".
func listed(tb testing.TB, a *toolstest.App, who string, in args) []string {
	tb.Helper()
	var all []string
	for _, c := range read[chargeListOut](tb, a, who, chargesTool, in).Items {
		all = append(all, c.Date.String()+" "+c.Name+" "+c.State+" "+c.Amount)
	}
	return all
}

func TestConfirm(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	charge(t, a, id, "2026-02-17", 1599, nil)
	rows := []struct {
		in              args
		due, date, text string
	}{
		{args{}, "2026-03-15", "2026-03-15", ""}, // the first open one since the last settled
		{args{"text": "SEPA 1"}, "2026-04-15", "2026-04-15", "SEPA 1"},
		{args{"date": "2026-01-18"}, "2026-01-15", "2026-01-18", ""}, // the one of its day
		{args{}, "2026-05-15", "2026-05-15", ""},
		{args{"due": "2026-07-15"}, "2026-07-15", "2026-05-18", ""}, // paid ahead, today
		{args{"due": "2026-06-15", "date": "2026-05-20"}, "2026-06-15", "2026-05-20", ""},
	}
	for _, r := range rows {
		r.in["subscription"] = id
		out, _ := apply[ChargeDone](t, a, "bob", confirmTool, r.in)
		if out.State != confirmed || out.Due != date(r.due) || out.Date != date(r.date) || out.Amount != "15.99" || out.Text != r.text || out.PriceChange != nil {
			t.Errorf("%v: %+v", r.in, out)
		}
	}
	before := dump(t, a)
	refused(t, a, confirmTool, args{"subscription": id}, tools.Conflict, "Netflix", "22 May 2026", "15 August 2026")
	refused(t, a, confirmTool, args{"subscription": id, "date": "2026-02-15"}, tools.Conflict, "date", "Netflix", "15 February 2026", "17 February 2026")
	refused(t, a, confirmTool, args{"subscription": id, "due": "2026-02-15"}, tools.Conflict, "due", "Netflix", "15 February 2026", "15.99 EUR", "17 February 2026")
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	// Without any that is settled, the latest that is due is meant.
	long := add(t, a, "ann", args{"name": "Long", "first_date": "2024-01-20"}).ID
	if out, _ := apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": long}); out.Due != date("2026-05-20") || out.Date != date("2026-05-18") {
		t.Errorf("%+v", out)
	}
}

// Another amount than was due proposes a price, unless the price has changed
// since.
func TestConfirmProposesAPrice(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": id, "due": "2026-01-15"})
	in := args{"subscription": id, "amount": "17.99", "date": "2026-02-16"}
	if said := card(t, a, "ann", confirmTool, in); !strings.Contains(said, "Confirm Netflix: 17.99 EUR, booked on 16 February 2026\nIt settles what was due on 15 February 2026\nIt differs from 15.99 EUR: change the price from 15 February 2026?") {
		t.Error(said)
	}
	out, _ := apply[ChargeDone](t, a, "ann", confirmTool, in)
	if want := (PriceProposal{id, "17.99", date("2026-02-15")}); out.State != differs || out.ExpectedAmount != "15.99" || out.PriceChange == nil || *out.PriceChange != want {
		t.Errorf("%+v, proposed %+v", out, out.PriceChange)
	}
	if _, err := a.Preview(a.As("ann"), "household_price_set", out.PriceChange); err != nil {
		t.Errorf("what is proposed is refused: %v", err)
	}
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "18.99", "price_from": "2026-04-15"})
	late, _ := apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": id, "due": "2026-03-15", "amount": "17.99"})
	if late.State != differs || late.PriceChange != nil {
		t.Errorf("the price has changed since: %+v", late.PriceChange)
	}
	if out, _ := apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": id, "due": "2026-04-15", "amount": "18.99"}); out.State != confirmed {
		t.Errorf("%+v", out)
	}
	// A charge in the bank's own currency is not compared.
	usd, _ := apply[ChargeAdded](t, a, "ann", chargeAddName, args{"subscription": id, "date": "2026-05-15", "amount": "20.11", "currency": "USD"})
	if usd.State != confirmed || usd.Due != date("2026-05-15") || usd.Currency != "USD" || usd.PriceChange != nil {
		t.Errorf("%+v", usd)
	}
	// What is due anew is no other amount any more.
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "17.99", "price_from": "2026-02-15"})
	if got := listed(t, a, "bob", args{"state": "changed"}); len(got) != 0 {
		t.Error(got)
	}
}

// A charge of another amount before one that was paid as it was due is a single
// one: no price is proposed that would be refused.
func TestConfirmBeforeWhatWasPaid(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": id, "due": "2026-03-15"})
	in := args{"subscription": id, "due": "2026-02-15", "amount": "17.99"}
	says(t, a, confirmTool, in, "Confirm Netflix: 17.99 EUR, booked on 15 February 2026", "It differs from 15.99 EUR")
	if out, _ := apply[ChargeDone](t, a, "ann", confirmTool, in); out.State != differs || out.PriceChange != nil {
		t.Errorf("%+v proposes %+v", out, out.PriceChange)
	}
	skip := args{"subscription": id, "due": "2026-05-15"}
	apply[ChargeSkipped](t, a, "ann", skipTool, skip) // says nothing of a price
	out, _ := apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": id, "due": "2026-04-15", "amount": "18.99"})
	if out.PriceChange == nil {
		t.Fatal("no price is proposed")
	}
	apply[Repriced](t, a, "ann", "household_price_set", out.PriceChange)
}

func TestSkip(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	in := args{"subscription": id, "due": "2026-06-15", "text": "a free month"}
	if said := card(t, a, "ann", skipTool, in); !strings.HasPrefix(said, "Skip Netflix on 15 June 2026: saves 15.99 EUR\nNext charge on 15 July 2026") {
		t.Error(said)
	}
	out, _ := apply[ChargeSkipped](t, a, "ann", skipTool, in)
	if out.State != skipped || out.Amount != "0.00" || out.Due != date("2026-06-15") || out.Date != out.Due || out.Text != "a free month" || out.Saves != "15.99" || out.Next != date("2026-07-15") {
		t.Errorf("%+v", out)
	}
	if free, _ := apply[ChargeAdded](t, a, "ann", chargeAddName, args{"subscription": id, "date": "2026-06-15", "amount": "0"}); free.Same != 0 {
		t.Errorf("%+v", free)
	}
	before := dump(t, a)
	refused(t, a, skipTool, in, tools.Conflict, "due", "Netflix", "15 June 2026", out.ID)
	refused(t, a, confirmTool, args{"subscription": id, "due": "2026-06-15"}, tools.Conflict, "due", "Netflix", "15 June 2026", out.ID, "household_charge_update")
	refused(t, a, updateTool, args{"id": out.ID, "date": "2026-06-16"}, tools.Invalid, "date", "Netflix", "15 June 2026", "amount")
	refused(t, a, updateTool, args{"id": out.ID, "clear": []string{"due"}}, tools.Invalid, "clear", "Netflix")
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	paid := charge(t, a, id, "2026-04-17", 1599, nil)
	refused(t, a, skipTool, args{"subscription": id, "due": "2026-04-15"}, tools.Conflict, "due", "15 April 2026", "15.99 EUR", paid)
	// Its day can move, and it can turn out to be paid after all.
	if moved, _ := apply[ChargeDone](t, a, "bob", updateTool, args{"id": out.ID, "due": "2026-07-15"}); moved.State != skipped || moved.Date != date("2026-07-15") || moved.Due != moved.Date {
		t.Errorf("%+v", moved)
	}
	after, _ := apply[ChargeDone](t, a, "bob", updateTool, args{"id": out.ID, "amount": "9.99", "date": "2026-06-01", "text": "half"})
	if after.State != differs || after.Due != date("2026-07-15") || after.Date != date("2026-06-01") || after.PriceChange == nil || after.Text != "half" {
		t.Errorf("%+v", after)
	}
}

func TestAddUpdateDeleteCharge(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	id := add(t, a, "ann", args{"first_date": "2026-01-15", "ends_on": "2026-03-20"}).ID
	in := args{"subscription": id, "date": "2026-04-15", "amount": "2.50", "text": "late fee"}
	if said := card(t, a, "bob", chargeAddName, in); !strings.HasPrefix(said, "Add a charge for Netflix: 2.50 EUR on 15 April 2026\nNothing was due then") {
		t.Error(said)
	}
	fee, _ := apply[ChargeAdded](t, a, "bob", chargeAddName, in)
	if fee.State != confirmed || !fee.Due.IsZero() || fee.Text != "late fee" || fee.Same != 0 {
		t.Errorf("%+v", fee)
	}
	if said := card(t, a, "bob", chargeAddName, in); !strings.Contains(said, "There is 1 charge of that day and amount already") {
		t.Error(said)
	}
	// One that is added near a due day settles it.
	near, _ := apply[ChargeAdded](t, a, "ann", chargeAddName, args{"subscription": id, "date": "2026-03-19", "amount": "15.99"})
	if near.Due != date("2026-03-15") || near.State != confirmed {
		t.Errorf("%+v", near)
	}
	out, _ := apply[ChargeDone](t, a, "ann", updateTool, args{"id": near.ID, "due": "2026-02-15", "amount": "14.99", "date": "2026-02-14"})
	if out.Due != date("2026-02-15") || out.State != differs || out.ExpectedAmount != "15.99" || out.PriceChange == nil {
		t.Errorf("%+v", out)
	}
	refused(t, a, updateTool, args{"id": fee.ID, "due": "2026-02-15"}, tools.Conflict, "due", "Netflix", "15 February 2026", "14.99 EUR", near.ID)
	if out, _ = apply[ChargeDone](t, a, "ann", updateTool, args{"id": near.ID, "clear": []string{"due", "text"}, "date": "2026-02-25"}); !out.Due.IsZero() || out.State != confirmed {
		t.Errorf("%+v", out)
	}
	for range 2 { // the day that it settles already is no conflict
		apply[ChargeDone](t, a, "ann", updateTool, args{"id": near.ID, "due": "2026-02-15"})
	}
	if said := card(t, a, "ann", deleteTool, args{"id": near.ID}); !strings.HasPrefix(said, "Delete a charge for Netflix: 14.99 EUR on 25 February 2026\nWhat was due on 15 February 2026 is expected again") {
		t.Error(said)
	}
	// Where another charge of those days takes its place, nothing is open again.
	charge(t, a, id, "2026-02-16", 1599, nil)
	gone, receipt := apply[ChargeDeleted](t, a, "ann", deleteTool, args{"id": near.ID})
	if gone.ID != near.ID || !gone.Reopens.IsZero() {
		t.Errorf("%+v", gone)
	}
	if got := listed(t, a, "ann", args{"state": "all", "subscription": id}); !slices.Equal(got, []string{"2026-04-15 Netflix confirmed 2.50", "2026-03-15 Netflix expected 15.99", "2026-02-16 Netflix confirmed 15.99", "2026-01-15 Netflix expected 15.99"}) {
		t.Error(got)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
		t.Error(err)
	}
}

// Of many who confirm one due day at once, one does.
func TestConfirmAtOnce(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	id := add(t, a, "ann", args{"first_date": "2026-05-15"}).ID
	errs := make(chan error)
	const n = 8
	for i := range n {
		who := a.As([]string{"ann", "bob"}[i%2])
		in := args{"subscription": id}
		if i%3 == 0 {
			in["due"] = "2026-05-15"
		}
		go func() { _, err := a.Runner.Apply(t.Context(), who, "", a.Call(confirmTool, in)); errs <- err }()
	}
	won := 0
	for range n {
		if err := <-errs; err == nil {
			won++
		} else if tools.KindOf(err) != tools.Conflict {
			t.Error(err)
		}
	}
	if left := listed(t, a, "ann", args{"state": "all", "to": "2026-05-31"}); won != 1 || len(left) != 1 {
		t.Errorf("%d did: %v", won, left)
	}
}

func TestBulkConfirm(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	one := add(t, a, "ann", args{"name": "One", "first_date": "2026-03-15"}).ID
	two := add(t, a, "bob", args{"name": "Two", "first_date": "2026-05-01", "cycle": "P1W", "amount": "3", "currency": "CHF"}).ID
	add(t, a, "bob", args{"name": "Hidden", "first_date": "2026-05-01", "private": true})
	trying := add(t, a, "ann", args{"name": "Later", "first_date": "2026-05-19"}).ID
	apply[ChargeSkipped](t, a, "ann", skipTool, args{"subscription": two, "due": "2026-05-08"})
	if said := card(t, a, "ann", allTool, nil); !strings.HasPrefix(said, "Confirm 3 charges due from 17 April 2026 to 18 May 2026: 6.00 CHF and 15.99 EUR\nFor One, Two\n2 that were due before 17 April 2026 stay open") {
		t.Error(said)
	}
	out, receipt := apply[ChargesConfirmed](t, a, "ann", allTool, nil)
	if out.Count != 3 || out.Older != 2 || len(out.Items) != 3 || out.Items[0].ID == "" || out.Items[0].Due != date("2026-05-15") {
		t.Errorf("%+v", out)
	}
	want := []string{"2026-05-15 Two confirmed 3.00", "2026-05-15 One confirmed 15.99", "2026-05-01 Two confirmed 3.00"}
	got := listed(t, a, "ann", nil)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	refused(t, a, allTool, nil, tools.Conflict, "17 April 2026", "18 May 2026")
	refused(t, a, allTool, args{"ids": []string{trying}}, tools.Conflict, "Nothing is open")
	if out, _ := apply[ChargesConfirmed](t, a, "ann", allTool, args{"ids": []string{one, trying}, "from": "2026-01-01", "to": "2026-04-15"}); out.Count != 2 || out.Totals[0].Amount != "31.98" || out.Older != 0 {
		t.Errorf("%+v", out)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
		t.Error(err)
	}
	many := add(t, a, "ann", args{"name": "Many", "first_date": "2000-01-01", "cycle": "P1W"}).ID
	refused(t, a, allTool, args{"ids": []string{many}, "from": "2000-01-01"}, tools.TooLarge, "1377", "500")
}
