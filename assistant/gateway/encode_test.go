package gateway

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"net/http"
	"strings"
	"testing"
)

// conversation has all that a request can have: an older question, answered by
// this host, and the one under way, with what each answer was as it came.
func conversation(before, now *Raw) Request {
	return Request{
		System: []Block{{Text: "You help.", Cache: true}, {Text: " "}, {Text: "Today is Monday."}},
		Messages: []Message{
			{Role: User, Parts: []Part{{Media: Text, Text: "What is there?"}}, Cache: true},
			{Role: Assistant, Text: "Let me look.", Raw: before, Calls: []Call{{ID: "old_1", Name: "item_list", Args: jsontext.Value(`{"a": 1}`)}, {ID: "old_2", Name: "item_get", Invalid: true}}},
			{Role: Tools, Cache: true, Results: []ToolResult{{Call: "old_1", Text: `{"items":[]}`}, {Call: "old_2", Text: "the arguments are no JSON", Error: true}}},
			{Role: Assistant, Text: "Nothing."},
			{Role: User, Parts: []Part{
				{Media: Image, Type: "image/jpeg", Data: []byte("JPEG")}, {Media: PDF, Name: "bill.pdf", Data: []byte("%PDF"), Pages: 1}, {Media: Text, Text: "And \u00e4 <this>?"}, {Media: Text},
			}, Cache: true},
			{Role: Assistant, Text: "Looking.", Raw: now, Calls: []Call{{ID: "new_1", Name: "item_get", Args: jsontext.Value(`{"id":1}`)}, {ID: "new_2", Name: "item_get", Args: jsontext.Value(`{"id":2}`)}}},
			{Role: Tools, Cache: true, Results: []ToolResult{{Call: "new_1", Text: "one"}, {Call: "new_2"}}},
		},
		Tools: []Tool{
			{Name: "item_list", Description: "Lists.", Schema: jsontext.Value(`{"type":"object"}`)},
			{Name: "item_get", Description: "Gets.", Schema: jsontext.Value(`{"type":"object","additionalProperties":false,"required":["id"],"properties":{"id":{"type":"integer"}}}`)},
		},
		Effort: XHigh, MaxOutput: 1000, Person: "p-0123", CacheKey: "home-1",
	}
}

func values(all ...string) (out []jsontext.Value) {
	for _, v := range all {
		out = append(out, jsontext.Value(v))
	}
	return out
}

const (
	aThought = `{ "type":"thinking","thinking":"H\u006d","signature":"S\/1" }`
	rThought = `{ "type":"reasoning","summary":[],"encrypted_content":"gA\/\u0041" }`
)

func anthropicConversation(host, model string) Request {
	raw := func(thought, id string) *Raw {
		return &Raw{Protocol: Anthropic, Host: host, Model: model, Items: values(thought, `{"type":"text","text":"Looking."}`,
			`{"type":"tool_use","id":"`+id+`_1","name":"item_get","input":{"id": 1}}`, `{"type":"tool_use","id":"`+id+`_2","name":"item_get","input":{"id": 2}}`)}
	}
	return conversation(raw(`{"type":"thinking","thinking":"long ago","signature":"S0"}`, "old"), raw(aThought, "new"))
}

func responsesConversation(host, model string) Request {
	raw := func(thought, id string) *Raw {
		return &Raw{Protocol: Responses, Host: host, Model: model, Items: values(thought, `{"id":"msg_1","type":"message","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"Looking.","annotations":[]}]}`,
			`{"id":"fc_1","type":"function_call","call_id":"`+id+`_1","name":"item_get","arguments":"{\"id\": 1}"}`, `{"type":"function_call","call_id":"`+id+`_2","name":"item_get","arguments":"{\"id\": 2}"}`)}
	}
	return conversation(raw(`{"id":"rs_0","type":"reasoning","summary":[],"encrypted_content":"long ago"}`, "old"), raw(rThought, "new"))
}

