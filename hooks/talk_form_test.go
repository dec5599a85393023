package hooks

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// refuses checks that a question is none, and why.
func (k *talk) refuses(q assistant.Question, kind tools.Kind, key string) {
	k.t.Helper()
	asked := len(k.script.Asked())
	_, err := k.begin("ann", q)
	if e, ok := errors.AsType[*tools.Error](err); !ok || e.Kind != kind || e.Text.Key != key {
		k.t.Errorf("%+v: %v, want %s %s", q, err, kind, key)
	}
	if n := len(k.script.Asked()); n != asked {
		k.t.Errorf("%+v: the model was asked", q)
	}
}

// TestFormAnswers: a form is answered once, by what it asks and within bounds; what
// is none of it is refused, and the form still waits.
func TestFormAnswers(t *testing.T) {
	k := newTalk(t, "NODKEEP_MESSAGE_BURST=100")
	id := k.subscription("ann", "Netflix", "15.99")
	k.script.Then(gateway.Scene{Calls: calls("ask_person", `{"questions":[{"text":"Which one?","choices":["Netflix","Disney"]},{"text":"Until when?"}]}`)})
	h := k.ask("ann", assistant.Question{Text: "Pause it"})
	forms := h.of(assistant.EventForm)
	if len(forms) != 1 || forms[0].len("questions") != 2 {
		t.Fatalf("%+v", h.end)
	}
	which, until, conversation := forms[0].str("questions", "0", "id"), forms[0].str("questions", "1", "id"), h.start.Conversation
	answers := func(pairs ...string) assistant.Question {
		q := assistant.Question{Conversation: conversation, Answers: map[string]string{}}
		for n := 0; n < len(pairs); n += 2 {
			q.Answers[pairs[n]] = pairs[n+1]
		}
		return q
	}
	with := func(q assistant.Question, change func(*assistant.Question)) assistant.Question {
		change(&q)
		return q
	}
	k.refuses(answers("q9", "x"), tools.Invalid, "assistant.error.answers")
	k.refuses(answers(which, "Netflix", "q9", "x"), tools.Invalid, "assistant.error.answers")
	k.refuses(answers(which, strings.Repeat("x", 501)), tools.Invalid, "assistant.error.answer")
	k.refuses(answers(until, strings.Repeat("x", 4001)), tools.TooLarge, "assistant.error.long")
	k.refuses(answers(which, strings.Repeat("x", 400), until, strings.Repeat("x", 3601)), tools.TooLarge, "assistant.error.long")
	k.refuses(with(answers(which, "Netflix"), func(q *assistant.Question) { q.Text = "And more" }), tools.Invalid, "assistant.error.both")
	k.refuses(with(answers(which, "Netflix"), func(q *assistant.Question) { q.Conversation = "" }), tools.Invalid, "assistant.error.no_form")
	k.refuses(with(answers(which, "Netflix"), func(q *assistant.Question) { q.Assistant = "other" }), tools.Expired, "assistant.error.form_over")
	k.refuses(with(answers(which, "Netflix"), func(q *assistant.Question) { q.Conversation = "invented00000id" }), tools.Expired, "assistant.error.form_over")
	k.refuses(assistant.Question{Text: "x", Scope: assistant.Scope{Of: assistant.Record, Records: []tools.Ref{{Collection: "household_subscriptions", ID: id}, {Collection: "household_subscriptions", ID: id}}}}, tools.Invalid, "assistant.error.scope_one")
	k.refuses(assistant.Question{Text: "x", Scope: assistant.Scope{Of: assistant.Ticked}}, tools.Invalid, "assistant.error.scope_none")
	if _, err := k.loop.Ask(t.Context(), k.user("bob"), with(answers(which, "Netflix"), func(q *assistant.Question) { q.Client = "bob" })); tools.KindOf(err) != tools.Expired {
		t.Errorf("another answers it: %v", err)
	}

	k.script.Then(gateway.Scene{Say: "Fine."})
	if h = k.ask("ann", answers(which, "The blue one")); h.err != nil || h.start.Conversation != conversation {
		t.Errorf("%+v %+v", h.end, h.err)
	}
	asked := k.script.Asked()
	if said := lastSaid(asked[len(asked)-1]); !strings.HasSuffix(said, "Which one? The blue one\nUntil when? –") {
		t.Errorf("the model is told %q", said)
	}
	k.refuses(answers(which, "Netflix"), tools.Expired, "assistant.error.form_over")
	for _, key := range []string{"answers", "both", "no_form", "form_over", "scope_none", "scope_one"} {
		k.sentences(tools.T("assistant.error." + key))
	}
}

