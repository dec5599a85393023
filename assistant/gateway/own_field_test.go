package gateway

import (
	"encoding/json/jsontext"
	"strings"
	"testing"
)

// TestEachHostsOwnFields: who asks is told in the field that the host has for it,
// what begins alike in its own, neither longer than it takes; and where it has
// none, nowhere.
func TestEachHostsOwnFields(t *testing.T) {
	person, key := strings.Repeat("p", 300), strings.Repeat("k", 300)
	metadata := `"metadata":{"user_id":"` + within(person, 256) + `"}`
	safety, user, cache := `"safety_identifier":"`+within(person, 128)+`"`, `"user":"`+within(person, 128)+`"`, `"prompt_cache_key":"`+within(key, 64)+`"`
	for _, row := range []struct {
		protocol Protocol
		host     string
		want     []string
	}{
		{Anthropic, "api.anthropic.com", []string{metadata}},
		{Anthropic, "127.0.0.1:11434", []string{metadata}},
		{Responses, "api.openai.com", []string{safety, cache}},
		{Responses, "api.x.ai", []string{user, cache}},
		{Responses, "openrouter.ai", []string{user}},
		{Responses, "127.0.0.1:8000", nil},
		{OpenAI, "api.openai.com", []string{safety, cache}},
		{OpenAI, "api.mistral.ai", []string{cache}},
		{OpenAI, "generativelanguage.googleapis.com", nil},
		{OpenAI, "openrouter.ai", []string{user}},
		{OpenAI, "api.x.ai", []string{user}},
		{OpenAI, "127.0.0.1:11434", nil},
	} {
		to := target{Protocol: row.protocol, Host: row.host, Model: "claude-x"}
		body, err := speechOf(row.protocol).encode(Request{Person: person, CacheKey: key, Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: "?"}}}}}, to)
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{metadata, safety, user, cache} {
			name, _, _ := strings.Cut(field, ":")
			wants := false
			for _, want := range row.want {
				wants = wants || want == field
			}
			if strings.Contains(string(body), field) != wants || strings.Contains(string(body), name+":") != wants {
				t.Errorf("%s %s: %s is there: %v, want %v\n%s", row.protocol, row.host, name, !wants, wants, body)
			}
		}
		if strings.Contains(string(body), person) || strings.Contains(string(body), key) {
			t.Errorf("%s %s: too long for a host: %s", row.protocol, row.host, body)
		}
	}
}

// TestChatMarksTheLatest: of the ends that are marked for a router four are the
// most, two of them in the instructions, and of messages the last.
func TestChatMarksTheLatest(t *testing.T) {
	for _, row := range []struct{ blocks, turns, want, inSystem int }{{5, 5, 4, 2}, {1, 5, 4, 1}, {5, 0, 2, 2}, {0, 6, 4, 0}, {1, 1, 2, 1}} {
		var r Request
		for range row.blocks {
			r.System = append(r.System, Block{Text: "x", Cache: true})
		}
		for range row.turns {
			r.Messages = append(r.Messages, Message{Role: User, Parts: []Part{{Media: Text, Text: "y"}}, Cache: true}, Message{Role: Assistant, Text: "z"})
		}
		body, err := chat{}.encode(r, target{Protocol: OpenAI, Host: "openrouter.ai", Model: "google/gemini-4"})
		if err != nil {
			t.Fatal(err)
		}
		system, rest, _ := strings.Cut(string(body), `"role":"user"`)
		if n, s := strings.Count(string(body), "cache_control"), strings.Count(system, "cache_control"); n != row.want || s != row.inSystem {
			t.Errorf("%+v: %d marks, %d of them in the instructions", row, n, s)
		}
		if first, _, _ := strings.Cut(rest, `"role":"assistant"`); row.turns > 4 && strings.Contains(first, "cache_control") {
			t.Errorf("%+v: the first is marked, not the last", row)
		}
	}
}

// TestChatUpstream: a router's schema is as the host behind it wants it.
func TestChatUpstream(t *testing.T) {
	tools := []Tool{{Name: "f", Schema: jsontext.Value(`{"type":"object","additionalProperties":false,"properties":{}}`)}}
	for model, kept := range map[string]bool{"google/gemini-4": false, "~google/gemini-4": false, "openai/gpt-6-sol": true, "anthropic/claude-opus-5.5": true} {
		body, err := chat{}.encode(Request{Tools: tools}, target{Protocol: OpenAI, Host: "openrouter.ai", Model: model})
		if err != nil || strings.Contains(string(body), "additionalProperties") != kept {
			t.Errorf("%s: %s %v", model, body, err)
		}
	}
}

// TestCutEventsAreNotFree: what broke off within its first event may have been
// answered, so it counts.
func TestCutEventsAreNotFree(t *testing.T) {
	for p, body := range map[Protocol]string{Anthropic: `data: {"type":"message_sta`, OpenAI: `data: {"choices":[{"del`, Responses: `data: {"type":"response.cre`} {
		to := target{Protocol: p, Host: "h.test", Model: "m"}
		a := &answer{show: func(Delta) {}}
		in := newIntake(a, speechOf(p).decoder(to, a))
		if err := in.add([]byte(body)); err != nil {
			t.Fatal(err)
		}
		in.end()
		if s := a.spent(false); a.err == nil || a.err.Kind != Truncated || s.Unbilled || !s.Cut {
			t.Errorf("%s: %+v, %+v", p, s, a.err)
		}
	}
}
