package gateway

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	rStart   = `{"type":"response.created","response":{"model":"gpt-x","status":"in_progress","output":[],"usage":null}}`
	rMsg     = `{"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}}`
	rHi      = `{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hi"}`
	rMsgItem = `{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[]}]}`
	rMsgDone = `{"type":"response.output_item.done","output_index":0,"item":` + rMsgItem + `}`
	rUsage   = `"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":2},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":3},"total_tokens":14}`
	rEnd     = `{"type":"response.completed","response":{"status":"completed","output":[],` + rUsage + `}}`
	rCall    = `{"type":"response.output_item.added","output_index":0,"item":{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"call_a","name":"get","arguments":""}}`
	rArgs    = `{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":0,"delta":"{\"id\":1}"}`
	rArgsEnd = `{"type":"response.function_call_arguments.done","item_id":"fc_1","output_index":0,"arguments":"{\"id\":1}"}`
	rItem    = `{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_a","name":"get","arguments":"{\"id\":1}"}`
	rCallEnd = `{"type":"response.output_item.done","output_index":0,"item":` + rItem + `}`
)

func rEnded(output string) string {
	return strings.Replace(rEnd, `"output":[]`, `"output":[`+output+`]`, 1)
}

// beside is a stream whose events have their names beside the data only.
func beside(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		kind, rest, _ := strings.Cut(strings.TrimPrefix(d, `{"type":"`), `",`)
		b.WriteString("event: " + kind + "\ndata: {" + rest + "\n\n")
	}
	return b.String()
}

func rCut(reason string) string {
	return `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"` + reason + `"},` + rUsage + `}}`
}

