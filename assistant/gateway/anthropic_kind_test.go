package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// heard is what came of a reply, in short.
type heard struct {
	Text, Reasoning, Calls string
	Finish                 Finish
	Kind                   ErrorKind // of the error
	Usage                  *Usage
	Refusal                *Refusal
	Raw                    string
}

// hear reads a reply: lines of data, or one JSON value.
func hear(t *testing.T, p Protocol, host, body string) (heard, Result, *Error) {
	t.Helper()
	r, failed, err := Decode(Reply{Protocol: p, Host: host, Model: "m", Status: 200, Body: bytes.NewReader([]byte(body))})
	if err != nil {
		t.Fatal(err)
	}
	h := heard{Text: r.Text, Reasoning: r.Reasoning, Finish: r.Finish, Usage: r.Usage, Refusal: r.Refusal}
	if failed != nil {
		h.Kind = failed.Kind
	}
	var calls []string
	for _, c := range r.Calls {
		args := string(c.Args)
		if c.Invalid {
			args = "invalid"
		}
		calls = append(calls, c.ID+" "+c.Name+" "+args)
	}
	h.Calls = strings.Join(calls, "; ")
	if r.Raw != nil {
		h.Raw = string(bytes.Join(rawItems(r.Raw), []byte("\n")))
	}
	return h, r, failed
}

func rawItems(r *Raw) (out [][]byte) {
	for _, v := range r.Items {
		out = append(out, v)
	}
	return out
}

// stream is events without their names, which data has.
func stream(data ...string) string {
	return "data: " + strings.Join(data, "\n\ndata: ") + "\n\n"
}

const (
	aStart = `{"type":"message_start","message":{"model":"claude-x","usage":{"input_tokens":9,"output_tokens":1}}}`
	aText  = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	aHi    = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}`
	aClose = `{"type":"content_block_stop","index":0}`
	aEnd   = `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}`
	aUse   = `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}}`
	aStop  = `{"type":"message_stop"}`
	aTool  = `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"get","input":{}}}`
)

func aArgs(part string) string {
	return `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":` + string(quote(part)) + `}}`
}

func aStopped(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason + `"},"usage":{"output_tokens":5}}`
}

