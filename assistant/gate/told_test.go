package gate_test

import (
	"encoding/json/jsontext"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// TestTold: the person's own screens hear of each proposal that is new, and of
// each that was decided, in whatever way.
func TestTold(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	heard := func(what string, ids ...string) {
		t.Helper()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, id := range ids {
			if !slices.Contains(b.told, b.ann.Person+" "+id) {
				t.Errorf("%s: %s is not told of", what, id)
			}
		}
		for _, one := range b.told {
			if !strings.HasPrefix(one, b.ann.Person+" ") {
				t.Errorf("%s: somebody else is told: %s", what, one)
			}
		}
		b.told = nil
	}
	save := func(name string) gate.Proposal { return b.propose(a, call("save", thing{Name: name})) }
	p := save("a")
	heard("asked for", p.ID)
	_, err := b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, "")
	heard("confirmed", p.ID)
	p = save("b")
	heard("asked for", p.ID)
	_, err = b.g.Discard(t.Context(), b.ann, p.ID, "")
	b.want(err, "")
	heard("discarded", p.ID)
	p = save("c")
	heard("asked for", p.ID)
	next, err := b.g.Edit(t.Context(), b.ann, p.ID, []tools.Invocation{call("save", thing{Name: "d"})})
	b.want(err, "")
	heard("edited", p.ID, next.ID)
	id := b.add(b.ann, "e")
	p = b.propose(a, call("save", thing{ID: id, Name: "f"}))
	heard("asked for", p.ID)
	_, err = b.Runner.Apply(t.Context(), b.ann, "", call("save", thing{ID: id, Name: "g"}))
	b.want(err, "")
	now, err := b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, tools.Stale)
	heard("stale", p.ID, now.ReplacedBy)
	if _, err = b.g.DiscardAll(t.Context(), b.ann, a.Agent); err != nil {
		t.Fatal(err)
	}
	heard("all of an agent", next.ID, now.ReplacedBy)
}

// TestPreviewIsNoLonger than its proposal: a choice made late is no way to make
// it last.
func TestPreviewIsNoLonger(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	p := b.propose(a, call("save", thing{Name: "a"}), call("save", thing{Name: "b"}))
	b.later(23 * time.Hour)
	some, err := b.g.Preview(t.Context(), b.ann, p.ID, []int{0})
	b.want(err, "")
	if some.ID != p.ID || some.Expires.After(p.Expires) {
		t.Errorf("until %s, its proposal until %s", some.Expires, p.Expires)
	}
	b.later(2 * time.Hour)
	_, err = b.g.Confirm(t.Context(), b.ann, p.ID, some.Digest, []int{0})
	b.want(err, tools.Expired)
}

// TestFailed: what cannot be done any more ends, and says why.
func TestFailed(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeWrite, nil)
	did, err := b.g.Call(t.Context(), a, call("save", thing{Name: "a"}))
	b.want(err, "")
	asked, err := b.g.Call(t.Context(), a, tools.Invocation{Tool: tools.UndoTool, Args: jsontext.Value(`{"audit":["` + did.Receipt.Audit[0] + `"]}`)})
	b.want(err, "")
	_, err = b.Runner.Apply(t.Context(), b.ann, "", call("save", thing{ID: did.Output.(thing).ID, Name: "b"}))
	b.want(err, "")
	_, err = b.g.Confirm(t.Context(), b.ann, asked.Proposal.ID, asked.Proposal.Digest, nil)
	b.want(err, tools.Conflict)
	now, err := b.g.Status(t.Context(), a, asked.Proposal.ID)
	b.want(err, "")
	if now.State != gate.Failed || now.Reason == "" || len(b.names()) != 1 {
		t.Errorf("%+v %v", now, b.names())
	}
}

// TestTaintStays: what an agent had read is on the card also once a person has
// put it in other words.
func TestTaintStays(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeTrusted, nil)
	_, err := b.g.Call(t.Context(), a, call("foreign", thing{Name: "bob"}))
	b.want(err, "")
	p := b.propose(a, call("save", thing{Name: "a"}))
	b.later(time.Hour)
	next, err := b.g.Edit(t.Context(), b.ann, p.ID, []tools.Invocation{call("save", thing{Name: "b"})})
	b.want(err, "")
	if len(p.Card.Taint) != 1 || len(next.Card.Taint) != 1 {
		t.Errorf("%+v, then %+v", p.Card.Taint, next.Card.Taint)
	}
}

