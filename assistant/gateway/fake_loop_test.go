package gateway_test

import (
	"encoding/json/jsontext"
	"slices"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
)

// TestQuestionsOverAStrictHost asks two questions, each with tools and thinking,
// of hosts that refuse whatever the real ones refuse: what is sent back must be
// what they said.
func TestQuestionsOverAStrictHost(t *testing.T) {
	for _, kind := range []fake.Kind{fake.Anthropic, fake.OpenAI, fake.XAI} {
		for _, whole := range []bool{false, true} {
			t.Run(string(kind)+map[bool]string{true: " whole"}[whole], func(t *testing.T) {
				h := fake.New(t, kind,
					fake.Answer(fake.Think("I look.", "SEAL-1"), fake.Say("Looking. ").In(3), fake.Calls(fake.Call{Name: "get_item", Args: `{"id": "i1"}`}, fake.Call{Name: "get_item", Args: `{"id": "i2"}`})),
					fake.Answer(fake.Think("Once more.", "SEAL-2"), fake.Calls(fake.Call{Name: "list_items", Args: ""})),
					fake.Answer(fake.Think("Now I know.", "SEAL-3"), fake.Say("There are two.").In(2)),
					fake.Answer(fake.Think("Again.", "SEAL-4"), fake.Calls(fake.Call{Name: "list_items", Args: "{}"})),
					fake.Answer(fake.Say("Still two.")),
				)
				p, err := gateway.New(gateway.Config{Protocol: gateway.Protocol(h.Protocol()), BaseURL: h.Base(), Model: h.Model(), Key: fake.Key, Transport: h.Transport()})
				if err != nil {
					t.Fatal(err)
				}
				r := gateway.Request{
					System: []gateway.Block{{Text: "Rules.", Cache: true}, {Text: "Today."}},
					Tools: []gateway.Tool{
						{Name: "list_items", Description: "All.", Schema: jsontext.Value(`{"type":"object"}`)},
						{Name: "get_item", Description: "One.", Schema: jsontext.Value(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)},
					},
					Effort: gateway.High, Person: "p-1", CacheKey: "home", Whole: whole,
				}
				var texts, thoughts []string
				ask := func(text string) {
					r.Messages = append(r.Messages, gateway.Message{Role: gateway.User, Parts: []gateway.Part{{Media: gateway.Text, Text: text}}, Cache: true})
					for {
						res, err := p.Stream(t.Context(), r, func(gateway.Delta) {})
						if err != nil {
							t.Fatal(err)
						}
						texts, thoughts = append(texts, res.Text), append(thoughts, res.Reasoning)
						r.Messages = append(r.Messages, gateway.Message{Role: gateway.Assistant, Text: res.Text, Calls: res.Calls, Raw: res.Raw})
						if res.Finish != gateway.ToolUse {
							return
						}
						m := gateway.Message{Role: gateway.Tools, Cache: true}
						for _, c := range res.Calls {
							m.Results = append(m.Results, gateway.ToolResult{Call: c.ID, Text: "result of " + string(c.Args)})
						}
						r.Messages = append(r.Messages, m)
					}
				}
				ask("How many?")
				ask("And now?")
				if want := []string{"Looking. ", "", "There are two.", "", "Still two."}; !slices.Equal(texts, want) {
					t.Errorf("%q", texts)
				}
				if want := []string{"I look.", "Once more.", "Now I know.", "Again.", ""}; !slices.Equal(thoughts, want) {
					t.Errorf("%q", thoughts)
				}
				last := h.Last()
				if last.System == "" || last.User != "And now?" || !slices.Equal(last.Results, []string{"result of {}"}) || !slices.Equal(last.Tools, []string{"get_item", "list_items"}) {
					t.Errorf("%+v", last)
				}
			})
		}
	}
}