func TestEncodeAnthropicAndResponses(t *testing.T) {
	rows := []struct {
		name    string
		to      target
		r       Request
		thought string // goes back as it came
	}{
		{"anthropic", target{Protocol: Anthropic, Host: "api.anthropic.com", Model: "claude-opus-5-5"}, anthropicConversation("api.anthropic.com", "claude-opus-5-5"), aThought},
		{"anthropic_46", target{Protocol: Anthropic, Host: "api.anthropic.com", Model: "claude-sonnet-4-6"}, anthropicConversation("api.anthropic.com", "claude-sonnet-4-6"), aThought},
		{"anthropic_haiku", target{Protocol: Anthropic, Host: "api.anthropic.com", Model: "claude-haiku-4-5-20251001"}, anthropicConversation("api.anthropic.com", "claude-haiku-4-5-20251001"), aThought},
		{"anthropic_another_model", target{Protocol: Anthropic, Host: "api.anthropic.com", Model: "claude-opus-5-5"}, anthropicConversation("api.anthropic.com", "claude-sonnet-5-5"), ""},
		{"anthropic_another_protocol", target{Protocol: Anthropic, Host: "api.anthropic.com", Model: "claude-opus-5-5"}, responsesConversation("api.openai.com", "gpt-6-sol"), ""},
		{"anthropic_compatible", target{Protocol: Anthropic, Host: "compat.example.test", Model: "kimi-k3"}, anthropicConversation("compat.example.test", "kimi-k3"), aThought},
		{"anthropic_that_refuses", target{Protocol: Anthropic, Host: "compat.example.test", Model: "claude-opus-5-5", Learned: map[string]string{"cache_control": "", "metadata": "", "thinking": "", "output_config": "high"}}, anthropicConversation("compat.example.test", "claude-opus-5-5"), aThought},
		{"openai", target{Protocol: Responses, Host: "api.openai.com", Model: "gpt-6-sol"}, responsesConversation("api.openai.com", "gpt-6-sol"), rThought},
		{"openai_plain", target{Protocol: Responses, Host: "api.openai.com", Model: "gpt-4.1"}, conversation(nil, nil), ""},
		{"openai_another_model", target{Protocol: Responses, Host: "api.openai.com", Model: "gpt-6.1-sol"}, responsesConversation("api.openai.com", "gpt-6-sol"), ""},
		{"openai_another_protocol", target{Protocol: Responses, Host: "api.openai.com", Model: "gpt-6-sol"}, anthropicConversation("api.anthropic.com", "claude-opus-5-5"), ""},
		{"xai", target{Protocol: Responses, Host: "api.x.ai", Model: "grok-4.7"}, responsesConversation("api.x.ai", "grok-4.7"), rThought},
		{"local", target{Protocol: Responses, Host: "127.0.0.1:8000", Model: "gpt-oss"}, responsesConversation("127.0.0.1:8000", "gpt-oss"), rThought},
		{"local_that_refuses", target{Protocol: Responses, Host: "127.0.0.1:8000", Model: "gpt-oss", Learned: map[string]string{"include": "", "store": "", "strict": "", "reasoning": ""}}, responsesConversation("127.0.0.1:8000", "gpt-oss"), rThought},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := speechOf(row.to.Protocol)
			body, err := s.encode(row.r, row.to)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := s.encode(row.r, row.to); err != nil || string(again) != string(body) {
				t.Error("the same request is not the same bytes", err)
			}
			if !strings.Contains(string(body), row.thought) || strings.Contains(string(body), "long ago") {
				t.Error("what was thought must go back as it came, and to its question only")
			}
			if n := strings.Count(string(body), "cache_control"); n > 4 || (n > 0 && row.to.Protocol != Anthropic) {
				t.Errorf("%d marks", n)
			}
			for _, field := range []string{"temperature", "top_p", "top_k", "tool_choice"} {
				if strings.Contains(string(body), `"`+field+`"`) {
					t.Errorf("%s is sent", field)
				}
			}
			v := jsontext.Value(body)
			if err := v.Indent(jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true)); err != nil {
				t.Fatal(err)
			}
			golden(t, "request/"+row.name+".json", append(v, '\n'))
		})
	}
}

func TestHeaders(t *testing.T) {
	rows := []struct {
		p         Protocol
		host, key string
		want      map[string]string
	}{
		{Anthropic, "api.anthropic.com", "k", map[string]string{"Anthropic-Version": "2026-10-21", "X-Api-Key": "k"}},
		{Anthropic, "api.anthropic.com.evil.test", "k", map[string]string{"Anthropic-Version": "2023-06-01", "X-Api-Key": "k"}},
		{Anthropic, "127.0.0.1:11434", "", map[string]string{"Anthropic-Version": "2023-06-01"}},
		{Anthropic, "openrouter.ai", "k", map[string]string{"Anthropic-Version": "2023-06-01", "Authorization": "Bearer k"}},
		{Responses, "api.openai.com", "k", map[string]string{"Authorization": "Bearer k"}},
		{Responses, "127.0.0.1:8000", "", map[string]string{}},
		{OpenAI, "api.mistral.ai", "k", map[string]string{"Authorization": "Bearer k"}},
		{OpenAI, "api.x.ai", "k", map[string]string{"Authorization": "Bearer k", "X-Grok-Conv-Id": within("home 1", 0)}},
		{OpenAI, "127.0.0.1:11434", "", map[string]string{}},
	}
	for _, row := range rows {
		h := http.Header{}
		speechOf(row.p).headers(h, Request{CacheKey: "home 1"}, target{Protocol: row.p, Host: row.host}, row.key)
		if len(h) != len(row.want) {
			t.Errorf("%s %s: %v", row.p, row.host, h)
		}
		for name, want := range row.want {
			if h.Get(name) != want {
				t.Errorf("%s %s: %s is %q", row.p, row.host, name, h.Get(name))
			}
		}
	}
}

