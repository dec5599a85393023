package hooks

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// TestPrivateWordsStay: what only the person sees goes to a model with the
// questions for which they switched it on, and not with a later one of the same
// conversation, whatever was said of it before.
func TestPrivateWordsStay(t *testing.T) {
	k := newTalk(t)
	id := k.subscription("ann", "Secret Club", "66.60", `,"private":true,"owner":"ann"`)
	all := assistant.Scope{Private: true}
	k.script.Then(
		gateway.Scene{Calls: calls("household_subscription_get", `{"id":"`+id+`"}`)},
		gateway.Scene{Say: "Secret Club costs 66.60 EUR."},
	)
	h := k.ask("ann", assistant.Question{Text: "What is private?", Scope: all})
	conversation := h.start.Conversation
	if h.err != nil || !strings.Contains(k.script.Asked()[1].Messages[2].Results[0].Text, "Secret Club") {
		t.Fatalf("it is not found though it was switched on: %+v %+v", h.err, k.script.Asked()[1].Messages)
	}
	k.script.Then(
		gateway.Scene{Calls: calls("household_subscription_pause", `{"id":"`+id+`"}`)},
		gateway.Scene{Calls: calls("ask_person", `{"questions":[{"text":"Until when is Secret Club paused?"}]}`)},
	)
	h = k.ask("ann", assistant.Question{Text: "Pause that one", Scope: all, Conversation: conversation})
	cards := h.of(assistant.EventProposal)
	if len(cards) != 1 || h.end.Finish != assistant.AskedBack {
		t.Fatalf("%+v %+v", h.end, h.err)
	}
	status, a := k.web("POST", prefix+"/proposals/"+cards[0].str("id")+"/confirm", k.token("ann"), `{"digest":"`+cards[0].str("digest")+`"}`)
	want(t, status, a, 200, "")

	// The answers go on with that question.
	form := h.of(assistant.EventForm)[0]
	k.script.Then(gateway.Scene{Say: "Until May, then."})
	before := len(k.script.Asked())
	h = k.ask("ann", assistant.Question{Answers: map[string]string{form.str("questions", "0", "id"): "May"}, Conversation: conversation})
	if text := string(jsonOf(t, k.script.Asked()[before].Messages)); h.err != nil || !strings.Contains(text, "Secret Club") || !strings.Contains(text, "The person confirmed") {
		t.Errorf("the answers do not go on with their question: %s %+v", text, h.err)
	}

	k.script.Then(
		gateway.Scene{Calls: calls("household_subscription_get", `{"id":"`+id+`"}`, "activity_list", `{"agent":"*"}`, "household_overview", `{}`)},
		gateway.Scene{Say: "Nothing."},
	)
	before = len(k.script.Asked())
	h = k.ask("ann", assistant.Question{Text: "And what else do I pay?", Conversation: conversation})
	if h.err != nil {
		t.Fatalf("%+v", h.err)
	}
	for _, r := range k.script.Asked()[before:] {
		if text := string(jsonOf(t, r.Messages)); strings.Contains(text, "Secret") || strings.Contains(text, "66.6") {
			t.Errorf("it goes out though it was not switched on: %s", text)
		}
	}
	k.script.Then(gateway.Scene{Say: "Still paused."})
	before = len(k.script.Asked())
	k.ask("ann", assistant.Question{Text: "And the private one?", Scope: all, Conversation: conversation})
	if text := string(jsonOf(t, k.script.Asked()[before].Messages)); !strings.Contains(text, "Secret Club costs") {
		t.Error("what was said of it is forgotten, though it was switched on again")
	}
}
