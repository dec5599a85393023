package hooks

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// turnOf is the id of the turn that begins with an event.
func turnOf(t *testing.T, start string) string {
	t.Helper()
	_, id, ok := strings.Cut(start, `"turn":"`)
	if id, _, _ = strings.Cut(id, `"`); !ok || id == "" {
		t.Fatalf("no turn begins with %q", start)
	}
	return id
}

// TestACutConnection: who lost it in the middle of an answer reads on from the
// last number, in either way, and together it is the whole, once.
func TestACutConnection(t *testing.T) {
	k, at := overHTTP(t)
	ann := k.token("ann")
	k.script.Then(
		gateway.Scene{Say: "Let me look. ", Runes: 2, Between: time.Millisecond, Calls: calls("household_overview", `{}`)},
		gateway.Scene{Say: "Nothing is paid, so far.", Runes: 2, Between: 5 * time.Millisecond},
	)
	first := k.opens(http.DefaultClient, "POST", at, ann, `{"client_id":"cut","text":"What do we pay?"}`)
	seen := []string{first.next(t), first.next(t), first.next(t)}
	first.leave()
	turn := turnOf(t, seen[0])
	byAddress := k.opens(http.DefaultClient, "GET", at+"/"+turn+"?after=3", ann, "")
	rest := append([]string{byAddress.next(t)}, byAddress.rest(t)...)
	byHeader := k.opens(http.DefaultClient, "GET", at+"/"+turn, ann, "", lastHeader, "3").rest(t)
	whole := k.opens(http.DefaultClient, "GET", at+"/"+turn, ann, "").rest(t)
	if got := strings.Join(append(seen, rest...), "\n"); got != strings.Join(whole, "\n") {
		t.Errorf("the parts are\n%s\nand the whole\n%s", got, strings.Join(whole, "\n"))
	}
	if strings.Join(byHeader, "\n") != strings.Join(rest, "\n") {
		t.Errorf("by the header it is %s", byHeader)
	}
	if last := whole[len(whole)-1]; !strings.Contains(last, `"text":"Let me look. \n\nNothing is paid, so far."`) {
		t.Errorf("it ends with %s", last)
	}
	if n := len(k.script.Asked()); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
}

// TestStopOverHTTP: what was said stays, nothing follows, and the next question of
// the conversation is taken.
func TestStopOverHTTP(t *testing.T) {
	k, at := overHTTP(t)
	ann := k.token("ann")
	k.script.Then(gateway.Scene{Say: strings.Repeat("and so on ", 1000), Runes: 1, Between: 10 * time.Millisecond}, gateway.Scene{Say: "Gladly."})
	r := k.opens(http.DefaultClient, "POST", at, ann, `{"client_id":"long","text":"Go on."}`)
	start := r.next(t)
	r.next(t)
	status, a := k.web("POST", prefix+"/ask/"+turnOf(t, start)+"/stop", ann, "")
	want(t, status, a, 200, "")
	events := r.rest(t)
	if last := events[len(events)-1]; !strings.Contains(last, `"finish":"stopped"`) || !strings.Contains(last, `"text":"a`) || strings.Contains(strings.Join(events, " "), " error ") {
		t.Errorf("it ends with %s", last)
	}
	_, conversation, _ := strings.Cut(start, `"conversation":"`)
	conversation, _, _ = strings.Cut(conversation, `"`)
	next := k.opens(http.DefaultClient, "POST", at, ann, `{"client_id":"next","text":"Shorter.","conversation":"`+conversation+`"}`).rest(t)
	if last := next[len(next)-1]; !strings.Contains(last, `"text":"Gladly."`) {
		t.Errorf("the next is %s", last)
	}
	status, a = k.web("GET", prefix+"/conversations", ann, "")
	if want(t, status, a, 200, ""); a.len("items", "0", "turns") != 2 || a.str("items", "0", "turns", "0", "finish") != string(assistant.Stopped) || a.str("items", "0", "title") != "Go on." {
		t.Errorf("%s", a)
	}
}

// TestAskWithFilesOverHTTP: of two files the model is given the one that is shown.
func TestAskWithFilesOverHTTP(t *testing.T) {
	k, at := overHTTP(t)
	k.script.Then(gateway.Scene{Say: "It is a letter."})
	body, media := askForm(t, `{"client_id":"form","text":"What is this?","show":["letter.txt"]}`, "letter.txt", "Dear customer", "secret.txt", "Not for you")
	events := k.opens(http.DefaultClient, "POST", at, k.token("ann"), body, "Content-Type", media).rest(t)
	if last := events[len(events)-1]; !strings.Contains(last, `"text":"It is a letter."`) {
		t.Fatal(events)
	}
	given := lastSaid(k.script.Asked()[0])
	if !strings.Contains(given, "Dear customer") || !strings.Contains(given, "secret.txt") || strings.Contains(given, "Not for you") {
		t.Errorf("the model is given %s", given)
	}
}

// TestAnUnansweredTurnInTheList: it has no answer there, in nobody's words.
func TestAnUnansweredTurnInTheList(t *testing.T) {
	k := newTalk(t)
	k.script.Then(gateway.Scene{Refusal: &gateway.Refusal{Message: "no"}})
	k.ask("ann", assistant.Question{Text: "Do it."})
	status, a := k.web("GET", prefix+"/conversations", k.token("ann"), "")
	if want(t, status, a, 200, ""); a.at("items", "0", "turns", "0", "answer") != "" || a.str("items", "0", "turns", "0", "finish") != string(assistant.Refusal) {
		t.Errorf("%s", a)
	}
}
