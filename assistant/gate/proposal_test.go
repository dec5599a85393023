package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// TestConfirm applies just what was shown, once, and tells every surface the
// same afterwards, also after a restart.
func TestConfirm(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	p := b.propose(a, call("save", thing{Name: "Netflix"}), call("save", thing{Name: "Spotify"}), call("look", thing{}))
	if len(b.names()) > 0 {
		t.Fatal("a proposal wrote")
	}
	if p.State != gate.Pending || len(p.Items) != 3 || p.Expires.Sub(p.Created) < 23*time.Hour {
		t.Errorf("%+v", p)
	}
	created := p.Items[0].Changes[0].ID
	p, err := b.g.Proposal(t.Context(), b.ann, p.ID) // as stored
	b.want(err, "")
	now, err := b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, "")
	if got := fmt.Sprint(b.names()); got != "[Netflix Spotify]" {
		t.Errorf("there is %s", got)
	}
	if now.State != gate.Applied || now.By != "web" || len(now.Receipt.Audit) != 3 || now.Receipt.Changes[0].ID != created || now.Digest != "" {
		t.Errorf("%+v", now)
	}
	if _, err := b.FindRecordById("lab_things", created); err != nil {
		t.Error("the record has not the id that was shown")
	}
	_, err = b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, tools.Conflict)
	_, err = b.g.Discard(t.Context(), b.ann, p.ID, "")
	b.want(err, tools.Conflict)
	status, err := b.g.Status(t.Context(), a, p.ID)
	b.want(err, "")
	if status.State != gate.Applied || len(status.Receipt.Audit) != 3 {
		t.Errorf("the agent is told %+v", status)
	}
	list, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{Agent: a.Agent})
	b.want(err, "")
	for _, e := range list.Items {
		if e.Proposal != p.ID || e.Actor.Door != tools.DoorMCP || e.Actor.AgentName != "Desk" || e.Reason == "" {
			t.Errorf("the audit says %+v", e)
		}
	}
	v, err := b.Runner.Verify(t.Context())
	if err != nil || v.Problem != "" {
		t.Errorf("the audit: %+v, %v", v, err)
	}
}

// TestKeep: another choice is another preview and another digest, and what is
// kept applies in order.
func TestKeep(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	p := b.propose(a, call("save", thing{Name: "a"}), call("save", thing{Name: "b"}), call("save", thing{Name: "c"}))
	for _, keep := range [][]int{{}, {3}, {-1}, {0, 0}, {0, 1, 2, 3}} {
		_, err := b.g.Preview(t.Context(), b.ann, p.ID, keep)
		b.want(err, tools.Invalid)
	}
	some, err := b.g.Preview(t.Context(), b.ann, p.ID, []int{2, 0})
	b.want(err, "")
	if len(some.Items) != 2 || some.Digest == p.Digest || !slices.Equal(some.Keep, []int{0, 2}) {
		t.Fatalf("%+v", some)
	}
	// The digest of one choice is none of another.
	now, err := b.g.Confirm(t.Context(), b.ann, p.ID, some.Digest, nil)
	b.want(err, tools.Stale)
	if now.State != gate.Stale || now.ReplacedBy == "" || len(b.names()) > 0 {
		t.Fatalf("%+v %v", now, b.names())
	}
	p, err = b.g.Proposal(t.Context(), b.ann, now.ReplacedBy)
	b.want(err, "")
	some, err = b.g.Preview(t.Context(), b.ann, p.ID, []int{2, 0})
	b.want(err, "")
	now, err = b.g.Confirm(t.Context(), b.ann, p.ID, some.Digest, []int{2, 0})
	b.want(err, "")
	if got := fmt.Sprint(b.names()); got != "[a c]" || len(now.Receipt.Changes) != 2 || !slices.Equal(now.Keep, []int{0, 2}) {
		t.Errorf("%s, %+v", got, now)
	}
}

// TestSequence: a later call may need an earlier one, and cannot be kept alone.
func TestSequence(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	id := b.add(b.ann, "old")
	p := b.propose(a, call("save", thing{ID: id, Name: "new"}), call("drop", thing{ID: id}))
	if !p.Card.Grave || len(p.Items[1].Changes) != 1 {
		t.Errorf("%+v", p)
	}
	_, err := b.g.Propose(t.Context(), a, call("drop", thing{ID: id}), call("save", thing{ID: id, Name: "new"}))
	b.want(err, tools.NotFound)
	now, err := b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, "")
	if now.State != gate.Applied || len(b.names()) > 0 {
		t.Errorf("%+v, %v", now, b.names())
	}
}

