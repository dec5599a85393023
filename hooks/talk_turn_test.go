package hooks

import (
	"encoding/json/jsontext"
	"fmt"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// calls are some of a scene, each a name and its arguments.
func calls(pairs ...string) (all []gateway.Call) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, gateway.Call{Name: pairs[i], Args: jsontext.Value(pairs[i+1])})
	}
	return all
}

// subscription adds one as a member and gives its id.
func (k *talk) subscription(handle, name, amount string, more ...string) string {
	k.t.Helper()
	status, a := k.call("household_subscription_add", k.token(handle), fmt.Sprintf(`{"name":%q,"amount":%q,"currency":"EUR","cycle":"P1M","first_date":"2026-01-05"%s}`, name, amount, strings.Join(more, "")))
	want(k.t, status, a, 200, "")
	return a.str("output", "id")
}

// TestTurn: a question, a read, an answer; then a change, which waits on a card,
// and is done once the person nods; the next question tells the model.
func TestTurn(t *testing.T) {
	k := newTalk(t)
	id := k.subscription("ann", "Netflix", "15.99")
	k.script.Then(
		gateway.Scene{Say: "Let me look.", Runes: 3, Calls: calls("household_overview", `{}`, "household_subscription_list", `{"limit":"5"}`)},
		gateway.Scene{Say: "You pay 15.99 EUR a month.", Runes: 5},
	)
	h := k.ask("ann", assistant.Question{Text: "What do I pay a month?"})
	if h.err != nil || h.end.Finish != assistant.Answered || h.end.Text != "Let me look.\n\nYou pay 15.99 EUR a month." {
		t.Fatalf("%+v, error %+v", h.end, h.err)
	}
	if got := h.kinds(); got != "start delta tool tool tool tool delta turn" {
		t.Errorf("events: %s", got)
	}
	asked := k.script.Asked()
	results := asked[1].Messages[len(asked[1].Messages)-1].Results
	if len(results) != 2 || results[0].Error || !strings.Contains(results[1].Text, id) || !strings.HasPrefix(results[0].Text, `<data source="household_overview">`) {
		t.Errorf("the model is given %+v", results)
	}
	if h.end.Usage.Requests != 2 || h.end.Usage.Output != 20 || h.end.Usage.Assistant != "model" {
		t.Errorf("used %+v", h.end.Usage)
	}

	k.script.Then(
		gateway.Scene{Calls: calls("household_subscription_update", `{"id":"`+id+`","name":"Netflix HD"}`, "household_subscription_pause", `{"id":"`+id+`"}`)},
		gateway.Scene{Say: "It waits for you."},
	)
	h = k.ask("ann", assistant.Question{Text: "Rename it to Netflix HD and pause it", Conversation: h.start.Conversation})
	cards := h.of(assistant.EventProposal)
	if len(cards) != 1 || len(h.end.Proposals) != 1 || cards[0].str("id") != h.end.Proposals[0] || cards[0].str("state") != "pending" {
		t.Fatalf("cards: %v, %+v %+v", cards, h.end, h.err)
	}
	status, a := k.web("POST", prefix+"/proposals/"+cards[0].str("id")+"/confirm", k.token("ann"), `{"digest":"`+cards[0].str("digest")+`"}`)
	want(t, status, a, 200, "")
	if a.str("state") != "applied" || a.str("actor", "agent_name") != "Model" || a.str("actor", "door") != "assistant" {
		t.Errorf("confirmed: %s", a)
	}
	k.script.Then(gateway.Scene{Say: "Yes."})
	h = k.ask("ann", assistant.Question{Text: "Is it done?", Conversation: h.start.Conversation})
	asked = k.script.Asked()
	if last := lastSaid(asked[len(asked)-1]); !strings.Contains(last, "The person confirmed, and it is done") || !strings.Contains(last, "Netflix HD") {
		t.Errorf("the model is told: %s", last)
	}
	if h.end.Finish != assistant.Answered {
		t.Errorf("%+v", h.end)
	}
}

// lastSaid is the last message of a request.
func lastSaid(r gateway.Request) string {
	var all []string
	for _, p := range r.Messages[len(r.Messages)-1].Parts {
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n")
}
