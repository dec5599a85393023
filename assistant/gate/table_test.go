package gate_test

import (
	"context"
	"encoding/json/jsontext"
	"fmt"
	"slices"
	"testing"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// TestTable is the design's table: each mode and each weight, of a token and of an
// assistant, by what really happens. Refused writes leave a trace, what waits has changed nothing.
func TestTable(t *testing.T) {
	const run, ask, refuse = tools.Run, tools.Ask, tools.Refuse
	rows := []struct {
		mode                                           gate.Mode
		read, write, money, destroy, sly, send, undone tools.Decision
	}{
		{gate.ModeRead, run, refuse, refuse, refuse, refuse, refuse, refuse},
		{gate.ModeAsk, run, ask, ask, ask, ask, ask, ask},
		{gate.ModeWrite, run, run, ask, ask, ask, ask, ask},
		{gate.ModeTrusted, run, run, run, ask, ask, ask, ask},
		{"no such mode", refuse, refuse, refuse, refuse, refuse, refuse, refuse},
	}
	var mode gate.Mode
	b := open(t, gate.Config{Assistant: func(context.Context, string, string) (gate.Mode, error) { return mode, nil }}, lab{})
	for n, row := range slices.Concat(rows, rows) {
		a, _ := b.token(b.ann, row.mode, nil)
		if mode = row.mode; n >= len(rows) {
			a = b.assistant(b.ann, fmt.Sprint("model-", n))
		}
		id := b.add(b.ann, "thing")
		entry := b.audit(b.ann, "other")
		spec, err := tools.UndoSpec{Audit: []string{entry}}.Invocation()
		if err != nil {
			t.Fatal(err)
		}
		for what, c := range map[string]struct {
			inv  tools.Invocation
			want tools.Decision
		}{
			"read":    {call("look", thing{}), row.read},
			"write":   {call("save", thing{ID: id, Name: "new " + string(row.mode)}), row.write},
			"money":   {call("save", thing{ID: id, Amount: 3}), row.money},
			"destroy": {call("drop", thing{ID: id}), row.destroy},
			"sly":     {call("sly", thing{ID: id}), row.sly},
			"send":    {call("send", thing{Name: "eve@example.org"}), row.send},
			"undo":    {spec, row.undone},
		} {
			before, refused := fmt.Sprint(b.names()), b.entries(a.Agent, "refused")
			answer, err := b.g.Call(t.Context(), a, c.inv)
			got := refuse
			switch {
			case err != nil && tools.KindOf(err) != tools.Forbidden:
				t.Errorf("%s: %s: %v", row.mode, what, err)
			case err != nil:
				if what != "read" && b.entries(a.Agent, "refused") != refused+1 {
					t.Errorf("%s: %s was refused without a trace", row.mode, what)
				}
			case answer.Proposal != nil:
				got = ask
				if answer.Receipt != nil || answer.Output != nil || answer.Proposal.State != gate.Pending {
					t.Errorf("%s: %s waits and answers %+v", row.mode, what, answer)
				}
			default:
				got = run
			}
			if got != c.want {
				t.Errorf("%s: %s: got %s, want %s", row.mode, what, got, c.want)
			}
			if after := fmt.Sprint(b.names()); got != run && after != before {
				t.Errorf("%s: %s was %s, and yet changed %s to %s", row.mode, what, got, before, after)
			}
		}
		if _, err := b.g.DiscardAll(t.Context(), b.ann, a.Agent); err != nil {
			t.Fatal(err)
		}
	}
}

// audit makes a thing and gives the entry.
func (b *bench) audit(who tools.Actor, name string) string {
	b.t.Helper()
	r, err := b.Runner.Apply(b.t.Context(), who, "", call("save", thing{Name: name}))
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Audit[0]
}

// TestTightened: settings and plugins forbid, or ask where the mode would run.
// They never loosen: what they say of a tool that asks changes nothing.
func TestTightened(t *testing.T) {
	b := open(t, gate.Config{Forbid: []string{"lab_look", "lab_sly", tools.UndoTool}, Asks: []string{"lab_save"}},
		lab{guard: map[string]tools.Decision{"lab_wide": tools.Ask, "lab_send": tools.Refuse, "lab_drop": tools.Run, "lab_foreign": "nonsense"}})
	a, _ := b.token(b.ann, gate.ModeTrusted, dbx.Params{"tools": "all"})
	id := b.add(b.ann, "thing")
	for tool, want := range map[string]string{
		"look": "forbidden", "sly": "forbidden", "send": "forbidden", "foreign": "forbidden", "save": "waits", "wide": "waits", "drop": "waits",
	} {
		answer, err := b.g.Call(t.Context(), a, call(tool, thing{ID: id, Name: "x"}))
		got := "ran"
		if err != nil {
			got = string(tools.KindOf(err))
		} else if answer.Proposal != nil {
			got = "waits"
		}
		if got != want {
			t.Errorf("%s: %s (%v), want %s", tool, got, err, want)
		}
	}
	undo := tools.Invocation{Tool: tools.UndoTool, Args: jsontext.Value(`{"agent":"` + a.Agent + `","since":"2020-01-01T00:00:00Z"}`)}
	if _, err := b.g.Call(t.Context(), a, undo); tools.KindOf(err) != tools.Forbidden || b.g.Would(a, tools.UndoTool) != tools.Refuse {
		t.Errorf("undo is forbidden: %v", err)
	}
	// The person is not the agent.
	if _, err := b.Runner.Read(t.Context(), b.ann, call("look", thing{})); err != nil {
		t.Error(err)
	}
	for _, tool := range b.g.Offers(a) {
		if tool.Name == "lab_look" || tool.Name == "lab_send" {
			t.Errorf("%s is offered", tool.Name)
		}
	}
}

// TestReach: what a token is not given it can neither see nor call, by any way
// in, and what is hidden is nobody's.
func TestReach(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	b.operator("ann")
	core, _ := b.token(b.ann, gate.ModeTrusted, nil)
	all, _ := b.token(b.ann, gate.ModeTrusted, dbx.Params{"tools": "all"})
	other, _ := b.token(b.ann, gate.ModeTrusted, dbx.Params{"tools": "all", "plugins": `["study"]`})
	reader, _ := b.token(b.ann, gate.ModeRead, dbx.Params{"tools": "all"})
	for name, row := range map[string]struct {
		agent  gate.Agent
		offers string
		can    map[string]bool
	}{
		"core":   {core, "[lab_drop lab_foreign lab_look lab_rename lab_save lab_send lab_sly]", map[string]bool{"save": true, "look": true}},
		"all":    {all, "[lab_drop lab_foreign lab_look lab_rename lab_save lab_send lab_sly lab_wide]", map[string]bool{"save": true, "look": true, "wide": true}},
		"other":  {other, "[]", nil},
		"reader": {reader, "[lab_foreign lab_look]", map[string]bool{"look": true}},
	} {
		var offers []string
		for _, tool := range b.g.Offers(row.agent) {
			offers = append(offers, tool.Name)
		}
		if got := fmt.Sprint(offers); got != row.offers {
			t.Errorf("%s is offered %s, want %s", name, got, row.offers)
		}
		for _, tool := range []string{"save", "look", "wide", "hidden", "operator", "missing"} {
			inv := call(tool, thing{Name: "x"})
			_, err := b.g.Call(t.Context(), row.agent, inv)
			if (err == nil) != row.can[tool] {
				t.Errorf("%s calls %s: %v", name, tool, err)
			}
			if tool == "look" {
				// Past the gate's own door, the runner asks it all the same.
				if _, err := b.Runner.Read(t.Context(), row.agent.Actor, inv); (err == nil) != row.can[tool] {
					t.Errorf("%s reads %s: %v", name, tool, err)
				}
				continue
			}
			if _, err := b.g.Propose(t.Context(), row.agent, inv); (err == nil) != row.can[tool] {
				t.Errorf("%s proposes %s: %v", name, tool, err)
			}
			if _, err := b.Runner.Preview(t.Context(), row.agent.Actor, inv); (err == nil) != row.can[tool] {
				t.Errorf("%s previews %s: %v", name, tool, err)
			}
			if _, err := b.Runner.Apply(t.Context(), row.agent.Actor, "", inv); (err == nil) != row.can[tool] {
				t.Errorf("%s applies %s: %v", name, tool, err)
			}
		}
	}
}
