package hooks

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestProposalsInAPipe: who confirms has seen what the digest is of.
func TestProposalsInAPipe(t *testing.T) {
	m := newMachine(t)
	i := newInstanceIn(t, m.dir)
	claude := i.agent("ann", "Claude", "ask")
	two := i.asks(claude, "household_subscription_add", netflix, "household_subscription_add", disney)
	three := i.asks(claude, "household_subscription_add", netflix)
	i.asks(claude, "household_subscription_add", netflix)
	one := i.asks(claude, "household_category_add", `{"name":"Films"}`)
	if err := i.close(); err != nil {
		t.Fatal(err)
	}
	if a := m.ok("proposal", "list", "--as", "ann"); a.len("items") != 4 || a.str("items", "0", "id") != one.ID {
		t.Errorf("%s", a)
	}
	if a := m.ok("proposal", "list", "--as", "ann", "--agent", "nobody", "--state", ""); a.len("items") != 0 {
		t.Errorf("%s", a)
	}
	if a := m.ok("proposal", "list", "--as", "bob"); a.len("items") != 0 {
		t.Errorf("%s", a)
	}
	if a := m.ok("proposal", "show", one.ID, "--as", "ann"); a.str("digest") != one.Digest {
		t.Errorf("%s", a)
	}
	refused := func(says string, args ...string) {
		t.Helper()
		if r := m.run(append([]string{"proposal"}, args...)...); r.code == 0 || r.out != "" || !strings.Contains(r.err, says) {
			t.Errorf("%v: %+v", args, r)
		}
	}
	refused(`"not_found"`, "show", one.ID, "--as", "bob")
	refused(`"not_found"`, "confirm", one.ID, "--as", "bob", "--yes", one.Digest)
	refused(`"not_found"`, "discard", one.ID, "--as", "bob")
	refused(`"digest_required"`, "confirm", one.ID, "--as", "ann")
	refused(`"invalid"`, "confirm", one.ID, "--as", "ann", "--yes", "nonsense")
	refused("is no proposal", "show", "..", "--as", "ann")
	refused("give a PROPOSAL", "discard", "--as", "ann")
	refused("give a PROPOSAL", "discard", one.ID, "--agent", claude.Agent, "--as", "ann")
	refused("--reason is for one", "discard", "--agent", claude.Agent, "--reason", "x", "--as", "ann")
	refused("give a PROPOSAL", "confirm", "--as", "ann")
	if a := m.ok("proposal", "list", "--as", "ann"); a.len("items") != 4 {
		t.Fatalf("something was decided: %s", a)
	}
	if a := m.ok("proposal", "confirm", one.ID, "--as", "ann", "--yes", one.Digest); a.str("state") != "applied" || a.str("by") != string(tools.DoorCLI) || a.len("receipt", "audit") != 1 {
		t.Errorf("%s", a)
	}
	refused(`"conflict"`, "confirm", one.ID, "--as", "ann", "--yes", one.Digest)
	if a := m.ok("proposal", "discard", three.ID, "--as", "ann", "--reason", "too dear"); a.str("state") != "discarded" || a.str("reason") != "too dear" {
		t.Errorf("%s", a)
	}
	refused(`"stale"`, "confirm", two.ID, "--as", "ann", "--yes", two.Digest, "--keep", "1") // another choice is another digest
	if a := m.ok("proposal", "discard", "--agent", claude.Agent, "--as", "ann"); a.at("discarded") == 0.0 {
		t.Errorf("%s", a)
	}
	if a := m.ok("proposal", "list", "--as", "ann"); a.len("items") != 0 {
		t.Errorf("%s", a)
	}
	if a := m.ok("call", "household_subscription_list", "--as", "ann"); a.len("output", "items") != 0 {
		t.Errorf("%s", a)
	}
}

