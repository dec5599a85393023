package household

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

const pauseTool, resumeTool = "household_subscription_pause", "household_subscription_resume"

// homeOn is a home in which it is always noon of one day.
func homeOn(tb testing.TB, today string) *toolstest.App {
	tb.Helper()
	noon, err := time.Parse(time.RFC3339, today+"T12:00:00Z")
	if err != nil {
		tb.Fatal(err)
	}
	return toolstest.NewWith(tb, tools.Config{Now: func() time.Time { return noon }}, Plugin{})
}

// card is what a preview says: the title, then the lines that the tool wrote
// itself or the engine added, each in a line.
func card(tb testing.TB, a *toolstest.App, who, tool string, in any) string {
	tb.Helper()
	p, err := a.Preview(a.As(who), tool, in)
	if err != nil {
		tb.Fatalf("%s: %v", tool, err)
	}
	said := []string{a.Catalogue.English(p.Items[0].Card.Title)}
	for _, line := range p.Items[0].Card.Lines {
		said = append(said, a.Catalogue.English(line))
	}
	return strings.Join(said, "\n")
}

func get(tb testing.TB, a *toolstest.App, who, id string) Details {
	tb.Helper()
	return read[Details](tb, a, who, "household_subscription_get", args{"id": id})
}

func TestPause(t *testing.T) {
	const sub = "2025-01-15" // Netflix at 15.99 EUR, on the 15th
	rows := []struct {
		name    string
		in      args
		state   string
		charges int
		saves   string
		next    []string
		says    string
	}{
		{
			"two charges",
			args{"resumes": "2026-05-01"},
			paused, 2, "31.98",
			[]string{"2026-05-15", "2026-06-15", "2026-07-15"},
			"Pause Netflix from 5 March 2026 until 1 May 2026: saves 31.98 EUR, 2 charges\nNext charge after that on 15 May 2026",
		},
		{
			"open",
			args{},
			paused, 0, "", nil,
			"Pause Netflix from 5 March 2026: saves 15.99 EUR a month\nNot charged again until it is resumed",
		},
		{
			"later",
			args{"from": "2026-04-01", "resumes": "2026-05-15"},
			active, 1, "15.99",
			[]string{"2026-03-15", "2026-05-15", "2026-06-15"},
			"Pause Netflix from 1 April 2026 until 15 May 2026: saves 15.99 EUR, 1 charge\nNext charge on 15 March 2026\nNext charge after that on 15 May 2026",
		},
		{
			"no charge in it",
			args{"resumes": "2026-03-15"},
			paused, 0, "0.00",
			[]string{"2026-03-15", "2026-04-15", "2026-05-15"},
			"Pause Netflix from 5 March 2026 until 15 March 2026: no charge falls into it\nNext charge after that on 15 March 2026",
		},
		{
			"shifted",
			args{"from": "2026-03-10", "resumes": "2026-03-30", "shift": true},
			active, 0, "0.00",
			[]string{"2026-04-04", "2026-05-04", "2026-06-04"},
			"Pause Netflix from 10 March 2026 until 30 March 2026: charges only move, none is saved\nNext charge after that on 4 April 2026\nLater charges move by 20 days",
		},
		{
			"shifted by more than a cycle",
			args{"from": "2026-03-10", "resumes": "2026-05-20", "shift": true},
			active, 2, "31.98", // 15 March to May without, 25 May with
			[]string{"2026-05-25", "2026-06-25", "2026-07-25"},
			"Pause Netflix from 10 March 2026 until 20 May 2026: saves 31.98 EUR, 2 charges\nNext charge after that on 25 May 2026\nLater charges move by 71 days",
		},
		{
			"shifted over the last day",
			args{"from": "2026-03-10", "resumes": "2026-03-30", "shift": true, "ends_on": "2026-04-30"},
			active, 1, "15.99", // 15 March and 15 April without, 4 April with
			[]string{"2026-04-04"},
			"Pause Netflix from 10 March 2026 until 30 March 2026: saves 15.99 EUR, 1 charge\nNext charge after that on 4 April 2026\nLater charges move by 20 days",
		},
		{
			"past days save nothing more",
			args{"from": "2026-01-01", "resumes": "2026-03-20"},
			paused, 1, "15.99",
			[]string{"2026-04-15", "2026-05-15", "2026-06-15"},
			"Pause Netflix from 1 January 2026 until 20 March 2026: saves 15.99 EUR, 1 charge\nNext charge after that on 15 April 2026",
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			a := homeOn(t, "2026-03-05")
			about := args{"first_date": sub}
			if ends, ok := row.in["ends_on"]; ok {
				about["ends_on"] = ends
				delete(row.in, "ends_on")
			}
			row.in["id"] = add(t, a, "ann", about).ID
			if said := card(t, a, "ann", pauseTool, row.in); !strings.HasPrefix(said, row.says+"\n") {
				t.Errorf("the card is\n%s\nwant\n%s", said, row.says)
			}
			out, _ := apply[Paused](t, a, "bob", pauseTool, row.in)
			if out.Status != row.state || out.Charges != row.charges || out.Saves != row.saves || out.SavesPerMonth != "15.99" {
				t.Errorf("%+v", out)
			}
			shown := get(t, a, "ann", out.ID)
			var next []string
			for _, d := range shown.Upcoming {
				next = append(next, d.Date.String())
			}
			if diff := cmp.Diff(row.next, next); diff != "" {
				t.Error(diff)
			}
			if len(shown.Pauses) != 1 || shown.Pauses[0].ID == "" || shown.Pause == nil || shown.Pauses[0] != *shown.Pause {
				t.Errorf("%+v", shown.Pauses)
			}
		})
	}
}