// TestSuccessor: where something changed meanwhile nothing is applied, and what
// would change now waits in its place.
func TestSuccessor(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	id := b.add(b.ann, "one")
	p := b.propose(a, call("save", thing{ID: id, Name: "three"}))
	_, err := b.Runner.Apply(t.Context(), b.ann, "", call("save", thing{ID: id, Name: "two"}))
	b.want(err, "")
	now, err := b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, tools.Stale)
	if now.State != gate.Stale || now.ReplacedBy == "" || fmt.Sprint(b.names()) != "[two]" {
		t.Fatalf("%+v, %v", now, b.names())
	}
	next, err := b.g.Proposal(t.Context(), b.ann, now.ReplacedBy)
	b.want(err, "")
	if got := next.Items[0].Changes[0].Fields[0].RawBefore; got != "two" {
		t.Errorf("it shows a change from %v", got)
	}
	_, err = b.g.Confirm(t.Context(), b.ann, next.ID, next.Digest, nil)
	b.want(err, "")

	// What cannot be done any more has no successor.
	p = b.propose(a, call("save", thing{ID: id, Name: "four"}))
	rec, err := b.FindRecordById("lab_things", id)
	b.want(err, "")
	b.want(b.Delete(rec), "")
	now, err = b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, tools.NotFound)
	if now.State != gate.Failed || now.ReplacedBy != "" || now.Reason == "" {
		t.Errorf("%+v", now)
	}
}

// TestOnlyTheirOwn: proposals are for one person, and no agent decides, by
// whatever it knows.
func TestOnlyTheirOwn(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	sibling, _ := b.token(b.ann, gate.ModeTrusted, nil)
	p := b.propose(a, call("save", thing{Name: "x"}))
	root := tools.Actor{Person: b.ann.Person, Door: tools.DoorDashboard}
	for name, row := range map[string]struct {
		who  tools.Actor
		want tools.Kind
	}{
		"another":     {b.bob, tools.NotFound},
		"the agent":   {a.Actor, tools.Forbidden},
		"a sibling":   {sibling.Actor, tools.Forbidden},
		"a superuser": {root, tools.Forbidden},
		"nobody":      {tools.Actor{Door: tools.DoorWeb}, tools.Forbidden},
	} {
		_, err := b.g.Proposal(t.Context(), row.who, p.ID)
		b.want(err, row.want)
		_, err = b.g.Confirm(t.Context(), row.who, p.ID, p.Digest, nil)
		b.want(err, row.want)
		_, err = b.g.Preview(t.Context(), row.who, p.ID, nil)
		b.want(err, row.want)
		_, err = b.g.Discard(t.Context(), row.who, p.ID, "no")
		b.want(err, row.want)
		_, err = b.g.Edit(t.Context(), row.who, p.ID, []tools.Invocation{call("save", thing{Name: "y"})})
		b.want(err, row.want)
		if list, err := b.g.Proposals(t.Context(), row.who, gate.Query{}); err == nil && len(list.Items) > 0 {
			t.Errorf("%s sees %+v", name, list)
		}
	}
	if n, err := b.g.DiscardAll(t.Context(), b.bob, a.Agent); err != nil || n != 0 {
		t.Errorf("another discarded %d, %v", n, err)
	}
	_, err := b.g.Status(t.Context(), sibling, p.ID)
	b.want(err, tools.NotFound)
	if status, err := b.g.Status(t.Context(), a, p.ID); err != nil || status.Digest != "" || status.State != gate.Pending {
		t.Errorf("the agent is told %+v, %v", status, err)
	}
}

// TestDiscard tells the agent why, and leaves a trace.
func TestDiscard(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	p := b.propose(a, call("save", thing{Name: "x"}), call("save", thing{Name: "y"}))
	_, err := b.g.Discard(t.Context(), b.ann, p.ID, strings.Repeat("x", 501))
	b.want(err, tools.Invalid)
	now, err := b.g.Discard(t.Context(), b.ann, p.ID, " not this one ")
	b.want(err, "")
	if now.State != gate.Discarded || now.Reason != "not this one" || b.entries(a.Agent, "discarded") != 2 {
		t.Errorf("%+v", now)
	}
	_, err = b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, tools.Conflict)
	for range 3 {
		b.propose(a, call("save", thing{Name: "x"}))
	}
	other, _ := b.token(b.ann, gate.ModeAsk, nil)
	b.propose(other, call("save", thing{Name: "x"}))
	if n, err := b.g.DiscardAll(t.Context(), b.ann, a.Agent); err != nil || n != 3 {
		t.Errorf("discarded %d, %v", n, err)
	}
	list, err := b.g.Proposals(t.Context(), b.ann, gate.Query{State: "pending"})
	if err != nil || len(list.Items) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestEdit replaces a proposal by one with other arguments and a digest of its
