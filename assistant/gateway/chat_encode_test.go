package gateway

import (
	"encoding/json/jsontext"
	"errors"
	"strings"
	"testing"
)

// everything is a request that has all that requests have.
func everything(host, model string) Request {
	raw := &Raw{Protocol: OpenAI, Host: host, Model: model, Items: []jsontext.Value{jsontext.Value(`{"role":"assistant","content":"Look\u0069ng.","tool_calls":[{"id":"aB3dE6gH9","type":"function","function":{"name":"item_get","arguments":"{\"id\": 1}"},"extra_content":{"google":{"thought_signature":"S"}}}]}`)}}
	old := &Raw{Protocol: OpenAI, Host: host, Model: model, Items: []jsontext.Value{jsontext.Value(`{"role":"assistant","content":"","reasoning_content":"long ago"}`)}}
	return Request{
		System: []Block{{Text: "You help.", Cache: true}, {Text: "Today is Monday."}},
		Messages: []Message{
			{Role: User, Parts: []Part{{Media: Text, Text: "What is there?"}}},
			{Role: Assistant, Raw: old, Calls: []Call{{ID: "toolu_01", Name: "item_list", Args: jsontext.Value(`{}`)}, {ID: "toolu_02", Name: "item_get", Invalid: true}}},
			{Role: Tools, Results: []ToolResult{{Call: "toolu_01", Text: `{"items":[]}`}, {Call: "toolu_02", Text: "the arguments are no JSON", Error: true}}},
			{Role: Assistant, Raw: old, Text: "Nothing."},
			{Role: User, Cache: true, Parts: []Part{
				{Media: Text, Text: "And this?"},
				{Media: Image, Type: "image/png", Data: []byte("\xff\xd8\xff\xe0JPEG")},
			}},
			{Role: Assistant, Raw: raw, Text: "Looking.", Calls: []Call{{ID: "aB3dE6gH9", Name: "item_get", Args: jsontext.Value(`{"id":1}`)}}},
			{Role: Tools, Cache: true, Results: []ToolResult{{Call: "aB3dE6gH9", Text: "<b>1 & 2</b>"}}},
		},
		Tools: []Tool{
			{Name: "item_list", Description: "Lists.", Schema: jsontext.Value(`{"type":"object"}`)},
			{Name: "item_get", Description: "Gets.", Schema: jsontext.Value(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,"required":["id"],"properties":{
				"id":{"type":"integer","exclusiveMinimum":0},"day":{"type":"string","format":"date","pattern":"^\\d{4}"},"tags":{"type":"array","uniqueItems":true},
				"kind":{"const":"a"},"note":{"type":["string","null"]},"sum":{"oneOf":[{"type":"integer"},{"type":"string"}]}}}`)},
		},
		Effort: XHigh, MaxOutput: 1000, Person: "p-0123", CacheKey: "home-1",
	}
}

func TestChatEncode(t *testing.T) {
	for name, to := range map[string]target{
		"openai":              {Host: "api.openai.com", Model: "gpt-6-sol"},
		"openai_older":        {Host: "api.openai.com", Model: "gpt-5.1"},
		"mistral":             {Host: "api.mistral.ai", Model: "mistral-large-2512"},
		"gemini":              {Host: "generativelanguage.googleapis.com", Model: "gemini-3.8-flash"},
		"openrouter":          {Host: "openrouter.ai", Model: "x-ai/grok-4.7"},
		"openrouter_marks":    {Host: "openrouter.ai", Model: "anthropic/claude-opus-5.5"},
		"xai":                 {Host: "api.x.ai", Model: "grok-4.7"},
		"common":              {Host: "127.0.0.1:8080", Model: "qwen"},
		"common_that_refuses": {Host: "proxy.example.test", Model: "m", Learned: map[string]string{"max_tokens": "max_completion_tokens", "stream_options": "", "reasoning_effort": "medium"}},
	} {
		t.Run(name, func(t *testing.T) {
			to.Protocol = OpenAI
			body, err := chat{}.encode(everything(to.Host, to.Model), to)
			if err != nil {
				t.Fatal(err)
			}
			again, err := chat{}.encode(everything(to.Host, to.Model), to)
			if err != nil || string(again) != string(body) {
				t.Error("the same request is not the same bytes", err)
			}
			// What the host wrote goes back to the byte, and only in its question.
			if sent := string(body); !strings.Contains(sent, `{"role":"assistant","content":"Look\u0069ng.","tool_calls":[{"id":"aB3dE6gH9"`) || strings.Contains(sent, "long ago") {
				t.Error(sent)
			}
			v := jsontext.Value(body)
			if err := v.Indent(jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true)); err != nil {
				t.Fatal(err)
			}
			golden(t, "chat/"+name+".json", append(v, '\n'))
		})
	}
}

func TestChatWhole(t *testing.T) {
	body, err := chat{}.encode(Request{Whole: true}, target{Protocol: OpenAI, Host: "127.0.0.1", Model: "m"})
	if want := `{"model":"m","max_tokens":8192,"messages":[]}`; err != nil || string(body) != want {
		t.Errorf("%s, want %s (%v)", body, want, err)
	}
}

func TestChatPDF(t *testing.T) {
	r := Request{Messages: []Message{{Role: User, Parts: []Part{{Media: PDF, Name: "bill.pdf", Data: []byte("%PDF-1.7")}}}}}
	for host, want := range map[string]string{
		"api.openai.com":                    `"content":[{"type":"file","file":{"filename":"bill.pdf","file_data":"data:application/pdf;base64,JVBERi0xLjc="}}]`,
		"api.mistral.ai":                    `"content":[{"type":"document_url","document_url":"data:application/pdf;base64,JVBERi0xLjc=","document_name":"bill.pdf"}]`,
		"openrouter.ai":                     `"plugins":[{"id":"file-parser","pdf":{"engine":"cloudflare-ai"}}]`,
		"generativelanguage.googleapis.com": "",
		"api.x.ai":                          "",
		"127.0.0.1:11434":                   "",
	} {
		body, err := chat{}.encode(r, target{Protocol: OpenAI, Host: host, Model: "m"})
		if want != "" {
			if err != nil || !strings.Contains(string(body), want) {
				t.Errorf("%s: %v %s", host, err, body)
			}
			continue
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Unsupported || e.Retryable || !strings.Contains(e.Message, "PDF") {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// An answer goes back as it came only to who wrote it, and only with ids that the
// host takes.
func TestChatRebuilds(t *testing.T) {
	item := jsontext.Value(`{"role":"assistant","content":null,"reasoning":"secret","tool_calls":[]}`)
	call := []Call{{ID: "call_1", Name: "f", Args: jsontext.Value(`{}`)}}
	for name, c := range map[string]struct {
		to   target
		raw  Raw
		kept bool
	}{
		"the same":         {target{Host: "a.test", Model: "m"}, Raw{OpenAI, "a.test", "m", []jsontext.Value{item}}, true},
		"another host":     {target{Host: "b.test", Model: "m"}, Raw{OpenAI, "a.test", "m", []jsontext.Value{item}}, false},
		"another model":    {target{Host: "a.test", Model: "n"}, Raw{OpenAI, "a.test", "m", []jsontext.Value{item}}, false},
		"another protocol": {target{Host: "a.test", Model: "m"}, Raw{Responses, "a.test", "m", []jsontext.Value{item}}, false},
		"nothing":          {target{Host: "a.test", Model: "m"}, Raw{OpenAI, "a.test", "m", nil}, false},
		"no JSON":          {target{Host: "a.test", Model: "m"}, Raw{OpenAI, "a.test", "m", []jsontext.Value{jsontext.Value(`{"role"`)}}, false},
		"ids it refuses":   {target{Host: "api.mistral.ai", Model: "m"}, Raw{OpenAI, "api.mistral.ai", "m", []jsontext.Value{item}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.to.Protocol = OpenAI
			body, err := chat{}.encode(Request{Messages: []Message{
				{Role: User, Parts: []Part{{Media: Text, Text: "?"}}},
				{Role: Assistant, Raw: &c.raw, Calls: call},
				{Role: Tools, Results: []ToolResult{{Call: "call_1", Text: "1"}}},
			}}, c.to)
			if err != nil {
				t.Fatal(err)
			}
			id := nine("call_1")
			if c.kept {
				id = "call_1"
			}
			if sent := string(body); strings.Contains(sent, string(item)) != c.kept || strings.Contains(sent, "secret") != c.kept || !strings.Contains(sent, `"tool_call_id":"`+id+`"`) || !c.kept && !strings.Contains(sent, `"id":"`+id+`"`) {
				t.Error(sent)
			}
		})
	}
}

// Whatever a host refuses: an answer has its ceiling.
func TestChatKeepsItsCeiling(t *testing.T) {
	for _, learned := range []map[string]string{{"max_tokens": ""}, {"max_tokens": "", "max_completion_tokens": ""}, {"max_tokens": "nonsense"}} {
		body, err := chat{}.encode(Request{MaxOutput: 7}, target{Protocol: OpenAI, Host: "a.test", Model: "m", Learned: learned})
		if err != nil || !strings.Contains(string(body), `"max_tokens":7`) {
			t.Errorf("%v: %s %v", learned, body, err)
		}
	}
}

// A router's reader of files may cost extra: the model reads by itself, or one
// that costs nothing does.
func TestChatReader(t *testing.T) {
	r := Request{Messages: []Message{{Role: User, Parts: []Part{{Media: PDF, Data: []byte("%PDF-1.7")}}}}}
	for model, want := range map[string]string{"anthropic/claude-opus-5.5": "native", "~google/gemini": "native", "openai/gpt-6-sol": "native", "qwen/qwen4": "cloudflare-ai", "m": "cloudflare-ai"} {
		body, err := chat{}.encode(r, target{Protocol: OpenAI, Host: "openrouter.ai", Model: model})
		if err != nil || !strings.Contains(string(body), `"engine":"`+want+`"`) {
			t.Errorf("%s: %s %v", model, body, err)
		}
	}
}