// TestPausePast: what was due in a pause that is over is not expected any more,
// though it is not called saved.
func TestPausePast(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	in := args{"id": add(t, a, "ann", nil).ID, "from": "2026-02-01", "resumes": "2026-03-01"}
	says(t, a, pauseTool, in, "Pause Netflix from 1 February 2026 until 1 March 2026: no charge from today on falls into it")
	in["resumes"] = "2026-04-01"
	apply[Paused](t, a, "ann", pauseTool, in)
	refused(t, a, resumeTool, args{"id": in["id"], "on": "2026-01-20"}, tools.Conflict, "on:", "Netflix", "20 January 2026", "it is active")
}

// TestPauseOfMuch: what many charges come to is said, though it is more than one
// may be.
func TestPauseOfMuch(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	id := add(t, a, "ann", args{"amount": "90071992547409.91"}).ID
	says(t, a, pauseTool, args{"id": id, "resumes": "2026-05-01"}, "Pause Netflix from 5 March 2026 until 1 May 2026: saves 180,143,985,094,819.82 EUR, 2 charges")
}

// What is saved and paid again is the price of the day that the pause begins or
// ends on, not today's.
func TestPauseAfterARise(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	id := add(t, a, "ann", nil).ID
	apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": id, "amount": "19.99", "from": "2026-04-15"})
	open := args{"id": id, "from": "2026-05-01"}
	says(t, a, pauseTool, open, "Pause Netflix from 1 May 2026: saves 19.99 EUR a month")
	apply[Paused](t, a, "ann", pauseTool, open)
	says(t, a, resumeTool, args{"id": id, "on": "2026-06-01"}, "Resume Netflix on 1 June 2026: 19.99 EUR a month")
	says(t, a, resumeTool, args{"id": id}, "Take back the pause of Netflix from 1 May 2026: 19.99 EUR a month")
}

// A pause that shifts but is open has nothing to shift by; it is counted once
// it ends.
func TestShiftOfAnOpenPause(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	id := add(t, a, "ann", nil).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": id, "from": "2026-03-01", "shift": true})
	if out := get(t, a, "ann", id); out.Status != paused || out.NextCharge != nil || len(out.Upcoming) != 0 {
		t.Errorf("%+v", out.Subscription)
	}
	out, _ := apply[Resumed](t, a, "ann", resumeTool, args{"id": id})
	if out.Status != active || out.Pause != nil || out.NextCharge == nil || out.NextCharge.Date.String() != "2026-03-19" {
		t.Errorf("%+v", out.Subscription)
	}
}