// own.
func TestEdit(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	p := b.propose(a, call("save", thing{Name: "x"}))
	for _, items := range [][]tools.Invocation{nil, {call("drop", thing{ID: "x"})}, {call("save", thing{}), call("save", thing{})}, {call("hidden", thing{Name: "x"})}} {
		_, err := b.g.Edit(t.Context(), b.ann, p.ID, items)
		b.want(err, tools.Invalid)
	}
	next, err := b.g.Edit(t.Context(), b.ann, p.ID, []tools.Invocation{call("save", thing{Name: "y"})})
	b.want(err, "")
	_, err = b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, tools.Conflict)
	was, err := b.g.Status(t.Context(), a, p.ID)
	b.want(err, "")
	if was.State != gate.Replaced || was.ReplacedBy != next.ID || next.Digest == p.Digest {
		t.Errorf("%+v, %+v", was, next)
	}
	_, err = b.g.Confirm(t.Context(), b.ann, next.ID, next.Digest, nil)
	b.want(err, "")
	if got := fmt.Sprint(b.names()); got != "[y]" {
		t.Errorf("there is %s", got)
	}
}

// TestExpires: after a day nobody can say yes any more.
func TestExpires(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	p := b.propose(a, call("save", thing{Name: "x"}))
	b.later(25 * time.Hour)
	for _, err := range []error{
		second(b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)), second(b.g.Discard(t.Context(), b.ann, p.ID, "")),
		second(b.g.Preview(t.Context(), b.ann, p.ID, nil)), second(b.g.Edit(t.Context(), b.ann, p.ID, []tools.Invocation{call("save", thing{Name: "y"})})),
	} {
		b.want(err, tools.Expired)
	}
	for _, sweep := range []bool{false, true} {
		if sweep {
			b.want(b.g.Sweep(t.Context()), "")
		}
		now, err := b.g.Proposal(t.Context(), b.ann, p.ID)
		b.want(err, "")
		list, err := b.g.Proposals(t.Context(), b.ann, gate.Query{State: "expired"})
		b.want(err, "")
		if now.State != gate.Expired || now.Digest != "" || len(list.Items) != 1 || len(b.names()) > 0 {
			t.Errorf("%+v, %+v", now, list)
		}
	}
	b.later(40 * 24 * time.Hour)
	b.want(b.g.Sweep(t.Context()), "")
	_, err := b.g.Proposal(t.Context(), b.ann, p.ID)
	b.want(err, tools.NotFound)
}

func second[T any](_ T, err error) error { return err }

// TestAtMostTwentyWait: an agent does not bury its person.
func TestAtMostTwentyWait(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var kinds []string
	for range 30 {
		wg.Go(func() {
			_, err := b.g.Propose(t.Context(), a, call("save", thing{Name: "x"}))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				kinds = append(kinds, string(tools.KindOf(err)))
			}
		})
	}
	wg.Wait()
	if len(kinds) != 10 || slices.Compact(kinds)[0] != string(tools.Limit) {
		t.Errorf("%d were refused: %v", len(kinds), kinds)
	}
	page, err := b.g.Proposals(t.Context(), b.ann, gate.Query{Limit: 12})
	b.want(err, "")
	rest, err := b.g.Proposals(t.Context(), b.ann, gate.Query{Limit: 12, Cursor: page.Next})
	b.want(err, "")
	seen := map[string]bool{}
	for _, p := range append(page.Items, rest.Items...) {
		seen[p.ID] = true
	}
	if len(seen) != 20 || rest.Next != "" {
		t.Errorf("%d are listed, then %q", len(seen), rest.Next)
	}
	_, err = b.g.Proposals(t.Context(), b.ann, gate.Query{Cursor: "nonsense"})
	b.want(err, tools.Invalid)
	_, err = b.g.Proposals(t.Context(), b.ann, gate.Query{State: "nonsense"})
	b.want(err, tools.Invalid)
}

