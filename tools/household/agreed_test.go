package household

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"
)

// A cancellation that is taken back leaves the fixed term as it stood before,
// however it was cancelled and however often the day was changed.
func TestFixedTermComesBack(t *testing.T) {
	const cancelTool, end = "household_subscription_cancel", "2026-12-31"
	for name, row := range map[string]struct {
		term  string
		ends  []string // the calls that end it
		in    []args
		last  string // the day that it comes to
		after string // the day that it has in the end
	}{
		"cancelled":                 {end, []string{cancelTool}, []args{{"last_day": "2026-05-31"}}, "2026-05-31", end},
		"cancelled twice":           {end, []string{cancelTool, cancelTool}, []args{{"last_day": "2026-05-31"}, {"last_day": "2026-06-30"}}, "2026-06-30", end},
		"for later":                 {end, []string{cancelTool}, []args{{"last_day": "2027-05-31"}}, "2027-05-31", end},
		"notice":                    {end, []string{"household_notice_given"}, []args{{"last_day": "2026-06-30"}}, "2026-06-30", end},
		"cancelled, then notice":    {end, []string{cancelTool, "household_notice_given"}, []args{{"last_day": "2026-06-30"}, {}}, "2026-06-30", end},
		"several":                   {end, []string{"household_subscriptions_bulk_cancel"}, []args{{"last_day": "2026-06-30"}}, "2026-06-30", end},
		"without a term":            {"", []string{cancelTool}, []args{{"last_day": "2026-06-30"}}, "2026-06-30", ""},
		"a term that would be over": {"2026-03-31", []string{cancelTool}, []args{{"last_day": "2026-06-30"}}, "2026-06-30", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, clock := homeAt(t, noon)
			id := add(t, a, "ann", args{"ends_on": row.term}).ID
			before := dump(t, a)
			var audit []string
			for i, tool := range row.ends {
				if row.in[i]["id"] = id; tool == "household_subscriptions_bulk_cancel" {
					row.in[i]["ids"] = []string{id}
					delete(row.in[i], "id")
				}
				_, receipt := apply[any](t, a, "ann", tool, row.in[i])
				audit = append(audit, receipt.Audit...)
			}
			if got := get(t, a, "ann", id); got.EndsOn.String() != row.last {
				t.Fatalf("it ends on %s", got.EndsOn)
			}
			next := "2026-03-15"
			if row.term == "2026-03-31" {
				*clock, next = clock.AddDate(0, 0, 25), "2026-04-15"
			}
			in := args{"id": id, "clear": []string{"ends_on"}}
			want := []string{"Keep Netflix: it goes on", "It costs 15.99 EUR a month", "Next charge on " + said(a, next)}
			if row.after != "" {
				want = append(want, "Last day "+said(a, row.after))
			}
			says(t, a, subUpdateTool, in, want...)
			cancelled := dump(t, a)
			out, back := apply[Updated](t, a, "ann", subUpdateTool, in)
			if out.EndsOn.String() != row.after || out.Status != active || !out.CancelledOn.IsZero() {
				t.Errorf("%+v", out.Subscription)
			}
			if row.after == row.term {
				if diff := cmp.Diff(before, dump(t, a)); diff != "" {
					t.Error(diff)
				}
			}
			if _, err := a.Undo(a.As("ann"), back.Audit...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(cancelled, dump(t, a)); diff != "" {
				t.Error(diff)
			}
			if _, err := a.Undo(a.As("ann"), audit...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, dump(t, a)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A fixed term alone is no cancellation: clearing its end makes it go on.
func TestFixedTermIsCleared(t *testing.T) {
	a := homeOn(t, "2026-03-10")
	id := add(t, a, "ann", args{"ends_on": "2026-12-31"}).ID
	in := args{"id": id, "clear": []string{"ends_on"}}
	apply[any](t, a, "ann", "household_subscription_cancel", args{"id": id})
	for _, want := range []string{"2026-12-31", ""} {
		if out, _ := apply[Updated](t, a, "ann", subUpdateTool, in); out.EndsOn.String() != want {
			t.Errorf("it ends on %s, not on %q", out.EndsOn, want)
		}
	}
}

// Who keeps what was dropped has the fixed term again, too.
func TestKeepAfterDropHasItsTerm(t *testing.T) {
	a := homeOn(t, "2026-03-10")
	id := add(t, a, "ann", args{"first_date": "", "trial_ends_on": "2026-03-20", "ends_on": "2026-12-31"}).ID
	apply[Decided](t, a, "ann", decideTool, args{"id": id, "decision": lose})
	says(t, a, decideTool, args{"id": id, "decision": keep}, "Keep Netflix after its trial: 15.99 EUR a month from 21 March 2026", "Last day 31 December 2026")
	out, _ := apply[Decided](t, a, "ann", decideTool, args{"id": id, "decision": keep})
	if out.EndsOn.String() != "2026-12-31" || out.Status != trying || out.FirstCharge == nil {
		t.Errorf("%+v", out)
	}
	short := add(t, a, "ann", args{"first_date": "", "trial_ends_on": "2026-03-20", "ends_on": "2026-03-15"}).ID
	apply[Decided](t, a, "ann", decideTool, args{"id": short, "decision": lose})
	if out, _ := apply[Decided](t, a, "ann", decideTool, args{"id": short, "decision": keep}); out.EndsOn.String() != "2026-03-15" || out.FirstCharge != nil {
		t.Errorf("%+v", out)
	}
}

// The migration is made on what is stored already, twice without harm, and
// taken back.
func TestAgreedMigration(t *testing.T) {
	a := newHome(t)
	add(t, a, "ann", args{"ends_on": "2099-12-31"})
	filled := func(keep bool) map[string]map[string]any {
		all := dump(t, a)
		for _, rec := range all {
			if _, is := rec["agreed_ends_on"]; is && !keep {
				t.Error("the field is left")
			}
			delete(rec, "agreed_ends_on")
		}
		return all
	}
	has := func() bool {
		col, err := a.FindCollectionByNameOrId(subscriptions)
		if err != nil {
			t.Fatal(err)
		}
		return col.Fields.GetByName("agreed_ends_on") != nil
	}
	before := filled(true)
	for _, step := range []struct {
		do   func(core.App) error
		want bool
	}{{agreedUp, true}, {agreedDown, false}, {agreedDown, false}, {agreedUp, true}, {agreedUp, true}} {
		if err := step.do(a); err != nil {
			t.Fatal(err)
		}
		if has() != step.want {
			t.Errorf("the field is there: %v", has())
		}
		if diff := cmp.Diff(before, filled(step.want)); diff != "" {
			t.Error(diff)
		}
	}
}
