package hooks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json/v2"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant/eval"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/household"
)

// examined is an assistant that is evaluated: a script that a test writes, turn
// by turn.
type examined struct {
	*App
	script   *gateway.Script
	out, err bytes.Buffer
}

func newExamined(t *testing.T, env ...string) *examined {
	t.Helper()
	// What is thrown away is seen to be gone.
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Cleanup(func() {
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	})
	x := &examined{script: gateway.NewScript()}
	x.App = New(Config{
		Plugins: []tools.Plugin{household.Plugin{}}, DataDir: filepath.Join(t.TempDir(), "pb_data"), Env: environment(env...),
		Stdin: strings.NewReader(""), Stdout: &x.out, Stderr: &x.err, Terminal: func() bool { return false }, Screen: func() bool { return false },
	})
	x.scripts, x.badge.pause = []roster.Script{{ID: "model", Name: "Model", Provider: x.script}}, 0
	return x
}

// report is what a run of the questions comes to, where a model answers each
// turn as plays says.
func (x *examined) report(t *testing.T, plays func(eval.Expected) []gateway.Scene, only ...string) (r eval.Report) {
	t.Helper()
	with := evaluation{assistant: "model", cost: "1", tokens: 1000, only: only, before: func(_ eval.Question, _ int, e eval.Expected) {
		x.script.Then(plays(e)...)
	}}
	if err := x.eval(t.Context(), with); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(x.out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if n := x.script.Left(); n > 0 {
		t.Errorf("%d answers were not wanted", n)
	}
	return r
}

// perfect answers as the expectation says.
func perfect(e eval.Expected) (all []gateway.Scene) {
	if looks := made(e.Looked); len(looks) > 0 {
		all = append(all, gateway.Scene{Calls: looks})
	}
	if e.Drawn != nil {
		all = append(all, gateway.Scene{Calls: calls(offer.ScreenName, string(marshalled(map[string]any{"tool": e.Drawn.Tool, "args": e.Drawn.Args, "form": e.Screen.Forms[0]})))})
	}
	if e.Form {
		return append(all, gateway.Scene{Calls: calls(offer.AskName, `{"questions":[{"text":"Which?","choices":["Netflix","Spotify"]}]}`)})
	}
	return append(append(all, changes(e)...), gateway.Scene{Say: inWords(e)})
}

// changes are the calls of the first card that would do.
func changes(e eval.Expected) []gateway.Scene {
	switch {
	case len(e.Effects) == 0:
		return nil
	case len(e.Effects[0].Undone) > 0:
		return []gateway.Scene{{Calls: calls("undo", string(marshalled(map[string]any{"audit": e.Effects[0].Undone})))}}
	}
	return []gateway.Scene{{Calls: made(e.Effects[0].Calls)}}
}

// words tell all that is to be told.
func inWords(e eval.Expected) string {
	return cmp.Or(strings.Join(append(slices.Clone(e.Values), e.Reply), "; "), "Good.")
}

// made are calls as a model makes those that may not be listed.
func made(invs []tools.Invocation) (all []gateway.Call) {
	for _, inv := range invs {
		all = append(all, calls(offer.UseName, string(marshalled(map[string]any{"name": inv.Tool, "args": inv.Args})))...)
	}
	return all
}

func marshalled(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// TestEvalPerfect: who does what is expected has all of it, in every kind; each
// question can be answered from the sample data, with calls that the tools take.
func TestEvalPerfect(t *testing.T) {
	x := newExamined(t)
	r := x.report(t, perfect)
	for _, res := range r.Results {
		if !res.Passed {
			t.Errorf("%s: %s", res.ID, strings.Join(res.Faults, "; "))
		}
	}
	for _, k := range r.Kinds {
		if k.Met != k.Of {
			t.Errorf("%s: %d of %d", k.Kind, k.Met, k.Of)
		}
	}
	all, err := eval.Set()
	if err != nil || len(r.Kinds) != len(eval.Kinds()) || r.Score.Met != len(all) || r.OneCard.Percent() != 100 || r.Unwanted != 0 || r.Left != 0 {
		t.Errorf("%+v", r)
	}
}

// few are some questions, one of each sort.
const few = "month-total,chart-months,rename,two-things,undo-mine,then-rename,which-one,private,note,capital"

// TestEvalScores: each way to be wrong shows in the figure that is about it, and
// in no other.
func TestEvalScores(t *testing.T) {
	hm := []gateway.Scene{{Say: "Hm."}}
	type score map[eval.Kind]int
	for name, row := range map[string]struct {
		plays    func(eval.Expected) []gateway.Scene
		kinds    score
		oneCard  int
		unwanted int
		says     map[string]string // a part of the faults, by question
	}{
		"nothing is done": {
			func(eval.Expected) []gateway.Scene { return hm },
			score{eval.Refusal: 1, eval.Chat: 1},
			0, 0,
			map[string]string{"month-total": `244.78 expected, it said "Hm."`, "rename": `a card expected, it said "Hm."`, "which-one": "a form expected", "note": "household_subscription_get expected"},
		},
		"two cards": {
			func(e eval.Expected) []gateway.Scene {
				all := perfect(e)
				if len(e.Effects) == 0 {
					return all
				}
				// Two answers are two cards.
				return append(changes(e), append(changes(e), gateway.Scene{Say: inWords(e)})...)
			},
			score{eval.Read: 1, eval.Screen: 1, eval.Form: 1, eval.Refusal: 1, eval.Injection: 1, eval.Chat: 1},
			0, 0,
			map[string]string{"rename": "one card expected, 2 came", "then-rename": "one card expected, 2 came"},
		},
		"a card for everything": {
			func(e eval.Expected) []gateway.Scene {
				if len(e.Effects) > 0 {
					return perfect(e)
				}
				all := perfect(e)
				if e.Form { // the form would end the turn
					all = hm
				}
				return append([]gateway.Scene{{Calls: calls("household_category_add", `{"name":"Fun"}`)}}, all...)
			},
			score{eval.Write: 3},
			3, 7, // then-rename is over with its first turn
			map[string]string{"month-total": "no card expected, one came of household_category_add", "capital": "no card expected", "which-one": "a card came of household_category_add"},
		},
		"another card": {
			func(e eval.Expected) []gateway.Scene {
				if len(e.Effects) == 0 {
					return perfect(e)
				}
				return []gateway.Scene{{Calls: calls("household_category_add", `{"name":"Fun"}`)}, {Say: "It waits."}}
			},
			score{eval.Read: 1, eval.Screen: 1, eval.Form: 1, eval.Refusal: 1, eval.Injection: 1, eval.Chat: 1},
			4, 0,
			map[string]string{"rename": "another card expected: update of Vodafone Internet is missing, create of Fun is too much", "two-things": "is missing"},
		},
		"asks back": {
			func(e eval.Expected) []gateway.Scene {
				return []gateway.Scene{{Calls: calls(offer.AskName, `{"questions":[{"text":"Really?"}]}`)}}
			},
			score{eval.Form: 1},
			0, 0,
			map[string]string{"rename": "an answer expected, it asked back (Really?)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := newExamined(t)
			r := x.report(t, row.plays, strings.Split(few, ",")...)
			got := score{}
			for _, k := range r.Kinds {
				if k.Met > 0 {
					got[k.Kind] = k.Met
				}
			}
			if !maps.Equal(got, row.kinds) || r.OneCard.Met != row.oneCard || r.Unwanted != row.unwanted {
				t.Errorf("%v, one card %+v, %d unwanted\n%s", got, r.OneCard, r.Unwanted, x.err.String())
			}
			for _, res := range r.Results {
				if all := strings.Join(res.Faults, "; "); !strings.Contains(all, row.says[res.ID]) {
					t.Errorf("%s: %s", res.ID, all)
				}
			}
		})
	}
}

// TestEvalSet: what the set names is there.
func TestEvalSet(t *testing.T) {
	i := newInstance(t)
	all, err := eval.Set()
	if err != nil {
		t.Fatal(err)
	}
	reads := func(id string, names ...string) {
		for _, name := range names {
			if tool, ok := i.registry.Tool(name); !ok || tool.Effect != tools.EffectRead || tool.Hidden != "" {
				t.Errorf("%s: %s is no tool that reads", id, name)
			}
		}
	}
	fits := func(id string, c eval.Call) {
		tool, ok := i.registry.Tool(c.Tool)
		if !ok || tool.Hidden != "" {
			t.Errorf("%s: there is no tool %s", id, c.Tool)
			return
		}
		var args map[string]any
		if len(c.Args) > 0 {
			if err := json.Unmarshal(c.Args, &args); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
		for name := range args {
			if tool.Input.Properties[name] == nil {
				t.Errorf("%s: %s takes no %s", id, c.Tool, name)
			}
		}
	}
	for _, q := range all {
		for _, d := range q.Setup {
			fits(q.ID, d.Call)
		}
		for _, turn := range q.Turns {
			reads(q.ID, turn.Also...)
			for _, c := range turn.Reads {
				reads(q.ID, c.Tool)
				fits(q.ID, c)
			}
			for _, c := range slices.Concat(turn.Card...) {
				fits(q.ID, c)
			}
			if turn.Screen != nil {
				reads(q.ID, append(turn.Screen.Or, turn.Screen.Tool)...)
				fits(q.ID, turn.Screen.Call)
			}
		}
	}
}

// TestEvalSpends: nothing is asked of a host before somebody has said that it may
// cost something, and no more than it may.
func TestEvalSpends(t *testing.T) {
	h := fake.New(t, fake.Anthropic)
	run := func(with evaluation, says, price string) (*examined, error) {
		t.Helper()
		x := newExamined(t, "ASSISTANT_CURRENCY=EUR", "ASSISTANTS=claude", "ASSISTANT_CLAUDE_BASE_URL="+h.Base(), "ASSISTANT_CLAUDE_MODEL="+h.Model(), "ASSISTANT_CLAUDE_KEY="+fake.Key,
			"ASSISTANT_CLAUDE_MODE=trusted", "ASSISTANT_CLAUDE_PRICE_INPUT="+price, "ASSISTANT_CLAUDE_PRICE_OUTPUT="+price)
		x.scripts, x.asked = nil, h.Transport()
		x.Stdin, x.Terminal = strings.NewReader(says), func() bool { return says != "" }
		with.only = []string{"month-total", "rename"}
		return x, x.eval(t.Context(), with)
	}
	report := func(x *examined) (r eval.Report) {
		t.Helper()
		if err := json.Unmarshal(x.out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	if _, err := run(evaluation{cost: "1"}, "", "1"); err == nil || !strings.Contains(err.Error(), "--yes") {
		t.Error(err)
	}
	if x, err := run(evaluation{cost: "1"}, "n\n", "1"); err == nil || !strings.Contains(x.err.String(), "It costs about 0.06 EUR, and at most 1.00 EUR") || !strings.Contains(x.err.String(), "nothing of yours") {
		t.Error(err, x.err.String())
	}
	x, err := run(evaluation{cost: "0.000001", yes: true}, "", "1")
	if r := report(x); err != nil || r.Left != 2 || r.Stopped == "" || r.Score.Of != 0 || len(h.Asked()) != 0 {
		t.Errorf("%v %+v, %d requests", err, r, len(h.Asked()))
	}
	// What the first question used is missing for the second.
	h.Then(fake.Turn{Steps: []fake.Step{fake.Say("244.78 EUR.")}, Usage: &fake.Usage{Uncached: 20_000, Output: 90}})
	x, err = run(evaluation{cost: "0.04", yes: true}, "", "1")
	if r := report(x); err != nil || r.Left != 1 || r.Score != (eval.Score{Of: 1, Met: 1}) || r.Cost != 20_090 || r.Usage.Uncached != 20_000 || !strings.Contains(r.Stopped, "0,01991 EUR") {
		t.Errorf("%v %+v", err, r)
	}
	// Nobody knows the price: tokens count.
	h.Then(fake.Turn{Steps: []fake.Step{fake.Say("244.78 EUR.")}, Usage: &fake.Usage{Uncached: 20_000, Output: 90}})
	x, err = run(evaluation{cost: "1", tokens: 40_000, yes: true}, "", "")
	if r := report(x); err != nil || r.Left != 1 || !r.Usage.Unpriced {
		t.Errorf("%v %+v", err, r)
	}
	// The mode is that of cards, whatever is set.
	h.Then(fake.Answer(fake.Say("244.78")), fake.Answer(fake.Calls(fake.Call{Name: "household_category_add", Args: `{"name":"Fun"}`})), fake.Answer(fake.Say("It waits.")))
	x, err = run(evaluation{cost: "1", yes: true}, "", "1")
	if r := report(x); err != nil || r.OneCard != (eval.Score{Of: 1, Met: 1}) {
		t.Errorf("%v %+v", err, r)
	}
}

// TestEvalStopped: a run that is stopped leaves nothing behind, and says how far
// it came.
func TestEvalStopped(t *testing.T) {
	x := newExamined(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	err := x.eval(ctx, evaluation{assistant: "model", cost: "1", only: []string{"read"}, before: func(q eval.Question, _ int, e eval.Expected) {
		if q.Number == 2 {
			x.script.Then(gateway.Scene{Say: "Hm.", Wait: time.Hour})
			time.AfterFunc(50*time.Millisecond, stop)
			return
		}
		x.script.Then(perfect(e)...)
	}})
	var r eval.Report
	if wrong := json.Unmarshal(x.out.Bytes(), &r); wrong != nil || err == nil || r.Score.Of != 1 || r.Stopped == "" || r.Left == 0 {
		t.Errorf("%v %v %+v", err, wrong, r)
	}
}

// TestEvalCommand: the command line, and what is wrong with one.
func TestEvalCommand(t *testing.T) {
	for args, want := range map[string]struct {
		code int
		says string
	}{
		"eval --only 99":                {exitFailed, `no question is "99": name numbers from 1 to`},
		"eval --lang fr":                {exitFailed, "--lang is en, de or es"},
		"eval --most-cost much":         {exitFailed, "--most-cost is an amount"},
		"eval --assistant nobody":       {exitFailed, `no assistant "nobody"; there is: model`},
		"eval --dir x":                  {exitUsage, "leave out --dir"},
		"eval more":                     {exitUsage, "See: nodkeep eval"},
		"eval --only capital":           {exitOK, "capital"},
		"eval --lang es --only capital": {exitFailed, `no question is "capital"`},
	} {
		t.Run(args, func(t *testing.T) {
			x := newExamined(t)
			x.script.Then(gateway.Scene{Say: "Canberra."})
			if code := x.Run(strings.Fields(args)); code != want.code || !strings.Contains(x.err.String(), want.says) {
				t.Errorf("%d: %s %s", code, x.err.String(), x.out.String())
			}
		})
	}
	x := newExamined(t)
	x.script.Then(gateway.Scene{Say: "Canberra."})
	x.Screen = func() bool { return true }
	if code := x.Run([]string{"eval", "--only", "capital"}); code != exitOK || !strings.Contains(x.out.String(), "cards nobody asked for") || !strings.Contains(x.out.String(), "1 of 1, 100 %") {
		t.Errorf("%d: %s", code, x.out.String())
	}
}