// TestWordsInsteadOfAnswers: who goes on without answering a form lets it go.
func TestWordsInsteadOfAnswers(t *testing.T) {
	k := newTalk(t)
	k.script.Then(gateway.Scene{Calls: calls("ask_person", `{"questions":[{"text":"Which one?"}]}`)}, gateway.Scene{Say: "Then not."})
	h := k.ask("ann", assistant.Question{Text: "Pause it"})
	k.ask("ann", assistant.Question{Text: "Never mind", Conversation: h.start.Conversation})
	k.refuses(assistant.Question{Conversation: h.start.Conversation, Answers: map[string]string{"q1": "x"}}, tools.Expired, "assistant.error.form_over")
}

// TestSameQuestionOtherFile: the same id with another file, or another scope, is
// another question.
func TestSameQuestionOtherFile(t *testing.T) {
	k := newTalk(t)
	k.script.Then(gateway.Scene{Always: true, Say: "Yes."})
	q := assistant.Question{Client: "it", Text: "Look", Files: []assistant.File{{Upload: tools.Upload{Name: "a.txt", Data: []byte("one")}, Show: true}}}
	h := k.ask("ann", q)
	if again := k.ask("ann", q); again.end.ID != h.end.ID {
		t.Errorf("the same is another: %+v", again.end)
	}
	for name, change := range map[string]func(*assistant.Question){
		"content": func(q *assistant.Question) { q.Files[0].Data = []byte("two") },
		"shown":   func(q *assistant.Question) { q.Files[0].Show = false },
		"none":    func(q *assistant.Question) { q.Files = nil },
		"private": func(q *assistant.Question) { q.Scope.Private = true },
		"effort":  func(q *assistant.Question) { q.Effort = gateway.Low },
	} {
		other := q
		other.Files = append([]assistant.File(nil), q.Files...)
		change(&other)
		t.Run(name, func(t *testing.T) { k.t = t; k.refuses(other, tools.Conflict, "assistant.error.client_used") })
	}
}

// TestResultsAreCut: what a tool answers is given to a model up to a limit, says so,
// and is whole as data.
func TestResultsAreCut(t *testing.T) {
	k := newTalk(t, "NODKEEP_RESULT_BYTES=1000")
	for n := range 9 {
		k.subscription("ann", fmt.Sprint("Süßes ", n), "15.99")
	}
	k.script.Then(gateway.Scene{Calls: calls("household_subscription_list", `{}`, "household_subscription_list", `{"limit":1}`)}, gateway.Scene{Say: "Many."})
	if h := k.ask("ann", assistant.Question{Text: "Which?"}); h.err != nil {
		t.Fatalf("%+v", h.err)
	}
	r := k.told()
	long, short := r[0].Text, r[1].Text
	inside, note, _ := strings.Cut(long, "\n</data>\n")
	if len(inside) > 1100 || !strings.HasPrefix(note, "This is cut: it is 1000 bytes of ") || !strings.HasSuffix(inside, " …") || strings.Count(long, "<data source=") != 1 || r[0].Error {
		t.Errorf("the model is given %d bytes, of which %d are data: %q", len(long), len(inside), note)
	}
	if strings.Contains(short, "This is cut") || !strings.HasSuffix(short, "\n</data>") {
		t.Errorf("what is short is cut: %s", short)
	}
}

// TestReadsComeFirst: what a model asks for beside a change is as it was before it,
// wherever in the answer it stood.
func TestReadsComeFirst(t *testing.T) {
	k := newTalkIn(t, gate.ModeTrusted)
	id := k.subscription("ann", "Netflix", "15.99")
	k.script.Then(
		gateway.Scene{Calls: calls("household_subscription_update", `{"id":"`+id+`","name":"Mine"}`, "household_subscription_get", `{"id":"`+id+`"}`)},
		gateway.Scene{Say: "Done."},
	)
	h := k.ask("ann", assistant.Question{Text: "Rename it"})
	r := k.told()
	if h.err != nil || len(r) != 2 || !strings.HasPrefix(r[0].Text, "Done. ") || !strings.Contains(r[1].Text, `"Netflix"`) || strings.Contains(r[1].Text, "Mine") {
		t.Errorf("the model is told %+v %+v", r, h.err)
	}
	if got := h.kinds(); got != "start tool tool tool proposal tool delta turn" {
		t.Errorf("events: %s", got)
	}
}