// TestManySayYes: of a hundred nods from everywhere one applies, and no other
// answer is heard.
func TestManySayYes(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	p := b.propose(a, call("save", thing{Name: "once"}))
	state, err := b.g.Form(t.Context(), a, p, call("save", thing{Name: "once"}))
	b.want(err, "")
	var wg sync.WaitGroup
	results := make(chan error, 100)
	for n := range 100 {
		wg.Go(func() {
			var err error
			switch n % 4 {
			case 0:
				_, err = b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
			case 1:
				_, err = b.g.Confirm(t.Context(), tools.Actor{Person: b.ann.Person, Door: tools.DoorTelegram}, p.ID, p.Digest, nil)
			case 2:
				_, err = b.g.Answered(t.Context(), a, call("save", thing{Name: "once"}), state, gate.Accept, true, "")
			case 3:
				_, err = b.g.Confirm(t.Context(), tools.Actor{Person: b.ann.Person, Door: tools.DoorCLI}, p.ID, p.Digest, nil)
			}
			results <- err
		})
	}
	wg.Wait()
	close(results)
	yes := 0
	for err := range results {
		if err == nil {
			yes++
		} else if kind := tools.KindOf(err); kind != tools.Conflict && kind != tools.Forbidden {
			t.Error(err)
		}
	}
	if yes != 1 || fmt.Sprint(b.names()) != "[once]" {
		t.Errorf("%d were told yes; there is %v", yes, b.names())
	}
}

// TestAskedOften: an agent that is told no, or whose client says so, does not ask
// for ever; and what was decided keeps no calls.
func TestAskedOften(t *testing.T) {
	b := open(t, gate.Config{Asked: 5}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, dbx.Params{"daily_writes": 2})
	sibling, _ := b.token(b.ann, gate.ModeAsk, dbx.Params{"daily_writes": 3})
	ask := func(a gate.Agent) error {
		p, err := b.g.Propose(t.Context(), a, call("save", thing{Name: "words of the call"}))
		if err == nil {
			_, err = b.g.Discard(t.Context(), b.ann, p.ID, "")
			var kept string
			b.want(b.DB().Select("items").From("nodkeep_proposals").Where(dbx.HashExp{"id": p.ID}).Row(&kept), "")
			if strings.Contains(kept, "words") {
				t.Errorf("kept: %s", kept)
			}
		}
		return err
	}
	for range 5 {
		b.want(ask(a), "")
	}
	b.want(ask(a), tools.Limit)
	for range 6 { // twice its writes
		b.want(ask(sibling), "")
	}
	b.want(ask(sibling), tools.Limit)
	b.later(24 * time.Hour)
	b.want(ask(a), "")
}

// TestRefusedOften: who is refused again and again does not fill the audit, and
// the last entry says so. Others, and the next hour, have their own.
func TestRefusedOften(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeRead, nil)
	sibling, _ := b.token(b.ann, gate.ModeRead, nil)
	refused := func(a gate.Agent) {
		_, err := b.g.Call(t.Context(), a, call("save", thing{Name: "x"}))
		b.want(err, tools.Forbidden)
	}
	for range 230 {
		refused(a)
	}
	if n := b.entries(a.Agent, "refused"); n != 200 {
		t.Errorf("%d entries", n)
	}
	var more int
	b.want(b.DB().Select("count(*)").From("nodkeep_audit").Where(dbx.NewExp("reason LIKE '%not listed%'")).Row(&more), "")
	if more != 1 {
		t.Errorf("%d entries say that there is more", more)
	}
	refused(sibling)
	b.later(time.Hour)
	refused(a)
	if n, m := b.entries(sibling.Agent, "refused"), b.entries(a.Agent, "refused"); n != 1 || m != 201 {
		t.Errorf("%d %d entries", n, m)
	}
}

// TestAppliedPastTheProposal: a person who applies what they were shown by the
// tool itself has decided; a later nod finds it done.
func TestAppliedPastTheProposal(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	inv := call("save", thing{Name: "x"})
	p := b.propose(a, inv)
	receipt, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, inv)
	b.want(err, "")
	now, err := b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, tools.Conflict)
	if now.State != gate.Applied || !slices.Equal(now.Receipt.Audit, receipt.Audit) || fmt.Sprint(b.names()) != "[x]" {
		t.Errorf("%+v, %v", now, b.names())
	}
}

// TestUndoWithinPlugins: a token takes back nothing of plugins that it was not
// given.
func TestUndoWithinPlugins(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	spec, err := tools.UndoSpec{Audit: []string{b.audit(b.ann, "x")}}.Invocation()
	b.want(err, "")
	for plugins, want := range map[string]tools.Kind{`["lab"]`: "", `["study"]`: tools.Forbidden, `["la"]`: tools.Forbidden, `[]`: ""} {
		a, _ := b.token(b.ann, gate.ModeAsk, dbx.Params{"plugins": plugins})
		_, err := b.g.Call(t.Context(), a, spec)
		if got := tools.KindOf(err); (err == nil) != (want == "") || (err != nil && got != want) {
			t.Errorf("%s: %v, want %q", plugins, err, want)
		}
	}
}
