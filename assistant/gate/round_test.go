package gate_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// assistant is one in a turn of a person.
func (b *bench) assistant(who tools.Actor, id string, taint ...tools.Text) gate.Agent {
	b.t.Helper()
	a, err := b.g.Assistant(b.t.Context(), tools.Actor{Person: who.Person, Door: tools.DoorAssistant, Agent: id, AgentName: "Model", Model: "m"}, gate.NewTurn(taint...))
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// modes are those of assistants, by id; one without may not be asked.
type modes map[string]gate.Mode

func (m modes) of(_ context.Context, _, id string) (gate.Mode, error) {
	if mode, ok := m[id]; ok {
		return mode, nil
	}
	return "", tools.Fail(tools.Forbidden, "gate.error.no_agent")
}

// TestRound: what needs no nod runs until one needs it; that and what comes after
// is one card. What fails takes the rest with it, and nothing is half proposed.
func TestRound(t *testing.T) {
	b := open(t, gate.Config{Assistant: modes{"asks": gate.ModeAsk, "writes": gate.ModeWrite}.of}, lab{})
	one, two := b.add(b.ann, "one"), b.add(b.ann, "two")
	of := func(steps []gate.Step) string {
		var all []string
		ids := map[string]int{}
		for _, s := range steps {
			switch {
			case s.Err != nil:
				all = append(all, string(tools.KindOf(s.Err)))
			case s.Proposal != nil:
				if _, known := ids[s.Proposal.ID]; !known {
					ids[s.Proposal.ID] = len(ids) + 1
				}
				all = append(all, fmt.Sprintf("card %d of %d", ids[s.Proposal.ID], len(s.Proposal.Items)))
			case s.Receipt != nil:
				all = append(all, "ran")
			}
		}
		return strings.Join(all, ", ")
	}
	entry := b.audit(b.ann, "three")
	undo, err := tools.UndoSpec{Audit: []string{entry}}.Invocation()
	if err != nil {
		t.Fatal(err)
	}
	rename, pay, drop := call("save", thing{ID: one, Name: "uno"}), call("save", thing{ID: two, Amount: 4}), call("drop", thing{ID: two})
	bad := call("save", thing{ID: "nosuch000000000", Name: "x"})
	hidden := call("hidden", thing{})
	for _, row := range []struct {
		name, agent string
		calls       []tools.Invocation
		want        string
	}{
		{"all ask", "asks", []tools.Invocation{rename, pay, drop}, "card 1 of 3, card 1 of 3, card 1 of 3"},
		{"one that runs before one that asks", "writes", []tools.Invocation{rename, pay}, "ran, card 1 of 1"},
		{"one that would run after one that asks", "writes", []tools.Invocation{pay, rename}, "card 1 of 2, card 1 of 2"},
		{"heavier than it says", "writes", []tools.Invocation{call("sly", thing{ID: one}), rename}, "conflict, not_found"},
		{"the last fails", "asks", []tools.Invocation{rename, pay, bad}, "conflict, conflict, not_found"},
		{"the first fails", "asks", []tools.Invocation{bad, rename}, "not_found, conflict"},
		{"one that ran stays when the next fails", "writes", []tools.Invocation{rename, bad, rename}, "ran, not_found, conflict"},
		{"a hidden one", "writes", []tools.Invocation{rename, hidden}, "conflict, forbidden"},
		{"an undo has its own card", "asks", []tools.Invocation{rename, undo, pay}, "card 1 of 1, card 2 of 1, card 3 of 1"},
		{"none", "asks", nil, ""},
	} {
		before := b.names()
		a := b.assistant(b.ann, row.agent)
		steps := b.g.Round(t.Context(), a, row.calls...)
		if got := of(steps); got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
		ran := slices.ContainsFunc(steps, func(s gate.Step) bool { return s.Receipt != nil })
		if !ran && !slices.Equal(before, b.names()) {
			t.Errorf("%s: something changed without a nod", row.name)
		}
		if _, err := b.g.DiscardAll(t.Context(), b.ann, row.agent); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTurnTaint: what an assistant has read counts in that turn alone, also when
// another turn goes on beside it; and outside of any turn nothing runs.
func TestTurnTaint(t *testing.T) {
	b := open(t, gate.Config{Assistant: modes{"writes": gate.ModeTrusted}.of}, lab{})
	id := b.add(b.ann, "one")
	rename := call("save", thing{ID: id, Name: "uno"})
	clean, tainted := b.assistant(b.ann, "writes"), b.assistant(b.ann, "writes")
	if _, err := b.g.Call(t.Context(), tainted, call("foreign", thing{Name: "Eve"})); err != nil {
		t.Fatal(err)
	}
	steps := b.g.Round(t.Context(), tainted, rename)
	if p := steps[0].Proposal; p == nil || len(p.Card.Taint) != 1 || b.Catalogue.English(p.Card.Taint[0]) != "a note by Eve" {
		t.Errorf("it has read foreign text: %+v", steps[0])
	}
	if steps := b.g.Round(t.Context(), clean, rename); steps[0].Receipt == nil {
		t.Errorf("it has read nothing: %+v", steps[0])
	}
	// A turn that goes on with words of a tainted one is tainted, too.
	if steps := b.g.Round(t.Context(), b.assistant(b.ann, "writes", tools.T("lab.by", "Eve")), rename); steps[0].Proposal == nil {
		t.Error("it ran though it goes on with what others wrote")
	}
	// Past the gate nobody knows what was read.
	if _, err := b.Runner.Apply(t.Context(), clean.Actor, "", rename); tools.KindOf(err) != tools.DigestRequired {
		t.Error("outside of a turn it ran: ", err)
	}
	if _, err := b.Runner.Read(t.Context(), clean.Actor, call("foreign", thing{Name: "Eve"})); tools.KindOf(err) != tools.Forbidden {
		t.Error("foreign text was handed out though nobody notes it: ", err)
	}
}

// TestAssistantIsReadAgain: what an operator takes from an assistant it has lost
// at once, also for what waits; and what it may for one person says nothing of
// another.
func TestAssistantIsReadAgain(t *testing.T) {
	is := modes{"m": gate.ModeWrite}
	b := open(t, gate.Config{Assistant: is.of, Pending: 2, Writes: 2}, lab{})
	id := b.add(b.ann, "one")
	rename := func(to string) tools.Invocation { return call("save", thing{ID: id, Name: to}) }
	a := b.assistant(b.ann, "m")
	p := b.propose(a, call("drop", thing{ID: id}))
	is["m"] = gate.ModeRead
	if steps := b.g.Round(t.Context(), a, rename("uno")); tools.KindOf(steps[0].Err) != tools.Forbidden {
		t.Errorf("it reads only, and yet: %+v", steps[0])
	}
	_, err := b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, tools.Forbidden)
	delete(is, "m")
	if steps := b.g.Round(t.Context(), a, rename("uno")); tools.KindOf(steps[0].Err) != tools.Forbidden {
		t.Errorf("it is gone, and yet: %+v", steps[0])
	}
	is["m"] = gate.ModeWrite
	for n := range 3 {
		steps := b.g.Round(t.Context(), a, rename(fmt.Sprint("name ", n)))
		if (steps[0].Receipt != nil) != (n < 2) {
			t.Errorf("change %d of a day of 2: %+v", n+1, steps[0])
		}
	}
	bobs := b.add(b.bob, "bobs")
	if steps := b.g.Round(t.Context(), b.assistant(b.bob, "m"), call("save", thing{ID: bobs, Name: "new"})); steps[0].Receipt == nil {
		t.Errorf("what it did for ann counts for bob: %+v", steps[0])
	}
	if _, err := b.g.Assistant(t.Context(), tools.Actor{Person: b.ann.Person, Agent: "m", Token: "m"}, gate.NewTurn()); tools.KindOf(err) != tools.Forbidden {
		t.Error("a token passes for an assistant: ", err)
	}
}
