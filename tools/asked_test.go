package tools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// TestAsked: a question is in the list of who asked it, in the chain, and goes
// with the account; operators see its figures, others and agents nothing; and
// there is nothing in it to take back.
func TestAsked(t *testing.T) {
	b := open(t, tools.Config{})
	ops := b.Member("ops")
	ops.Set("operator", true)
	if err := b.Save(ops); err != nil {
		t.Fatal(err)
	}
	operator := tools.Actor{Person: ops.Id, Door: tools.DoorWeb}
	by := tools.Actor{Person: b.ann.Person, Door: tools.DoorAssistant, Agent: "local", AgentName: "Local", Model: "m1"}
	facts := map[string]any{"requests": 2, "cost_micros": nil}
	for _, failed := range []bool{false, true} {
		if err := b.Runner.Asked(t.Context(), by, facts, failed); err != nil {
			t.Fatal(err)
		}
	}
	list := func(a tools.Actor) []tools.Entry {
		t.Helper()
		got, err := b.Runner.Activity(t.Context(), a, tools.ActivityQuery{Tool: tools.AskTool})
		if err != nil {
			t.Fatal(err)
		}
		return got.Items
	}
	const want = `{"cost_micros":null,"requests":2}`
	for who, a := range map[string]tools.Actor{"who asked": b.ann, "an operator": operator} {
		all := list(a)
		if len(all) != 2 || all[0].State != "failed" || all[1].State != "applied" {
			t.Fatalf("%s is told %+v", who, all)
		}
		if e := all[1]; string(e.Args) != want || e.Actor.Agent != "local" || e.Actor.Model != "m1" || e.Actor.Person != b.ann.Person || e.Effect != tools.EffectRead || e.Unseen != 0 {
			t.Errorf("%s is told %+v, args %s", who, e, e.Args)
		}
	}
	agent := func(a tools.Actor, id string) tools.Actor {
		a.Agent = id
		return a
	}
	for who, a := range map[string]tools.Actor{
		"another member": b.bob, "the assistant": by, "another agent": agent(b.ann, "t1"), "an operator's agent": agent(operator, "t2"),
	} {
		if all := list(a); len(all) != 0 {
			t.Errorf("%s is told %+v", who, all)
		}
	}

	// Taking it back by its id says that there is nothing, and all of the
	// assistant's changes can be taken back in spite of it.
	id := list(b.ann)[1].ID
	if _, err := b.Runner.PreviewUndo(t.Context(), b.ann, tools.UndoSpec{Audit: []string{id}}); tools.KindOf(err) != tools.Conflict || !strings.Contains(err.Error(), "nothing to take back") {
		t.Errorf("taken back: %v", err)
	}
	_, err := b.Runner.PreviewUndo(t.Context(), b.ann, tools.UndoSpec{Agent: "local"})
	if tools.KindOf(err) != tools.NotFound {
		t.Errorf("all of it taken back: %v", err)
	}

	b.wellFormed(t)
	if n, err := b.Runner.ErasePerson(t.Context(), b.ann.Person); err != nil || n < 2 {
		t.Errorf("%d erased, %v", n, err)
	}
	if all := list(operator); len(all) != 0 {
		t.Errorf("after the account went there is %+v", all)
	}
	b.wellFormed(t)

	// Who is gone in the middle of an answer leaves no trace of it.
	gone := by
	gone.Person = "nobody000000000"
	if err := b.Runner.Asked(t.Context(), gone, facts, false); err != nil || len(list(operator)) != 0 {
		t.Errorf("somebody who is gone asked: %v", err)
	}
	if err := b.Runner.Asked(t.Context(), agent(b.bob, "local"), facts, false); err != nil {
		t.Fatal(err)
	}
	if n, err := b.Runner.EraseBefore(t.Context(), time.Now().Add(time.Hour)); err != nil || n == 0 || len(list(b.bob)) != 0 {
		t.Errorf("retention passed and %d were erased, %v", n, err)
	}
	b.wellFormed(t)
}
