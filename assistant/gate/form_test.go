package gate_test

import (
	"strings"
	"testing"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// TestForm: what a client answers for its person counts once, for just the call
// that was asked about.
func TestForm(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	inv := call("save", thing{Name: "x"})
	ask := func() (gate.Proposal, string) {
		t.Helper()
		p := b.propose(a, inv)
		state, err := b.g.Form(t.Context(), a, p, inv)
		b.want(err, "")
		return p, state
	}
	for action, want := range map[string]gate.State{gate.Accept: gate.Applied, gate.Decline: gate.Discarded, gate.Cancel: gate.Pending, "nonsense": gate.Pending} {
		p, state := ask()
		answer, err := b.g.Answered(t.Context(), a, inv, state, action, true, "because")
		b.want(err, "")
		if answer.Proposal.State != want || (want == gate.Applied) != (answer.Receipt != nil) {
			t.Errorf("%s: %+v", action, answer)
		}
		if want == gate.Applied && (answer.Proposal.By != gate.ByClient || answer.Output.(thing).Name != "x") {
			t.Errorf("%+v", answer)
		}
		// Replayed, it decides nothing, whatever it was.
		before := len(b.names())
		_, err = b.g.Answered(t.Context(), a, inv, state, gate.Accept, true, "")
		if err == nil || len(b.names()) != before {
			t.Errorf("%s: the state was good twice", action)
		}
		if now, err := b.g.Proposal(t.Context(), b.ann, p.ID); err != nil || now.State != want {
			t.Errorf("%s: then %+v", action, now)
		}
	}
	p, state := ask()
	answer, err := b.g.Answered(t.Context(), a, inv, state, gate.Accept, false, "no")
	b.want(err, "")
	if answer.Proposal.State != gate.Discarded || answer.Proposal.Reason != "no" {
		t.Errorf("no tick: %+v", answer.Proposal)
	}
	if p, err = b.g.Proposal(t.Context(), b.ann, p.ID); err != nil || p.By != gate.ByClient {
		t.Errorf("%+v", p)
	}
}

// TestLyingClient: answers without a form, of another form, for another call,
// token or person, decide nothing and are noted.
func TestLyingClient(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeAsk, nil)
	sibling, _ := b.token(b.ann, gate.ModeAsk, nil)
	other, _ := b.token(b.bob, gate.ModeAsk, nil)
	inv := call("save", thing{Name: "x"})
	p := b.propose(a, inv)
	state, err := b.g.Form(t.Context(), a, p, inv)
	b.want(err, "")
	second := b.propose(a, inv)
	another, err := b.g.Form(t.Context(), a, second, inv)
	b.want(err, "")
	parts, of := strings.Split(state, "."), strings.Split(another, ".")
	for name, row := range map[string]struct {
		agent gate.Agent
		inv   tools.Invocation
		state string
	}{
		"no state":               {a, inv, ""},
		"another token":          {sibling, inv, state},
		"another person":         {other, inv, state},
		"another tool":           {a, call("wide", thing{Name: "x"}), state},
		"other arguments":        {a, call("save", thing{Name: "y"}), state},
		"an invented MAC":        {a, inv, parts[0] + "." + parts[1] + "." + strings.Repeat("A", 43)},
		"another one's MAC":      {a, inv, parts[0] + "." + parts[1] + "." + of[2]},
		"another one's nonce":    {a, inv, parts[0] + "." + of[1] + "." + of[2]},
		"another proposal":       {a, inv, of[0] + "." + parts[1] + "." + parts[2]},
		"an empty nonce":         {a, inv, parts[0] + ".." + parts[2]},
		"nonsense":               {a, inv, "x.y.z"},
		"the digest as a state":  {a, inv, p.Digest},
		"more than a state":      {a, inv, state + ".x"},
		"a state that is padded": {a, inv, state + "="},
	} {
		refused := b.entries(row.agent.Agent, "refused")
		_, err := b.g.Answered(t.Context(), row.agent, row.inv, row.state, gate.Accept, true, "")
		if tools.KindOf(err) != tools.Forbidden || err == nil {
			t.Errorf("%s: %v", name, err)
		}
		if b.entries(row.agent.Agent, "refused") != refused+1 {
			t.Errorf("%s left no trace", name)
		}
	}
	if len(b.names()) > 0 {
		t.Errorf("there is %v", b.names())
	}
	if _, err := b.g.Answered(t.Context(), a, inv, state, gate.Accept, true, ""); err != nil {
		t.Errorf("the right answer is not heard any more: %v", err)
	}
}

// TestOwnSurfacesOnly: no form is opened, and none that is open counts.
func TestOwnSurfacesOnly(t *testing.T) {
	for name, c := range map[string]gate.Config{"token": {}, "instance": {Own: func() bool { return true }}} {
		b := open(t, c, lab{})
		inv := call("save", thing{Name: "x"})
		a, secret := b.token(b.ann, gate.ModeAsk, dbx.Params{"own_surfaces": name == "token"})
		p := b.propose(a, inv)
		_, err := b.g.Form(t.Context(), a, p, inv)
		b.want(err, tools.Forbidden)
		if name == "instance" {
			continue
		}
		b.set(a, dbx.Params{"own_surfaces": false})
		open, _, err := b.g.Token(t.Context(), secret)
		b.want(err, "")
		state, err := b.g.Form(t.Context(), open, p, inv)
		b.want(err, "")
		b.set(a, dbx.Params{"own_surfaces": true}) // while the form is open: what was known of the token is another one
		_, err = b.g.Answered(t.Context(), open, inv, state, gate.Accept, true, "")
		b.want(err, tools.Forbidden)
		if len(b.names()) > 0 {
			t.Error("a nod in the client counted")
		}
		_, err = b.g.Form(t.Context(), open, p, inv)
		b.want(err, tools.Forbidden)
	}
}
