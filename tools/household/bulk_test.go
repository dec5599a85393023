package household

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

const (
	bulkPauseName  = "household_subscriptions_bulk_pause"
	bulkResumeName = "household_subscriptions_bulk_resume"
	bulkCancelName = "household_subscriptions_bulk_cancel"
)

func TestBulkPauseAndResume(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	ids := []string{
		add(t, a, "ann", nil).ID,
		add(t, a, "bob", args{"name": "Paper", "amount": "120", "cycle": "P1Y"}).ID,
		add(t, a, "ann", args{"name": "Cloud", "amount": "900", "currency": "JPY", "private": true}).ID,
	}
	before := dump(t, a)
	in := args{"ids": ids, "from": "2026-03-10", "resumes": "2026-05-01", "shift": true}
	want := "Pause 3 subscriptions (Netflix, Paper, Cloud): saves 25.99 EUR a month and 900 JPY a month\nFrom 10 March 2026 until 1 May 2026, when they go on\n"
	if said := card(t, a, "ann", bulkPauseName, in); !strings.HasPrefix(said, want) {
		t.Errorf("it says %s", said)
	}
	out, first := apply[BulkSaved](t, a, "ann", bulkPauseName, in)
	if out.Count != 3 || len(out.PerMonth) != 2 || out.PerMonth[0].Amount != "25.99" || out.PerMonth[0].Count != 2 || out.PerMonth[1].Amount != "900" {
		t.Errorf("%+v", out)
	}
	for _, id := range ids {
		if p := get(t, a, "ann", id).Pause; p == nil || p.From.String() != "2026-03-10" || p.Resumes.String() != "2026-05-01" || !p.Shift {
			t.Errorf("%+v", p)
		}
	}
	says(t, a, bulkResumeName, args{"ids": ids[:2], "on": "2026-04-01"}, "Resume 2 subscriptions (Netflix, Paper): costs 25.99 EUR a month", "They resume on 1 April 2026")
	says(t, a, bulkResumeName, args{"ids": ids[:1], "on": "2026-04-01"}, "Resume 1 subscription (Netflix): costs 15.99 EUR a month", "It resumes on 1 April 2026")
	_, second := apply[BulkSaved](t, a, "ann", bulkResumeName, args{"ids": ids[:2], "on": "2026-04-01"})
	if p := get(t, a, "ann", ids[0]).Pause; p == nil || p.Resumes.String() != "2026-04-01" {
		t.Errorf("%+v", p)
	}
	said := card(t, a, "ann", bulkResumeName, args{"ids": ids})
	if want := "Resume 3 subscriptions (Netflix, Paper, Cloud): costs 25.99 EUR a month and 900 JPY a month\n3 pauses have not begun by then and are deleted\n"; !strings.HasPrefix(said, want) {
		t.Errorf("it says %s", said)
	}
	_, third := apply[BulkSaved](t, a, "ann", bulkResumeName, args{"ids": ids})
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Errorf("pauses that never were are left: %s", diff)
	}
	if _, err := a.Undo(a.As("ann"), append(append(first.Audit, second.Audit...), third.Audit...)...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// What is wrong with one stops all, and says which one.
func TestBulkIsAllOrNone(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	plain := add(t, a, "ann", args{"name": "Plain"}).ID
	rests := add(t, a, "ann", args{"name": "Rests"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": rests})
	over := add(t, a, "ann", args{"name": "Over", "ends_on": "2026-02-20"}).ID
	foreign := add(t, a, "bob", args{"name": "Foreign", "private": true}).ID
	gone := add(t, a, "ann", args{"name": "Gone"}).ID
	apply[Cancelled](t, a, "ann", "household_subscription_cancel", args{"id": gone, "last_day": "2026-04-30"})
	before := dump(t, a)
	calls := []struct {
		tool  string
		in    args
		kind  tools.Kind
		words string
	}{
		{bulkPauseName, args{"ids": []string{plain, rests}, "from": "2026-04-01"}, tools.Conflict, "from|Rests|5 March 2026"},
		{bulkPauseName, args{"ids": []string{plain, over}}, tools.Invalid, "from|Over|20 February 2026"},
		{bulkPauseName, args{"ids": []string{plain}, "from": "2026-04-01", "resumes": "2026-04-01"}, tools.Invalid, "resumes|Plain|1 April 2026"},
		{bulkPauseName, args{"ids": []string{plain, foreign}}, tools.NotFound, "ids[1]: |subscription|" + foreign},
		{bulkPauseName, args{"ids": []string{plain, plain}}, tools.Invalid, "ids|twice"},
		{bulkPauseName, args{"ids": []string{}}, tools.Invalid, "ids|empty"},
		{bulkPauseName, args{"ids": make([]string, maxIDs+1)}, tools.Invalid, "ids|501|500"},
		{bulkPauseName, args{"ids": []string{plain}, "from": "x"}, tools.Invalid, "from|x"},
		{bulkCancelName, args{"ids": []string{plain, over}}, tools.Conflict, "last_day:|Over|20 February 2026"},
		{bulkCancelName, args{"ids": []string{plain, gone}}, tools.Conflict, "Gone|30 April 2026"},
		{bulkCancelName, args{"ids": []string{plain, gone}, "last_day": "2024-04-30"}, tools.Invalid, "last_day|first_date"},
		{bulkCancelName, args{"ids": []string{plain, foreign}}, tools.NotFound, "ids[1]: |subscription|" + foreign},
		{bulkCancelName, args{"ids": []string{plain, plain}}, tools.Invalid, "ids|twice"},
		{bulkCancelName, args{"ids": make([]string, maxIDs+1)}, tools.Invalid, "ids|501|500"},
		{bulkResumeName, args{"ids": []string{rests, plain}, "on": "2026-04-01"}, tools.Conflict, "Plain|active"},
		{bulkResumeName, args{"ids": []string{rests, foreign}}, tools.NotFound, "ids[1]: |subscription|" + foreign},
		{bulkResumeName, args{"ids": []string{rests}, "on": "2026-02-30"}, tools.Invalid, "on|2026-02-30"},
		{bulkResumeName, args{"ids": []string{rests, ""}}, tools.Invalid, "ids|empty"},
	}
	for _, c := range calls {
		refused(t, a, c.tool, c.in, c.kind, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%s %v stored something: %s", c.tool, c.in, diff)
		}
	}
}

func TestBulkCancel(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	ids := []string{
		add(t, a, "ann", nil).ID,
		add(t, a, "bob", args{"name": "Phone", "amount": "20", "first_date": "2025-02-01"}).ID,
		add(t, a, "ann", args{"name": "Cloud", "amount": "900", "currency": "JPY", "private": true}).ID,
	}
	apply[any](t, a, "bob", "household_subscription_terms", args{"id": ids[1], "min_term": "P24M", "notice": "P3M"})
	before := dump(t, a)
	want := "Cancel 3 subscriptions (Netflix, Phone, Cloud): saves 35.99 EUR a month and 900 JPY a month\nLast days from 14 March 2026 to 31 January 2027\n1 needs notice, by 31 October 2026\n"
	if said := card(t, a, "ann", bulkCancelName, args{"ids": ids}); !strings.HasPrefix(said, want) {
		t.Errorf("it says %s", said)
	}
	out, receipt := apply[BulkCancelled](t, a, "ann", bulkCancelName, args{"ids": ids})
	if out.Count != 3 || out.First.String() != "2026-03-14" || out.Last.String() != "2027-01-31" || out.Notices != 1 || out.NoticeBy.String() != "2026-10-31" {
		t.Errorf("%+v", out)
	}
	for i, day := range []string{"2026-03-14", "2027-01-31", "2026-03-14"} {
		if s := get(t, a, "ann", ids[i]); s.Status != cancelled || s.EndsOn.String() != day || s.CancelledOn.String() != "2026-03-05" {
			t.Errorf("%+v", s.Subscription)
		}
	}
	if said := card(t, a, "ann", bulkCancelName, args{"ids": ids, "last_day": "2026-04-30"}); !strings.Contains(said, "\nLast day 30 April 2026\n") {
		t.Errorf("it says %s", said)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}