func TestResponsesKinds(t *testing.T) {
	used := &Usage{Uncached: 7, CacheRead: 2, Output: 5, Reasoning: 3}
	hi := heard{Text: "Hi", Finish: Stop, Usage: used, Raw: rMsgItem}
	get := heard{Calls: `call_a get {"id":1}`, Finish: ToolUse, Usage: used, Raw: rItem}
	other := func(s string) string {
		return strings.NewReplacer(`"output_index":0`, `"output_index":1`, "fc_1", "fc_2", `"call_a"`, `"call_b"`, `\"id\":1`, `\"id\":2`).Replace(s)
	}
	both := heard{Calls: `call_a get {"id":1}; call_b get {"id":2}`, Finish: ToolUse, Usage: used, Raw: rItem + "\n" + other(rItem)}
	think := `{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm"}],"encrypted_content":"gAA\/\u0041"}`
	rThink := `{"type":"response.output_item.done","output_index":0,"item":` + think + `}`
	bare := func(s string) string { // as llama.cpp: no place, and the call's id for the item's
		return strings.NewReplacer(`"output_index":0,`, "", `"output_index":1,`, "", `"id":"fc_1",`, "", `"id":"fc_2",`, "", `"item_id":"fc_1"`, `"item_id":"call_a"`, `"item_id":"fc_2"`, `"item_id":"call_b"`).Replace(s)
	}
	rows := []struct {
		name, body string
		want       heard
	}{
		{"plain", stream(rStart, rMsg, rHi, rMsgDone, rEnd), hi},
		{"pings, unknown events, [DONE]", stream(`{"type":"keepalive"}`, rStart, `{"type":"response.shiny","error":null}`, rMsg, rHi, "words", rMsgDone, rEnd, "[DONE]"), hi},
		{"no item begins", stream(rHi, rMsgDone, rEnd), hi},
		{"nothing but what is done", stream(rMsgDone, rEnd), hi},
		{"nothing but the end", stream(rStart, rEnded(rMsgItem)), hi},
		{"text told in full only", stream(rStart, rMsg, `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"Hi"}`, `{"type":"response.content_part.done","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`, rEnd), heard{Text: "Hi", Finish: Stop, Usage: used, Raw: `{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[]}]}`}},
		{"text told in full too early", stream(rStart, rMsg, strings.Replace(rHi, "Hi", "H", 1), `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"H"}`, strings.Replace(rHi, "Hi", "i", 1), rMsgDone, rEnd), hi},
		{"the rest of a text at its end", stream(rStart, rMsg, strings.Replace(rHi, "Hi", "H", 1), rMsgDone, rEnd), hi},
		{"done twice", stream(rStart, rMsg, rHi, rMsgDone, rMsgDone, rEnded(rMsgItem)), hi},
		{"no places and no ids", strings.NewReplacer(`"output_index":0,`, "", `"item_id":"msg_1",`, "").Replace(stream(rStart, rMsg, rHi, rMsgDone, rEnd)), hi},
		{"two messages in one place", stream(rStart, rMsg, rHi, rMsgDone, strings.ReplaceAll(rMsg, "msg_1", "msg_2"), strings.ReplaceAll(rHi, "msg_1", "msg_2"), strings.ReplaceAll(rMsgDone, "msg_1", "msg_2"), rEnd), heard{Text: "HiHi", Finish: Stop, Usage: used, Raw: rMsgItem + "\n" + strings.ReplaceAll(rMsgItem, "msg_1", "msg_2")}},
		{"nulls", stream(`{"type":"response.created","response":null}`, `{"type":"response.output_item.added","output_index":null,"item":null}`, rMsg, rHi, `{"type":"response.output_text.delta","output_index":0,"delta":null}`, rMsgDone, `{"type":"response.completed","response":{"output":null,"error":null,"incomplete_details":null,"usage":null}}`), heard{Text: "Hi", Finish: Stop, Raw: rMsgItem}},
		{"the end without usage", stream(rMsgDone, `{"type":"response.completed","response":{}}`), heard{Text: "Hi", Finish: Stop, Raw: rMsgItem}},
		{"cache writes", stream(rMsgDone, strings.Replace(rEnd, `"cached_tokens":2`, `"cached_tokens":2,"cache_write_tokens":4`, 1)), heard{Text: "Hi", Finish: Stop, Usage: &Usage{Uncached: 3, CacheRead: 2, CacheWrite: 4, Output: 5, Reasoning: 3}, Raw: rMsgItem}},
		{"cache counted beside the prompt", stream(rMsgDone, strings.Replace(rEnd, `"cached_tokens":2`, `"cached_tokens":20`, 1)), heard{Text: "Hi", Finish: Stop, Usage: &Usage{Uncached: 9, CacheRead: 20, Output: 5, Reasoning: 3}, Raw: rMsgItem}},
		{"thinking counted beside the answer", stream(rMsgDone, strings.Replace(rEnd, `"total_tokens":14`, `"total_tokens":17`, 1)), heard{Text: "Hi", Finish: Stop, Usage: &Usage{Uncached: 7, CacheRead: 2, Output: 8, Reasoning: 3}, Raw: rMsgItem}},
		{"usage below zero", stream(rMsgDone, strings.Replace(rEnd, `"output_tokens":5`, `"output_tokens":-5`, 1)), heard{Text: "Hi", Finish: Stop, Raw: rMsgItem}},
		{"begins again after it is done", stream(rStart, rCall, rArgs, rCallEnd, rCall, rEnd), get},
		{"completed, and incomplete", stream(rStart, rCall, rArgs, rCallEnd, strings.Replace(rEnd, `"status":"completed"`, `"status":"incomplete"`, 1)), heard{Finish: MaxTokens, Usage: used}},
		{"no end", stream(rStart, rMsg, rHi, rMsgDone), heard{Text: "Hi", Finish: Failed, Kind: Truncated}},
		{"[DONE] is no end", stream(rStart, rMsg, rHi, rMsgDone, "[DONE]"), heard{Text: "Hi", Finish: Failed, Kind: Truncated}},
		{"cut within an event", stream(rStart, rMsg, rHi) + `data: {"type":"response.comp`, heard{Text: "Hi", Finish: Failed, Kind: Truncated}},
		{"an event that is broken", stream(rStart, rCall, `{"type":"response.function_call_arguments.delta",,}`, rEnd), heard{Finish: Failed, Kind: Server}},
		{"more after the end", stream(rMsgDone, rEnd, rHi, `{"type":"error","message":"late"}`), hi},
		{"nothing", stream(rStart, rEnd), heard{Finish: Failed, Kind: Empty, Usage: used}},
		{"given up by the host", stream(rStart, `{"type":"response.cancelled","response":{"status":"cancelled"}}`), heard{Finish: Failed, Kind: Truncated}},

		{"a call", stream(rStart, rCall, rArgs, rArgsEnd, rCallEnd, rEnd), get},
		{"arguments told in full only", stream(rStart, rCall, rArgsEnd, strings.Replace(rCallEnd, `"{\"id\":1}"`, `""`, 1), rEnd), get},
		{"arguments only when the item is done", stream(rStart, rCall, rCallEnd, rEnd), get},
		{"arguments only in pieces, and never done", stream(rStart, rCall, rArgs, rEnd), get},
		{"arguments as an object", stream(rStart, rCall, strings.Replace(rCallEnd, `"{\"id\":1}"`, `{"id":1}`, 1), rEnd), get},
		{"a call only at the end", stream(rStart, rEnded(rItem)), get},
		{"a call without arguments", stream(rStart, strings.Replace(rCallEnd, `"{\"id\":1}"`, `""`, 1), rEnd), heard{Calls: `call_a get {}`, Finish: ToolUse, Usage: used, Raw: strings.Replace(rItem, `"{\"id\":1}"`, `""`, 1)}},
		{"arguments that are none", stream(rStart, strings.Replace(rCallEnd, `"{\"id\":1}"`, `"{\"id\":"`, 1), rEnd), heard{Calls: `call_a get invalid`, Finish: ToolUse, Usage: used, Raw: strings.Replace(rItem, `"{\"id\":1}"`, `"{\"id\":"`, 1)}},
		{"no call_id", strings.ReplaceAll(stream(rStart, rCall, rArgs, rCallEnd, rEnd), `"call_id":"call_a",`, ""), heard{Calls: `fc_1 get {"id":1}`, Finish: ToolUse, Usage: used, Raw: strings.Replace(strings.Replace(rItem, `"call_id":"call_a",`, "", 1), `}"}`, `}","call_id":"fc_1"}`, 1)}},
		{"a call that never began", stream(rStart, `{"type":"response.function_call_arguments.done","call_id":"call_a","name":"get","arguments":"{\"id\":1}"}`, rEnd), heard{Calls: get.Calls, Finish: ToolUse, Usage: used, Raw: `{"type":"function_call","arguments":"{\"id\":1}","call_id":"call_a","name":"get"}`}},
		{"names only beside the data", beside(rStart, rCall, rArgs, rCallEnd, rEnd), get},
		{"two calls", stream(rStart, rCall, rArgs, rCallEnd, other(rCall), other(rArgs), other(rCallEnd), rEnd), both},
		{"two calls by turns", stream(rStart, rCall, other(rCall), other(rArgs), rArgs, rCallEnd, other(rCallEnd), rEnded(rItem+","+other(rItem))), both},
		{
			"two calls without places", stream(rStart, bare(rCall), bare(other(rCall)), bare(rArgs), bare(other(rArgs)), rEnd),
			heard{Calls: both.Calls, Finish: ToolUse, Usage: used, Raw: bare(rItem) + "\n" + bare(other(rItem))},
		},
		{"two calls in one place", strings.ReplaceAll(stream(rStart, rCall, rArgs, rCallEnd, other(rCall), other(rArgs), other(rCallEnd), rEnd), `"output_index":1`, `"output_index":0`), both},
		{"the same call twice", stream(rStart, rCallEnd, rCallEnd, rEnded(rItem+","+rItem)), get},
		{"half a call at the end", stream(rStart, strings.Replace(rCallEnd, "completed", "incomplete", 1), rEnd), heard{Calls: `call_a get invalid`, Finish: ToolUse, Usage: used, Raw: strings.Replace(rItem, "completed", "incomplete", 1)}},
		{"the ceiling with a call", stream(rStart, rCallEnd, rCut("max_output_tokens")), heard{Finish: MaxTokens, Usage: used}},
		{"the ceiling within completed", stream(rStart, rCallEnd, `{"type":"response.completed","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},`+rUsage+`}}`), heard{Finish: MaxTokens, Usage: used}},
		{"cut for a reason that nobody knows", stream(rStart, rCallEnd, rCut("steered")), heard{Finish: MaxTokens, Usage: used}},
		{"the filter", stream(rStart, rMsg, rHi, rCut("content_filter")), heard{Text: "Hi", Finish: Refused, Usage: used, Refusal: &Refusal{}}},

		{"a refusal in pieces", stream(rStart, rMsg, `{"type":"response.refusal.delta","output_index":0,"delta":"I can"}`, `{"type":"response.refusal.delta","output_index":0,"delta":"not"}`, `{"type":"response.refusal.done","output_index":0,"refusal":"I cannot"}`, `{"type":"response.output_item.done","output_index":0,"item":{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"I cannot"}]}}`, rEnd), heard{Finish: Refused, Usage: used, Refusal: &Refusal{Message: "I cannot"}}},
		{"a refusal in a part", stream(rStart, rMsg, `{"type":"response.content_part.done","output_index":0,"part":{"type":"refusal","refusal":"no"}}`, rCallEnd, rEnd), heard{Finish: Refused, Usage: used, Refusal: &Refusal{Message: "no"}}},
		{"a refusal only at the end", stream(rStart, rEnded(`{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"no"}]}`)), heard{Finish: Refused, Usage: used, Refusal: &Refusal{Message: "no"}}},

		{
			"thinking, sealed when it is done", stream(rStart, `{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gA"}}`, `{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"Hm"}`, `{"type":"response.reasoning_summary_text.done","output_index":0,"text":"Hm"}`, rThink, other(rCallEnd), rEnd),
			heard{Reasoning: "Hm", Calls: `call_b get {"id":2}`, Finish: ToolUse, Usage: used, Raw: think + "\n" + other(rItem)},
		},
		{"thinking shown when it is done", stream(rStart, rThink, other(rCallEnd), rEnd), heard{Reasoning: "Hm", Calls: `call_b get {"id":2}`, Finish: ToolUse, Usage: used, Raw: think + "\n" + other(rItem)}},
		{"thinking that only the end tells stands before its call", stream(rStart, rCallEnd, rEnded(think+","+rItem)), heard{Reasoning: "Hm", Calls: get.Calls, Finish: ToolUse, Usage: used, Raw: think + "\n" + rItem}},
		{"thinking that was never done stays behind", stream(rStart, `{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gA"}}`, other(rCallEnd), rEnd), heard{Calls: `call_b get {"id":2}`, Finish: ToolUse, Usage: used, Raw: other(rItem)}},

		{"an error below", stream(rStart, `{"type":"error","error":{"type":"server_error","code":"server_error","message":"it broke"}}`), heard{Finish: Failed, Kind: Server}},
		{"an error beside", stream(rStart, `{"type":"error","code":"rate_limit_exceeded","message":"slow down","param":null}`), heard{Finish: Failed, Kind: RateLimit}},
		{"an error without its name", stream(rStart, `{"error":{"code":"insufficient_quota","message":"no more"}}`), heard{Finish: Failed, Kind: Billing}},
		{"an error in words", "event: error\ndata: Overloaded\n\n", heard{Finish: Failed, Kind: Overloaded}},
		{"failed", stream(rStart, `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"it broke"},"usage":null}}`), heard{Finish: Failed, Kind: Server}},
		{"failed for the window", stream(rStart, `{"type":"response.failed","response":{"status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model."}}}`), heard{Finish: Failed, Kind: ContextLength}},
		{"failed for the quota", stream(rStart, `{"type":"response.failed","response":{"status":"failed","error":{"code":"insufficient_quota","message":"x"},`+rUsage+`}}`), heard{Finish: Failed, Kind: Billing, Usage: used}},
		{"counts after an error", stream(rStart, `{"type":"error","error":{"code":"insufficient_quota","message":"x"}}`, rHi, `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"y"},`+rUsage+`}}`), heard{Finish: Failed, Kind: Billing, Usage: used}},
		{"the end without an answer around it", stream(rStart, `{"type":"response.completed","status":"completed","output":[`+rMsgItem+`],`+rUsage+`}`), hi},
		{"failed without a word", stream(rStart, rMsg, rHi, `{"type":"response.failed","response":{"status":"failed","error":null}}`), heard{Text: "Hi", Finish: Failed, Kind: Server}},
		{"failed within completed", stream(rStart, rCallEnd, `{"type":"response.completed","response":{"status":"failed","error":{"code":"server_error","message":"x"}}}`), heard{Finish: Failed, Kind: Server}},

		{
			"whole", `{"object":"response","model":"gpt-x","status":"completed","error":null,"output":[` + think + `,` + rMsgItem + `,` + rItem + `],` + rUsage + `}`,
			heard{Text: "Hi", Reasoning: "Hm", Calls: get.Calls, Finish: ToolUse, Usage: used, Raw: think + "\n" + rMsgItem + "\n" + rItem},
		},
		{"whole in an event", stream(`{"object":"response","status":"completed","output":[` + rMsgItem + `],` + rUsage + `}`), hi},
		{"whole with a text for content", `{"status":"completed","output":[{"type":"message","role":"assistant","content":"Hi"}],` + rUsage + `}`, heard{Text: "Hi", Finish: Stop, Usage: used, Raw: `{"type":"message","role":"assistant","content":"Hi"}`}},
		{"whole and cut", `{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[` + rItem + `],` + rUsage + `}`, heard{Finish: MaxTokens, Usage: used}},
		{"whole and failed", `{"object":"response","status":"failed","error":{"code":"server_error","message":"x"},"output":[]}`, heard{Finish: Failed, Kind: Server}},
		{"whole and not yet over", `{"object":"response","status":"in_progress","output":[` + rItem + `]}`, heard{Finish: Failed, Kind: Truncated}},
		{"whole something else", `{"hello":"world"}`, heard{Finish: Failed, Kind: Server}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, r, failed := hear(t, Responses, "api.openai.com", row.body)
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

func TestResponsesCost(t *testing.T) {
	for in, want := range map[string]int64{
		`"cost_in_usd_ticks":12345678`: 1235, `"cost_in_usd_ticks":null`: -1, `"cost_in_usd_ticks":-5`: -1, `"cost":0.0015`: 1500, `"cost":0`: 0, `"cost":"x"`: -1, `"cost":1e300`: -1,
		`"cost":0,"is_byok":true,"cost_details":{"upstream_inference_cost":0.5}`: 500_000, `"cost":0,"is_byok":true`: -1, `"cost":-0.001`: -1,
	} {
		a := &answer{show: func(Delta) {}}
		d := responses{}.decoder(target{Protocol: Responses, Host: "openrouter.ai"}, a)
		d.event("", []byte(`{"type":"response.completed","response":{"usage":{"input_tokens":1,`+in+`}}}`))
		d.end()
		if (a.cost == nil) != (want < 0) || (a.cost != nil && *a.cost != want) {
			t.Errorf("%s: %v", in, a.cost)
		}
	}
	// In what another host counts nobody knows.
	a := &answer{show: func(Delta) {}}
	responses{}.decoder(target{Protocol: Responses, Host: "models.example"}, a).event("", []byte(`{"type":"response.completed","response":{"usage":{"input_tokens":1,"cost":0}}}`))
	if a.cost != nil {
		t.Error(*a.cost)
	}
}
