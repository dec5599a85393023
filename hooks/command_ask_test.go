package hooks

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// TestAskShows: the answer as it comes, tools beside it, tables in columns, and
// nothing that plays with the terminal, whatever a server sends.
func TestAskShows(t *testing.T) {
	var out, stderr bytes.Buffer
	r := &reply{inquirer: &inquirer{App: &App{Config: Config{Stdout: &out, Stderr: &stderr, Screen: func() bool { return true }}}}, begun: make(chan string, 1)}
	for n, e := range [][2]string{
		{"start", `{"turn":"x","assistant":{"id":"demo","name":"Demo\u001b[1m","scripted":true}}`},
		{"tool", `{"name":"household_overview","title":{"text":"Overview\u001b[2J"},"state":"started"}`},
		{"tool", `{"name":"household_overview","title":{"text":"Overview"},"state":"done"}`},
		{"delta", `{"text":"Look:\u202e"}`},
		{"screen", `{"title":{"text":"Costs"},"form":"table","columns":[{"label":"Name"},{"label":"Amount"}],"rows":[[{"text":"Netflix"},{"text":"15.99\tEUR"}],[{"text":"A"},{"text":"1"}]],"more":3}`},
		{"screen", `{"title":{"text":"In all"},"form":"total","columns":[{"label":"A year"}],"rows":[[{"text":"200 EUR"}]]}`},
		{"tool", `{"name":"x","title":{"text":"Other"},"state":"failed"}`},
		{"delta", `{"text":"Two of"}`},
		{"delta", `{"text":" them."}`},
		{"error", `{"kind":"limit","text":{"text":"Enough\u001b for today."}}`},
	} {
		if err := r.event(askEvent{n + 1, assistant.EventKind(e[0]), jsontext.Value(e[1])}); err != nil {
			t.Fatal(e, err)
		}
	}
	if got, want := out.String(), "Look:\ufffd\nCosts\n  Name     Amount\n  Netflix  15.99 EUR\n  A        1\n  and 3 more\nIn all\n  A year  200 EUR\nTwo of them.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := stderr.String(), "Demo\ufffd[1m: a script, no model; its answers are fixed\n· Overview\ufffd[2J\n· Other: that did not work\nEnough\ufffd for today.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAskAsItIsAsked: what the command was told of a question is what is asked, and
// it says how to go on.
func TestAskAsItIsAsked(t *testing.T) {
	for _, private := range []bool{false, true} {
		k := newTalk(t)
		id := k.subscription("ann", "Secret Club", "66.60", `,"private":true,"owner":"ann"`)
		k.script.Then(gateway.Scene{Calls: calls("household_subscription_get", `{"id":"`+id+`"}`)}, gateway.Scene{Say: "Two of them."})
		args := []string{"ask", "What do we pay?", "--as", "ann", "--effort", "low"}
		if private {
			args = append(args, "--private")
		}
		out, stderr, code := k.typed("", args...)
		if out != "Two of them.\n" || code != 0 {
			t.Errorf("%d %q", code, out)
		}
		_, a := k.web("GET", prefix+"/conversations?limit=1", k.token("ann"), "")
		if !strings.HasPrefix(stderr, "Model: a script, no model; its answers are fixed\n· ") || !strings.HasSuffix(stderr, "\n(--conversation "+a.str("items", "0", "id")+" goes on with it)\n") {
			t.Errorf("%q", stderr)
		}
		if r := k.script.Asked()[1]; r.Effort != gateway.Low || !strings.Contains(string(jsonOf(t, r.Messages)), "What do we pay?") {
			t.Errorf("%+v", r)
		}
		if k.told()[0].Error == private {
			t.Errorf("private %t: %+v", private, k.told())
		}
	}
}

// TestAskToAProgram: an event a line.
func TestAskToAProgram(t *testing.T) {
	k := newTalk(t)
	k.script.Then(gateway.Scene{Say: "Yes", Runes: 1, Calls: calls("ask_person", `{"questions":[{"text":"Which?","choices":["a","b"]}]}`)})
	k.Stdin = strings.NewReader("")
	k.root().SetArgs([]string{"ask", "Hello?", "--as", "ann", "--json"})
	if err := k.root().Execute(); err != nil {
		t.Fatal(err, k.err.String())
	}
	var h happened
	for line := range strings.Lines(k.out.String()) {
		var e askEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.ID != len(h.events)+1 {
			t.Errorf("%q %v", line, err)
		}
		h.events = append(h.events, assistant.Event(e))
	}
	if got := h.kinds(); got != "start delta tool form tool turn" || k.err.Len() > 0 {
		t.Error(got, k.err.String())
	}
}

// TestAskIsRefused: with the reason, and another exit code.
func TestAskIsRefused(t *testing.T) {
	k := newTalk(t, "NODKEEP_MESSAGE_BYTES=100")
	k.Terminal = func() bool { return false }
	k.root().SetArgs([]string{"ask", "--as", "ann"})
	if err := k.root().Execute(); err == nil || !strings.Contains(err.Error(), "needs a terminal") {
		t.Error(err)
	}
	k.script.Then(gateway.Scene{Say: "It is", Err: &gateway.Error{Kind: gateway.Overloaded}})
	if out, stderr, code := k.typed("", "ask", "Hello?", "--as", "ann"); code != 1 || out != "It is\n" || !strings.Contains(stderr, "has too much to do just now") {
		t.Errorf("%d %q %q", code, out, stderr)
	}
	if _, stderr, code := k.typed("", "ask", strings.Repeat("x", 101), "--as", "ann"); code != 1 || !strings.Contains(stderr, "100") {
		t.Errorf("%d %q", code, stderr)
	}
	if _, stderr, code := k.typed("", "ask", "Hello?", "--as", "nobody"); code != 1 || !strings.Contains(stderr, "No member is called nobody") {
		t.Errorf("%d %q", code, stderr)
	}
	for _, args := range [][]string{{"ask", "x", "--as", "ann", "--answer", "q1"}, {"ask", "x", "--as", "ann", "--show"}} {
		if _, stderr, code := k.typed("", args...); code != exitUsage {
			t.Errorf("%v: %d %q", args, code, stderr)
		}
	}
}

// TestAskWithAFile sends it, and shows it if that is said.
func TestAskWithAFile(t *testing.T) {
	k := newTalk(t)
	file := filepath.Join(t.TempDir(), "statement.txt")
	if err := os.WriteFile(file, []byte("one word"), 0o600); err != nil {
		t.Fatal(err)
	}
	for n, more := range [][]string{{}, {"--show"}} {
		k.script.Then(gateway.Scene{Say: "Yes."})
		if _, stderr, code := k.typed("", append([]string{"ask", "Read it", "--as", "ann", "--file", file}, more...)...); code != 0 {
			t.Fatal(stderr)
		}
		if said := lastSaid(k.script.Asked()[n]); !strings.Contains(said, "statement.txt") || strings.Contains(said, "one word") != (n == 1) {
			t.Errorf("%v: %s", more, said)
		}
	}
}

// TestAskConverses: a line, an answer; what is asked back is answered in the same
// conversation, by number or in words; an answer that fails is not the end.
func TestAskConverses(t *testing.T) {
	k := newTalk(t)
	k.script.Then(
		gateway.Scene{Say: "Which?", Calls: calls("ask_person", `{"questions":[{"text":"Which one?","choices":["Netflix","Disney+"]},{"text":"Since when?"},{"text":"Why?"}]}`)},
		gateway.Scene{Say: "Answer 2"},
		gateway.Scene{Err: &gateway.Error{Kind: gateway.Overloaded}},
		gateway.Scene{Say: "Answer 4"},
	)
	out, stderr, code := k.typed("first\n2\nMay\n\n\nsecond\nthird", "ask", "--as", "ann", "--assistant", "model")
	if code != 0 || out != "Which?\nAnswer 2\nAnswer 4\n" {
		t.Errorf("%d %q", code, out)
	}
	if !strings.Contains(stderr, "Which one?\n  1  Netflix\n  2  Disney+\n? Since when?\n? Why?\n? > ") || strings.Count(stderr, "Model: a script") != 1 {
		t.Errorf("%q", stderr)
	}
	asked := k.script.Asked()
	if len(asked) != 4 {
		t.Fatalf("%d were asked", len(asked))
	}
	if said := lastSaid(asked[1]); !strings.Contains(said, "Which one? Disney+\nSince when? May\nWhy? –") {
		t.Errorf("the answers are %s", said)
	}
	if said := lastSaid(asked[3]); !strings.Contains(said, "third") || !strings.Contains(string(jsonOf(t, asked[3].Messages)), "Answer 2") {
		t.Errorf("it does not go on: %s", said)
	}
	if n := k.rows(tools.ConversationsTable); n != 1 {
		t.Errorf("%d conversations", n)
	}
}

// nods asks for a change at a terminal, where this is typed, and gives its card's
// id; meanwhile is done while the card is not shown yet.
func (k *talk) nods(typed, tool, args string, meanwhile func(id string)) (id, out, stderr string) {
	k.t.Helper()
	k.script.Then(gateway.Scene{Calls: calls(tool, args)}, gateway.Scene{When: func(gateway.Request) bool {
		_, a := k.web("GET", prefix+"/proposals", k.token("ann"), "")
		id = a.str("items", "0", "id")
		if meanwhile != nil {
			meanwhile(id)
		}
		return true
	}})
	out, stderr, code := k.typed(typed, "ask", "x", "--as", "ann")
	if code != 0 || k.script.Left() > 0 {
		k.t.Errorf("%d %s", code, stderr)
	}
	return id, out, stderr
}

// TestAskNods: each card is shown and asked about; what destroys wants the word.
func TestAskNods(t *testing.T) {
	k := newTalk(t, "NODKEEP_MESSAGE_BURST=50")
	spotify := `{"id":"` + k.subscription("ann", "Spotify", "9.99") + `"}`
	const add, del = "household_subscription_add", "household_subscription_delete"
	is := func(id, state, reason string) {
		t.Helper()
		if _, a := k.web("GET", prefix+"/proposals/"+id, k.token("ann"), ""); a.str("state") != state || a.str("reason") != reason {
			t.Errorf("%s", a)
		}
	}
	decides := func(how string) func(string) {
		return func(id string) {
			_, a := k.web("GET", prefix+"/proposals/"+id, k.token("ann"), "")
			status, a := k.web("POST", prefix+"/proposals/"+id+how, k.token("ann"), `{"digest":"`+a.str("digest")+`"}`)
			want(t, status, a, 200, "")
		}
	}
	for _, later := range []string{"", "\n", "what\n", "yes but cheaper\n"} {
		id, out, stderr := k.nods(later, add, netflix, nil)
		if out != "" || !strings.Contains(stderr, "Add Netflix: 15.99 EUR a month") || !strings.Contains(stderr, "confirm? [y/N] It waits:\n") || !strings.Contains(stderr, "proposal confirm "+id+" --as ann") {
			t.Errorf("%q %q", out, stderr)
		}
		is(id, "pending", "")
		status, a := k.web("POST", prefix+"/proposals/"+id+"/discard", k.token("ann"), `{}`)
		want(t, status, a, 200, "")
	}
	id, out, _ := k.nods("y\n", add, netflix, nil)
	if is(id, "applied", ""); !strings.HasPrefix(out, "Done. Until ") {
		t.Errorf("%q", out)
	}
	id, out, _ = k.nods("No, too dear\n", add, netflix, nil)
	if is(id, "discarded", "too dear"); out != "It is discarded.\n" {
		t.Errorf("%q", out)
	}
	id, _, stderr := k.nods("y\n", del, spotify, nil)
	if is(id, "pending", ""); !strings.Contains(stderr, "This destroys or sends. confirm? [yes/N] It waits") {
		t.Errorf("%q", stderr)
	}
	// Somebody was faster: another nod is refused, and no failure.
	if _, _, stderr = k.nods("y\n", add, `{"name":"Disney","amount":"5.99","currency":"EUR","cycle":"P1M","first_date":"2026-01-05"}`, decides("/confirm")); !strings.Contains(stderr, "already") {
		t.Errorf("%q", stderr)
	}
	id, _, _ = k.nods("yes\n", del, spotify, nil)
	is(id, "applied", "")

	// Where nobody is at the terminal, it is said how.
	k.script.Then(gateway.Scene{Calls: calls(add, netflix)}, gateway.Scene{Say: "It waits."})
	k.out.Reset()
	k.Terminal, k.Screen = func() bool { return false }, func() bool { return false }
	k.root().SetArgs([]string{"ask", "x", "--as", "ann"})
	err := k.root().Execute()
	_, a := k.web("GET", prefix+"/proposals", k.token("ann"), "")
	if id = a.str("items", "0", "id"); err != nil || !strings.Contains(k.out.String(), "Add Netflix: 15.99 EUR a month") || !strings.Contains(k.out.String(), "proposal confirm "+id+" --as ann\n") {
		t.Errorf("%v %q", err, k.out.String())
	}
	is(id, "pending", "")
}

// TestAskWithoutANod: what was done without one is shown with its undo, and nothing
// is asked.
func TestAskWithoutANod(t *testing.T) {
	k := newTalkIn(t, gate.ModeTrusted)
	k.script.Then(gateway.Scene{Calls: calls("household_subscription_add", netflix)}, gateway.Scene{Say: "Done."})
	out, stderr, code := k.typed("", "ask", "x", "--as", "ann")
	var audit string
	if err := k.pb.DB().NewQuery("SELECT id FROM nodkeep_audit WHERE tool = 'household_subscription_add'").Row(&audit); err != nil {
		t.Fatal(err)
	}
	if code != 0 || strings.Contains(stderr, "confirm?") || !strings.HasPrefix(out, "Add Netflix: 15.99 EUR a month\n") || !strings.Contains(out, "undo "+audit) {
		t.Errorf("%d %q %q", code, out, stderr)
	}
}

// TestAskIsStopped: Ctrl-C ends the turn, and the command with it.
func TestAskIsStopped(t *testing.T) {
	k := newTalk(t)
	waits, begun := pausing(gateway.Scene{Say: "Never said."})
	k.script.Then(waits)
	k.Terminal, k.Screen = func() bool { return true }, func() bool { return true }
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	go func() { <-begun; stop() }()
	k.root().SetArgs([]string{"ask", "x", "--as", "ann"})
	if err := k.root().ExecuteContext(ctx); err == nil || err.Error() != "stopped" {
		t.Error(err)
	}
	_, a := k.web("GET", prefix+"/conversations", k.token("ann"), "")
	if a.str("items", "0", "turns", "0", "finish") != "stopped" {
		t.Errorf("the turn goes on: %s", a)
	}
}

// TestAskIsLeft: Ctrl-C where a line is expected ends the command, and says nothing
// of what was changed before.
func TestAskIsLeft(t *testing.T) {
	i := newTalk(t)
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
