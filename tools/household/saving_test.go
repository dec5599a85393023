package household

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// savingLines lists what is found: kind, sentence, costs, records.
func savingLines(a *toolstest.App, out savingsOut) []string {
	var list []string
	for _, f := range out.Items {
		var costs, records []string
		for _, c := range f.Costs {
			costs = append(costs, strings.TrimSpace(fmt.Sprintf("%s/m %s/y %s %s", c.PerMonth, c.PerYear, c.Charged, c.Currency)))
		}
		for _, r := range f.Records {
			records = append(records, strings.TrimPrefix(r.Collection, "household_")+" "+a.Catalogue.English(tools.Text(r.Name))+strings.TrimRight(" "+r.Owner, " "))
		}
		list = append(list, f.Kind+": "+a.Catalogue.English(tools.Text(f.Text))+" ["+strings.Join(costs, ", ")+"] ["+strings.Join(records, ", ")+"]")
	}
	return list
}

func savingsOf(t *testing.T, a *toolstest.App, who string, in args) []string {
	t.Helper()
	return savingLines(a, read[savingsOut](t, a, who, "household_savings", in))
}

func wantFound(t *testing.T, a *toolstest.App, who string, in args, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, savingsOf(t, a, who, in)); diff != "" {
		t.Errorf("%s %v: %s", who, in, diff)
	}
}

func TestSavingsFindOpenTrials(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	add(t, a, "ann", args{"name": "Soon", "first_date": "2026-06-01", "trial_ends_on": "2026-05-31"})
	add(t, a, "ann", args{"name": "Later", "first_date": "2026-07-01", "trial_ends_on": "2026-06-30"})
	add(t, a, "ann", args{"name": "Decide by", "first_date": "2026-07-01", "trial_ends_on": "2026-06-30", "decide_by": "2026-06-13"})
	add(t, a, "ann", args{"name": "Over", "first_date": "2026-03-01", "trial_ends_on": "2026-03-31", "cycle": "P1Y", "amount": "60.00"})
	kept := add(t, a, "ann", args{"name": "Kept", "first_date": "2026-06-01", "trial_ends_on": "2026-05-31"}).ID
	set(t, a, kept, args{"trial_decided": keep})
	ends := add(t, a, "ann", args{"name": "Ends", "first_date": "2026-06-01", "trial_ends_on": "2026-05-31"}).ID
	set(t, a, ends, args{"ends_on": "2026-06-01", "status": cancelled})
	wantFound(t, a, "bob", nil,
		"trial_open: The trial of Decide by ends on 30 June 2026 and nobody has decided yet; then it costs 15.99 EUR a month. [15.99/m 191.88/y  EUR] [subscriptions Decide by]",
		"trial_open: The trial of Over ended on 31 March 2026 without a decision; it costs 60.00 EUR a year. [5.00/m 60.00/y  EUR] [subscriptions Over]",
		"trial_open: The trial of Soon ends on 31 May 2026 and nobody has decided yet; then it costs 15.99 EUR a month. [15.99/m 191.88/y  EUR] [subscriptions Soon]",
	)
}

// One service twice is told with whose they are; what is private is nobody
// else's duplicate.
func TestSavingsFindDuplicates(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	add(t, a, "ann", args{"name": "Netflix"})
	add(t, a, "bob", args{"name": "NETFLIX.com", "amount": "19.99", "currency": "USD"})
	add(t, a, "bob", args{"name": "Films", "merchant": "Netflix 0800123456", "amount": "1.00"})
	add(t, a, "ann", args{"name": "Gym", "private": true})
	add(t, a, "bob", args{"name": "gym", "amount": "30.00"})
	add(t, a, "ann", args{"name": "Phone", "merchant": "VODAFONE GMBH", "amount": "10.00"})
	add(t, a, "ann", args{"name": "Internet", "merchant": "Vodafone", "amount": "40.00"})
	over := add(t, a, "ann", args{"name": "Phone", "amount": "10.00"}).ID
	set(t, a, over, args{"status": cancelled, "ends_on": "2026-06-30"})
	add(t, a, "ann", args{"name": "Internet", "amount": "10.00", "ends_on": "2027-06-30"})
	netflix := "duplicate: One service runs 3 times: NETFLIX.com (bob, 19.99 USD a month), Netflix (ann, 15.99 EUR a month), Films (bob, 1.00 EUR a month). [16.99/m 203.88/y  EUR, 19.99/m 239.88/y  USD] [subscriptions NETFLIX.com bob, subscriptions Netflix ann, subscriptions Films bob]"
	phones := "same_merchant: 2 subscriptions are paid to Vodafone: Internet (ann, 40.00 EUR a month), Phone (ann, 10.00 EUR a month). [50.00/m 600.00/y  EUR] [subscriptions Internet ann, subscriptions Phone ann]"
	wantFound(t, a, "bob", nil, netflix, phones)
	wantFound(t, a, "ann", nil, "duplicate: One service runs 2 times: Gym (ann, 15.99 EUR a month), gym (bob, 30.00 EUR a month). [45.99/m 551.88/y  EUR] [subscriptions Gym ann, subscriptions gym bob]", netflix, phones)
}

