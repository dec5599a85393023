package gateway

import (
	"encoding/json/jsontext"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
)

// Each host takes what it is asked, gets back what it said, and is understood.
func TestChatHosts(t *testing.T) {
	for _, kind := range []fake.Kind{fake.OpenAIChat, fake.Mistral, fake.Gemini, fake.OpenRouter, fake.XAIChat, fake.Local} {
		for _, whole := range []bool{false, true} {
			name := string(kind)
			if whole {
				name += " whole"
			}
			t.Run(name, func(t *testing.T) {
				h := fake.New(t, kind,
					fake.Answer(fake.Think("So.", "SEAL"), fake.Say("I look.").In(3), fake.Calls(fake.Call{Name: "item_get", Args: `{"id": 1}`}, fake.Call{Name: "item_list", Args: ""})),
					fake.Turn{Steps: []fake.Step{fake.Think("Well.", "SEAL2"), fake.Say("It is äö.").In(1)}, Usage: &fake.Usage{Uncached: 30, CacheRead: 20, Output: 7}},
					fake.Answer(fake.Say("Bye.")),
				)
				p, err := New(Config{Protocol: OpenAI, BaseURL: h.Base(), Model: h.Model(), Key: fake.Key, Transport: h.Transport(), Log: slog.New(slog.DiscardHandler)})
				if err != nil {
					t.Fatal(err)
				}
				r := everything("elsewhere.test", "m")
				r.Whole = whole
				r.Messages = append(r.Messages, Message{Role: Assistant, Text: "Hm."}, Message{Role: User, Parts: []Part{{Media: Text, Text: "Look."}}})
				ask := func() Result {
					t.Helper()
					var shown strings.Builder
					got, err := p.Stream(t.Context(), r, func(d Delta) { shown.WriteString(d.Text) })
					if err != nil {
						t.Fatal(err)
					}
					if shown.String() != got.Text {
						t.Errorf("shown %q, said %q", shown.String(), got.Text)
					}
					r.Messages = append(r.Messages, Message{Role: Assistant, Text: got.Text, Calls: got.Calls, Raw: got.Raw})
					return got
				}
				got := ask()
				if got.Text != "I look." || got.Finish != ToolUse || len(got.Calls) != 2 || string(got.Calls[0].Args) != `{"id": 1}` || string(got.Calls[1].Args) != "{}" {
					t.Fatalf("%+v", got)
				}
				r.Messages = append(r.Messages, Message{Role: Tools, Results: []ToolResult{{Call: got.Calls[0].ID, Text: "one"}, {Call: got.Calls[1].ID, Text: "two"}}})
				if got = ask(); got.Text != "It is äö." || got.Finish != Stop || got.Usage == nil || got.Usage.Output != 7 || got.Usage.Uncached+got.Usage.CacheRead != 50 {
					t.Errorf("%+v %+v", got, got.Usage)
				}
				r.Messages = append(r.Messages, Message{Role: User, Parts: []Part{{Media: Text, Text: "Thanks."}}})
				if got = ask(); got.Text != "Bye." {
					t.Errorf("%+v", got)
				}
				if last := h.Last(); slices.Contains([]fake.Kind{fake.OpenRouter, fake.Gemini}, kind) && strings.Contains(string(last.Raw), "SEAL") {
					t.Errorf("thinking of an earlier question went back: %s", last.Raw)
				}
			})
		}
	}
}

// A person who goes on after tools were called, but before the model said
// anything, is understood by a host that wants it to speak first.
func TestChatGoesOn(t *testing.T) {
	h := fake.New(t, fake.Mistral, fake.Answer(fake.Say("Yes.")))
	p, err := New(Config{Protocol: OpenAI, BaseURL: h.Base(), Model: h.Model(), Key: fake.Key, Transport: h.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Stream(t.Context(), Request{Messages: []Message{
		{Role: User, Parts: []Part{{Media: Text, Text: "?"}}},
		{Role: Assistant, Calls: []Call{{ID: "call_1", Name: "f", Args: jsontext.Value(`{}`)}}},
		{Role: Tools, Results: []ToolResult{{Call: "call_1", Text: "1"}}},
		{Role: User, Parts: []Part{{Media: Text, Text: "Forget it."}}},
	}}, func(Delta) {})
	if err != nil || got.Text != "Yes." {
		t.Error(got, err)
	}
}

// What a host does not take is left out, and is not asked for again.
func TestChatRepairs(t *testing.T) {
	for name, row := range map[string]struct {
		kind         fake.Kind
		field, words string
		has          string
	}{
		"the ceiling": {fake.Local, "max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", `"max_completion_tokens":1000`},
		"the usage":   {fake.Local, "stream_options", "Unknown parameter: 'stream_options'.", `"max_tokens":1000`},
		"the effort":  {fake.Local, "reasoning_effort", "Unsupported parameter: 'reasoning_effort' is not supported with this model.", `"max_tokens":1000`},
		"the key":     {fake.Mistral, "prompt_cache_key", "", `"max_tokens":1000`},
		"the person":  {fake.OpenRouter, "user", "", `"max_tokens":1000`},
	} {
		t.Run(name, func(t *testing.T) {
			h := fake.New(t, row.kind, fake.Answer(fake.Say("A")), fake.Answer(fake.Say("B"))).Without(row.field, row.words)
			p, err := New(Config{Protocol: OpenAI, BaseURL: h.Base(), Model: h.Model(), Key: fake.Key, Transport: h.Transport(), Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			r := everything("elsewhere.test", "m")
			for _, want := range []string{"A", "B"} {
				got, err := p.Stream(t.Context(), r, func(Delta) {})
				if err != nil || got.Text != want {
					t.Fatal(got, err)
				}
			}
			refused := 0
			for _, a := range h.Asked() {
				if a.Refused != "" {
					refused++
				}
			}
			if last := string(h.Last().Raw); strings.Contains(last, `"`+row.field+`":`) || !strings.Contains(last, row.has) || refused > 2 {
				t.Errorf("%d refused; last %s", refused, last)
			}
		})
	}
}
