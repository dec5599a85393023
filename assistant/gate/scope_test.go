package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// openScoped is a bench with three things of ann's, and an agent that is asked
// about the first two.
func openScoped(t *testing.T, mode gate.Mode) (b *bench, a gate.Agent, ids []string) {
	b = open(t, gate.Config{}, lab{})
	for _, name := range []string{"one", "two", "three"} {
		ids = append(ids, b.add(b.ann, name))
	}
	a, _ = b.token(b.ann, mode, nil)
	a.Scope = &tools.Scope{Only: map[string][]string{"lab_things": ids[:2]}}
	return b, a, ids
}

// changed counts the records that the items of a proposal change.
func changed(p gate.Proposal) (n int) {
	for _, it := range p.Items {
		n += len(it.Changes) + it.Unseen
	}
	return n
}

func (b *bench) scopeOf(id string) (s string) {
	b.t.Helper()
	if err := b.DB().Select("scope").From(tools.ProposalsTable).Where(dbx.HashExp{"id": id}).Row(&s); err != nil {
		b.t.Fatal(err)
	}
	return s
}

// TestScopeOfCalls: what an agent calls in the scope of a question finds, and
// changes, what is in it.
func TestScopeOfCalls(t *testing.T) {
	b, a, ids := openScoped(t, gate.ModeWrite)
	got, err := b.g.Call(t.Context(), a, call("look", thing{}))
	b.want(err, "")
	if all := got.Output.([]thing); len(all) != 2 {
		t.Errorf("it reads %v", all)
	}
	_, err = b.g.Call(t.Context(), a, call("save", thing{ID: ids[2], Name: "x"}))
	b.want(err, tools.NotFound)
	_, err = b.g.Call(t.Context(), a, call("drop", thing{ID: ids[2]}))
	b.want(err, tools.NotFound)
	steps := b.g.Round(t.Context(), a, call("rename", thing{Name: "new"}), call("drop", thing{ID: ids[2]}))
	b.want(steps[0].Err, "")
	b.want(steps[1].Err, tools.NotFound)
	if names := b.names(); !slices.Equal(names, []string{"new", "new", "three"}) {
		t.Errorf("there are %v", names)
	}
	a.Scope = nil
	got, err = b.g.Call(t.Context(), a, call("look", thing{}))
	b.want(err, "")
	if all := got.Output.([]thing); len(all) != 3 {
		t.Errorf("without a scope it reads %v", all)
	}
}

// TestScopeOfProposals: a proposal keeps the scope that it was made in, whoever
// looks at it, changes it, or nods: what is applied is what was shown. What is
// taken back is not narrowed.
func TestScopeOfProposals(t *testing.T) {
	b, a, ids := openScoped(t, gate.ModeAsk)
	p := b.propose(a, call("rename", thing{Name: "new"}))
	if changed(p) != 2 || !strings.Contains(b.scopeOf(p.ID), ids[0]) {
		t.Fatalf("it changes %d records in the scope %q", changed(p), b.scopeOf(p.ID))
	}
	seen, err := b.g.Preview(t.Context(), b.ann, p.ID, nil)
	b.want(err, "")
	if changed(seen) != 2 {
		t.Errorf("a look at it changes %d records", changed(seen))
	}
	_, err = b.g.Edit(t.Context(), b.ann, b.propose(a, call("save", thing{ID: ids[0], Name: "x"})).ID, []tools.Invocation{call("save", thing{ID: ids[2], Name: "x"})})
	b.want(err, tools.NotFound)
	edited, err := b.g.Edit(t.Context(), b.ann, p.ID, []tools.Invocation{call("rename", thing{Name: "newer"})})
	b.want(err, "")
	if changed(edited) != 2 || b.scopeOf(edited.ID) != b.scopeOf(p.ID) {
		t.Errorf("edited, it changes %d records in the scope %q", changed(edited), b.scopeOf(edited.ID))
	}
	// Somebody changed one of them: what comes instead is as narrow.
	_, err = b.Runner.Apply(t.Context(), b.ann, "", call("save", thing{ID: ids[0], Name: "ONE"}))
	b.want(err, "")
	stale, err := b.g.Confirm(t.Context(), b.ann, edited.ID, edited.Digest, nil)
	b.want(err, tools.Stale)
	next, err := b.g.Proposal(t.Context(), b.ann, stale.ReplacedBy)
	b.want(err, "")
	if changed(next) != 2 || b.scopeOf(next.ID) != b.scopeOf(p.ID) {
		t.Errorf("its successor changes %d records in the scope %q", changed(next), b.scopeOf(next.ID))
	}
	done, err := b.g.Confirm(t.Context(), b.ann, next.ID, next.Digest, nil)
	b.want(err, "")
	if names := b.names(); !slices.Equal(names, []string{"newer", "newer", "three"}) {
		t.Errorf("there are %v", names)
	}
	undo, err := tools.UndoSpec{Audit: done.Receipt.Audit}.Invocation()
	b.want(err, "")
	a.Scope = &tools.Scope{Only: map[string][]string{}}
	back := b.propose(a, undo)
	_, err = b.g.Confirm(t.Context(), b.ann, back.ID, back.Digest, nil)
	b.want(err, "")
	if names := b.names(); !slices.Equal(names, []string{"ONE", "three", "two"}) {
		t.Errorf("taken back, there are %v", names)
	}
}

// TestScopeStored: without a scope nothing is kept of one; the narrowest is kept
// as such, and one that cannot be read runs nothing.
func TestScopeStored(t *testing.T) {
	b, a, _ := openScoped(t, gate.ModeAsk)
	a.Scope = nil
	if p := b.propose(a, call("rename", thing{Name: "new"})); changed(p) != 3 || b.scopeOf(p.ID) != "" {
		t.Errorf("it changes %d records in the scope %q", changed(p), b.scopeOf(p.ID))
	}
	a.Scope = &tools.Scope{Only: map[string][]string{}, Private: true}
	none := b.propose(a, call("rename", thing{Name: "new"}))
	done, err := b.g.Confirm(t.Context(), b.ann, none.ID, none.Digest, nil)
	b.want(err, "")
	if changed(none) != 0 || len(done.Receipt.Changes) != 0 {
		t.Errorf("it changes %d records, and then %d", changed(none), len(done.Receipt.Changes))
	}
	broken := b.propose(a, call("rename", thing{Name: "new"}))
	if _, err := b.DB().Update(tools.ProposalsTable, dbx.Params{"scope": "{"}, dbx.HashExp{"id": broken.ID}).Execute(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.g.Confirm(t.Context(), b.ann, broken.ID, broken.Digest, nil); tools.KindOf(err) != tools.Internal {
		t.Errorf("it ran: %v", err)
	}
}