// Of very many alike some are named and the rest counted; all are added up.
func TestSavingsCutLongGroups(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	for range 22 {
		add(t, a, "ann", args{"name": "Gym", "amount": "1.00"})
	}
	f := read[savingsOut](t, a, "bob", "household_savings", nil).Items[0]
	said := a.Catalogue.English(tools.Text(f.Text))
	if len(f.Records) != 20 || f.More != 2 || f.Costs[0].PerMonth != "22.00" || strings.Count(said, "Gym (ann, 1.00 EUR a month)") != 5 || !strings.Contains(said, "17 more") {
		t.Errorf("%s %+v", said, f)
	}
}

func TestSavingsFindWhatWasReplaced(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	old := add(t, a, "ann", args{"name": "Old", "cycle": "P4W"}).ID
	for name, first := range map[string]string{"New": "2026-02-01", "Next year's": "2027-01-01"} {
		id := add(t, a, "ann", args{"name": name, "first_date": first}).ID
		set(t, a, id, args{"replaces": old})
	}
	wantFound(t, a, "bob", nil, "replaced: New took the place of Old, which still runs and costs 15.99 EUR every 4 weeks. [17.38/m 208.58/y  EUR] [subscriptions Old, subscriptions New]")
	set(t, a, old, args{"name": "New"}) // no duplicate: it is told already
	if got := savingsOf(t, a, "bob", nil); len(got) != 1 || !strings.HasPrefix(got[0], "replaced: New took the place of New") {
		t.Error(got)
	}
	set(t, a, old, args{"status": cancelled, "ends_on": "2026-06-30"})
	wantFound(t, a, "bob", nil)
}

