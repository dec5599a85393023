package household

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

const subUpdateTool = "household_subscription_update"

// paidHome is a home on 20 March 2026 with Netflix, whose charges from 15
// October 2025 on are confirmed.
func paidHome(tb testing.TB) (a *toolstest.App, id string) {
	tb.Helper()
	a = homeOn(tb, "2026-03-20")
	id = add(tb, a, "ann", args{"first_date": "2025-10-15"}).ID
	for _, due := range []string{"2025-10-15", "2025-11-15", "2025-12-15", "2026-01-15", "2026-02-15", "2026-03-15"} {
		apply[any](tb, a, "ann", confirmTool, args{"subscription": id, "due": due, "date": due})
	}
	return a, id
}

// A change by which a charge would lose its due day, and be counted beside
// what is expected instead, is refused.
func TestChargesKeepTheirDays(t *testing.T) {
	a, id := paidHome(t)
	apply[any](t, a, "ann", "household_charge_skip", args{"subscription": id, "due": "2026-04-15"})
	before := dump(t, a)
	for _, row := range []struct {
		tool  string
		in    args
		words string
	}{
		{subUpdateTool, args{"cycle": "P1Y"}, "cycle:|Netflix|15 November 2025|15.99 EUR|19 April 2026|household_subscription_replace"},
		{subUpdateTool, args{"cycle": "P4W"}, "cycle:|Netflix|15 December 2025"},
		{subUpdateTool, args{"first_date": "2025-10-25"}, "first_date:|Netflix|15 November 2025|19 April 2026"},
		{subUpdateTool, args{"first_date": "2026-02-20"}, "first_date:|Netflix|15 March 2026"},
		{subUpdateTool, args{"anchor_day": 30}, "anchor_day:|Netflix|15 November 2025"},
		{subUpdateTool, args{"first_date": "2026-03-20"}, "first_date:|Netflix|15 April 2026|skipped|household_charge_delete"},
		{subUpdateTool, args{"trial_ends_on": "2025-12-31"}, "trial_ends_on:|Netflix|15 October 2025|15.99 EUR"},
		{subUpdateTool, args{"trial_from": "2026-02-20", "trial_ends_on": "2026-03-31"}, "trial_ends_on:|Netflix|15 October 2025"},
		{subUpdateTool, args{"trial_ends_on": "2026-04-30", "first_date": "2026-05-01"}, "trial_ends_on:|Netflix|15 October 2025"},
		{pauseTool, args{"from": "2026-02-01", "resumes": "2026-02-20", "shift": true}, "from:|Netflix|15 February 2026"},
		{pauseTool, args{"from": "2026-04-01", "resumes": "2026-04-11", "shift": true}, "from:|Netflix|15 April 2026|skipped"},
	} {
		row.in["id"] = id
		refused(t, a, row.tool, row.in, tools.Conflict, strings.Split(row.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%v: %s", row.in, diff)
		}
	}
}

// What moves no charge away from its day stays possible, and so does a new
// beginning after the last of them.
func TestDatesThatLoseNothing(t *testing.T) {
	for name, row := range map[string]struct {
		tool       string
		in         args
		open, next string
	}{
		"two days later":       {subUpdateTool, args{"first_date": "2025-10-17"}, "", "2026-04-17"},
		"earlier":              {subUpdateTool, args{"first_date": "2025-09-15"}, "2025-09-15", "2026-04-15"},
		"the day of the month": {subUpdateTool, args{"anchor_day": 15}, "", "2026-04-15"},
		"yearly from a day on": {subUpdateTool, args{"cycle": "P1Y", "first_date": "2026-04-15", "amount": "99"}, "", "2026-04-15"},
		"another day from now": {subUpdateTool, args{"first_date": "2026-04-01"}, "", "2026-04-01"},
		"and a trial before":   {subUpdateTool, args{"trial_from": "2026-03-20", "trial_ends_on": "2026-03-31", "first_date": "2026-04-01"}, "", "2026-04-01"},
		"an end before":        {"household_subscription_cancel", args{"last_day": "2026-01-31"}, "", ""},
		"a pause over some":    {pauseTool, args{"from": "2026-02-01", "resumes": "2026-04-01"}, "", "2026-04-15"},
	} {
		t.Run(name, func(t *testing.T) {
			a, id := paidHome(t)
			row.in["id"] = id
			apply[any](t, a, "ann", row.tool, row.in)
			open, confirmed := []string{}, 0
			for _, c := range read[chargeListOut](t, a, "ann", "household_charge_list", args{"subscription": id, "from": "2025-01-01", "to": "2026-03-31", "state": "all"}).Items {
				if c.State == expected {
					open = append(open, c.Date.String())
				} else {
					confirmed++
				}
			}
			if got := strings.Join(open, " "); got != row.open || confirmed != 6 {
				t.Errorf("%d charges, expected besides %q", confirmed, got)
			}
			next := ""
			if d := get(t, a, "ann", id).NextCharge; d != nil {
				next = d.Date.String()
			}
			if next != row.next {
				t.Errorf("next on %s", next)
			}
		})
	}
}

// A beginning that moved on leaves history behind, and cannot come back before
// it on other days.
func TestHistoryIsNotMetAgain(t *testing.T) {
	a, id := paidHome(t)
	apply[any](t, a, "ann", subUpdateTool, args{"id": id, "first_date": "2026-04-01"})
	before := dump(t, a)
	refused(t, a, subUpdateTool, args{"id": id, "first_date": "2025-10-01"}, tools.Conflict, "first_date:", "Netflix", "15 October 2025")
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Fatal(diff)
	}
	apply[any](t, a, "ann", subUpdateTool, args{"id": id, "first_date": "2025-10-15"})
}