func TestAnthropicMarksTheLatest(t *testing.T) {
	block, turn := Block{Text: "x", Cache: true}, Message{Role: User, Parts: []Part{{Media: Text, Text: "y"}}, Cache: true}
	rows := []struct{ blocks, turns, wantBlocks, wantTurns int }{{1, 1, 1, 1}, {2, 5, 2, 2}, {6, 1, 3, 1}, {6, 3, 3, 1}, {6, 0, 4, 0}, {0, 6, 0, 4}}
	for _, row := range rows {
		var r Request
		for range row.blocks {
			r.System = append(r.System, block)
		}
		for range row.turns {
			r.Messages = append(r.Messages, turn, Message{Role: Assistant, Text: "z"})
		}
		w := anthropicWriter{}
		w.mark(r)
		if len(w.blocks) != row.wantBlocks || len(w.turns) != row.wantTurns || (row.turns > 0 && !w.turns[2*(row.turns-1)]) || (row.blocks > 0 && !w.blocks[row.blocks-1]) {
			t.Errorf("%+v: %v, %v", row, w.blocks, w.turns)
		}
	}
}

// TestNothingIsSentEmpty: a text of nothing is refused as a text, and a message
// of nothing as a message.
func TestNothingIsSentEmpty(t *testing.T) {
	r := Request{Whole: true, System: []Block{{}}, Messages: []Message{
		{Role: User, Parts: []Part{{Media: Text, Text: "a"}}}, {Role: Assistant}, {Role: User, Parts: []Part{{Media: Text}}}, {Role: User, Parts: []Part{{Media: Text, Text: "b"}}},
	}}
	for p, want := range map[Protocol]string{
		Anthropic: `{"model":"claude-x","max_tokens":8192,"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}`,
		Responses: `{"model":"claude-x","store":false,"include":["reasoning.encrypted_content"],"max_output_tokens":8192,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"b"}]}]}`,
	} {
		body, err := speechOf(p).encode(r, target{Protocol: p, Host: "h", Model: "claude-x"})
		if err != nil || string(body) != want {
			t.Errorf("%s\nwant %s (%v)", body, want, err)
		}
	}
}

func TestEncodeTakesNoOtherMedia(t *testing.T) {
	r := Request{Messages: []Message{{Role: User, Parts: []Part{{Media: "sound"}}}}}
	for _, p := range []Protocol{Anthropic, Responses} {
		if _, err := speechOf(p).encode(r, target{Protocol: p}); err == nil {
			t.Error(p)
		}
	}
}

// TestToolsAnswerFirst: what tools answered stands before what a person says
// next, in one message.
func TestToolsAnswerFirst(t *testing.T) {
	r := Request{Messages: []Message{
		{Role: User, Parts: []Part{{Media: Text, Text: "a"}}},
		{Role: Assistant, Calls: []Call{{ID: "1"}, {ID: "2"}}},
		{Role: Tools, Results: []ToolResult{{Call: "1", Text: "x"}, {Call: "2", Text: "y"}}},
		{Role: User, Parts: []Part{{Media: Text, Text: "b"}}},
	}}
	body, err := anthropic{}.encode(r, target{Protocol: Anthropic})
	if err != nil {
		t.Fatal(err)
	}
	var sent struct {
		Messages []struct {
			Content []struct {
				Type string `json:"type"`
			} `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, c := range sent.Messages[len(sent.Messages)-1].Content {
		types = append(types, c.Type)
	}
	if got := strings.Join(types, " "); len(sent.Messages) != 3 || got != "tool_result tool_result text" {
		t.Errorf("%d messages, the last has %s", len(sent.Messages), got)
	}
}

// TestIDsDiffer: a host that numbers its calls anew with every answer is
// followed by one that wants their ids to differ.
func TestIDsDiffer(t *testing.T) {
	var r Request
	for range 3 {
		r.Messages = append(r.Messages, Message{Role: User, Parts: []Part{{Media: Text, Text: "a"}}}, Message{Role: Assistant, Calls: []Call{{ID: "call_1", Name: "x"}, {ID: "call_2", Name: "x"}}},
			Message{Role: Tools, Results: []ToolResult{{Call: "call_1", Text: "x"}, {Call: "call_2", Text: "y"}}})
	}
	for p, fields := range map[Protocol][2]string{Anthropic: {"id", "tool_use_id"}, Responses: {"", "call_id"}} {
		body, err := speechOf(p).encode(r, target{Protocol: p})
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, field := range fields {
			for _, rest := range strings.Split(string(body), `"`+field+`":"`)[1:] {
				id, _, _ := strings.Cut(rest, `"`)
				count[id]++
			}
		}
		if len(count) != 6 {
			t.Errorf("%s: %v in %s", p, count, body)
		}
		for id, n := range count {
			if n != 2 {
				t.Errorf("%s: %s stands there %d times", p, id, n)
			}
		}
	}
}
