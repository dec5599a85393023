package household

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

const (
	termsTool  = "household_subscription_terms"
	cancelTool = "household_subscription_cancel"
	noticeTool = "household_notice_given"
	decideTool = "household_trial_decide"
)

// contract is a phone for two years, then a year each, with three months'
// notice: its first end is 30 November 2026, notice by 31 August 2026.
func contract(tb testing.TB, a *toolstest.App) string {
	tb.Helper()
	id := add(tb, a, "ann", args{"name": "Phone", "amount": "30", "first_date": "2024-12-01"}).ID
	apply[Subscription](tb, a, "ann", termsTool, args{"id": id, "min_term": "P24M", "extension": "P12M", "notice": "P3M"})
	return id
}

func TestTerms(t *testing.T) {
	a, clock := homeAt(t, noon)
	id := add(t, a, "ann", args{"name": "Phone", "first_date": "2024-12-01"}).ID
	in := args{"id": id, "from": "2024-11-15", "min_term": "P24M", "extension": "P12M", "notice": "P3M"}
	says(t, a, termsTool, in, "Change the terms of Phone", "Give notice by 14 August 2026 for the end on 14 November 2026")
	out, _ := apply[Subscription](t, a, "ann", termsTool, in)
	want := &Terms{From: date("2024-11-15"), MinTerm: "P24M", Extension: "P12M", Notice: "P3M", NoticeBy: date("2026-08-14"), EndsOn: date("2026-11-14")}
	if diff := cmp.Diff(want, out.Terms); diff != "" {
		t.Error(diff)
	}
	*clock = clock.AddDate(1, 0, 0)
	if got := shown(t, a, id).Terms; got.NoticeBy != date("2027-08-14") {
		t.Errorf("%+v", got)
	}
	some, _ := apply[Subscription](t, a, "ann", termsTool, args{"id": id, "notice": "P14D", "clear": []string{"from", "min_term", "extension"}})
	want = &Terms{Notice: "P14D", NoticeBy: date("2027-03-17"), EndsOn: date("2027-03-31")}
	if diff := cmp.Diff(want, some.Terms); diff != "" {
		t.Error(diff)
	}
	over := add(t, a, "ann", args{"name": "Over", "first_date": "2024-12-01", "ends_on": "2026-11-30"}).ID
	if gone, _ := apply[Subscription](t, a, "ann", termsTool, args{"id": over, "notice": "P14D"}); gone.Status != ended || !gone.Terms.NoticeBy.IsZero() || !gone.Terms.EndsOn.IsZero() {
		t.Errorf("what has ended can still be ended: %+v", gone.Terms)
	}
	says(t, a, termsTool, args{"id": id, "clear": []string{"notice"}}, "Phone can be ended at any time")
	if none, _ := apply[Subscription](t, a, "ann", termsTool, args{"id": id, "clear": []string{"notice"}}); none.Terms != nil {
		t.Errorf("%+v", none.Terms)
	}
}