// TestProposalsOnATerminal: the card is shown and asked about, whatever the
// effect: nobody else has seen it.
func TestProposalsOnATerminal(t *testing.T) {
	i := newInstance(t)
	claude := i.agent("ann", "Claude", "ask")
	if out, stderr, code := i.typed("", "proposal", "list", "--as", "ann"); code != 0 || out != "There is nothing.\n" {
		t.Errorf("%d %s%s", code, out, stderr)
	}
	two := i.asks(claude, "household_subscription_add", netflix, "household_subscription_add", disney)
	out, stderr, code := i.typed("", "proposal", "list", "--as", "ann")
	if code != 0 || !strings.HasPrefix(out, two.ID+"  pending  Claude  ") || !strings.Contains(out, "2 changes") {
		t.Errorf("%d %s%s", code, out, stderr)
	}
	out, stderr, code = i.typed("", "proposal", "show", two.ID, "--as", "ann")
	if code != 0 || !strings.Contains(out, "  [0] Add Netflix: 15.99 EUR a month") || !strings.Contains(out, "  [1] Add Disney+") || !strings.Contains(out, "Claude asks for it, until ") || !strings.Contains(out, "--yes="+two.Digest) {
		t.Errorf("%d %s%s", code, out, stderr)
	}
	for _, no := range []string{"", "n\n", "\n", "what\n"} {
		if out, stderr, code = i.typed(no, "proposal", "confirm", two.ID, "--as", "ann"); code != 1 || out != "" || !strings.Contains(stderr, "Do this? [y/N]") || !strings.Contains(stderr, "it still waits") {
			t.Errorf("%q: %d %s%s", no, code, out, stderr)
		}
	}
	if i.count("household_subscriptions") != 0 {
		t.Fatal("it was done all the same")
	}
	one := i.asks(claude, "household_category_add", `{"name":"Films"}`)
	if out, stderr, code = i.typed("y\n", "proposal", "confirm", one.ID, "--as", "ann"); code != 0 || !strings.Contains(stderr, "Films") || !strings.Contains(out, "Done. Until ") {
		t.Errorf("%d %s%s", code, out, stderr)
	}
	if out, _, code = i.typed("", "proposal", "show", one.ID, "--as", "ann"); code != 0 || !strings.HasSuffix(out, "It is applied.\n") {
		t.Errorf("%d %s", code, out)
	}
	if out, stderr, code = i.typed("y\n", "proposal", "confirm", one.ID, "--as", "ann"); code != 1 || strings.Contains(stderr, "Do this?") || !strings.Contains(out, "It is applied.") {
		t.Errorf("%d %s%s", code, out, stderr)
	}
	// What changed meanwhile is shown anew, with what confirms it.
	id, _ := i.add(i.token("ann"), "Spotify", "")
	del := i.asks(claude, "household_subscription_delete", `{"id":"`+id+`"}`)
	status, a := i.call("household_subscription_update", i.token("ann"), `{"id":"`+id+`","name":"Spotify Family"}`)
	want(t, status, a, 200, "")
	out, stderr, code = i.typed("y\n", "proposal", "confirm", del.ID, "--as", "ann")
	if next := i.stateOf(del).ReplacedBy; code != 1 || out != "" || next == "" || !strings.Contains(stderr, "Spotify Family") || !strings.Contains(stderr, next+" --yes=") {
		t.Errorf("%d %s%s", code, out, stderr)
	}
	if out, _, code = i.typed("", "proposal", "show", del.ID, "--as", "ann"); code != 0 || !strings.Contains(out, "It is stale; this stands for it:") {
		t.Errorf("%d %s", code, out)
	}
	// A flag stays set in an instance: this one comes last.
	out, stderr, code = i.typed("y\n", "proposal", "confirm", two.ID, "--as", "ann", "--keep", "1")
	if code != 0 || !strings.Contains(stderr, "Disney+") || strings.Contains(stderr, "Netflix") || !strings.Contains(out, "Done. Until ") || !strings.Contains(out, "undo ") || i.count("household_subscriptions") != 2 {
		t.Errorf("%d %s%s", code, out, stderr)
	}
}
