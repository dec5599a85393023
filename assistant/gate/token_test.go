package gate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// TestTokensThatAreWorthNothing lets nobody in, and what was begun with one
// changes nothing.
func TestTokensThatAreWorthNothing(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	stamp := func(d time.Duration) string { return time.Now().UTC().Add(d).Format("2006-01-02 15:04:05.000Z") }
	for name, spoil := range map[string]func(a gate.Agent){
		"revoked":          func(a gate.Agent) { b.set(a, dbx.Params{"revoked": stamp(0), "hash": ""}) },
		"revoked by date":  func(a gate.Agent) { b.set(a, dbx.Params{"revoked": stamp(0)}) },
		"expired":          func(a gate.Agent) { b.set(a, dbx.Params{"expires": stamp(-time.Second)}) },
		"broken":           func(a gate.Agent) { b.set(a, dbx.Params{"plugins": "{"}) },
		"gone":             func(a gate.Agent) { b.set(a, dbx.Params{"id": "another00000000", "hash": "x"}) },
		"person suspended": func(gate.Agent) { b.status("bob", "suspended") },
	} {
		b.status("bob", "approved")
		a, secret := b.token(b.bob, gate.ModeTrusted, nil)
		p := b.propose(a, call("save", thing{Name: "waits " + name}))
		spoil(a)
		if _, _, err := b.g.Token(t.Context(), secret); err == nil {
			t.Errorf("%s: the token lets in", name)
		}
		// The request had its agent a moment before.
		if _, err := b.g.Call(t.Context(), a, call("save", thing{Name: "late " + name})); err == nil {
			t.Errorf("%s: a call that was under way wrote", name)
		}
		if _, err := b.g.Propose(t.Context(), a, call("save", thing{Name: "late " + name})); err == nil {
			t.Errorf("%s: a call that was under way proposed", name)
		}
		if _, err := b.g.Confirm(t.Context(), b.bob, p.ID, p.Digest, nil); err == nil {
			t.Errorf("%s: what it had proposed was applied", name)
		}
	}
	if got := b.names(); len(got) > 0 {
		t.Errorf("there is %v", got)
	}
	for _, secret := range []string{"", "nk_", "nk_x", strings.Repeat("nk_", 1000), "eyJhbGciOiJIUzI1NiJ9.e30.x", "nk_" + "' OR 1=1 --"} {
		_, _, err := b.g.Token(t.Context(), secret)
		b.want(err, tools.Unauthorized)
	}
}

// status gives a member one.
func (b *bench) status(handle, status string) {
	b.t.Helper()
	if _, err := b.DB().Update("users", dbx.Params{"status": status}, dbx.HashExp{"handle": handle}).Execute(); err != nil {
		b.t.Fatal(err)
	}
}

// TestNarrowed: a mode that was lowered holds for what is under way, and for
// what waits.
func TestNarrowed(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeTrusted, nil)
	p := b.propose(a, call("save", thing{Name: "waits"}))
	b.set(a, dbx.Params{"mode": "read"})
	_, err := b.g.Call(t.Context(), a, call("save", thing{Name: "late"}))
	b.want(err, tools.Forbidden)
	now, err := b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, tools.Forbidden)
	if now.State != gate.Failed || now.Reason == "" || len(b.names()) > 0 {
		t.Errorf("%+v, %v", now, b.names())
	}
}