func TestAnthropicKinds(t *testing.T) {
	used := &Usage{Uncached: 9, Output: 5}
	hi := heard{Text: "Hi", Finish: Stop, Usage: used, Raw: `{"type":"text","text":"Hi"}`}
	call := func(calls, raw string) heard { return heard{Calls: calls, Finish: ToolUse, Usage: used, Raw: raw} }
	get := call(`toolu_1 get {"id":1}`, `{"type":"tool_use","id":"toolu_1","name":"get","input":{"id":1}}`)
	began := &Usage{Uncached: 9, Output: 1}
	rows := []struct {
		name, body string
		want       heard
	}{
		{"plain", stream(aStart, aText, aHi, aClose, aEnd, aStop), hi},
		{"pings and unknown events", stream(`{"type":"ping"}`, aStart, `{"type":"shiny","error":null}`, aText, `{"type":"ping"}`, aHi, aClose, aEnd, `{"type":"ping"}`, aStop), hi},
		{"[DONE] and words", stream(aStart, aText, "hello", aHi, aClose, aEnd, aStop, "[DONE]"), hi},
		{"names only beside the data", beside(aStart, aText, aHi, aClose, aEnd) + "event: message_stop\ndata: {}\n\n", hi},
		{"no message_start", stream(aText, aHi, aClose, aEnd, aStop), heard{Text: "Hi", Finish: Stop, Usage: &Usage{Output: 5}, Raw: hi.Raw}},
		{"nothing begins or ends but the message", stream(aStart, aHi, aEnd, aStop), hi},
		{"a block begins twice", stream(aStart, aText, aText, aHi, aClose, aEnd, aStop), hi},
		{"no index", strings.ReplaceAll(stream(aStart, aText, aHi, aClose, aEnd, aStop), `"index":0,`, ""), hi},
		{"text at the start of its block", stream(aStart, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}`, aClose, aEnd, aStop), hi},
		{"nulls", stream(`{"type":"message_start","message":{"model":null,"usage":{"input_tokens":9,"cache_read_input_tokens":null,"output_tokens":null}}}`, aText, aHi, `{"type":"content_block_delta","index":0,"delta":null}`, aClose, `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_details":null},"usage":{"input_tokens":null,"output_tokens":5,"output_tokens_details":null,"iterations":null}}`, aStop), hi},
		{"a prompt of zeros is no correction", stream(aStart, aText, aHi, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":0,"cache_read_input_tokens":0,"output_tokens":5}}`, aStop), hi},
		{"the prompt comes late", stream(strings.Replace(aStart, `"input_tokens":9`, `"input_tokens":0`, 1), aText, aHi, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":9,"output_tokens":5}}`, aStop), hi},
		{"counts after the end", stream(aStart, aText, aHi, aStop, aEnd), hi},
		{"cache writes by their life", stream(`{"type":"message_start","message":{"usage":{"input_tokens":9,"cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":4}}}}`, aText, aHi, aEnd, aStop), heard{Text: "Hi", Finish: Stop, Usage: &Usage{Uncached: 9, CacheWrite: 7, Output: 5}, Raw: hi.Raw}},
		{"no usage", stream(`{"type":"message_start","message":{}}`, aText, aHi, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, aStop), heard{Text: "Hi", Finish: Stop, Raw: hi.Raw}},
		{"usage of zeros", stream(`{"type":"message_start","message":{"usage":{"input_tokens":0,"output_tokens":0}}}`, aText, aHi, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":0}}`, aStop), heard{Text: "Hi", Finish: Stop, Raw: hi.Raw}},
		{"usage below zero", stream(`{"type":"message_start","message":{"usage":{"input_tokens":-4}}}`, aText, aHi, aEnd, aStop), heard{Text: "Hi", Finish: Stop, Raw: hi.Raw}},
		{"message_stop alone", stream(aStart, aText, aHi, aClose, aStop), heard{Text: "Hi", Finish: Stop, Usage: began, Raw: hi.Raw}},
		{"no message_stop", stream(aStart, aText, aHi, aClose, aEnd), hi},
		{"no message_stop after a call", stream(aStart, aTool, aArgs(`{"id":1}`), aClose, aUse), get},
		{"no end at all", stream(aStart, aText, aHi, aClose), heard{Text: "Hi", Finish: Failed, Kind: Truncated, Usage: began}},
		{"no end after a call", stream(aStart, aTool, aArgs(`{"id":1}`), aClose), heard{Finish: Failed, Kind: Truncated, Usage: began}},
		{"cut within an event", stream(aStart, aText, aHi) + "data: {\"type\":\"content_bl", heard{Text: "Hi", Finish: Failed, Kind: Truncated, Usage: began}},
		{"an event that is broken", stream(aStart, aTool, aArgs(`{"id":1`), `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta",,"partial_json":"2"}}`, aArgs(`}`), aClose, aUse, aStop), heard{Finish: Failed, Kind: Server, Usage: began}},
		{"more after the end", stream(aStart, aText, aHi, aClose, aEnd, aStop, aHi, `{"type":"error","error":{"type":"api_error","message":"late"}}`), hi},
		{"nothing at all", stream(aStart, aEnd, aStop), heard{Finish: Failed, Kind: Empty, Usage: used}},
		{"an empty body", "", heard{Finish: Failed, Kind: Truncated}},

		{"a call", stream(aStart, aTool, aArgs(`{"id"`), aArgs(`:1}`), aClose, aUse, aStop), get},
		{"a call begins twice", stream(aStart, aTool, aTool, aArgs(`{"id":1}`), aClose, aUse, aStop), get},
		{"input whole at the start", stream(aStart, strings.Replace(aTool, `"input":{}`, `"input":{"id":1}`, 1), aClose, aUse, aStop), get},
		{"input as a text", stream(aStart, strings.Replace(aTool, `"input":{}`, `"input":"{\"id\":1}"`, 1), aClose, aUse, aStop), get},
		{"input as an object in a piece", stream(aStart, aTool, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":{"id":1}}}`, aClose, aUse, aStop), get},
		{"no arguments", stream(aStart, aTool, aArgs(""), aClose, aUse, aStop), call(`toolu_1 get {}`, `{"type":"tool_use","id":"toolu_1","name":"get","input":{}}`)},
		{"arguments that are none", stream(aStart, aTool, aArgs(`{"id":`), aClose, aUse, aStop), call(`toolu_1 get invalid`, `{"type":"tool_use","id":"toolu_1","name":"get","input":{"INVALID_JSON":"{\"id\":"}}`)},
		{"arguments that are a list", stream(aStart, aTool, aArgs(`[1]`), aClose, aUse, aStop), call(`toolu_1 get invalid`, `{"type":"tool_use","id":"toolu_1","name":"get","input":{"INVALID_JSON":"[1]"}}`)},
		{"no id", stream(aStart, strings.Replace(aTool, `"id":"toolu_1",`, "", 1), aArgs(`{"id":1}`), aClose, aUse, aStop), call(`call_1 get {"id":1}`, `{"type":"tool_use","name":"get","input":{"id":1},"id":"call_1"}`)},
		{"the same call twice", stream(aStart, aTool, aArgs(`{"id":1}`), aClose, aTool, aArgs(`{"id":1}`), aClose, aUse, aStop), get},
		{"two calls in one place", stream(aStart, aTool, aArgs(`{"id":1}`), aClose, strings.Replace(aTool, "toolu_1", "toolu_2", 1), aArgs(`{"id":2}`), aClose, aUse, aStop), call(`toolu_1 get {"id":1}; toolu_2 get {"id":2}`, get.Raw+"\n"+`{"type":"tool_use","id":"toolu_2","name":"get","input":{"id":2}}`)},
		{"interleaved", stream(aStart, aTool, strings.NewReplacer(`"index":0`, `"index":1`, "toolu_1", "toolu_2").Replace(aTool), strings.Replace(aArgs(`{"id":2}`), `"index":0`, `"index":1`, 1), aArgs(`{"id":1}`), aClose, aUse, aStop), call(`toolu_1 get {"id":1}; toolu_2 get {"id":2}`, get.Raw+"\n"+`{"type":"tool_use","id":"toolu_2","name":"get","input":{"id":2}}`)},
		{"end_turn with a call", stream(aStart, aTool, aArgs(`{"id":1}`), aClose, aEnd, aStop), get},
		{"a reason that nobody knows", stream(aStart, aTool, aArgs(`{"id":1}`), aClose, aStopped("new_thing"), aStop), get},
		{"the ceiling with a call", stream(aStart, aTool, aArgs(`{"id":1}`), aClose, aStopped("max_tokens"), aStop), heard{Finish: MaxTokens, Usage: used}},
		{"the window with a call", stream(aStart, aTool, aArgs(`{"id":1}`), aClose, aStopped("model_context_window_exceeded"), aStop), heard{Finish: ContextWindow, Usage: used}},
		{"stop_sequence", stream(aStart, aText, aHi, aClose, aStopped("stop_sequence"), aStop), hi},
		{"pause_turn", stream(aStart, aText, aHi, aClose, aStopped("pause_turn"), aStop), hi},
		{"refusal without details", stream(aStart, aClose, aStopped("refusal"), aStop), heard{Finish: Refused, Usage: used, Refusal: &Refusal{}}},

		{
			"thinking", stream(aStart, `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"\u00c4h \ud83d"}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"\ude00"}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"a\/b"}}`, aClose, strings.Replace(aText, "0", "1", 1), strings.Replace(aHi, "0", "1", 1), aEnd, aStop),
			heard{Text: "Hi", Reasoning: "Äh ��", Finish: Stop, Usage: used, Raw: `{"type":"thinking","thinking":"\u00c4h \ud83d\ude00","signature":"a\/b"}` + "\n" + hi.Raw},
		},
		{"thinking without signature", stream(aStart, `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}`, aClose, strings.Replace(aText, "0", "1", 1), strings.Replace(aHi, "0", "1", 1), aEnd, aStop), heard{Text: "Hi", Reasoning: "Hm", Finish: Stop, Usage: used, Raw: hi.Raw}},
		{"a block of no known kind", stream(aStart, `{"type":"content_block_start","index":0,"content_block":{"type":"shiny","x":[1, 2]}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"shiny_delta","text":"no"}}`, aHi, aClose, strings.Replace(aText, "0", "1", 1), strings.Replace(aHi, "0", "1", 1), aEnd, aStop), heard{Text: "Hi", Finish: Stop, Usage: used, Raw: `{"type":"shiny","x":[1, 2]}` + "\n" + hi.Raw}},
		{"a block of white space", stream(aStart, strings.Replace(aText, `"text":""`, `"text":"\n"`, 1), aClose, strings.Replace(aTool, `"index":0`, `"index":1`, 1), strings.Replace(aArgs(`{"id":1}`), `"index":0`, `"index":1`, 1), aUse, aStop), heard{Text: "\n", Calls: get.Calls, Finish: ToolUse, Usage: used, Raw: get.Raw}},

		{"overloaded before", stream(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), heard{Finish: Failed, Kind: Overloaded}},
		{"overloaded after", stream(aStart, aText, aHi, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, aEnd, aStop), heard{Text: "Hi", Finish: Failed, Kind: Overloaded, Usage: began}},
		{"no credit", stream(aStart, `{"type":"error","error":{"type":"billing_error","message":"Your credit balance is too low"}}`), heard{Finish: Failed, Kind: Billing, Usage: began}},
		{"no permission", stream(`{"type":"error","error":{"type":"permission_error","message":"not for you"}}`), heard{Finish: Failed, Kind: Auth}},
		{"no key", stream(`{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`), heard{Finish: Failed, Kind: Auth}},
		{"an error in words", "event: error\ndata: Overloaded\n\n", heard{Finish: Failed, Kind: Overloaded}},
		{"an error without a type", stream(aStart, `{"error":{"message":"it broke"}}`), heard{Finish: Failed, Kind: Server, Usage: began}},

		{
			"whole", `{"type":"message","model":"claude-x","content":[{"type":"thinking","thinking":"Hm","signature":"S"},{"type":"text","text":"Hi"},{"type":"tool_use","id":"toolu_1","name":"get","input":{"id": 1}}],"stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":5}}`,
			heard{Text: "Hi", Reasoning: "Hm", Calls: `toolu_1 get {"id": 1}`, Finish: ToolUse, Usage: used, Raw: `{"type":"thinking","thinking":"Hm","signature":"S"}` + "\n" + hi.Raw + "\n" + `{"type":"tool_use","id":"toolu_1","name":"get","input":{"id": 1}}`},
		},
		{"whole in an event", stream(`{"type":"message","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":5}}`), hi},
		{"whole without a reason", `{"type":"message","content":[{"type":"text","text":"Hi"}],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":5}}`, hi},
		{"whole with a text for content", `{"content":"Hi","stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":5}}`, hi},
		{"whole refusal", `{"type":"message","content":[],"stop_reason":"refusal","stop_details":{"category":"bio","explanation":"no"},"usage":{"input_tokens":9,"output_tokens":5}}`, heard{Finish: Refused, Usage: used, Refusal: &Refusal{"bio", "no"}}},
		{"whole error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, heard{Finish: Failed, Kind: Overloaded}},
		{"whole something else", `{"hello":"world"}`, heard{Finish: Failed, Kind: Server}},
		{"whole list", `[1,2]`, heard{Finish: Failed, Kind: Server}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, r, failed := hear(t, Anthropic, "api.anthropic.com", row.body)
			if d := cmp.Diff(row.want, got); d != "" {
				t.Error(d, failed)
			}
			if r.Raw != nil {
				if _, err := Replay(r.Raw); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestAnthropicOtherHostsMayLeaveThinkingUnsigned(t *testing.T) {
	_, r, _ := hear(t, Anthropic, "compat.example.test", `{"content":[{"type":"thinking","thinking":"Hm"},{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}`)
	if r.Raw == nil || len(r.Raw.Items) != 2 || string(r.Raw.Items[0]) != `{"type":"thinking","thinking":"Hm"}` {
		t.Errorf("%+v", r.Raw)
	}
}

func TestAnthropicBillsEachModel(t *testing.T) {
	a := &answer{show: func(Delta) {}}
	d := anthropic{}.decoder(target{Protocol: Anthropic}, a)
	d.event("", []byte(aStart))
	d.event("", []byte(`{"type":"content_block_start","index":0,"content_block":{"type":"fallback","from":{"model":"claude-x"},"to":{"model":"claude-y"}}}`))
	d.event("", []byte(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":7,"output_tokens":6,"iterations":[{"model":"claude-x","input_tokens":9,"cache_read_input_tokens":2,"output_tokens":0},{"model":null,"input_tokens":7,"cache_creation_input_tokens":1,"output_tokens":6}]}}`))
	d.end()
	want := []Billed{{"claude-x", Usage{Uncached: 9, CacheRead: 2}}, {"claude-y", Usage{Uncached: 7, CacheWrite: 1, Output: 6}}}
	if diff := cmp.Diff(want, a.billed); diff != "" || a.model != "claude-y" {
		t.Error(diff, a.model)
	}
}

func TestAnthropicErrorsKeepTheirRequest(t *testing.T) {
	_, _, failed := hear(t, Anthropic, "api.anthropic.com", stream(aStart, aText, aHi, `{"type":"error","error":{"type":"api_error","message":"x"},"request_id":"req_7"}`))
	if failed == nil || failed.RequestID != "req_7" || !failed.AfterContent || !failed.Retryable {
		t.Errorf("%+v", failed)
	}
}

// TestRawIsByteExact: what stands between is not touched, however it is written.
func TestRawIsByteExact(t *testing.T) {
	block := `{"thinking" : "\u00e4\/é" ,"type":"thinking","signature":"S","z":1.0e0}`
	_, r, _ := hear(t, Anthropic, "api.anthropic.com", `{"content":[`+block+`,{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}`)
	if r.Raw == nil || string(r.Raw.Items[0]) != block {
		t.Fatalf("%+v", r.Raw)
	}
	body, err := anthropic{}.encode(Request{Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: "?"}}}, {Role: Assistant, Raw: r.Raw}}}, target{Protocol: Anthropic, Host: "api.anthropic.com", Model: "m"})
	if err != nil || !strings.Contains(string(body), block) || !jsontext.Value(body).IsValid() {
		t.Errorf("%s %v", body, err)
	}
}
