package gateway

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sse makes a stream of events.
func sse(events ...string) string {
	return "data: " + strings.Join(events, "\n\ndata: ") + "\n\n"
}

// delta is a chunk with this in its delta.
func delta(members string) string {
	return `{"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{` + members + `},"finish_reason":null}]}`
}

// toolDelta is a chunk with a piece of a call.
func toolDelta(members string) string { return delta(`"tool_calls":[` + members + `]`) }

// finished is a last chunk.
func finished(why string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":` + why + `}]}`
}

// told is what a test says of an answer, in short.
type told struct {
	Text, Reasoning string
	Calls           []string // id name arguments
	Finish          Finish
	Usage           *Usage
	Cost            int64
	Kind            ErrorKind
	Message         string // that the error has
	Refusal         string
}

func decodeChat(t *testing.T, host, body string) (told, *answer, Result) {
	t.Helper()
	a := &answer{show: func(Delta) {}}
	to := target{Protocol: OpenAI, Host: host, Model: "m"}
	in := newIntake(a, chat{}.decoder(to, a))
	for len(body) > 0 {
		n := min(len(body), 7)
		if in.add([]byte(body[:n])) != nil {
			break
		}
		body = body[n:]
	}
	in.end()
	r, err := a.result(to)
	out := told{Text: r.Text, Reasoning: r.Reasoning, Finish: r.Finish, Usage: r.Usage}
	if a.cost != nil {
		out.Cost = *a.cost
	}
	for _, c := range r.Calls {
		args := string(c.Args)
		if c.Invalid {
			args = "invalid"
		}
		out.Calls = append(out.Calls, c.ID+" "+c.Name+" "+args)
	}
	if err != nil {
		out.Kind, out.Message = err.Kind, err.Message
	}
	if r.Refusal != nil {
		out.Refusal = r.Refusal.Category + r.Refusal.Message
	}
	return out, a, r
}

// manyCalls are as many pieces of calls.
func manyCalls(n int) string {
	all := make([]string, n)
	for k := range all {
		all[k] = `{"id":"` + strconv.Itoa(k) + `","function":{"name":"f"}}`
	}
	return strings.Join(all, ",")
}

const (
	askA = `{"index":0,"id":"c1","type":"function","function":{"name":"get_item","arguments":"{\"id\":1}"}}`
	done = `[DONE]`
)