// TestEndAfterPaidAhead: what a bank booked before its due day is paid too, and
// so is a period that was skipped.
func TestEndAfterPaidAhead(t *testing.T) {
	a, _ := homeAt(t, noon)
	tomorrow := date("2026-03-11") // noon is 10 March 2026
	for what, row := range map[string]struct {
		first, tool string
		in          args
		want        string
	}{
		"booked ahead":             {"2025-03-11", "household_charge_confirm", args{"due": tomorrow, "date": "2026-03-10"}, "2026-04-10"},
		"the first one":            {"2026-03-11", "household_charge_confirm", args{"due": tomorrow, "date": "2026-03-10"}, "2026-04-10"},
		"a month for free":         {"2025-03-11", "household_charge_skip", args{"due": tomorrow}, "2026-04-10"},
		"booked, and no day named": {"2025-03-11", "household_charge_add", args{"date": "2026-03-09", "amount": "15.99"}, "2026-04-10"},
		"nothing is open before":   {"2025-03-09", "household_charge_confirm", args{"due": "2026-03-09"}, "2026-04-08"},
	} {
		id := add(t, a, "ann", args{"name": what, "first_date": row.first}).ID
		row.in["subscription"] = id
		apply[any](t, a, "ann", row.tool, row.in)
		for _, tool := range []string{cancelTool, noticeTool} {
			_, receipt := apply[any](t, a, "ann", tool, args{"id": id})
			if got := shown(t, a, id).EndsOn; got != date(row.want) {
				t.Errorf("%s, %s: last day %s, want %s", what, tool, got, row.want)
			}
			if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestEndOfFixedTerm: a cancellation saves nothing of what a fixed term would
// not have charged, and says what a longer time costs.
func TestEndOfFixedTerm(t *testing.T) {
	a, _ := homeAt(t, noon) // 10 March 2026
	fixed := "Its fixed term ends on 30 June 2026 without this too"
	for _, row := range []struct{ last, saves, line string }{
		{"2026-04-30", "15.99", fixed},
		{"2026-06-30", "0.00", fixed},
		{"2026-09-30", "0.00", "Its fixed term ends on 30 June 2026 without this: the longer time costs 47.97 EUR more"},
	} {
		id := add(t, a, "ann", args{"name": "Gym", "first_date": "2025-01-15", "ends_on": "2026-06-30"}).ID
		other := add(t, a, "ann", args{"name": "Other", "first_date": "2026-03-15"}).ID
		in := args{"id": id, "last_day": row.last}
		title := ": last day " + said(a, row.last) + ", saves " + row.saves + " EUR a month"
		noticed := "Notice for Gym, given on 10 March 2026" + title
		says(t, a, cancelTool, in, "Cancel Gym"+title, row.line)
		says(t, a, noticeTool, in, noticed, row.line)
		says(t, a, "household_subscriptions_bulk_cancel", args{"ids": []string{id}, "last_day": row.last},
			"Cancel 1 subscription (Gym): saves "+row.saves+" EUR a month")
		apply[any](t, a, "ann", cancelTool, in)
		says(t, a, noticeTool, args{"id": id, "last_day": row.last}, noticed, row.line)
		says(t, a, "household_subscription_replace", args{"id": id, "by": other},
			"Replace Gym by Other, last day "+said(a, row.last)+": costs the same", row.line) // one is compared with the other
	}
}

func TestBadTerms(t *testing.T) {
	a, _ := homeAt(t, noon)
	id := add(t, a, "ann", args{"name": "Phone", "first_date": "2024-12-01"}).ID
	apply[Subscription](t, a, "ann", termsTool, args{"id": id, "extension": "P12M", "notice": "P3M"})
	before := dump(t, a)
	for _, c := range []struct {
		in    args
		kind  tools.Kind
		words string
	}{
		{args{"id": id}, tools.Invalid, "nothing to change"},
		{args{"id": "nobody", "notice": "P1M"}, tools.NotFound, "nobody"},
		{args{"id": id, "min_term": "24 months"}, tools.Invalid, "min_term|24 months|P1M"},
		{args{"id": id, "min_term": "P0M"}, tools.Invalid, "min_term|P0M"},
		{args{"id": id, "min_term": "P2000Y"}, tools.Invalid, "min_term|P2000Y"},
		{args{"id": id, "notice": "-P3M"}, tools.Invalid, "notice|-P3M"},
		{args{"id": id, "extension": "P1Y6M"}, tools.Invalid, "extension|P1Y6M"},
		{args{"id": id, "from": "2024-02-30"}, tools.Invalid, "from|2024-02-30"},
		{args{"id": id, "notice": "P1M", "clear": []string{"notice"}}, tools.Invalid, "notice|cleared"},
		{args{"id": id, "clear": []string{"noticed_on"}}, tools.Invalid, "clear|noticed_on|min_term"},
		{args{"id": id, "clear": []string{"notice"}}, tools.Invalid, "extension|Phone|min_term"},
		{args{"id": id, "from": "2024-01-01", "clear": []string{"notice", "extension"}}, tools.Invalid, "from|Phone|min_term"},
	} {
		refused(t, a, termsTool, c.in, c.kind, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%v: %s", c.in, diff)
		}
	}
}

func TestCancelByTerms(t *testing.T) {
	a, clock := homeAt(t, noon)
	id := contract(t, a)
	says(t, a, cancelTool, args{"id": id}, "Cancel Phone: last day 30 November 2026, saves 30.00 EUR a month", "Give the provider notice by 31 August 2026")
	says(t, a, cancelTool, args{"id": id, "last_day": "2026-05-31"}, "Cancel Phone: last day 31 May 2026, saves 30.00 EUR a month", "By its terms, notice for 31 May 2026 was due by 28 February 2026")
	before := dump(t, a)
	out, _ := apply[Cancelled](t, a, "ann", cancelTool, args{"id": id})
	if out.EndsOn != date("2026-11-30") || out.NoticeBy != date("2026-08-31") || out.Terms.NoticeBy != out.NoticeBy || out.Terms.EndsOn != out.EndsOn || out.Status != cancelled {
		t.Errorf("%+v", out)
	}
	// It was decided; that nobody has told the provider is to be said.
	if diff := cmp.Diff([]string{"notice Phone 2026-08-31 2026-08-17T07:00:00Z"}, notices(t, a)); diff != "" {
		t.Error(diff)
	}
	says(t, a, noticeTool, args{"id": id}, "Notice for Phone, given on 10 March 2026: last day 30 November 2026, saves 30.00 EUR a month", "In time: it had to be given by 31 August 2026")
	noticed, _ := apply[Noticed](t, a, "ann", noticeTool, args{"id": id})
	if noticed.EndsOn != out.EndsOn || !noticed.NoticeBy.IsZero() || noticed.Terms.NoticedOn != date("2026-03-10") || !noticed.Terms.NoticeBy.IsZero() || noticed.Missed != nil || noticed.CancelledOn != date("2026-03-10") {
		t.Errorf("%+v", noticed)
	}
	if got := notices(t, a); len(got) != 0 {
		t.Errorf("notice was given, and still %v", got)
	}
	kept, _ := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "clear": []string{"ends_on"}})
	if kept.Status != active || kept.Terms.NoticeBy != date("2026-08-31") {
		t.Errorf("%+v", kept.Subscription)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	*clock = clock.AddDate(0, 6, 0) // 10 September: too late for November
	if out, _ := apply[Cancelled](t, a, "ann", cancelTool, args{"id": id}); out.EndsOn != date("2027-11-30") {
		t.Errorf("%+v", out)
	}
}

// notices are the reminders of ann to give notice.
func notices(tb testing.TB, a *toolstest.App) (list []string) {
	tb.Helper()
	for _, s := range told(tb, a, "ann", args{"days": 300}) {
		if strings.HasPrefix(s, remindNotice) {
			list = append(list, s)
		}
	}
	return list
}

func TestNoticeGiven(t *testing.T) {
	a, clock := homeAt(t, "2026-09-10T12:00:00Z")
	id := contract(t, a)
	says(t, a, noticeTool, args{"id": id, "on": "2026-08-31"}, "Notice for Phone, given on 31 August 2026: last day 30 November 2026, saves 30.00 EUR a month", "In time: it had to be given by 31 August 2026")
	says(t, a, noticeTool, args{"id": id, "on": "2026-09-01"}, "Notice for Phone, given on 1 September 2026: last day 30 November 2027, saves 30.00 EUR a month", "It came after 31 August 2026, too late for 30 November 2026: the contract runs until 30 November 2027")
	says(t, a, noticeTool, args{"id": id, "last_day": "2026-10-31"}, "Notice for Phone, given on 10 September 2026: last day 31 October 2026, saves 30.00 EUR a month", "By its terms it would end on 30 November 2027 at the earliest")
	late, _ := apply[Noticed](t, a, "ann", noticeTool, args{"id": id})
	if diff := cmp.Diff(&Missed{date("2026-08-31"), date("2026-11-30")}, late.Missed); diff != "" || late.EndsOn != date("2027-11-30") {
		t.Errorf("%s: %s", late.EndsOn, diff)
	}
	before := dump(t, a)
	refused(t, a, noticeTool, args{"id": id}, tools.Conflict, "Phone", "10 September 2026", "30 November 2027")
	refused(t, a, noticeTool, args{"id": id, "on": "2026-09-11"}, tools.Invalid, "on:", "Phone", "11 September 2026")
	refused(t, a, noticeTool, args{"id": id, "on": "2026-09-09", "last_day": "2026-09-08"}, tools.Invalid, "last_day", "on")
	refused(t, a, noticeTool, args{"id": id, "last_day": "2024-11-30"}, tools.Invalid, "last_day", "first_date")
	refused(t, a, noticeTool, args{"id": "nobody"}, tools.NotFound, "nobody")
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	// A better day corrects it, and the day it was decided is the earlier one.
	earlier, _ := apply[Noticed](t, a, "ann", noticeTool, args{"id": id, "on": "2026-08-20"})
	if earlier.EndsOn != date("2026-11-30") || earlier.Missed != nil || earlier.CancelledOn != date("2026-08-20") {
		t.Errorf("%+v", earlier)
	}
	*clock = clock.AddDate(0, 3, 0)
	refused(t, a, noticeTool, args{"id": id, "on": "2026-08-21"}, tools.Conflict, "last_day:", "Phone", "ended on")
}

// Without terms it ends as a cancellation does; what was decided before stays.
func TestNoticeWithoutTerms(t *testing.T) {
	a, _ := homeAt(t, noon)
	for _, row := range []struct {
		name          string
		in, cancelled args
		notice        args
		last          string // "" for an error
	}{
		{"plain", args{"first_date": "2026-01-15"}, nil, args{}, "2026-03-14"},
		{"some days ago", args{"first_date": "2026-01-15"}, nil, args{"on": "2026-02-20"}, "2026-03-14"},
		{"fixed term", args{"first_date": "2026-01-15", "ends_on": "2026-03-12"}, nil, args{}, "2026-03-12"},
		{"decided before", args{"first_date": "2026-01-15"}, args{"last_day": "2026-06-14"}, args{}, "2026-06-14"},
		{"decided sooner", args{"first_date": "2026-01-15"}, args{"last_day": "2026-03-11"}, args{}, "2026-03-11"},
		{"decided, and other words of the provider", args{"first_date": "2026-01-15"}, args{"last_day": "2026-06-14"}, args{"last_day": "2026-07-14"}, "2026-07-14"},
		{"not begun", args{"first_date": "2026-04-15"}, nil, args{}, ""},
		{"not begun, decided", args{"first_date": "2026-04-15"}, args{"last_day": "2026-05-14"}, args{}, "2026-05-14"},
	} {
		row.in["name"] = row.name
		id := add(t, a, "ann", row.in).ID
		if row.cancelled != nil {
			row.cancelled["id"] = id
			apply[Cancelled](t, a, "ann", cancelTool, row.cancelled)
		}
		row.notice["id"] = id
		if row.last == "" {
			refused(t, a, noticeTool, row.notice, tools.Invalid, row.name, "last_day")
			continue
		}
		if out, _ := apply[Noticed](t, a, "ann", noticeTool, row.notice); out.EndsOn != date(row.last) || out.Terms == nil || out.Terms.NoticedOn.IsZero() || out.Missed != nil {
			t.Errorf("%s ends on %s, want %s: %+v", row.name, out.EndsOn, row.last, out.Terms)
		}
	}
	// A later end that was decided is one that notice is in time for.
	id := contract(t, a)
	apply[Cancelled](t, a, "ann", cancelTool, args{"id": id, "last_day": "2027-11-30"})
	if out, _ := apply[Noticed](t, a, "ann", noticeTool, args{"id": id}); out.EndsOn != date("2027-11-30") {
		t.Errorf("%+v", out)
	}
}

// What rests without an end is not ended in the past.
func TestCancelWhatRests(t *testing.T) {
	a, _ := homeAt(t, noon)
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": id, "from": "2026-02-20"})
	if out, _ := apply[Cancelled](t, a, "ann", cancelTool, args{"id": id}); out.EndsOn != date("2026-03-10") || out.Saves != "15.99" {
		t.Errorf("%+v", out)
	}
}

// What an end saves is the price that would have come.
func TestCancelSavesWhatWouldCome(t *testing.T) {
	a, _ := homeAt(t, noon)
	id := add(t, a, "ann", args{"name": "Phone", "amount": "25", "first_date": "2026-01-15", "intro_amount": "4", "intro_until": "2026-03-14"}).ID
	says(t, a, cancelTool, args{"id": id}, "Cancel Phone: last day 14 March 2026, saves 25.00 EUR a month")
}
