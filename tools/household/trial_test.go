package household

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

const noon = "2026-03-10T12:00:00Z"

func TestTrialOnAdd(t *testing.T) {
	a, _ := homeAt(t, noon)
	rows := []struct {
		in                args
		first, next, free string
	}{
		{args{"trial_ends_on": "2026-03-20"}, "2026-03-21", "2026-03-21", ""},
		{args{"trial_ends_on": "2026-03-31", "first_date": "2026-03-05"}, "2026-03-05", "2026-04-05", "2026-03-05"}, // in the trial: free
		{args{"trial_ends_on": "2026-03-20", "first_date": "2026-05-01"}, "2026-05-01", "2026-05-01", ""},
		{args{"trial_ends_on": "2026-04-05", "first_date": "2026-04-05"}, "2026-04-05", "2026-05-05", "2026-04-05"}, // its last day is free
		{args{"trial_from": "2025-12-31", "trial_ends_on": "2026-01-30"}, "2026-01-31", "2026-03-31", ""},           // over
		{args{"trial_ends_on": "2024-02-28", "cycle": "P1Y"}, "2024-02-29", "2027-02-28", ""},
	}
	for _, row := range rows {
		full := args{"name": "Trial", "amount": "9.99", "currency": "EUR", "cycle": "P1M"}
		for k, v := range row.in {
			full[k] = v
		}
		out, _ := apply[Added](t, a, "ann", "household_subscription_add", full)
		if out.FirstDate.String() != row.first || out.NextCharge.Date.String() != row.next {
			t.Errorf("%v: first %s, next %s", row.in, out.FirstDate, out.NextCharge.Date)
		}
		if want := map[bool]string{true: "trial", false: "active"}[full["trial_ends_on"].(string) >= "2026-03-10"]; out.Status != want {
			t.Errorf("%v is %s", row.in, out.Status)
		}
		if by := out.Trial.DecideBy.String(); by != full["trial_ends_on"] {
			t.Errorf("%v: decide by %s", row.in, by)
		}
		rec, err := a.FindRecordById(subscriptions, out.ID)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scheduleOf(rec, below{})
		if err != nil {
			t.Fatal(err)
		}
		if row.free != "" && slices.Contains(s.between(s.first, date("2026-12-31"), 100), date(row.free)) {
			t.Errorf("%v: %s is charged", row.in, row.free)
		}
	}
	says(t, a, "household_subscription_add",
		args{"name": "Paper", "amount": "9.99", "currency": "EUR", "cycle": "P1M", "trial_ends_on": "2026-03-20", "decide_by": "2026-03-18"},
		"Add Paper: 9.99 EUR a month", "Trial until 20 March 2026; decide by 18 March 2026", "Next charge on 21 March 2026")
}

func TestTrialOnUpdate(t *testing.T) {
	a, clock := homeAt(t, noon)
	out, _ := apply[Added](t, a, "ann", "household_subscription_add", args{"name": "Paper", "amount": "9.99", "currency": "EUR", "cycle": "P1M", "trial_ends_on": "2026-03-20"})
	update := func(in args) Updated {
		t.Helper()
		in["id"] = out.ID
		got, _ := apply[Updated](t, a, "ann", "household_subscription_update", in)
		return got
	}
	if got := update(args{"trial_ends_on": "2026-03-27", "trial_from": "2026-03-07", "decide_by": "2026-03-25"}); got.FirstDate.String() != "2026-03-28" || got.Trial.DecideBy.String() != "2026-03-25" {
		t.Errorf("a first charge on the day after the trial stays there: %+v", got.Subscription)
	}
	if got := update(args{"clear": []string{"decide_by", "trial_from"}}); got.Trial.DecideBy.String() != "2026-03-27" || !got.Trial.From.IsZero() {
		t.Errorf("%+v", got.Trial)
	}
	if got := update(args{"trial_ends_on": "2026-04-01", "first_date": "2026-03-28"}); got.FirstDate.String() != "2026-03-28" || got.NextCharge.Date.String() != "2026-04-28" {
		t.Errorf("%+v", got.Subscription)
	}
	if got := update(args{"clear": []string{"trial_ends_on"}}); got.Trial != nil || got.Status != "active" || got.NextCharge.Date.String() != "2026-03-28" {
		t.Errorf("%+v", got.Subscription)
	}
	update(args{"trial_ends_on": "2026-03-27"})
	*clock = clock.AddDate(0, 2, 0)
	if got := update(args{"trial_ends_on": "2026-03-26"}); got.FirstDate.String() != "2026-03-28" {
		t.Errorf("what is paid for long has moved: %+v", got.Subscription)
	}
}