func TestChatKinds(t *testing.T) {
	one := []string{`c1 get_item {"id":1}`}
	use := func(calls ...string) told { return told{Calls: calls, Finish: ToolUse} }
	for name, c := range map[string]struct {
		host string // openrouter.ai and such; else an unknown one
		body string
		want told
	}{
		"no index, two in one list": {"", sse(toolDelta(`{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"f","arguments":"{}"}}`), finished(`"stop"`), done), use("a f {}", "b f {}")},
		"no index, in pieces": {"", sse(toolDelta(`{"id":"a","function":{"name":"f","arguments":"{\"x\""}}`), toolDelta(`{"function":{"arguments":":1}"}}`),
			toolDelta(`{"id":"b","function":{"name":"g","arguments":""}}`), toolDelta(`{"function":{"arguments":"{}"}}`), finished(`"tool_calls"`), done), use(`a f {"x":1}`, "b g {}")},
		"no index and no id":              {"", sse(toolDelta(`{"function":{"name":"f","arguments":"{\"x\":1}"}}`), toolDelta(`{"function":{"name":"f","arguments":"{\"x\":2}"}}`), finished(`"tool_calls"`)), use(`call_1 f {"x":1}`, `call_2 f {"x":2}`)},
		"no index, no id, one list":       {"", sse(toolDelta(`{"function":{"name":"f","arguments":""}},{"function":{"name":"g","arguments":""}}`), finished(`"tool_calls"`)), use(`call_1 f {}`, `call_2 g {}`)},
		"index 0 for all, no id":          {"", sse(toolDelta(`{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}`), toolDelta(`{"index":0,"id":null,"function":{"name":"g","arguments":"{\"x\":2}"}}`), finished(`"tool_calls"`)), use(`call_1 f {"x":1}`, `call_2 g {"x":2}`)},
		"no id, name resent":              {"", sse(toolDelta(`{"index":0,"function":{"name":"f","arguments":"{\"x\":"}}`), toolDelta(`{"index":0,"function":{"name":"f","arguments":"1}"}}`), toolDelta(`{"index":0,"function":{"name":"f","arguments":""}}`), finished(`"tool_calls"`)), use(`call_1 f {"x":1}`)},
		"no id, {} first":                 {"", sse(toolDelta(`{"index":0,"function":{"name":"f","arguments":"{}"}}`), toolDelta(`{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}`), finished(`"tool_calls"`)), use(`call_1 f {"x":1}`)},
		"index from 1":                    {"openrouter.ai", sse(toolDelta(strings.ReplaceAll(askA, `"index":0`, `"index":1`)), finished(`"tool_calls"`), done), use(one...)},
		"index as a text":                 {"", sse(toolDelta(strings.ReplaceAll(askA, `"index":0`, `"index":"0"`)), finished(`"tool_calls"`), done), use(one...)},
		"interleaved by index":            {"", sse(toolDelta(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}},{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}`), toolDelta(`{"index":0,"function":{"arguments":"}"}},{"index":1,"function":{"arguments":"}"}}`), finished(`"tool_calls"`)), use("a f {}", "b g {}")},
		"another id with each piece":      {"", sse(toolDelta(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}`), toolDelta(`{"index":0,"id":"b","function":{"arguments":"1}"}}`), finished(`"tool_calls"`)), use(`a f {"x":1}`)},
		"nulls everywhere":                {"", sse(`{"id":null,"choices":[{"index":0,"delta":{"role":null,"content":null,"tool_calls":null,"function_call":null,"refusal":null,"reasoning_content":null},"finish_reason":null,"logprobs":null}],"usage":null,"error":null}`, toolDelta(`{"index":0,"id":"c1","type":null,"function":{"name":"get_item","arguments":null}}`), toolDelta(`{"index":0,"id":null,"type":null,"function":{"name":null,"arguments":"{\"id\":1}"}}`), finished(`"tool_calls"`), done), use(one...)},
		"the name split":                  {"", sse(toolDelta(`{"index":0,"id":"c1","function":{"name":"get_","arguments":""}}`), toolDelta(`{"index":0,"function":{"name":"item"}}`), toolDelta(`{"index":0,"function":{"arguments":"{\"id\":1}"}}`), finished(`"tool_calls"`)), use(one...)},
		"the name growing":                {"", sse(toolDelta(`{"index":0,"id":"c1","function":{"name":"get"}}`), toolDelta(`{"index":0,"function":{"name":"get_item","arguments":"{\"id\":1}"}}`), finished(`"tool_calls"`)), use(one...)},
		"arguments as an object":          {"", sse(toolDelta(`{"index":0,"id":"c1","function":{"name":"get_item","arguments":{"id":1}}}`), finished(`"tool_calls"`), done), use(one...)},
		"arguments as an object, twice":   {"", sse(toolDelta(`{"index":0,"id":"c1","function":{"name":"get_item","arguments":{}}}`), toolDelta(`{"index":0,"id":"c1","function":{"name":"get_item","arguments":{"id":1}}}`), toolDelta(`{"index":0,"id":"c1","function":{"name":"get_item","arguments":{"id":1}}}`), finished(`"tool_calls"`), done), use(one...)},
		"no arguments":                    {"", sse(toolDelta(`{"index":0,"id":"c1","function":{"name":"all","arguments":""}}`), finished(`"tool_calls"`), done), use("c1 all {}")},
		"arguments missing":               {"", sse(toolDelta(`{"index":0,"id":"c1","function":{"name":"all"}}`), finished(`"tool_calls"`), done), use("c1 all {}")},
		"arguments that are a list":       {"", sse(toolDelta(`{"index":0,"id":"c1","function":{"name":"all","arguments":"[1]"}}`), finished(`"tool_calls"`), done), use("c1 all invalid")},
		"arguments cut":                   {"", sse(toolDelta(`{"index":0,"id":"c1","function":{"name":"all","arguments":"{\"a\":"}}`), finished(`"tool_calls"`), done), use("c1 all invalid")},
		"arguments that say a name twice": {"", sse(toolDelta(`{"index":0,"id":"c1","function":{"name":"all","arguments":"{\"a\":1,\"a\":2}"}}`), finished(`"tool_calls"`), done), use("c1 all invalid")},
		"no name":                         {"", sse(toolDelta(`{"index":0,"id":"c1","function":{"arguments":"{}"}}`), finished(`"tool_calls"`), done), use("c1  invalid")},
		"finish stop with calls":          {"", sse(toolDelta(askA), finished(`"stop"`), done), use(one...)},
		"finish before the call":          {"", sse(finished(`"stop"`), toolDelta(askA), done), use(one...)},
		"function_call":                   {"", sse(delta(`"role":"assistant","function_call":{"name":"get_item","arguments":""}`), delta(`"function_call":{"arguments":"{\"id\":"}`), delta(`"function_call":{"arguments":"1}"}`), finished(`"function_call"`), done), use(`call_1 get_item {"id":1}`)},
		"the same call twice":             {"", sse(toolDelta(askA), toolDelta(strings.ReplaceAll(askA, `"index":0`, `"index":1`)), finished(`"tool_calls"`), done), use(one...)},
		"one id for two calls":            {"", sse(toolDelta(askA), toolDelta(`{"index":1,"id":"c1","function":{"name":"g","arguments":"{}"}}`), finished(`"tool_calls"`), done), use(one[0], "call_2 g {}")},
		"[DONE] without finish":           {"", sse(delta(`"content":"Hi"`), done), told{Text: "Hi", Finish: Stop}},
		"[DONE] without finish, calls":    {"", sse(toolDelta(askA), done), use(one...)},
		"silently cut":                    {"", sse(delta(`"content":"Hi"`)), told{Text: "Hi", Finish: Failed, Kind: Truncated}},
		"cut within an event":             {"", sse(delta(`"content":"Hi"`)) + `data: {"choices":[{"ind`, told{Text: "Hi", Finish: Failed, Kind: Truncated}},
		"cut after the end":               {"", sse(delta(`"content":"Hi"`), finished(`"stop"`)) + `data: {"choices":[],"usa`, told{Text: "Hi", Finish: Stop}},
		"calls over the ceiling":          {"", sse(toolDelta(askA), finished(`"length"`), done), told{Finish: MaxTokens}},
		"calls that are filtered":         {"", sse(toolDelta(askA), finished(`"content_filter"`), done), told{Finish: Refused, Refusal: "content_filter"}},
		"calls, and an unknown end":       {"", sse(toolDelta(askA), finished(`"paused"`), done), told{Finish: Failed, Kind: Server}},
		"text, and an unknown end":        {"", sse(delta(`"content":"Hi"`), finished(`"paused"`), done), told{Text: "Hi", Finish: Stop}},
		"no space after data":             {"", strings.ReplaceAll(sse(delta(`"content":"Hi"`), finished(`"stop"`), done), "data: ", "data:"), told{Text: "Hi", Finish: Stop}},
		"CR line ends":                    {"", strings.ReplaceAll(sse(delta(`"content":"Hi"`), finished(`"stop"`), done), "\n", "\r"), told{Text: "Hi", Finish: Stop}},
		"no empty lines":                  {"", strings.ReplaceAll(sse(delta(`"content":"Hi"`), finished(`"stop"`), done), "\n\n", "\n"), told{Text: "Hi", Finish: Stop}},
		"a long line":                     {"", sse(delta(`"content":"`+strings.Repeat("x", 300_000)+`"`), finished(`"stop"`), done), told{Text: strings.Repeat("x", 300_000), Finish: Stop}},
		"finish empty on every chunk":     {"", sse(`{"choices":[{"index":0,"delta":{"content":"A"},"finish_reason":""}]}`, `{"choices":[{"index":0,"delta":{"content":"B"},"finish_reason":""}]}`, finished(`"stop"`), done), told{Text: "AB", Finish: Stop}},
		"reasoning outside": {
			"api.x.ai", sse(delta(`"content":"ok"`), finished(`"stop"`), `{"choices":[],"usage":{"prompt_tokens":500,"completion_tokens":300,"total_tokens":1000,"completion_tokens_details":{"reasoning_tokens":200}}}`, done),
			told{Text: "ok", Finish: Stop, Usage: &Usage{Uncached: 500, Output: 500, Reasoning: 200}},
		},
		"thinking that only the total has": {
			"generativelanguage.googleapis.com", sse(delta(`"content":"ok"`), finished(`"stop"`), `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":100}}`, done),
			told{Text: "ok", Finish: Stop, Usage: &Usage{Uncached: 10, Output: 90, Reasoning: 85}},
		},
		"reasoning":                     {"", sse(delta(`"reasoning":"Hm."`), delta(`"content":"A"`), finished(`"stop"`)), told{Text: "A", Reasoning: "Hm.", Finish: Stop}},
		"reasoning_content":             {"", sse(delta(`"reasoning_content":"Hm."`), delta(`"content":"A"`), finished(`"stop"`)), told{Text: "A", Reasoning: "Hm.", Finish: Stop}},
		"reasoning only in details":     {"openrouter.ai", sse(delta(`"reasoning_details":[{"type":"reasoning.text","text":"Hm."}]`), delta(`"content":"A"`), finished(`"stop"`)), told{Text: "A", Reasoning: "Hm.", Finish: Stop}},
		"reasoning and details":         {"openrouter.ai", sse(delta(`"reasoning":"Hm.","reasoning_details":[{"type":"reasoning.text","text":"Hm."}]`), delta(`"content":"A"`), finished(`"stop"`)), told{Text: "A", Reasoning: "Hm.", Finish: Stop}},
		"content as a list":             {"api.mistral.ai", sse(delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]}]`), delta(`"content":[{"type":"text","text":"A"},{"type":"reference","reference_ids":[1]}]`), delta(`"content":"B"`), finished(`"stop"`), done), told{Text: "AB", Reasoning: "Hm.", Finish: Stop}},
		"an error in mid-stream":        {"openrouter.ai", sse(delta(`"content":"Half"`), `{"id":"x","error":{"code":"server_error","message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`, done), told{Text: "Half", Finish: Failed, Kind: Server, Message: "Provider disconnected"}},
		"an error of the choice":        {"openrouter.ai", sse(`{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":429,"message":"Slow down"}}]}`), told{Finish: Failed, Kind: RateLimit, Message: "Slow down"}},
		"an upstream's own words":       {"openrouter.ai", sse(`{"error":{"code":400,"message":"Provider returned error","metadata":{"raw":"{\"error\":{\"message\":\"This model's maximum context length is 8192 tokens\"}}","provider_name":"X"}},"choices":[]}`), told{Finish: Failed, Kind: ContextLength, Message: "Provider returned error This model's maximum context length is 8192 tokens"}},
		"an error field of the stream":  {"127.0.0.1:8080", sse(delta(`"content":"Part"`)) + "error: {\"code\":500,\"message\":\"the request exceeds the available context size\",\"type\":\"server_error\"}\n\n", told{Text: "Part", Finish: Failed, Kind: ContextLength, Message: "the request exceeds the available context size"}},
		"an error event":                {"", "event: error\ndata: {\"message\":\"model crashed\"}\n\n", told{Finish: Failed, Kind: Server, Message: "model crashed"}},
		"an untyped error":              {"", sse(`{"message":"model crashed","code":500}`), told{Finish: Failed, Kind: Server, Message: "model crashed"}},
		"an error as a text":            {"127.0.0.1:1234", sse(`{"error":"Model unloaded."}`), told{Finish: Failed, Kind: Server, Message: "Model unloaded."}},
		"an error in a list":            {"generativelanguage.googleapis.com", sse(`[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]`), told{Finish: Failed, Kind: Overloaded, Message: "The model is overloaded."}},
		"an error in one piece":         {"", `{"error":{"message":"Busy","code":429}}`, told{Finish: Failed, Kind: RateLimit, Message: "Busy"}},
		"an error that is a word":       {"", sse("Internal Server Error"), told{Finish: Failed, Kind: Server, Message: "no answer of a model: Internal Server Error"}},
		"an error after the end":        {"", sse(toolDelta(askA), finished(`"tool_calls"`), `{"error":{"message":"lost","code":500}}`), told{Finish: Failed, Kind: Server, Message: "lost"}},
		"no error":                      {"", sse(`{"error":null,"choices":[{"index":0,"delta":{"content":"an \"error\":"}}]}`, finished(`"stop"`)), told{Text: `an "error":`, Finish: Stop}},
		"an end that names the other's": {"openrouter.ai", sse(delta(`"content":"A"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop","native_finish_reason":"refusal"}]}`, done), told{Text: "A", Finish: Refused, Refusal: "content_filter"}},
		"only the other's end":          {"openrouter.ai", sse(delta(`"content":"A"`), `{"choices":[{"index":0,"delta":{},"finish_reason":null,"native_finish_reason":"MAX_TOKENS"}]}`, done), told{Text: "A", Finish: MaxTokens}},
		"a malformed call":              {"generativelanguage.googleapis.com", sse(delta(`"content":"A"`), finished(`"function_call_filter: MALFORMED_FUNCTION_CALL"`), done), told{Text: "A", Finish: Failed, Kind: Server}},
		"the field refusal":             {"", sse(delta(`"refusal":"I can"`), delta(`"refusal":"not."`), finished(`"stop"`), done), told{Finish: Refused, Refusal: "I cannot."}},
		"several choices":               {"", sse(`{"choices":[{"index":0,"delta":{"content":"A"}},{"index":1,"delta":{"content":"X"}}]}`, `{"choices":[{"index":1,"delta":{"content":"Y"},"finish_reason":"length"}]}`, finished(`"stop"`)), told{Text: "A", Finish: Stop}},
		"a whole answer to a stream":    {"", `{"object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","reasoning":"Hm."},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`, told{Text: "Hi", Reasoning: "Hm.", Finish: Stop, Usage: &Usage{Uncached: 3, Output: 1}}},
		"a whole answer in an event":    {"", sse(`{"object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}`, done), told{Text: "Hi", Finish: Stop}},
		"all of it again at the end":    {"", sse(delta(`"content":"Hi"`), `{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}`, done), told{Text: "Hi", Finish: Stop}},
		"whole, without finish":         {"", `{"choices":[{"message":{"content":"Hi"}}]}`, told{Text: "Hi", Finish: Stop}},
		"whole, nothing in it":          {"", `{"choices":[]}`, told{Finish: Failed, Kind: Empty}},
		"something else":                {"", `{"hello":"world"}`, told{Finish: Failed, Kind: Server}},
		"cost":                          {"openrouter.ai", sse(delta(`"content":"A"`), finished(`"stop"`), `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":2,"cost":0.0012345,"prompt_tokens_details":{"cached_tokens":30,"cache_write_tokens":20}}}`), told{Text: "A", Finish: Stop, Usage: &Usage{Uncached: 50, CacheRead: 30, CacheWrite: 20, Output: 2}, Cost: 1235}},
		"cost with half of an own key":  {"openrouter.ai", sse(delta(`"content":"A"`), finished(`"stop"`), `{"choices":[],"usage":{"cost":0,"is_byok":true}}`), told{Text: "A", Finish: Stop}},
		"cost with an own key":          {"openrouter.ai", sse(delta(`"content":"A"`), finished(`"stop"`), `{"choices":[],"usage":{"cost":0.000001,"is_byok":true,"cost_details":{"upstream_inference_cost":0.00002}}}`), told{Text: "A", Finish: Stop, Cost: 21}},
		"cost in an unknown currency":   {"", sse(delta(`"content":"A"`), finished(`"stop"`), `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.5}}`), told{Text: "A", Finish: Stop, Usage: &Usage{Uncached: 1, Output: 2}}},
		"cost in ticks":                 {"api.x.ai", sse(delta(`"content":"A"`), finished(`"stop"`), `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost_in_usd_ticks":37756000}}`), told{Text: "A", Finish: Stop, Usage: &Usage{Uncached: 1, Output: 2}, Cost: 3776}},
		"usage of nothing":              {"", sse(delta(`"content":"A"`), finished(`"stop"`), `{"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`), told{Text: "A", Finish: Stop}},
		"usage with null details":       {"127.0.0.1:8000", sse(delta(`"content":"A"`), finished(`"stop"`), `{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7,"prompt_tokens_details":null,"completion_tokens_details":null}}`), told{Text: "A", Finish: Stop, Usage: &Usage{Uncached: 5, Output: 2}}},
		"a cache counted apart":         {"", sse(delta(`"content":"A"`), finished(`"stop"`), `{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":50}}}`), told{Text: "A", Finish: Stop, Usage: &Usage{Uncached: 5, CacheRead: 50, Output: 2}}},
		"usage in the choice":           {"", sse(delta(`"content":"A"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":5,"completion_tokens":2}}]}`), told{Text: "A", Finish: Stop, Usage: &Usage{Uncached: 5, Output: 2}}},
		"no UTF-8":                      {"", sse(delta("\"content\":\"a\xffb\""), finished(`"stop"`)), told{Text: "a\ufffdb", Finish: Stop}},
		"a character cut in two":        {"", sse(delta(`"reasoning":"x\ud83d"`), delta(`"reasoning":"\ude00"`), delta(`"content":"a\ud83d"`), delta(`"content":"\ude00b\\ud83d"`), toolDelta(`{"id":"c1","function":{"name":"f","arguments":"{\"x\":\"\uD83D"}}`), toolDelta(`{"function":{"arguments":"\uDE00\"}"}}`), finished(`"stop"`)), told{Text: `a😀b\ud83d`, Reasoning: "x😀", Calls: []string{`c1 f {"x":"😀"}`}, Finish: ToolUse}},
		"a field twice":                 {"", sse(`{"choices":[],"choices":[{"index":0,"delta":{"content":"A"}}]}`, finished(`"stop"`)), told{Text: "A", Finish: Stop}},
		"more calls than are read":      {"", sse(toolDelta(strings.Repeat(`{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}},`, 2)+manyCalls(mostCalls)), finished(`"tool_calls"`)), told{Finish: Failed, Kind: Server}},
		"fields of another kind":        {"", sse(`{"model":7,"choices":[{"index":"0","delta":{"content":"A","role":3,"tool_calls":"no","reasoning":{"a":1}},"finish_reason":null}],"usage":"none"}`, finished(`"stop"`)), told{Text: "A", Finish: Stop}},
	} {
		t.Run(name, func(t *testing.T) {
			host := c.host
			if host == "" {
				host = "compat.example.test"
			}
			got, _, _ := decodeChat(t, host, c.body)
			if c.want.Message == "" {
				got.Message = ""
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestChatRaw(t *testing.T) {
	for name, c := range map[string]struct{ host, body, want string }{
		"a thought's signature": {
			"generativelanguage.googleapis.com",
			sse(toolDelta(`{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"},"extra_content":{"google":{"thought_signature":"U\u0049G=="}}}`), finished(`"tool_calls"`), done),
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"},"extra_content":{"google":{"thought_signature":"U\u0049G=="}}}]}`,
		},
		"details as they came": {
			"openrouter.ai",
			sse(delta(`"reasoning":"A","reasoning_details":[{"type":"reasoning.summary","summary":"A","index":0}]`), delta(`"reasoning_details":[{"type":"reasoning.encrypted","data":"x\u002fy","id":"r1","index":1}]`), toolDelta(askA), finished(`"tool_calls"`), done),
			`{"role":"assistant","content":null,"reasoning_details":[{"type":"reasoning.summary","summary":"A","index":0},{"type":"reasoning.encrypted","data":"x\u002fy","id":"r1","index":1}],"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_item","arguments":"{\"id\":1}"}}]}`,
		},
		"details in pieces": {
			"openrouter.ai",
			sse(delta(`"reasoning_details":[{"type":"reasoning.text","text":"A\ud83d","signature":null,"index":0}]`), delta(`"reasoning_details":[{"type":"reasoning.text","text":"\ude00\u0042","index":0}]`), delta(`"reasoning_details":[{"type":"reasoning.text","signature":"S","index":0}]`), delta(`"reasoning_details":[{"type":"reasoning.text","text":"","signature":null,"index":0}]`), toolDelta(askA), finished(`"tool_calls"`), done),
			`{"role":"assistant","content":null,"reasoning_details":[{"type":"reasoning.text","text":"A\ud83d\ude00\u0042","signature":"S","index":0}],"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_item","arguments":"{\"id\":1}"}}]}`,
		},
		"thinking in the content, in one piece": {
			"api.mistral.ai",
			sse(delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"A\u0042\/"},{"type":"text","text":"C"}],"closed":true,"own":1}]`), delta(`"content":"Hi"`), finished(`"stop"`), done),
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"A\u0042\/"},{"type":"text","text":"C"}],"closed":true,"own":1},{"type":"text","text":"Hi"}]}`,
		},
		"thinking in the content": {
			"api.mistral.ai",
			sse(delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"A"}],"closed":true}]`), delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"B"}]}]`), delta(`"content":"Hi"`), finished(`"stop"`), done),
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"AB"}],"closed":true},{"type":"text","text":"Hi"}]}`,
		},
		"thinking in a field that it does not take back": {
			"api.mistral.ai",
			sse(delta(`"reasoning_content":"A"`), delta(`"content":"Hi"`), finished(`"stop"`), done),
			`{"role":"assistant","content":"Hi"}`,
		},
		"thinking without details": {
			"openrouter.ai",
			sse(delta(`"reasoning":"A"`), toolDelta(askA), finished(`"tool_calls"`), done),
			`{"role":"assistant","content":null,"reasoning":"A","tool_calls":[{"id":"c1","type":"function","function":{"name":"get_item","arguments":"{\"id\":1}"}}]}`,
		},
		"two calls, of which the second has an id": {
			"127.0.0.1:8000",
			sse(toolDelta(`{"function":{"name":"f","arguments":"{\"a\":1}"}}`), toolDelta(`{"id":"c2","function":{"name":"f","arguments":"{\"a\":2}"}}`), finished(`"tool_calls"`), done),
			`{"role":"assistant","content":"","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"c2","type":"function","function":{"name":"f","arguments":"{\"a\":2}"}}]}`,
		},
		"thinking beside it": {
			"127.0.0.1:8000",
			sse(delta(`"reasoning":"A"`), delta(`"reasoning":"B"`), toolDelta(`{"index":0,"function":{"name":"f","arguments":{"a":1}}}`), finished(`"tool_calls"`), done),
			`{"role":"assistant","content":"","reasoning":"AB","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}`,
		},
		"what is no JSON": {
			"127.0.0.1:8000",
			sse(toolDelta(`{"index":0,"id":"c1","function":{"name":"f g","arguments":"{{"}}`), finished(`"tool_calls"`), done),
			`{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"f_g","arguments":"{}"}}]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, r := decodeChat(t, c.host, c.body)
			sent, err := Replay(r.Raw)
			if err != nil || len(sent) != 1 {
				t.Fatal(sent, err)
			}
			if diff := cmp.Diff(c.want, string(sent[0])); diff != "" {
				t.Error(diff)
			}
		})
	}
}
