package hooks

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
)

// says plays an answer, with what else happens before its end.
func says(p *played, text string, events ...string) {
	for n := 0; n+1 < len(events); n += 2 {
		p.emit(assistant.EventKind(events[n]), events[n+1])
	}
	for _, r := range text {
		p.emit(assistant.EventDelta, `{"text":"`+strings.ReplaceAll(string(r), "\n", `\n`)+`"}`)
	}
	p.emit(assistant.EventTurn, `{"id":"x","conversation":"talk","text":"","finish":"stop","proposals":[]}`)
}

// TestAskOnATerminal: the answer as it comes, tools beside it, tables in columns,
// and nothing that plays with the terminal.
func TestAskOnATerminal(t *testing.T) {
	i, p := player(t)
	p.play = func(turn *played, _ assistant.Question) {
		says(turn, "Two of them.", "tool", `{"name":"household_overview","title":{"text":"Overview\u001b[2J"},"state":"started"}`,
			"tool", `{"name":"household_overview","title":{"text":"Overview"},"state":"done"}`, "delta", `{"text":"Look:\u202e"}`,
			"screen", `{"title":{"text":"Costs"},"form":"table","columns":[{"label":"Name"},{"label":"Amount"}],"rows":[[{"text":"Netflix"},{"text":"15.99\tEUR"}],[{"text":"A"},{"text":"1"}]],"more":3}`,
			"screen", `{"title":{"text":"In all"},"form":"total","columns":[{"label":"A year"}],"rows":[[{"text":"200 EUR"}]]}`,
			"tool", `{"name":"x","title":{"text":"Other"},"state":"failed"}`)
	}
	out, stderr, code := i.typed("", "ask", "What do we pay?", "--as", "ann", "--effort", "low", "--private")
	const says = "Look:\ufffd\nCosts\n  Name     Amount\n  Netflix  15.99 EUR\n  A        1\n  and 3 more\nIn all\n  A year  200 EUR\nTwo of them.\n"
	if out != says || code != 0 {
		t.Errorf("%d %q", code, out)
	}
	if stderr != "Demo: a script, no model; its answers are fixed\n· Overview\ufffd[2J\n· Other: that did not work\n(--conversation talk goes on with it)\n" {
		t.Errorf("%q", stderr)
	}
	if q := p.asked[0]; q.Text != "What do we pay?" || q.Effort != "low" || !q.Scope.Private || len(q.Client) < 20 {
		t.Errorf("%+v", q)
	}
}

// TestAskToAProgram: an event a line.
func TestAskToAProgram(t *testing.T) {
	i, p := player(t)
	p.play = func(turn *played, _ assistant.Question) { says(turn, "Yes", "form", `{"id":"f","questions":[]}`) }
	i.Stdin = strings.NewReader("")
	i.root().SetArgs([]string{"ask", "Hello?", "--as", "ann", "--json"})
	if err := i.root().Execute(); err != nil {
		t.Fatal(err, i.err.String())
	}
	var kinds []string
	for line := range strings.Lines(i.out.String()) {
		var e askEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.ID != len(kinds)+1 {
			t.Errorf("%q %v", line, err)
		}
		kinds = append(kinds, string(e.Kind))
	}
	if !slices.Equal(kinds, []string{"start", "form", "delta", "delta", "delta", "turn"}) || i.err.Len() > 0 {
		t.Error(kinds, i.err.String())
	}
}

// TestAskIsRefused: with the reason, and another exit code.
func TestAskIsRefused(t *testing.T) {
	i, p := player(t)
	p.play = func(turn *played, _ assistant.Question) {
		turn.emit(assistant.EventError, `{"kind":"limit","text":{"text":"Enough for today."}}`)
		turn.emit(assistant.EventTurn, `{"finish":"limit","conversation":"talk"}`)
	}
	if _, stderr, code := i.typed("", "ask", "Hello?", "--as", "ann"); code != 1 || !strings.Contains(stderr, "Enough for today.\n") {
		t.Errorf("%d %q", code, stderr)
	}
	if _, stderr, code := i.typed("", "ask", "Hello?", "--as", "nobody"); code != 1 || !strings.Contains(stderr, "No member is called nobody") {
		t.Errorf("%d %q", code, stderr)
	}
	for _, args := range [][]string{{"ask", "x", "--as", "ann", "--answer", "q1"}, {"ask", "x", "--as", "ann", "--show"}} {
		if _, stderr, code := i.typed("", args...); code != exitUsage {
			t.Errorf("%v: %d %q", args, code, stderr)
		}
	}
	i, _ = player(t)
	i.root().SetArgs([]string{"ask", "--as", "ann"})
	if err := i.root().Execute(); err == nil || !strings.Contains(err.Error(), "needs a terminal") {
		t.Error(err)
	}
}