// TestConflictsNameRecords: of what an undo runs into a model learns which records it
// is, and no more: a person reads what was changed, and by whom.
func TestConflictsNameRecords(t *testing.T) {
	k := newTalk(t)
	id := k.subscription("ann", "Netflix", "15.99")
	status, first := k.call("household_subscription_update", k.token("ann"), `{"id":"`+id+`","notes":"hushhush"}`)
	want(t, status, first, 200, "")
	status, a := k.call("household_subscription_update", k.token("bob"), `{"id":"`+id+`","notes":"whisper"}`)
	want(t, status, a, 200, "")
	k.script.Then(gateway.Scene{Calls: calls("undo", `{"audit":["`+first.str("receipt", "audit", "0")+`"]}`)}, gateway.Scene{Say: "I cannot."})
	if h := k.ask("ann", assistant.Question{Text: "Take it back"}); h.err != nil || len(h.end.Proposals) > 0 {
		t.Errorf("%+v %+v", h.end, h.err)
	}
	r := k.told()[0]
	if !r.Error || !strings.Contains(r.Text, "(conflict)") || !strings.Contains(r.Text, "household_subscriptions "+id) {
		t.Errorf("the model is told %s", r.Text)
	}
	for _, word := range []string{"hushhush", "whisper", "notes", "bob"} {
		if strings.Contains(r.Text, word) {
			t.Errorf("the model is told %q: %s", word, r.Text)
		}
	}
}

// TestQuestionsAreNoted: each turn leaves an entry with its figures, and none of its
// words; one that broke is failed, and who is limited or stops it did not fail.
func TestQuestionsAreNoted(t *testing.T) {
	k := newTalk(t)
	id := k.subscription("ann", "Netflix", "15.99")
	k.script.Then(
		gateway.Scene{
			Calls: calls("household_overview", `{}`, "household_subscription_get", `{"id":"invented00000id"}`, "household_subscription_pause", `{"id":"`+id+`"}`, "household_overview", `{}`),
			Usage: &gateway.Usage{Uncached: 100, CacheRead: 20, CacheWrite: 3, Output: 4},
		},
		gateway.Scene{Say: "hushhush", Usage: &gateway.Usage{Uncached: 1000, CacheRead: 200, CacheWrite: 30, Output: 40}},
		gateway.Scene{Say: "hushhush", Err: errors.New("odd")},
		gateway.Scene{Say: "hushhush", Finish: gateway.MaxTokens},
	)
	h := k.ask("ann", assistant.Question{Text: "whisper"})
	k.ask("ann", assistant.Question{Text: "whisper"})
	k.ask("ann", assistant.Question{Text: "whisper"})
	status, a := k.web("GET", prefix+"/audit?tool=ask", k.token("ann"), "")
	if want(t, status, a, 200, ""); a.len("items") != 3 || strings.Contains(a.String(), "hushhush") || strings.Contains(a.String(), "whisper") {
		t.Fatalf("%s", a)
	}
	for n, state := range []string{"applied", "failed", "applied"} {
		if got := a.str("items", fmt.Sprint(n), "state"); got != state {
			t.Errorf("entry %d is %s, not %s", n, got, state)
		}
	}
	is := answer{a.at("items", "2", "args")}
	for field, want := range map[string]any{
		"assistant": "model", "model": "script", "finish": "stop", "requests": 2.0, "input_uncached": 1100.0, "cache_read": 220.0, "cache_write": 33.0, "output": 44.0, "changes": 1.0,
	} {
		if got := is.at(field); got != want {
			t.Errorf("%s is %v, not %v", field, got, want)
		}
	}
	if is.len("tools") != 3 || is.str("proposals", "0") != h.end.Proposals[0] {
		t.Errorf("%s", is)
	}
	for n, use := range []string{"household_overview 2 <nil>", "household_subscription_get 1 1", "household_subscription_pause 1 <nil>"} {
		found := false
		for i := range is.len("tools") {
			at := fmt.Sprint(i)
			found = found || fmt.Sprint(is.str("tools", at, "name"), " ", is.at("tools", at, "calls"), " ", is.at("tools", at, "failed")) == use
		}
		if !found {
			t.Errorf("%d: %s is not among %v", n, use, is.at("tools"))
		}
	}
	if u := h.end.Usage; u.Uncached != 1100 || u.CacheRead != 220 || u.CacheWrite != 33 || u.Output != 44 || u.Requests != 2 {
		t.Errorf("the turn says %+v", u)
	}
}

