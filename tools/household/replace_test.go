package household

import (
	"encoding/json/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

const replaceTool = "household_subscription_replace"

func TestReplace(t *testing.T) {
	rows := []struct {
		name    string
		old, by args
		in      args
		ends    string
		differ  string
		says    string
	}{
		{
			"before the other begins", nil,
			args{"amount": "11.99", "first_date": "2026-04-01"},
			nil, "2026-03-31", "4.00",
			"Replace Netflix by Disney, last day 31 March 2026: saves 4.00 EUR a month",
		},
		{
			"tomorrow", nil,
			args{"amount": "11.99", "first_date": "2026-03-06"},
			nil, "2026-03-05", "4.00",
			"Replace Netflix by Disney, last day 5 March 2026: saves 4.00 EUR a month",
		},
		{
			"the other has begun", nil,
			args{"amount": "240", "cycle": "P1Y", "first_date": "2026-03-01"},
			nil, "2026-03-14", "-4.01",
			"Replace Netflix by Disney, last day 14 March 2026: costs 4.01 EUR more a month",
		},
		{
			"a day that is named", nil,
			args{"amount": "15.99", "first_date": "2026-04-01"},
			args{"last_day": "2026-05-14"},
			"2026-05-14", "0.00",
			"Replace Netflix by Disney, last day 14 May 2026: costs the same",
		},
		{
			"another currency", nil,
			args{"amount": "900", "currency": "JPY", "cycle": "P3M", "first_date": "2026-04-01"},
			nil, "2026-03-31", "",
			"Replace Netflix by Disney, last day 31 March 2026: 900 JPY every 3 months instead of 15.99 EUR a month",
		},
		{
			"a trial of the other", nil,
			args{"amount": "11.99", "first_date": "2026-04-01", "trial_from": "2026-03-20", "trial_ends_on": "2026-03-31"},
			nil, "2026-03-19", "4.00",
			"Replace Netflix by Disney, last day 19 March 2026: saves 4.00 EUR a month",
		},
		{
			"a fixed term that ends sooner",
			args{"ends_on": "2026-03-20"},
			args{"amount": "11.99", "first_date": "2026-04-01"},
			nil, "2026-03-20", "4.00",
			"Replace Netflix by Disney, last day 20 March 2026: saves 4.00 EUR a month",
		},
		{
			"terms that last longer",
			args{"terms": args{"min_term": "P24M", "notice": "P1M"}},
			args{"amount": "11.99", "first_date": "2026-04-01"},
			nil, "2027-01-14", "4.00",
			"Replace Netflix by Disney, last day 14 January 2027: saves 4.00 EUR a month\nGive the provider notice by 14 December 2026",
		},
		{
			"it ends already",
			args{"cancel": "2026-04-14"},
			args{"amount": "11.99", "first_date": "2026-04-01"},
			nil, "2026-04-14", "4.00",
			"Replace Netflix by Disney, last day 14 April 2026: saves 4.00 EUR a month",
		},
		{
			"it has ended",
			args{"ends_on": "2026-02-14"},
			args{"amount": "11.99", "first_date": "2026-04-01"},
			nil, "2026-02-14", "4.00",
			"Replace Netflix by Disney, last day 14 February 2026: saves 4.00 EUR a month",
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			a := homeOn(t, "2026-03-05")
			old := replaceable(t, a, row.old)
			by := add(t, a, "bob", both(args{"name": "Disney"}, row.by)).ID
			before := dump(t, a)
			in := both(args{"id": old, "by": by}, row.in)
			if said := card(t, a, "ann", replaceTool, in); !strings.HasPrefix(said, row.says+"\n") {
				t.Errorf("it says\n%s\nwant\n%s", said, row.says)
			}
			out, receipt := apply[Replaced](t, a, "ann", replaceTool, in)
			if out.EndsOn.String() != row.ends || out.NetPerMonth != row.differ || !out.Linked || out.By.ID != by {
				t.Errorf("%+v", out)
			}
			if shown := get(t, a, "bob", by); shown.Replaces == nil || *shown.Replaces != (Named{old, "Netflix"}) || !shown.EndsOn.IsZero() {
				t.Errorf("%+v", shown.Subscription)
			}
			if shown := get(t, a, "bob", old); len(shown.ReplacedBy) != 1 || shown.ReplacedBy[0] != (Named{by, "Disney"}) {
				t.Errorf("%+v", shown.ReplacedBy)
			}
			if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, dump(t, a)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// replaceable makes a subscription, with terms or cancelled where that is said.
func replaceable(tb testing.TB, a *toolstest.App, in args) string {
	full := args{}
	for k, v := range in {
		if k != "terms" && k != "cancel" {
			full[k] = v
		}
	}
	id := add(tb, a, "ann", full).ID
	if terms, ok := in["terms"].(args); ok {
		apply[any](tb, a, "ann", "household_subscription_terms", both(terms, args{"id": id}))
	}
	if day, ok := in["cancel"]; ok {
		apply[Cancelled](tb, a, "ann", "household_subscription_cancel", args{"id": id, "last_day": day})
	}
	return id
}

func both(a, b args) args {
	all := args{}
	for _, m := range []args{a, b} {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// A private one takes a shared one's place, and a shared one a private one's,
// without telling others of it.
func TestReplaceTellsNothingPrivate(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	private := func(name string) string { return add(t, a, "ann", args{"name": name, "private": true}).ID }
	shared := func(name string) string { return add(t, a, "ann", args{"name": name}).ID }
	// The new one is private: that it replaces something is its owner's to know.
	secret, open := private("Secret new"), shared("Old")
	apply[Replaced](t, a, "ann", replaceTool, args{"id": open, "by": secret})
	// The old one was private: the new one must not name it.
	hidden, seen := private("Secret old"), shared("New")
	out, _ := apply[Replaced](t, a, "ann", replaceTool, args{"id": hidden, "by": seen})
	if said := card(t, a, "ann", replaceTool, args{"id": private("Secret third"), "by": seen}); out.Linked || !strings.Contains(said, "is not noted there, as Secret third is private") {
		t.Errorf("%v: %s", out.Linked, said)
	}
	refused(t, a, replaceTool, args{"id": hidden, "by": seen}, tools.Conflict, "Secret old")
	// Both were private, and the new one is shared later.
	before, after := private("Secret before"), private("After")
	if out, _ := apply[Replaced](t, a, "ann", replaceTool, args{"id": before, "by": after}); !out.Linked {
		t.Error("two private ones are not linked")
	}
	if shown := get(t, a, "ann", before); len(shown.ReplacedBy) != 1 {
		t.Errorf("%+v", shown.ReplacedBy)
	}
	_, made := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": after, "private": false})
	for _, id := range []string{open, seen, after} {
		rec, err := a.FindRecordById(subscriptions, id)
		if err != nil {
			t.Fatal(err)
		}
		if got := rec.GetString("replaces"); got != "" {
			t.Errorf("%s names %s", rec.GetString("name"), got)
		}
		b, err := json.Marshal(get(t, a, "bob", id))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "Secret") || strings.Contains(string(b), hidden) || strings.Contains(string(b), before) || strings.Contains(string(b), secret) {
			t.Errorf("bob is shown %s", b)
		}
	}
	activity, err := a.Runner.Activity(t.Context(), a.As("bob"), tools.ActivityQuery{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(activity)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{hidden, before, secret, "Secret"} {
		if strings.Contains(string(b), id) {
			t.Errorf("what was done tells of %s: %s", id, b)
		}
	}
	if _, err := a.Undo(a.As("ann"), made.Audit...); err != nil {
		t.Fatal(err)
	}
	if shown := get(t, a, "ann", after); shown.Replaces == nil || !shown.Private {
		t.Errorf("%+v", shown.Subscription)
	}
}

func TestBadReplaces(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	make := func(name string) string { return add(t, a, "ann", args{"name": name}).ID }
	first, second, third, other := make("First"), make("Second"), make("Third"), make("Other")
	apply[Replaced](t, a, "ann", replaceTool, args{"id": first, "by": second})
	apply[Replaced](t, a, "ann", replaceTool, args{"id": second, "by": third})
	over := add(t, a, "ann", args{"name": "Over", "ends_on": "2026-02-01"}).ID
	coming := add(t, a, "ann", args{"name": "Coming", "first_date": "2026-06-01"}).ID
	foreign := add(t, a, "bob", args{"name": "Foreign", "private": true}).ID
	before := dump(t, a)
	calls := []struct {
		in    args
		kind  tools.Kind
		words string
	}{
		{args{"id": other, "by": other}, tools.Invalid, "by|Other cannot take its own place"},
		{args{"id": third, "by": first}, tools.Invalid, "by|First|Third"},
		{args{"id": first, "by": second}, tools.Conflict, "by|Second|First"},
		{args{"id": other, "by": third}, tools.Conflict, "by|Third|another"},
		{args{"id": other, "by": over}, tools.Conflict, "by|Over|1 February 2026"},
		{args{"id": other, "by": foreign}, tools.NotFound, foreign},
		{args{"id": foreign, "by": other}, tools.NotFound, foreign},
		{args{"id": other, "by": "nobody"}, tools.NotFound, "nobody"},
		{args{"id": other}, tools.Invalid, "by|missing"},
		{args{"id": other, "by": first, "last_day": "2024-01-01"}, tools.Invalid, "last_day|first_date"},
		{args{"id": other, "by": first, "last_day": "2026-02-30"}, tools.Invalid, "last_day"},
		{args{"id": over, "by": other, "last_day": "2026-05-01"}, tools.Conflict, "last_day:|Over|1 February 2026"},
		{args{"id": coming, "by": other}, tools.Invalid, "last_day:|Coming|1 June 2026"},
	}
	for _, c := range calls {
		refused(t, a, replaceTool, c.in, c.kind, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%v stored something: %s", c.in, diff)
		}
	}
}