func TestBadTrial(t *testing.T) {
	a, _ := homeAt(t, noon)
	id := add(t, a, "ann", args{"name": "Paper", "trial_from": "2026-03-01", "trial_ends_on": "2026-03-20", "first_date": ""}).ID
	plain := add(t, a, "ann", nil).ID
	before := dump(t, a)
	full := func(in args) args {
		all := args{"name": "X", "amount": "1", "cycle": "P1M", "currency": "EUR"}
		for k, v := range in {
			all[k] = v
		}
		return all
	}
	const addTool, update = "household_subscription_add", "household_subscription_update"
	for _, c := range []struct {
		tool  string
		in    args
		words string
	}{
		{addTool, full(nil), "first_date|YYYY-MM-DD|trial_ends_on"},
		{addTool, full(args{"trial_from": "2026-03-02", "trial_ends_on": "2026-03-01"}), "trial_ends_on|X|2 March 2026|1 March 2026"},
		{addTool, full(args{"trial_from": "2026-03-02", "first_date": "2026-03-02"}), "trial_from|X|trial_ends_on"},
		{addTool, full(args{"decide_by": "2026-03-02", "first_date": "2026-03-02"}), "decide_by|X|trial_ends_on"},
		{addTool, full(args{"trial_ends_on": "2026-03-20", "decide_by": "2026-03-21"}), "decide_by|X|21 March 2026|20 March 2026"},
		{addTool, full(args{"trial_from": "2026-03-10", "trial_ends_on": "2026-03-20", "decide_by": "2026-03-09"}), "decide_by|X|9 March 2026"},
		{addTool, full(args{"trial_ends_on": "2026-02-30"}), "trial_ends_on|2026-02-30"},
		{addTool, full(args{"trial_ends_on": "2199-12-31"}), "trial_ends_on|2199"},
		{addTool, full(args{"trial_from": "2026-03-10", "trial_ends_on": "2026-03-20", "ends_on": "2026-03-09"}), "ends_on|first_date"},
		{update, args{"id": id, "trial_ends_on": "2026-02-28"}, "trial_ends_on|Paper|1 March 2026"},
		{update, args{"id": id, "trial_from": "2026-03-21"}, "trial_from|Paper|20 March 2026"},
		{update, args{"id": id, "decide_by": "2026-03-21"}, "decide_by|Paper|20 March 2026"},
		{update, args{"id": id, "clear": []string{"trial_ends_on"}, "trial_from": "2026-03-02"}, "trial_from|Paper|trial_ends_on"},
		{update, args{"id": id, "trial_ends_on": "2026-03-19", "clear": []string{"trial_ends_on"}}, "trial_ends_on|cleared"},
		{update, args{"id": plain, "decide_by": "2026-03-21"}, "decide_by|Netflix|trial_ends_on"},
	} {
		refused(t, a, c.tool, c.in, tools.Invalid, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%v: %s", c.in, diff)
		}
	}
}

func TestTrialDecide(t *testing.T) {
	a, clock := homeAt(t, noon)
	id := add(t, a, "ann", args{"name": "Paper", "amount": "9.99", "trial_from": "2026-03-01", "trial_ends_on": "2026-03-20", "first_date": ""}).ID
	before := dump(t, a)
	says(t, a, decideTool, args{"id": id, "decision": "keep"}, "Keep Paper after its trial: 9.99 EUR a month from 21 March 2026")
	says(t, a, decideTool, args{"id": id, "decision": "drop"}, "Drop Paper after its trial, last day 20 March 2026: saves 9.99 EUR a month", "It ends with its trial; nothing was ever charged")
	out, receipt := apply[Decided](t, a, "ann", decideTool, args{"id": id, "decision": "keep"})
	if out.Trial.Decided != keep || out.Status != trying || out.FirstCharge.Date != date("2026-03-21") || out.Saves != "" {
		t.Errorf("%+v", out)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	apply[Decided](t, a, "ann", decideTool, args{"id": id, "decision": "keep"})
	dropped, _ := apply[Decided](t, a, "ann", decideTool, args{"id": id, "decision": "drop"})
	if dropped.Trial.Decided != lose || dropped.Status != cancelled || dropped.EndsOn != date("2026-03-20") || dropped.CancelledOn != date("2026-03-10") || dropped.NextCharge != nil || dropped.Saves != "9.99" {
		t.Errorf("%+v", dropped)
	}
	refused(t, a, decideTool, args{"id": id, "decision": "drop"}, tools.Conflict, "Paper", "drop")
	longer, _ := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "trial_ends_on": "2026-03-25"})
	if longer.EndsOn != date("2026-03-25") {
		t.Errorf("dropped, it ends with its trial: %s", longer.EndsOn)
	}
	kept, _ := apply[Decided](t, a, "ann", decideTool, args{"id": id, "decision": "keep"})
	if kept.Status != trying || !kept.EndsOn.IsZero() || !kept.CancelledOn.IsZero() || kept.NextCharge.Date != date("2026-03-26") {
		t.Errorf("%+v", kept)
	}
	apply[Decided](t, a, "ann", decideTool, args{"id": id, "decision": "drop"})
	open, _ := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "clear": []string{"ends_on"}})
	if open.Trial.Decided != "" || open.Status != trying {
		t.Errorf("%+v", open.Subscription)
	}
	*clock = clock.AddDate(0, 1, 0)
	refused(t, a, decideTool, args{"id": id, "decision": "drop"}, tools.Conflict, "Paper", "26 March 2026", "household_subscription_cancel")
	refused(t, a, decideTool, args{"id": id, "decision": "keep"}, tools.Conflict, "Paper", "household_subscription_cancel")
}