// TestAskWithAFile sends it, and shows it if that is said.
func TestAskWithAFile(t *testing.T) {
	i, p := player(t)
	p.play = func(turn *played, _ assistant.Question) { says(turn, "") }
	file := filepath.Join(t.TempDir(), "statement.txt")
	if err := os.WriteFile(file, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := i.typed("", "ask", "Read it", "--as", "ann", "--file", file, "--show"); code != 0 {
		t.Fatal(stderr)
	}
	if f := p.asked[0].Files; len(f) != 1 || f[0].Name != "statement.txt" || string(f[0].Data) != "one" || !f[0].Show {
		t.Errorf("%+v", f)
	}
}

// TestAskConverses: a line, an answer; what is asked back is answered in the same
// conversation, by number or in words; an answer that fails is not the end.
func TestAskConverses(t *testing.T) {
	i, p := player(t)
	var mu sync.Mutex
	n := 0
	p.play = func(turn *played, _ assistant.Question) {
		mu.Lock()
		defer mu.Unlock()
		switch n++; n {
		case 1:
			says(turn, "Which?", "form", `{"id":"f","questions":[{"id":"q1","text":"Which one?","choices":["Netflix","Disney+"]},{"id":"q2","text":"Since when?","choices":[]},{"id":"q3","text":"Why?","choices":[]}]}`)
		case 3:
			turn.emit(assistant.EventTurn, `{"finish":"error","conversation":"talk"}`)
		default:
			says(turn, fmt.Sprint("Answer ", n))
		}
	}
	out, stderr, code := i.typed("first\n2\nMay\n\n\nsecond\nthird", "ask", "--as", "ann", "--assistant", "demo")
	if code != 0 || out != "Which?\nAnswer 2\nAnswer 4\n" {
		t.Errorf("%d %q", code, out)
	}
	if !strings.Contains(stderr, "Which one?\n  1  Netflix\n  2  Disney+\n? Since when?\n? Why?\n? > ") || strings.Count(stderr, "Demo: a script") != 1 {
		t.Errorf("%q", stderr)
	}
	if len(p.asked) != 4 {
		t.Fatalf("%d were asked", len(p.asked))
	}
	if q := p.asked[1]; q.Text != "" || q.Answers["q1"] != "Disney+" || q.Answers["q2"] != "May" || len(q.Answers) != 2 || q.Conversation != "talk" || q.Assistant != "demo" {
		t.Errorf("%+v", q)
	}
	if q := p.asked[3]; q.Text != "third" || q.Conversation != "talk" || q.Client == p.asked[2].Client {
		t.Errorf("%+v", q)
	}
}

// TestAskNods: each card is shown and asked about; what destroys wants the word.
func TestAskNods(t *testing.T) {
	i, p := player(t)
	claude := i.agent("ann", "Claude", "ask")
	id, _ := i.add(i.token("ann"), "Spotify", "")
	offers := func(tool, args string) string {
		made := i.asks(claude, tool, args)
		status, a := i.web("GET", prefix+"/proposals/"+made.ID, i.token("ann"), "")
		want(t, status, a, 200, "")
		p.play = func(turn *played, _ assistant.Question) { says(turn, "", "proposal", a.String()) }
		return made.ID
	}
	is := func(id, state, reason string) {
		t.Helper()
		if _, a := i.web("GET", prefix+"/proposals/"+id, i.token("ann"), ""); a.str("state") != state || a.str("reason") != reason {
			t.Errorf("%s", a)
		}
	}
	add := func() string { return offers("household_subscription_add", netflix) }
	ask := func(typed string) (string, string) {
		t.Helper()
		out, stderr, code := i.typed(typed, "ask", "x", "--as", "ann")
		if code != 0 {
			t.Errorf("%d %s", code, stderr)
		}
		return out, stderr
	}
	one := add()
	for _, later := range []string{"", "\n", "what\n", "yes but cheaper\n"} {
		if out, stderr := ask(later); out != "" || !strings.Contains(stderr, "Add Netflix: 15.99 EUR a month") || !strings.Contains(stderr, "confirm? [y/N] It waits:\n") || !strings.Contains(stderr, "proposal confirm "+one+" --as ann") {
			t.Errorf("%q %q", out, stderr)
		}
		is(one, "pending", "")
	}
	if out, _ := ask("y\n"); !strings.HasPrefix(out, "Done. Until ") {
		t.Errorf("%q", out)
	}
	is(one, "applied", "")
	two := add()
	if out, _ := ask("No, too dear\n"); out != "It is discarded.\n" {
		t.Errorf("%q", out)
	}
	is(two, "discarded", "too dear")
	del := offers("household_subscription_delete", `{"id":"`+id+`"}`)
	if _, stderr := ask("y\n"); !strings.Contains(stderr, "This destroys or sends. confirm? [yes/N] It waits") {
		t.Errorf("%q", stderr)
	}
	is(del, "pending", "")
	ask("yes\n")
	is(del, "applied", "")
	if _, stderr := ask("yes\n"); !strings.Contains(stderr, "already") { // it is done: another nod is refused, and no failure
		t.Errorf("%q", stderr)
	}

	// What was done without a nod is shown with its undo, and nothing is asked.
	_, done := i.web("GET", prefix+"/proposals/"+one, i.token("ann"), "")
	p.play = func(turn *played, _ assistant.Question) { says(turn, "Done.", "proposal", done.String()) }
	if out, stderr := ask(""); strings.Contains(stderr, "confirm?") || !strings.HasPrefix(out, "Add Netflix: 15.99 EUR a month\n") || !strings.Contains(out, "undo "+done.str("receipt", "audit", "0")) {
		t.Errorf("%q %q", out, stderr)
	}

	// Where nobody is at the terminal, it is said how.
	three := add()
	i.out.Reset()
	i.Terminal, i.Screen = func() bool { return false }, func() bool { return false }
	i.root().SetArgs([]string{"ask", "x", "--as", "ann"})
	if err := i.root().Execute(); err != nil || !strings.Contains(i.out.String(), "Add Netflix: 15.99 EUR a month") || !strings.Contains(i.out.String(), "proposal confirm "+three+" --as ann\n") {
		t.Errorf("%v %q", err, i.out.String())
	}
	is(three, "pending", "")
}

// TestAskIsStopped: Ctrl-C ends the turn, and the command with it.
func TestAskIsStopped(t *testing.T) {
	i, p := player(t)
	begun := make(chan struct{})
	p.play = func(turn *played, _ assistant.Question) {
		turn.emit(assistant.EventDelta, `{"text":"Well"}`)
		close(begun)
	}
	i.Terminal, i.Screen = func() bool { return true }, func() bool { return true }
	ctx, stop := context.WithCancel(t.Context())
	go func() { <-begun; stop() }()
	i.root().SetArgs([]string{"ask", "x", "--as", "ann"})
	if err := i.root().ExecuteContext(ctx); err == nil || err.Error() != "stopped" {
		t.Error(err)
	}
	for _, turn := range p.turns {
		if !turn.over {
			t.Error("the turn goes on")
		}
	}
}

// TestAskIsLeft: Ctrl-C where a line is expected ends the command, and says nothing
// of what was changed before.
func TestAskIsLeft(t *testing.T) {
	i, _ := player(t)
	i.Terminal, i.Screen = func() bool { return true }, func() bool { return true }
	never, w := io.Pipe()
	defer func() { _ = w.Close() }()
	i.Stdin = never
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, stop)
	i.root().SetArgs([]string{"ask", "--as", "ann"})
	if err := i.root().ExecuteContext(ctx); err == nil || err.Error() != "stopped" {
		t.Error(err)
	}
}
