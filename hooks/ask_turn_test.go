package hooks

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// rest reads events until the end, each as "number kind data".
func (s *told) rest(t *testing.T) (events []string) {
	t.Helper()
	for {
		e := s.next(t)
		if e == "" {
			return events
		}
		events = append(events, e)
	}
}

// overHTTP is a conversation over HTTP.
func overHTTP(t *testing.T, env ...string) (k *talk, at string) {
	k = newTalk(t, env...)
	s := httptest.NewServer(k.handler)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return k, s.URL + prefix + "/ask"
}

// TestAskOverHTTP: a question and its answer, once for each client's id.
func TestAskOverHTTP(t *testing.T) {
	k, at := overHTTP(t)
	k.script.Then(gateway.Scene{Say: "Hello, Ann.", Runes: 4})
	const body = `{"client_id":"one","text":"Hello?"}`
	first := k.opens(http.DefaultClient, "POST", at, k.token("ann"), body).rest(t)
	all := strings.Join(first, "\n")
	if !strings.HasPrefix(first[0], "1 start ") || !strings.Contains(all, `delta {"text":`) || !strings.Contains(first[len(first)-1], `"text":"Hello, Ann."`) || !strings.Contains(first[0], `"scripted":true`) {
		t.Fatal(all)
	}
	again := k.opens(http.DefaultClient, "POST", at, k.token("ann"), body).rest(t)
	if got := strings.Join(again, "\n"); got != all {
		t.Errorf("the same question is another turn:\n%s\n%s", got, all)
	}
	rest := k.opens(http.DefaultClient, "POST", at, k.token("ann"), body, lastHeader, "2").rest(t)
	if got := strings.Join(rest, "\n"); got != strings.Join(first[2:], "\n") {
		t.Errorf("the rest is %s", got)
	}
	// Who has seen more than there is is told what became of it.
	beyond := k.opens(http.DefaultClient, "POST", at, k.token("ann"), body, lastHeader, "99").rest(t)
	if len(beyond) != len(first) {
		t.Errorf("%d events", len(beyond))
	}
	if n := len(k.script.Asked()); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}
	status, a := k.web("GET", prefix+"/conversations", k.token("ann"), "")
	if want(t, status, a, 200, ""); a.len("items") != 1 || a.str("items", "0", "turns", "0", "answer") != "Hello, Ann." {
		t.Errorf("%s", a)
	}
	if status, a = k.web("GET", prefix+"/conversations", k.token("bob"), ""); status != 200 || a.len("items") != 0 {
		t.Errorf("bob sees %s", a)
	}
}

// TestAskRefusedByTheLoop: with the status of its kind, and nothing begins.
func TestAskRefusedByTheLoop(t *testing.T) {
	k, at := overHTTP(t, "NODKEEP_MESSAGE_BURST=2", "NODKEEP_MESSAGE_EVERY=60", "NODKEEP_MESSAGE_BYTES=100",
		"ASSISTANTS=other", "ASSISTANT_OTHER_BASE_URL=http://127.0.0.1:9", "ASSISTANT_OTHER_MODEL=m")
	k.script.Then(gateway.Scene{Say: strings.Repeat("long ", 200), Runes: 1, Between: 20 * time.Millisecond})
	ann := k.token("ann")
	refused := func(body string, status int, kind tools.Kind) {
		t.Helper()
		got, a := k.web("POST", prefix+"/ask", ann, body)
		want(t, got, a, status, kind)
	}
	refused(`{"client_id":"x","text":""}`, 400, tools.Invalid)
	refused(`{"client_id":"x"}`, 400, tools.Invalid)
	refused(`{"client_id":"","text":"x"}`, 400, tools.Invalid)
	refused(`{"client_id":"a b","text":"x"}`, 400, tools.Invalid)
	refused(`{"client_id":"`+strings.Repeat("x", 65)+`","text":"x"}`, 400, tools.Invalid)
	refused(`{"client_id":"x","text":"x","effort":"much"}`, 400, tools.Invalid)
	refused(`{"client_id":"x","text":"x","scope":{"of":"most"}}`, 400, tools.Invalid)
	refused(`{"client_id":"x","text":"`+strings.Repeat("x", 101)+`"}`, 413, tools.TooLarge)
	if n := len(k.script.Asked()); n != 0 {
		t.Fatalf("the model was asked %d times", n)
	}
	one := k.opens(http.DefaultClient, "POST", at, ann, `{"client_id":"one","text":"x"}`)
	start := one.next(t)
	_, conversation, _ := strings.Cut(start, `"conversation":"`)
	conversation, _, _ = strings.Cut(conversation, `"`)
	refused(`{"client_id":"one","text":"y"}`, 409, tools.Conflict)
	refused(`{"client_id":"two","text":"y","conversation":"`+conversation+`"}`, 409, tools.Conflict)
	r := k.opens(http.DefaultClient, "POST", at, ann, `{"client_id":"three","text":"y"}`)
	if r.StatusCode != 429 || r.Header.Get("Retry-After") == "" {
		t.Error(r.Status, r.Header)
	}
	bob := k.token("bob")
	status, a := k.web("POST", prefix+"/ask", bob, `{"client_id":"x","text":"x","assistant":"nosuch"}`)
	want(t, status, a, 404, tools.NotFound)
	status, a = k.web("POST", prefix+"/ask", bob, `{"client_id":"y","text":"x","assistant":"other"}`)
	want(t, status, a, 403, tools.Forbidden)
}