func TestTrialDecideLate(t *testing.T) {
	a, clock := homeAt(t, noon)
	dropped := add(t, a, "ann", args{"name": "Dropped", "trial_ends_on": "2026-03-20", "first_date": ""}).ID
	apply[Decided](t, a, "ann", decideTool, args{"id": dropped, "decision": "drop"})
	later := add(t, a, "ann", args{"name": "Later", "trial_ends_on": "2026-03-20", "first_date": "2026-05-01"}).ID
	plain := add(t, a, "ann", nil).ID
	*clock = clock.AddDate(0, 1, 0)
	refused(t, a, decideTool, args{"id": dropped, "decision": "keep"}, tools.Conflict, "Dropped", "20 March 2026", "ends_on")
	refused(t, a, decideTool, args{"id": plain, "decision": "keep"}, tools.Conflict, "Netflix", "trial_ends_on")
	refused(t, a, decideTool, args{"id": plain, "decision": "maybe"}, tools.Invalid, "decision", "keep, drop")
	refused(t, a, decideTool, args{"id": "nobody", "decision": "keep"}, tools.NotFound, "nobody")
	// Nothing is charged yet, so it can still be dropped.
	if out, _ := apply[Decided](t, a, "ann", decideTool, args{"id": later, "decision": "drop"}); out.EndsOn != date("2026-03-20") || out.Status != ended {
		t.Errorf("%+v", out)
	}
}

func TestCancelInTrial(t *testing.T) {
	a, _ := homeAt(t, noon)
	id := add(t, a, "ann", args{"name": "Paper", "amount": "9.99", "trial_ends_on": "2026-03-20", "first_date": ""}).ID
	before := dump(t, a)
	for _, tool := range []string{cancelTool, noticeTool} {
		first := map[string]string{
			cancelTool: "Cancel Paper: last day 20 March 2026, saves 9.99 EUR a month",
			noticeTool: "Notice for Paper, given on 10 March 2026: last day 20 March 2026, saves 9.99 EUR a month",
		}[tool]
		says(t, a, tool, args{"id": id}, first, "It ends with its trial; nothing was ever charged")
		receipt, err := a.Apply(a.As("ann"), tool, args{"id": id})
		if err != nil {
			t.Fatal(err)
		}
		if s := shown(t, a, id); s.Trial.Decided != lose || s.EndsOn != date("2026-03-20") || s.Status != cancelled {
			t.Errorf("%+v", s)
		}
		if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
			t.Fatal(err)
		}
	}
	apply[Subscription](t, a, "ann", termsTool, args{"id": id, "min_term": "P24M", "notice": "P3M"})
	sooner, _ := apply[Cancelled](t, a, "ann", cancelTool, args{"id": id, "last_day": "2026-03-11"})
	if sooner.EndsOn != date("2026-03-11") || !sooner.NoticeBy.IsZero() {
		t.Errorf("%+v", sooner)
	}
	later, _ := apply[Cancelled](t, a, "ann", cancelTool, args{"id": id, "last_day": "2026-06-20"})
	if later.Trial.Decided != keep || later.NextCharge.Date != date("2026-03-21") {
		t.Errorf("%+v", later)
	}
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "clear": []string{"ends_on"}})
	apply[Subscription](t, a, "ann", termsTool, args{"id": id, "clear": []string{"min_term", "notice"}})
	put(t, a, id, "trial_decided", "")
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}
