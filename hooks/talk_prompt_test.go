package hooks

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// TestPromptCaches: over twenty turns the rules and the tools stay the same byte
// for byte, inside a question each request goes on where the one before ended, and
// old turns leave in blocks of four, so that what hosts keep of a request is worth
// something. It prints how much of each request was the beginning of the one
// before.
func TestPromptCaches(t *testing.T) {
	k := newTalk(t, "NODKEEP_MESSAGE_BURST=100")
	for n := range 12 {
		k.subscription("ann", fmt.Sprint("Subscription ", n), fmt.Sprintf("%d.99", n+3))
	}
	conversation, past := "", []int{}
	for n := range 20 {
		k.script.Then(
			gateway.Scene{Think: "They want to know.", Calls: calls("household_overview", `{}`)},
			gateway.Scene{Say: "One moment.", Calls: calls("household_subscription_list", `{"limit":4}`, "household_upcoming", `{}`)},
			gateway.Scene{Say: fmt.Sprintf("Answer %d: you pay 99.00 EUR a month, and next is Subscription 3.", n)},
		)
		before := len(k.script.Asked())
		h := k.ask("ann", assistant.Question{Text: fmt.Sprintf("Question %d: what do I pay, and what is next?", n), Conversation: conversation})
		if h.err != nil {
			t.Fatalf("%+v", h.err)
		}
		conversation = h.start.Conversation
		past = append(past, turnsIn(k.script.Asked()[before])-1)
	}
	asked := k.script.Asked()
	if len(asked) != 60 {
		t.Fatalf("%d requests", len(asked))
	}
	var shared, all, told int // told: what earlier turns come to, where it is not where it was
	var last []byte
	for n, r := range asked {
		if first := asked[0]; string(jsonOf(t, r.System)) != string(jsonOf(t, first.System)) || string(jsonOf(t, r.Tools)) != string(jsonOf(t, first.Tools)) {
			t.Fatalf("request %d has other rules or tools than the first", n)
		}
		messages := messagesOf(t, r)
		if n%3 > 0 {
			before := messagesOf(t, asked[n-1])
			if len(messages) < len(before) || !slices.EqualFunc(before, messages[:len(before)], bytes.Equal) {
				t.Fatalf("request %d does not go on where the one before ended", n)
			}
		}
		if marks := cacheMarks(r); marks > 4 {
			t.Errorf("request %d has %d marks, hosts take 4", n, marks)
		}
		whole := slices.Concat(jsonOf(t, r.Tools), jsonOf(t, r.System), bytes.Join(messages, nil))
		same := 0
		for same < min(len(last), len(whole)) && last[same] == whole[same] {
			same++
		}
		if n > 0 {
			shared, all = shared+same, all+len(whole)
			earlier := len(whole) - len(bytes.Join(messages[lastQuestion(r):], nil))
			told += max(0, earlier-same)
		}
		last = whole
	}
	share := func(n int) float64 { return 100 * float64(n) / float64(all) }
	t.Logf("rules and tools %d bytes; %.1f %% of the bytes were the beginning of the request before (aim: 95 %%); %.1f %% are new: questions, what is around them, results; %.1f %% were told before in another place or form",
		len(jsonOf(t, asked[0].Tools))+len(jsonOf(t, asked[0].System)), share(shared), share(all-shared-told), share(told))
	want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 7, 8, 9, 10, 7, 8, 9, 10, 7}
	if !slices.Equal(past, want) {
		t.Errorf("earlier turns in each question: %v, want %v", past, want)
	}
	for protocol, base := range map[gateway.Protocol]string{
		gateway.Anthropic: "https://api.anthropic.com", gateway.OpenAI: "https://api.mistral.ai/v1", gateway.Responses: "https://api.openai.com/v1",
	} {
		c := gateway.Config{Protocol: protocol, BaseURL: base, Model: "m"}
		for n := 57; n < 59; n++ {
			before, after := sentMessages(t, c, asked[n]), sentMessages(t, c, asked[n+1])
			if len(after) <= len(before) || !slices.EqualFunc(before, after[:len(before)], bytes.Equal) {
				t.Errorf("%s: request %d is not sent on from where the one before ended", protocol, n+1)
			}
		}
	}
	if text := string(messagesOf(t, asked[57])[0]); strings.Contains(text, "Around this question") {
		t.Errorf("an earlier question still has what was around it: %s", text)
	}
}

func jsonOf(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// messagesOf are those of a request as bytes, without the marks for caches: these
// wander, and hosts do not count them.
func messagesOf(t *testing.T, r gateway.Request) (all [][]byte) {
	t.Helper()
	for _, m := range r.Messages {
		m.Cache = false
		all = append(all, jsonOf(t, m))
	}
	return all
}

// sentMessages are the messages of a request as they go to a host, without marks.
func sentMessages(t *testing.T, c gateway.Config, r gateway.Request) (all [][]byte) {
	t.Helper()
	s, err := gateway.Encode(c, r)
	if err != nil {
		t.Fatal(err)
	}
	var body struct {
		Messages, Input []jsontext.Value
	}
	if err := json.Unmarshal(s.Body, &body, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	for _, m := range slices.Concat(body.Messages, body.Input) {
		all = append(all, []byte(strings.ReplaceAll(string(m), `,"cache_control":{"type":"ephemeral"}`, "")))
	}
	return all
}

func turnsIn(r gateway.Request) (n int) {
	for _, m := range r.Messages {
		if m.Role == gateway.User {
			n++
		}
	}
	return n
}

// lastQuestion is where the messages of the present question begin.
func lastQuestion(r gateway.Request) int {
	n := len(r.Messages) - 1
	for r.Messages[n].Role != gateway.User {
		n--
	}
	return n
}

func cacheMarks(r gateway.Request) (n int) {
	for _, b := range r.System {
		if b.Cache {
			n++
		}
	}
	for _, m := range r.Messages {
		if m.Cache {
			n++
		}
	}
	return n
}