// TestTheServerEndsInMidTurn: who follows an answer is told its end, and hears the
// same from the next server.
func TestTheServerEndsInMidTurn(t *testing.T) {
	k, at := overHTTP(t)
	k.script.Then(gateway.Scene{Say: strings.Repeat("long ", 500), Runes: 1, Between: 10 * time.Millisecond})
	ann := k.token("ann")
	one := k.opens(http.DefaultClient, "POST", at, ann, `{"client_id":"one","text":"x"}`)
	first := one.next(t)
	k.loop.Close()
	all := append([]string{first}, one.rest(t)...)
	if last := all[len(all)-1]; !strings.Contains(last, " turn ") || !strings.Contains(last, `"finish":"interrupted"`) {
		t.Fatal(last)
	}
	status, a := k.web("POST", prefix+"/ask", ann, `{"client_id":"two","text":"x"}`)
	want(t, status, a, 503, tools.Unavailable)
	if err := k.close(); err != nil {
		t.Fatal(err)
	}
	i := openInstance(t, k.dir, func(*App) {})
	s := httptest.NewServer(i.handler)
	defer func() { s.CloseClientConnections(); s.Close() }()
	again := i.opens(http.DefaultClient, "POST", s.URL+prefix+"/ask", ann, `{"client_id":"one","text":"x"}`).rest(t)
	if strings.Join(again, "\n") != strings.Join(all, "\n") {
		t.Errorf("%d events and %d", len(again), len(all))
	}
}

// TestASuspensionInMidTurn: the stream ends, and nothing of the turn runs on; those
// of others do.
func TestASuspensionInMidTurn(t *testing.T) {
	k, at := overHTTP(t)
	k.script.Then(
		gateway.Scene{Say: "One moment, ", Runes: 1, Between: 10 * time.Millisecond, Calls: []gateway.Call{{Name: "household_overview"}}},
		gateway.Scene{When: func(r gateway.Request) bool { return len(r.Messages) > 1 }, Say: "Never said."},
		gateway.Scene{Say: "Still here.", Wait: 300 * time.Millisecond},
	)
	bob := k.opens(http.DefaultClient, "POST", at, k.token("bob"), `{"client_id":"one","text":"x"}`)
	bob.next(t)
	if e := bob.next(t); !strings.HasPrefix(e, "2 delta ") {
		t.Fatal(e)
	}
	ann := k.opens(http.DefaultClient, "POST", at, k.token("ann"), `{"client_id":"one","text":"x"}`)
	ann.begins(t)
	k.stand("bob", "suspended")
	for _, e := range bob.rest(t) {
		if strings.Contains(e, "Never") || strings.Contains(e, " tool ") {
			t.Error("it went on: ", e)
		}
	}
	if all := ann.rest(t); !strings.Contains(all[len(all)-1], `"text":"Still here.","finish":"stop"`) {
		t.Errorf("ann's ended, too: %s", all)
	}
	k.loop.Close() // waits until the turn is over
	if n := len(k.script.Asked()); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
	var state string
	if err := k.pb.DB().NewQuery("SELECT state FROM nodkeep_turns WHERE person = {:bob}").Bind(dbx.Params{"bob": k.user("bob").Id}).Row(&state); err != nil || state != "over" {
		t.Error(state, err)
	}
}

// TestAskAtTheTerminal: the real loop, in this process: what the person is asked,
// says yes to, and is told.
func TestAskAtTheTerminal(t *testing.T) {
	k := newTalk(t)
	k.script.Then(
		gateway.Scene{Say: "I look. ", Calls: []gateway.Call{{Name: "household_overview"}}},
		gateway.Scene{Calls: []gateway.Call{{Name: "household_subscription_add", Args: []byte(netflix)}}},
		gateway.Scene{Say: "It waits for you."},
	)
	out, stderr, code := k.typed("y\n", "ask", "Add Netflix", "--as", "ann")
	if code != 0 || !strings.HasPrefix(out, "I look. \nIt waits for you.\nDone. Until ") {
		t.Errorf("%d %q", code, out)
	}
	if !strings.Contains(stderr, "Model: a script, no model; its answers are fixed\n· ") || !strings.Contains(stderr, "Add Netflix: 15.99 EUR a month") || !strings.Contains(stderr, "confirm? [y/N] ") {
		t.Errorf("%q", stderr)
	}
	if n := k.count("household_subscriptions"); n != 1 {
		t.Errorf("%d subscriptions", n)
	}
}