// Charges that came while it was paused or after its end are told with what
// they come to; those that were due before, and booked late, are not.
func TestSavingsFindStrayCharges(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	gym := add(t, a, "ann", args{"name": "Gym", "amount": "20.00", "first_date": "2026-01-01"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": gym, "from": "2026-02-02"})
	charge(t, a, gym, "2026-02-03", 2000, nil) // of 1 February
	charge(t, a, gym, "2026-03-02", 2000, nil)
	charge(t, a, gym, "2026-04-01", 500, map[string]any{"currency": "USD"})
	paper := add(t, a, "ann", args{"name": "Paper", "amount": "9.00", "first_date": "2025-01-30", "ends_on": "2025-09-30"}).ID
	charge(t, a, paper, "2025-10-02", 900, nil) // of 30 September
	for _, day := range []string{"2025-10-30", "2025-11-30", "2025-12-30", "2026-01-30", "2026-02-28", "2026-03-30"} {
		charge(t, a, paper, day, 900, nil)
	}
	charge(t, a, paper, "2026-04-30", 0, map[string]any{"due": "2025-08-30", "state": skipped})
	out := read[savingsOut](t, a, "bob", "household_savings", args{"limit": 2})
	want := []string{
		"charged_paused: Gym was charged 2 times while it was paused: 20.00 EUR and 5.00 USD in all. [/m /y 20.00 EUR, /m /y 5.00 USD] [subscriptions Gym, charges 20.00 EUR on 2 March 2026, charges 5.00 USD on 1 April 2026]",
		"charged_ended: Paper ended on 30 September 2025 and was charged 6 times since: 54.00 EUR in all. [/m /y 54.00 EUR] [subscriptions Paper, charges 9.00 EUR on 30 November 2025, charges 9.00 EUR on 30 December 2025, charges 9.00 EUR on 30 January 2026, charges 9.00 EUR on 28 February 2026, charges 9.00 EUR on 30 March 2026]",
	}
	if diff := cmp.Diff(want, savingLines(a, out)); diff != "" || out.Items[1].More != 1 {
		t.Error(diff, out.Items[1].More)
	}
	rec, err := a.FindRecordById(charges, out.Items[1].Records[1].ID)
	if err != nil || rec.GetString("date") != "2025-11-30" {
		t.Error(rec, err)
	}
}

func TestSavingsFindRises(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	priced(t, a, args{"name": "Ten", "amount": "10.00", "first_date": "2024-01-05"}, "2025-05-01 11.00", "2026-01-05 12.10")
	priced(t, a, args{"name": "Less", "amount": "10.00", "first_date": "2025-01-05"}, "2026-01-05 10.99")
	priced(t, a, args{"name": "Fall", "amount": "10.00", "first_date": "2025-01-05"}, "2026-01-05 1.00")
	priced(t, a, args{"name": "To come", "amount": "10.00", "cycle": "P1Y", "first_date": "2025-01-05"}, "2027-01-05 12.00")
	priced(t, a, args{"name": "Free", "amount": "0.00", "first_date": "2025-01-05"}, "2026-01-05 3.00")
	add(t, a, "ann", args{"name": "Intro", "amount": "25.00", "first_date": "2026-01-01", "intro_amount": "5.00", "intro_until": "2026-03-31"})
	shown := add(t, a, "ann", args{"name": "Shown", "amount": "10.00", "first_date": "2026-01-03"}).ID
	charge(t, a, shown, "2026-05-04", 1500, nil)
	gone := priced(t, a, args{"name": "Gone", "amount": "10.00", "first_date": "2025-01-05"}, "2026-01-05 20.00")
	set(t, a, gone, args{"status": cancelled, "ends_on": "2026-08-31"})
	all := []string{
		"price_rise: Free costs 3.00 EUR from 5 January 2026 on; before, it cost nothing. [3.00/m 36.00/y  EUR] [subscriptions Free]",
		"price_rise: The introductory price of Intro ends: from 1 April 2026 on it is 25.00 EUR instead of 5.00 EUR, 400 % more. [20.00/m 240.00/y  EUR] [subscriptions Intro]",
		"price_rise: Shown was charged with 15.00 EUR instead of 10.00 EUR since 3 May 2026, 50 % more; no price says so yet. [5.00/m 60.00/y  EUR] [subscriptions Shown]",
		"price_rise: Ten rose by 10 % on 5 January 2026, from 11.00 EUR to 12.10 EUR. [1.10/m 13.20/y  EUR] [subscriptions Ten]",
		"price_rise: To come will rise by 20 % on 5 January 2027, from 10.00 EUR to 12.00 EUR. [0.17/m 2.00/y  EUR] [subscriptions To come]",
	}
	wantFound(t, a, "bob", nil, all...)
	wantFound(t, a, "bob", args{"rise_percent": 50}, all[:3]...)
	if got := savingsOf(t, a, "bob", args{"rise_percent": 0}); len(got) != 6 || !strings.Contains(got[2], "Less rose by 9.9 % ") {
		t.Error(got)
	}
}

// What had charges once and has none for months, though some were due; where
// nobody confirms at all, it is said that nothing can be told.
func TestSavingsFindWhatNobodyConfirms(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	quiet := add(t, a, "ann", args{"name": "Quiet", "amount": "10.00", "first_date": "2025-01-05"}).ID
	add(t, a, "ann", args{"name": "Never", "amount": "10.00", "first_date": "2025-01-05"})
	out := read[savingsOut](t, a, "bob", "household_savings", nil)
	if len(out.Items) != 0 || len(out.Notes) != 1 || a.Catalogue.English(tools.Text(out.Notes[0])) == "" {
		t.Errorf("%+v", out)
	}
	charge(t, a, quiet, "2025-10-05", 1000, nil)
	charge(t, a, quiet, "2025-11-05", 1000, nil)
	want := "unconfirmed: Quiet: 6 charges were due, and nobody has confirmed any since 5 November 2025. [10.00/m 120.00/y  EUR] [subscriptions Quiet, charges 10.00 EUR on 5 November 2025]"
	wantFound(t, a, "bob", nil, want)
	wantFound(t, a, "bob", args{"months": 7})
	if out := read[savingsOut](t, a, "bob", "household_savings", nil); len(out.Notes) != 0 {
		t.Error(out.Notes)
	}

	yearly := add(t, a, "ann", args{"name": "Yearly", "amount": "60.00", "cycle": "P1Y", "first_date": "2024-09-01"}).ID
	charge(t, a, yearly, "2025-09-01", 6000, nil) // nothing was due since
	old := add(t, a, "ann", args{"name": "Old", "amount": "60.00", "cycle": "P1Y", "first_date": "2024-05-01"}).ID
	charge(t, a, old, "2025-05-02", 6000, nil) // due again on 1 May
	fresh := add(t, a, "ann", args{"name": "Fresh", "amount": "60.00", "cycle": "P1Y", "first_date": "2024-05-11"}).ID
	charge(t, a, fresh, "2025-05-11", 6000, nil) // due on 11 May: the bank may take its time
	ahead := add(t, a, "ann", args{"name": "Ahead", "amount": "10.00", "cycle": "P6M", "first_date": "2025-02-01"}).ID
	charge(t, a, ahead, "2025-08-01", 1000, map[string]any{"due": "2026-02-01", "state": confirmed})
	paused := add(t, a, "ann", args{"name": "Paused", "amount": "10.00", "first_date": "2025-01-05"}).ID
	charge(t, a, paused, "2025-10-05", 1000, nil)
	apply[Paused](t, a, "ann", pauseTool, args{"id": paused, "from": "2025-10-20"})
	exact := add(t, a, "ann", args{"name": "Exact", "amount": "10.00", "first_date": "2025-01-14"}).ID
	charge(t, a, exact, "2025-11-14", 1000, nil) // six months ago to the day
	skips := add(t, a, "ann", args{"name": "Skips", "amount": "10.00", "first_date": "2025-01-05"}).ID
	charge(t, a, skips, "2026-01-05", 0, map[string]any{"due": "2026-01-05", "state": skipped})
	wantFound(t, a, "bob", nil,
		"unconfirmed: Old: one charge was due, and nobody has confirmed any since 2 May 2025. [5.00/m 60.00/y  EUR] [subscriptions Old, charges 60.00 EUR on 2 May 2025]", want)
}

// What was due in that time and paid long before it is not open.
func TestSavingsLookBackAsFarAsTheMonths(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	id := add(t, a, "ann", args{"amount": "10.00", "cycle": "P2Y", "first_date": "2022-06-01"}).ID
	early := charge(t, a, id, "2024-04-10", 1000, map[string]any{"due": "2024-06-01", "state": confirmed})
	wantFound(t, a, "bob", args{"months": 24})
	rec, err := a.FindRecordById(charges, early)
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("due", "")
	if err := a.Save(rec); err != nil {
		t.Fatal(err)
	}
	if got := savingsOf(t, a, "bob", args{"months": 24}); len(got) != 1 || !strings.Contains(got[0], "one charge was due") {
		t.Error(got)
	}
}

func TestSavingsPagesAndBadInput(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	for i := range 5 {
		priced(t, a, args{"name": fmt.Sprint("Sub ", string(rune('A'+i))), "amount": "10.00", "first_date": "2025-01-05"}, "2026-01-05 12.00")
	}
	first := read[savingsOut](t, a, "bob", "household_savings", args{"limit": 3})
	rest := read[savingsOut](t, a, "bob", "household_savings", args{"limit": 3, "cursor": first.Next})
	if diff := cmp.Diff(savingsOf(t, a, "bob", nil), append(savingLines(a, first), savingLines(a, rest)...)); diff != "" || len(rest.Items) != 2 || rest.Next != "" {
		t.Error(diff, rest.Next)
	}
	for _, row := range []struct {
		in    args
		words string
	}{
		{args{"rise_percent": -1}, "rise_percent"},
		{args{"rise_percent": 10_001}, "rise_percent"},
		{args{"months": -1}, "months"},
		{args{"months": 61}, "months"},
		{args{"limit": 201}, "limit"},
		{args{"cursor": "?"}, "cursor"},
	} {
		_, err := a.Read(a.As("bob"), "household_savings", row.in)
		if tools.KindOf(err) != tools.Invalid || !strings.Contains(err.Error(), row.words) {
			t.Errorf("%v: %v", row.in, err)
		}
	}
}