// TestPages: each proposal is on one page, the newest first.
func TestPages(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	var made, seen []string
	for range 5 {
		made = append(made, b.propose(a, call("save", thing{Name: "a"})).ID)
	}
	if _, err := b.DB().NewQuery("UPDATE nodkeep_proposals SET created = (SELECT min(created) FROM nodkeep_proposals)").Execute(); err != nil {
		t.Fatal(err) // all in one moment
	}
	q := gate.Query{Limit: 2}
	for {
		page, err := b.g.Proposals(t.Context(), b.ann, q)
		b.want(err, "")
		for _, p := range page.Items {
			seen = append(seen, p.ID)
		}
		if q.Cursor = page.Next; q.Cursor == "" || len(seen) > 10 {
			break
		}
	}
	slices.Sort(made)
	slices.Reverse(made)
	if !slices.Equal(seen, made) {
		t.Errorf("seen %v, made %v", seen, made)
	}
}

// TestCardState: the state of a call whose card was opened is of that call
// alone, and its proof stands after the decision too.
func TestCardState(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	other, _ := b.token(b.ann, gate.ModeAsk, nil)
	inv := call("save", thing{Name: "a"})
	p := b.propose(a, inv)
	state, err := b.g.Card(a, p, inv)
	b.want(err, "")
	for name, row := range map[string]struct {
		of    gate.Agent
		inv   tools.Invocation
		state string
	}{
		"other arguments": {a, call("save", thing{Name: "b"}), state}, "another tool": {a, call("drop", thing{Name: "a"}), state},
		"another token": {other, inv, state}, "only the id": {a, inv, p.ID}, "another proposal": {a, inv, b.propose(a, inv).ID + state[len(p.ID):]}, "cut": {a, inv, state[:len(state)-1]},
	} {
		before := b.entries(row.of.Agent, "refused")
		if _, err := b.g.CardOf(row.of, row.inv, row.state); tools.KindOf(err) != tools.Forbidden || b.entries(row.of.Agent, "refused") != before+1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, "")
	if id, err := b.g.CardOf(a, inv, state); id != p.ID || err != nil {
		t.Errorf("%q %v", id, err)
	}
}

// TestNothingIsKeptOfWhatExpired but what was shown; nor does it count any more.
func TestNothingIsKeptOfWhatExpired(t *testing.T) {
	b := open(t, gate.Config{Pending: 2}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	inv := call("save", thing{Name: "a"})
	p := b.propose(a, inv)
	b.propose(a, inv)
	_, err := b.g.Form(t.Context(), a, p, inv)
	b.want(err, "")
	b.later(25 * time.Hour)
	b.propose(a, inv) // before anything is swept
	b.want(b.g.Sweep(t.Context()), "")
	var kept struct{ State, Items, Form string }
	if err := b.DB().Select("state", "items", "form").From(tools.ProposalsTable).Where(dbx.HashExp{"id": p.ID}).One(&kept); err != nil || kept.State != "expired" || kept.Items != "[]" || kept.Form != "" {
		t.Errorf("%+v %v", kept, err)
	}
}

// TestFormOfAnotherDigest: an answer counts for what the form was about, as it
// was shown, and nothing else.
func TestFormOfAnotherDigest(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	inv := call("save", thing{Name: "a"})
	p, other := b.propose(a, inv), b.propose(a, inv)
	state, err := b.g.Form(t.Context(), a, p, inv)
	b.want(err, "")
	if _, err := b.DB().Update(tools.ProposalsTable, dbx.Params{"digest": other.Digest}, dbx.HashExp{"id": p.ID}).Execute(); err != nil {
		t.Fatal(err)
	}
	_, err = b.g.Answered(t.Context(), a, inv, state, gate.Accept, true, "")
	b.want(err, tools.Forbidden)
	if len(b.names()) > 0 || b.entries(a.Agent, "refused") != 1 {
		t.Errorf("%v", b.names())
	}
}