// A pause that ends on another day, or is taken back, moves what comes after.
func TestResumeKeepsCharges(t *testing.T) {
	a := homeOn(t, "2026-05-20")
	id := add(t, a, "ann", args{"first_date": "2026-01-15"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": id, "from": "2026-03-10", "resumes": "2026-03-30", "shift": true})
	apply[any](t, a, "ann", confirmTool, args{"subscription": id, "due": "2026-04-04"})
	before := dump(t, a)
	for _, on := range []string{"2026-03-20", "2026-03-10"} {
		refused(t, a, resumeTool, args{"id": id, "on": on}, tools.Conflict, "on:", "Netflix", "4 April 2026")
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Fatal(diff)
	}
	apply[any](t, a, "ann", resumeTool, args{"id": id, "on": "2026-03-29"}) // within the slack
}

// The rules hold for the dashboard and for an undo, too.
func TestAnyWriterKeepsCharges(t *testing.T) {
	a, id := paidHome(t)
	for _, row := range []struct {
		values map[string]any
		ok     bool
	}{
		{map[string]any{"cycle": "P1Y"}, false},
		{map[string]any{"first_date": "2025-10-25"}, false},
		{map[string]any{"anchor_day": 30}, false},
		{map[string]any{"trial_ends_on": "2025-10-31"}, false},
		{map[string]any{"cycle": "P1Y", "first_date": "2026-04-01"}, true},
		{map[string]any{"cycle": "P1M", "first_date": "2025-10-10"}, false},
		{map[string]any{"cycle": "P1M", "first_date": "2025-10-15"}, true},
	} {
		rec, err := a.FindRecordById(subscriptions, id)
		if err != nil {
			t.Fatal(err)
		}
		rec.Load(row.values)
		if err := a.Save(rec); (err == nil) != row.ok {
			t.Errorf("%v: %v", row.values, err)
		}
	}
	for _, row := range []struct {
		values map[string]any
		ok     bool
	}{
		{map[string]any{"from": "2026-02-01", "until": "2026-02-20", "shift": true}, false},
		{map[string]any{"from": "2026-02-01", "until": "2026-02-20"}, true},
		{map[string]any{"from": "2026-04-01", "until": "2026-04-20", "shift": true}, true},
	} {
		rec := record(t, a.App, pauses, row.values)
		rec.Set("subscription", id)
		if err := a.Save(rec); (err == nil) != row.ok {
			t.Errorf("%v: %v", row.values, err)
		}
		if row.values["from"] == "2026-02-01" && row.ok {
			if rec.Set("shift", true); a.Save(rec) == nil {
				t.Error("a pause moves what was paid")
			}
		}
	}
	for _, rec := range get(t, a, "ann", id).Pauses {
		if pause, err := a.FindRecordById(pauses, rec.ID); err != nil || a.Delete(pause) != nil {
			t.Error("a pause that moves nothing stays", err)
		}
	}
	b := homeOn(t, "2026-03-20")
	id = add(t, b, "ann", args{"first_date": "2026-03-01"}).ID
	_, moved := apply[Updated](t, b, "ann", subUpdateTool, args{"id": id, "first_date": "2026-03-12"})
	_, paid := apply[any](t, b, "ann", confirmTool, args{"subscription": id, "due": "2026-03-12"})
	_, err := b.Undo(b.As("ann"), moved.Audit...)
	if e, ok := errors.AsType[*tools.Error](err); !ok || e.Kind != tools.Conflict || len(e.Conflicts) != 1 || !slices.Equal(e.Conflicts[0].Fields, []string{"first_date"}) {
		t.Errorf("what was confirmed lost its day, or no field is named: %v", err)
	}
	if _, err := b.Undo(b.As("ann"), append(moved.Audit, paid.Audit...)...); err != nil {
		t.Error(err)
	}
	_, rested := apply[Paused](t, b, "ann", pauseTool, args{"id": id, "from": "2026-02-20", "resumes": "2026-03-10", "shift": true})
	_, resumed := apply[Resumed](t, b, "ann", resumeTool, args{"id": id, "on": "2026-03-01"})
	_, paid = apply[any](t, b, "ann", confirmTool, args{"subscription": id, "due": "2026-03-10"})
	before := dump(t, b)
	for what, audit := range map[string][]string{"a pause": append(rested.Audit, resumed.Audit...), "its end": resumed.Audit} {
		if _, err := b.Undo(b.As("ann"), audit...); tools.KindOf(err) != tools.Conflict {
			t.Errorf("the undo of %s moved what was paid: %v", what, err)
		}
	}
	if rec, err := b.FindFirstRecordByData(pauses, "subscription", id); err != nil || b.Delete(rec) == nil {
		t.Errorf("a pause that moved what was paid was deleted: %v", err)
	}
	if diff := cmp.Diff(before, dump(t, b)); diff != "" {
		t.Error(diff)
	}
	// With its subscription it goes, and comes back.
	_, gone := apply[any](t, b, "ann", "household_subscription_delete", args{"id": id})
	if _, err := b.Undo(b.As("ann"), gone.Audit...); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, dump(t, b)); diff != "" {
		t.Error(diff)
	}
	if _, err := b.Undo(b.As("ann"), append(append(rested.Audit, resumed.Audit...), paid.Audit...)...); err != nil {
		t.Error(err)
	}
}
