package household

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// bankRow is what a statement has of Netflix: "2026-03-17 15.99" and so on.
func bankRow(amount string, booked ...string) tools.ImportRows {
	row := tools.Recurring{Merchant: "NETFLIX.COM", Cycle: cycle("P1M"), Amount: amount, Currency: "EUR", Active: true, Occurrences: len(booked)}
	for i, b := range booked {
		day, paid, _ := strings.Cut(b, " ")
		if i == 0 {
			row.FirstDate = date(day)
		}
		row.LastDate = date(day)
		row.Evidence = append(row.Evidence, tools.Evidence{Line: i + 1, Date: date(day), Amount: "-" + paid, Text: "NETFLIX"})
	}
	return statement("bank.csv", row)
}

// What somebody has confirmed by hand is not added once more when the bank's
// statement comes; where they were wrong about it, the statement is right.
func TestImportKnowsWhatWasConfirmed(t *testing.T) {
	a := homeOn(t, "2026-06-20")
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": id, "due": "2026-02-15"})
	apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": id, "due": "2026-03-15", "text": "mine"})
	refusedBefore := bankRow("15.99", "2026-02-18 15.99", "2026-03-13 15.99")
	refused(t, a, "household_import_apply", refusedBefore, tools.Conflict, "nothing new in bank.csv")
	// One that a statement has twice was confirmed once; and what a statement
	// brought is told apart by its day.
	for _, booked := range []string{"2026-02-16 15.99", "2026-02-18 15.99", "2026-02-19 15.99"} {
		p, err := a.Preview(a.As("ann"), "household_import_apply", bankRow("15.99", "2026-02-15 15.99", booked))
		if err != nil {
			t.Fatal(err)
		}
		if out := p.Items[0].Output.(Imported); out.Changed[0].Charges != 1 {
			t.Errorf("%s: %+v", booked, out)
		}
	}
	apply[ChargeSkipped](t, a, "ann", skipTool, args{"subscription": id, "due": "2026-04-15", "text": "a free month?"})
	apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": id, "due": "2026-05-15"})
	apply[ChargeAdded](t, a, "ann", chargeAddName, args{"subscription": id, "date": "2026-06-02", "amount": "2.50"})
	rows := bankRow("17.99", "2026-02-18 15.99", "2026-03-13 15.99", "2026-04-15 15.99", "2026-05-14 17.99", "2026-06-03 2.50", "2026-06-15 17.99", "2026-06-15 17.99")
	rows.Subscriptions[0].Prices = []tools.Price{{From: date("2026-02-18"), Amount: "15.99"}, {From: date("2026-05-14"), Amount: "17.99"}}
	if said := card(t, a, "ann", "household_import_apply", rows); !strings.Contains(said, "\n2 charges from the statement\n2 charges that were confirmed or skipped by hand say now what the bank has booked") {
		t.Error(said)
	}
	before := dump(t, a)
	out, receipt := apply[Imported](t, a, "bob", "household_import_apply", rows)
	if len(out.Changed) != 1 || out.Changed[0].Charges != 2 || out.Changed[0].Corrected != 2 || out.Changed[0].PriceFrom != date("2026-05-14") {
		t.Errorf("%+v", out)
	}
	want := []string{
		"2026-06-15 Netflix confirmed 17.99", "2026-06-15 Netflix confirmed 17.99", "2026-06-02 Netflix confirmed 2.50", "2026-05-14 Netflix confirmed 17.99",
		"2026-04-15 Netflix confirmed 15.99", "2026-03-15 Netflix confirmed 15.99", "2026-02-15 Netflix confirmed 15.99", "2026-01-15 Netflix expected 15.99",
	}
	if diff := cmp.Diff(want, listed(t, a, "ann", args{"state": "all", "to": "2026-06-30"})); diff != "" {
		t.Error(diff)
	}
	var texts []string
	for _, c := range read[chargeListOut](t, a, "ann", chargesTool, args{"to": "2026-05-31"}).Items {
		texts = append(texts, c.Due.String()+" "+c.Text)
	}
	if diff := cmp.Diff([]string{"2026-05-15 NETFLIX", "2026-04-15 a free month?", "2026-03-15 mine", "2026-02-15 "}, texts); diff != "" {
		t.Error(diff)
	}
	refused(t, a, "household_import_apply", rows, tools.Conflict, "nothing new in bank.csv")
	other, again := apply[Imported](t, a, "bob", "household_import_apply", bankRow("17.99", "2026-05-14 17.99", "2026-06-16 17.99"))
	if other.Changed[0].Charges != 1 {
		t.Errorf("%+v", other)
	}
	if _, err := a.Undo(a.As("bob"), again.Audit...); err != nil {
		t.Error(err)
	}
	if _, err := a.Undo(a.As("bob"), receipt.Audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// However much was confirmed or skipped by hand before, and with whatever
// amount: once the statement is there, each of its charges is stored once, and
// nothing that was due in its time is open.
func TestImportAfterAnyConfirmations(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 2))
	for round := range 12 {
		c := []string{"P1M", "P1W", "P4W"}[round%3]
		s := sched(c, "2025-06-30", 0, "")
		dues := s.between(s.first, date("2026-06-10"), 60)
		rec := tools.Recurring{Merchant: "Netflix", Cycle: s.cycle, Amount: "15.99", Currency: "EUR", Active: true}
		a := homeOn(t, "2026-06-20")
		id := add(t, a, "ann", args{"first_date": s.first.String(), "cycle": c}).ID
		by := 0
		for i, d := range dues {
			late := rnd.IntN(2*slackOf(s.cycle)+1) - slackOf(s.cycle)
			rec.Evidence = append(rec.Evidence, tools.Evidence{Line: i, Date: d.AddDays(late), Amount: "15.99", Text: "NETFLIX"})
			named := map[string]any{"due": d.String(), "state": confirmed}
			switch by++; rnd.IntN(6) {
			case 0:
				charge(t, a, id, d.String(), 1599, named)
			case 1:
				charge(t, a, id, d.AddDays(rnd.IntN(3)).String(), 1599, map[string]any{"state": confirmed})
			case 2:
				charge(t, a, id, d.String(), 1499, named)
			case 3:
				charge(t, a, id, d.String(), 0, map[string]any{"due": d.String(), "state": skipped})
			case 4:
				charge(t, a, id, d.AddDays(late).String(), 1599, nil) // an import before
			default:
				by--
			}
		}
		rec.FirstDate, rec.LastDate = rec.Evidence[0].Date, rec.Evidence[len(dues)-1].Date
		rows := statement("bank.csv", rec)
		if by < len(dues)/2 || by == len(dues) {
			t.Errorf("round %d: %d of %d by hand: it tries little", round, by, len(dues))
		}
		apply[Imported](t, a, "ann", "household_import_apply", rows)
		list := listed(t, a, "ann", args{"state": "all", "to": "2026-06-13", "limit": 200})
		for _, c := range list {
			if !strings.HasSuffix(c, " confirmed 15.99") {
				t.Errorf("round %d: %s", round, c)
			}
		}
		if len(list) != len(dues) {
			t.Errorf("round %d: %d charges, %d were due", round, len(list), len(dues))
		}
		refused(t, a, "household_import_apply", rows, tools.Conflict, "nothing new")
	}
}