// TestDailyWrites: what runs by itself and what is asked for ends with the
// day's writes; a nod to what waits does not.
func TestDailyWrites(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, _ := b.token(b.ann, gate.ModeWrite, dbx.Params{"daily_writes": 3})
	p := b.propose(a, call("save", thing{Name: "waits"}))
	for _, name := range []string{"1", "2", "3"} {
		_, err := b.g.Call(t.Context(), a, call("save", thing{Name: name}))
		b.want(err, "")
	}
	_, err := b.g.Call(t.Context(), a, call("save", thing{Name: "4"}))
	b.want(err, tools.Limit)
	_, err = b.g.Call(t.Context(), a, call("drop", thing{ID: b.add(b.ann, "x")}))
	b.want(err, tools.Limit)
	_, err = b.g.Call(t.Context(), a, call("look", thing{}))
	b.want(err, "")
	_, err = b.g.Confirm(t.Context(), b.ann, p.ID, p.Digest, nil)
	b.want(err, "")
	// Another token has its own day.
	other, _ := b.token(b.ann, gate.ModeWrite, dbx.Params{"daily_writes": 1})
	_, err = b.g.Call(t.Context(), other, call("save", thing{Name: "5"}))
	b.want(err, "")
	none, _ := b.token(b.ann, gate.ModeWrite, dbx.Params{"daily_writes": 0})
	_, err = b.g.Call(t.Context(), none, call("save", thing{Name: "6"}))
	b.want(err, tools.Limit)
	b.later(24 * time.Hour)
	_, err = b.g.Call(t.Context(), a, call("save", thing{Name: "7"}))
	b.want(err, "")
}

// TestLastUse is noted to the minute, and no more often.
func TestLastUse(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, secret := b.token(b.ann, gate.ModeRead, nil)
	used := func() (s string) {
		if err := b.DB().Select("used").From("nodkeep_tokens").Where(dbx.HashExp{"id": a.Token}).Row(&s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	look := func() {
		if _, _, err := b.g.Token(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
	}
	first := used()
	if first == "" {
		t.Fatal("the last use was not noted")
	}
	if look(); used() != first {
		t.Error("noted again within a minute")
	}
	b.later(2 * time.Minute)
	if look(); used() == first {
		t.Error("not noted after two minutes")
	}
}

// TestTaint: what an agent has read that others wrote stands on its cards, and
// nothing runs without a nod for half an hour, whatever the token says.
func TestTaint(t *testing.T) {
	b := open(t, gate.Config{}, lab{})
	a, secret := b.token(b.ann, gate.ModeTrusted, nil)
	again := func() gate.Agent {
		t.Helper()
		a, _, err := b.g.Token(t.Context(), secret)
		b.want(err, "")
		return a
	}
	for _, name := range []string{"bob", "bob", "a bank"} {
		_, err := b.g.Call(t.Context(), again(), call("foreign", thing{Name: name}))
		b.want(err, "")
	}
	// Also the request that was let in before it read.
	for name, agent := range map[string]gate.Agent{"before": a, "after": again()} {
		answer, err := b.g.Call(t.Context(), agent, call("save", thing{Name: name}))
		b.want(err, "")
		if answer.Proposal == nil {
			t.Fatalf("%s: it ran", name)
		}
		taint := answer.Proposal.Card.Taint
		if len(taint) != 2 || taint[0].Args[0] != "bob" || taint[1].Args[0] != "a bank" {
			t.Errorf("%s: the card names %+v", name, taint)
		}
	}
	other, _ := b.token(b.ann, gate.ModeTrusted, nil)
	answer, err := b.g.Call(t.Context(), other, call("save", thing{Name: "other"}))
	b.want(err, "")
	if answer.Receipt == nil {
		t.Error("another token asks too")
	}
	// Nothing loosens: who may only read asks for nothing after it, either.
	reader, readers := b.token(b.ann, gate.ModeRead, nil)
	_, err = b.g.Call(t.Context(), reader, call("foreign", thing{Name: "bob"}))
	b.want(err, "")
	reader, _, err = b.g.Token(t.Context(), readers)
	b.want(err, "")
	if _, err = b.g.Call(t.Context(), reader, call("save", thing{Name: "reader"})); tools.KindOf(err) != tools.Forbidden || !reader.Tainted(time.Now()) {
		t.Errorf("a tainted reader: %v", err)
	}
	b.later(31 * time.Minute)
	answer, err = b.g.Call(t.Context(), again(), call("save", thing{Name: "later"}))
	b.want(err, "")
	if answer.Receipt == nil || len(answer.Receipt.Cards[0].Taint) > 0 {
		t.Errorf("after half an hour: %+v", answer)
	}
}