// TestTheAssistantOfAConversation: who names none goes on with the one that they
// began with.
func TestTheAssistantOfAConversation(t *testing.T) {
	k := &talk{script: gateway.NewScript()}
	other := gateway.NewScript()
	k.instance = newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.scripts = []roster.Script{{ID: "model", Name: "Model", Provider: k.script}, {ID: "other", Name: "Other", Provider: other}}
	})
	k.makeOperator("ann")
	for _, id := range []string{"model", "other"} {
		k.must("/operator/grants", k.token("ann"), `{"assistant":"`+id+`","allow":true,"everybody":true}`)
	}
	k.script.Then(gateway.Scene{Always: true, Say: "Model."})
	other.Then(gateway.Scene{Always: true, Say: "Other."})
	h := k.ask("ann", assistant.Question{Text: "Who?", Assistant: "other"})
	again := k.ask("ann", assistant.Question{Text: "Who?", Conversation: h.start.Conversation})
	changed := k.ask("ann", assistant.Question{Text: "Who?", Conversation: h.start.Conversation, Assistant: "model"})
	last := k.ask("ann", assistant.Question{Text: "Who?", Conversation: h.start.Conversation})
	if got := h.end.Text + again.end.Text + changed.end.Text + last.end.Text; got != "Other.Other.Model.Model." || again.start.Assistant.ID != "other" {
		t.Errorf("they answer %s", got)
	}
}

// TestEndsOnesOwn: where somebody may act no more their turns end, and nobody else's.
func TestEndsOnesOwn(t *testing.T) {
	k := newTalk(t)
	anns, annBegun := pausing(gateway.Scene{Say: "Never said."})
	bobs, bobBegun := pausing(gateway.Scene{Say: "Never said."})
	k.script.Then(anns)
	ann, err := k.begin("ann", assistant.Question{Text: "Look"})
	if err != nil {
		t.Fatal(err)
	}
	<-annBegun
	k.script.Then(bobs)
	bob, err := k.begin("bob", assistant.Question{Text: "Look"})
	if err != nil {
		t.Fatal(err)
	}
	<-bobBegun
	k.loop.End(k.user("bob").Id)
	k.failed(k.follow(bob), assistant.Broken, tools.Forbidden, "error.not_approved")
	if err := k.loop.Stop(t.Context(), k.user("ann").Id, ann.ID()); err != nil {
		t.Fatal(err)
	}
	if h := k.follow(ann); h.err != nil || h.end.Finish != assistant.Stopped {
		t.Errorf("hers ended, too: %+v %+v", h.end, h.err)
	}
}

// TestRefusalsOfAnAssistant: what its mode does not let it change is refused, and
// leaves an entry.
func TestRefusalsOfAnAssistant(t *testing.T) {
	k := newTalkIn(t, gate.ModeRead)
	id := k.subscription("ann", "Netflix", "15.99")
	k.script.Then(
		gateway.Scene{Calls: calls("household_subscription_pause", `{"id":"`+id+`"}`, "use_tool", `{"name":"household_subscription_delete","args":{"id":"`+id+`"}}`, "undo", `{"audit":["invented00000id"]}`)},
		gateway.Scene{Say: "I may not."},
	)
	h := k.ask("ann", assistant.Question{Text: "Pause it"})
	for _, r := range k.told() {
		if !r.Error || !strings.Contains(r.Text, "(forbidden)") {
			t.Errorf("the model is told %s", r.Text)
		}
	}
	status, a := k.web("GET", prefix+"/audit?agent=model", k.token("ann"), "")
	want(t, status, a, 200, "")
	refused := map[string]bool{}
	for n := range a.len("items") {
		if at := fmt.Sprint(n); a.str("items", at, "state") == "refused" && a.str("items", at, "actor", "agent") == "model" {
			refused[a.str("items", at, "tool")] = true
		}
	}
	if h.err != nil || !refused["household_subscription_pause"] || !refused["household_subscription_delete"] {
		t.Errorf("refused: %v, %s", refused, a)
	}
}