func TestResume(t *testing.T) {
	rows := []struct {
		name, from, resumes, on string
		next                    string
		until                   string // "" when the pause is gone
		says                    string
	}{
		{"today", "2026-02-01", "", "", "2026-03-15", "2026-03-05", "Resume Netflix on 5 March 2026: 15.99 EUR a month\nNext charge on 15 March 2026"},
		{"earlier than planned", "2026-02-01", "2026-05-01", "2026-04-01", "2026-04-15", "2026-04-01", "Resume Netflix on 1 April 2026: 15.99 EUR a month\nNext charge on 15 April 2026"},
		{"later than planned", "2026-02-01", "2026-05-01", "2026-08-01", "2026-08-15", "2026-08-01", "Resume Netflix on 1 August 2026: 15.99 EUR a month\nNext charge on 15 August 2026"},
		{"a past day", "2026-02-01", "", "2026-02-20", "2026-03-15", "2026-02-20", "Resume Netflix on 20 February 2026: 15.99 EUR a month\nNext charge on 15 March 2026"},
		{"before it has begun", "2026-03-10", "2026-05-01", "", "2026-03-15", "", "Take back the pause of Netflix from 10 March 2026: 15.99 EUR a month\nNext charge on 15 March 2026"},
		{"on the day it begins", "2026-03-05", "", "", "2026-03-15", "", "Take back the pause of Netflix from 5 March 2026: 15.99 EUR a month\nNext charge on 15 March 2026"},
		{"the end of one to come", "2026-03-10", "", "2026-05-01", "2026-05-15", "2026-05-01", "Resume Netflix on 1 May 2026: 15.99 EUR a month\nNext charge on 15 May 2026"},
		{"one that is over, for later", "2026-01-01", "2026-02-01", "2026-01-10", "2026-03-15", "2026-01-10", "Resume Netflix on 10 January 2026: 15.99 EUR a month\nNext charge on 15 March 2026"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			a := homeOn(t, "2026-03-05")
			id := add(t, a, "ann", nil).ID
			before := dump(t, a)
			_, rest := apply[Paused](t, a, "ann", pauseTool, args{"id": id, "from": row.from, "resumes": row.resumes})
			paused := dump(t, a)
			in := args{"id": id, "on": row.on}
			p, err := a.Preview(a.As("ann"), resumeTool, in)
			if err != nil {
				t.Fatal(err)
			}
			want := tools.EffectWrite
			if row.until == "" {
				want = tools.EffectDestroy
			}
			if item := p.Items[0]; item.Effect != want || !item.Money {
				t.Errorf("effect %s, money %v", item.Effect, item.Money)
			}
			if said := card(t, a, "ann", resumeTool, in); !strings.HasPrefix(said, row.says+"\n") {
				t.Errorf("the card is\n%s\nwant\n%s", said, row.says)
			}
			out, resumed := apply[Resumed](t, a, "ann", resumeTool, in)
			if out.NextCharge == nil || out.NextCharge.Date.String() != row.next || out.Removed != (row.until == "") {
				t.Errorf("%+v", out)
			}
			all := get(t, a, "ann", id).Pauses
			if row.until == "" && (len(all) != 0 || !cmp.Equal(before, dump(t, a))) {
				t.Errorf("left over: %v", all)
			}
			if row.until != "" && (len(all) != 1 || all[0].Resumes.String() != row.until) {
				t.Errorf("%v", all)
			}
			if _, err := a.Undo(a.As("ann"), resumed.Audit...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(paused, dump(t, a)); diff != "" {
				t.Error(diff)
			}
			if _, err := a.Undo(a.As("ann"), rest.Audit...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, dump(t, a)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBadPauses(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	closed := add(t, a, "ann", args{"name": "Closed"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": closed, "from": "2026-04-01", "resumes": "2026-05-01"})
	apply[Paused](t, a, "ann", pauseTool, args{"id": closed, "from": "2026-06-01", "resumes": "2026-07-01"})
	open := add(t, a, "ann", args{"name": "Open"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": open, "from": "2026-03-20"})
	plain := add(t, a, "ann", args{"name": "Plain"}).ID
	ends := add(t, a, "ann", args{"name": "Ends", "ends_on": "2026-04-10"}).ID
	over := add(t, a, "ann", args{"name": "Over", "ends_on": "2026-02-10"}).ID
	begins := add(t, a, "ann", args{"name": "Begins", "first_date": "2026-06-10"}).ID
	before := dump(t, a)
	calls := []struct {
		tool  string
		in    args
		kind  tools.Kind
		words string
	}{
		{pauseTool, args{"id": plain, "from": "2026-05-01", "resumes": "2026-04-30"}, tools.Invalid, "resumes|Plain|30 April 2026|1 May 2026"},
		{pauseTool, args{"id": plain, "from": "2026-05-01", "resumes": "2026-05-01"}, tools.Invalid, "resumes|Plain|1 May 2026"},
		{pauseTool, args{"id": plain, "resumes": "2026-03-04"}, tools.Invalid, "resumes|Plain|4 March 2026|5 March 2026"},
		{pauseTool, args{"id": plain, "from": "2026-02-30"}, tools.Invalid, "from|2026-02-30"},
		{pauseTool, args{"id": plain, "resumes": "soon"}, tools.Invalid, "resumes|soon"},
		{pauseTool, args{"id": plain, "until": "2026-04-01"}, tools.Invalid, "until|unknown"},
		{pauseTool, args{"id": "nobody"}, tools.NotFound, "nobody"},
		{pauseTool, args{"id": closed, "from": "2026-03-10", "resumes": "2026-04-02"}, tools.Conflict, "from|Closed|1 April 2026|1 May 2026"},
		{pauseTool, args{"id": closed, "from": "2026-04-30", "resumes": "2026-05-10"}, tools.Conflict, "from|Closed|1 April 2026|1 May 2026"},
		{pauseTool, args{"id": closed, "from": "2026-04-10", "resumes": "2026-04-11"}, tools.Conflict, "from|Closed|1 April 2026"},
		{pauseTool, args{"id": closed, "from": "2026-05-10"}, tools.Conflict, "from|Closed|1 June 2026|1 July 2026"},
		{pauseTool, args{"id": open, "from": "2026-05-10", "resumes": "2026-06-01"}, tools.Conflict, "from|Open|20 March 2026|" + resumeTool},
		{pauseTool, args{"id": open}, tools.Conflict, "from|Open|20 March 2026|" + resumeTool},
		{pauseTool, args{"id": ends, "from": "2026-04-11", "resumes": "2026-05-01"}, tools.Invalid, "from|Ends|10 April 2026"},
		{pauseTool, args{"id": over}, tools.Invalid, "from|Over|10 February 2026"},
		{pauseTool, args{"id": begins, "resumes": "2026-06-10"}, tools.Invalid, "resumes|Begins|10 June 2026"},
		{resumeTool, args{"id": plain}, tools.Conflict, "Plain|5 March 2026|active"},
		{resumeTool, args{"id": over}, tools.Conflict, "on:|Over|10 February 2026"},
		{resumeTool, args{"id": closed, "on": "2026-03-01"}, tools.Conflict, "Closed|1 March 2026|active"},
		{resumeTool, args{"id": closed, "on": "2026-05-01"}, tools.Conflict, "on|Closed|1 May 2026"},
		{resumeTool, args{"id": closed, "on": "2026-07-05"}, tools.Conflict, "on|Closed|1 June 2026|1 July 2026"},
		{resumeTool, args{"id": closed, "on": "tomorrow"}, tools.Invalid, "on|tomorrow"},
		{resumeTool, args{"id": "nobody"}, tools.NotFound, "nobody"},
	}
	for _, c := range calls {
		refused(t, a, c.tool, c.in, c.kind, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%s %v stored something: %s", c.tool, c.in, diff)
		}
	}
	// Pauses that touch do not overlap.
	for _, in := range []args{{"from": "2026-05-01", "resumes": "2026-06-01"}, {"from": "2026-03-31", "resumes": "2026-04-01"}, {"from": "2026-07-01"}} {
		in["id"] = closed
		apply[Paused](t, a, "ann", pauseTool, in)
	}
	if n := len(get(t, a, "ann", closed).Pauses); n != 5 {
		t.Errorf("%d pauses", n)
	}
}

// An undo is held to the rules as well: what it brings back must not overlap
// what came since.
func TestUndoBringsBackNoOverlap(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	id := add(t, a, "ann", nil).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": id, "from": "2026-02-01"})
	_, resumed := apply[Resumed](t, a, "ann", resumeTool, args{"id": id})
	apply[Paused](t, a, "ann", pauseTool, args{"id": id, "from": "2026-05-01", "resumes": "2026-06-01"})
	_, removed := apply[Resumed](t, a, "ann", resumeTool, args{"id": id})
	apply[Paused](t, a, "ann", pauseTool, args{"id": id, "from": "2026-05-20", "resumes": "2026-06-20"})
	before := dump(t, a)
	for _, receipt := range []tools.Receipt{resumed, removed} {
		if _, err := a.Undo(a.As("ann"), receipt.Audit...); tools.KindOf(err) != tools.Conflict {
			t.Errorf("a pause came back over another: %v", err)
		}
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Error(diff)
		}
	}
}

// What is paid ahead is not saved by a pause.
func TestPauseOfWhatIsPaid(t *testing.T) {
	a := homeOn(t, "2026-03-14")
	id := add(t, a, "ann", nil).ID
	apply[any](t, a, "ann", "household_charge_confirm", args{"subscription": id, "due": "2026-03-15", "date": "2026-03-13"})
	out, _ := apply[Paused](t, a, "ann", pauseTool, args{"id": id, "resumes": "2026-04-20"})
	if out.Charges != 1 || out.Saves != "15.99" || out.after.String() != "2026-05-15" {
		t.Errorf("%d charges, %s, then %s", out.Charges, out.Saves, out.after)
	}
}
