package fake

import (
	"encoding/json/v2"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// recorder stands for a test that may fail.
type recorder struct{ errors []string }

func (*recorder) Helper()                     {}
func (*recorder) Cleanup(func())              {}
func (r *recorder) Errorf(f string, a ...any) { r.errors = append(r.errors, fmt.Sprintf(f, a...)) }
func (r *recorder) has(t *testing.T, wants ...string) {
	t.Helper()
	if len(r.errors) != len(wants) {
		t.Fatalf("%d errors, want %d: %v", len(r.errors), len(wants), r.errors)
	}
	for i, want := range wants {
		if !strings.Contains(r.errors[i], want) {
			t.Errorf("error %q, want %q in it", r.errors[i], want)
		}
	}
}

// good is a request that each kind takes: a question, two calls, their results.
func good(k Kind) string {
	const tool = `{"name":"get_item","description":"One item.","%s":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}`
	switch k.manner().protocol {
	case "anthropic":
		return `{"model":"claude-opus-5-5","max_tokens":100,"stream":true,"system":[{"type":"text","text":"Rules."}],
"tools":[` + fmt.Sprintf(tool, "input_schema") + `],"messages":[{"role":"user","content":"Look."},
{"role":"assistant","content":[{"type":"tool_use","id":"abcdefgh1","name":"get_item","input":{"id":"i1"}},{"type":"tool_use","id":"abcdefgh2","name":"get_item","input":{"id":"i2"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"abcdefgh1","content":"one"},{"type":"tool_result","tool_use_id":"abcdefgh2","content":"two","is_error":true}]}]}`
	case "openai-responses":
		rules, first := `"instructions":"Rules.",`, ""
		if k == XAI {
			rules, first = "", `{"role":"system","content":"Rules."},`
		}
		return `{"model":"` + k.manner().model + `","store":false,"stream":true,"max_output_tokens":100,` + rules + `
"tools":[` + strings.Replace(fmt.Sprintf(tool, "parameters"), "{", `{"type":"function",`, 1) + `],"input":[` + first + `{"role":"user","content":"Look."},
{"type":"function_call","call_id":"abcdefgh1","name":"get_item","arguments":"{\"id\":\"i1\"}"},{"type":"function_call","call_id":"abcdefgh2","name":"get_item","arguments":"{}"},
{"type":"function_call_output","call_id":"abcdefgh1","output":"one"},{"type":"function_call_output","call_id":"abcdefgh2","output":"two"}]}`
	}
	ceiling, more := "max_tokens", ""
	if k == OpenAIChat || k == XAIChat {
		ceiling = "max_completion_tokens"
	}
	if k == OpenAIChat {
		more = `"reasoning_effort":"none",`
	}
	return `{"model":"m1","stream":true,"` + ceiling + `":100,` + more + `"tools":[{"type":"function","function":` + fmt.Sprintf(tool, "parameters") + `}],
"messages":[{"role":"system","content":"Rules."},{"role":"user","content":"Look."},
{"role":"assistant","content":null,"tool_calls":[{"id":"abcdefgh1","type":"function","function":{"name":"get_item","arguments":"{\"id\":\"i1\"}"}},{"id":"abcdefgh2","type":"function","function":{"name":"get_item","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"abcdefgh1","content":"one"},{"role":"tool","tool_call_id":"abcdefgh2","content":"two"}]}`
}

// edited is a request with one text in it replaced.
func edited(t *testing.T, body string, change ...string) string {
	t.Helper()
	for i := 0; i < len(change); i += 2 {
		if !strings.Contains(body, change[i]) {
			t.Fatalf("the request has no %s:\n%s", change[i], body)
		}
		body = strings.Replace(body, change[i], change[i+1], 1)
	}
	return body
}

func ask(t *testing.T, h *Host, body string, headers ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequest("POST", h.Base()+h.manner.path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Api-Key", Key)
	req.Header.Set("Authorization", "Bearer "+Key)
	req.Header.Set("Anthropic-Version", "2026-10-21")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Del(headers[i])
		if headers[i+1] != "" {
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	resp, err := (&http.Client{Transport: h.Transport()}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, string(b) + "<broke off>"
	}
	return resp.StatusCode, string(b)
}

// TestTakes asks every kind for what all of them take, as a stream and whole.
func TestTakes(t *testing.T) {
	turn := Turn{Times: 2, Usage: &Usage{Uncached: 7, CacheRead: 5, CacheWrite: 3, Output: 11, Reasoning: 2}, Steps: []Step{
		Think("Hm, so.", "SEAL").In(3), Say("Über zwei.").In(4), Alive("ping"), Calls(Call{Name: "get_item", Args: `{"id":"i3"}`}, Call{Name: "get_item", Args: ""}),
	}}
	for _, k := range Kinds() {
		t.Run(string(k), func(t *testing.T) {
			h := New(t, k, turn)
			status, stream := ask(t, h, good(k))
			if status != 200 || !strings.Contains(stream, `"Über`) || !strings.Contains(stream, "\n: ping\n") || !strings.Contains(stream, "get_item") {
				t.Errorf("got %d %s", status, stream)
			}
			for line := range strings.SplitSeq(stream, "\n") {
				if data, ok := strings.CutPrefix(line, "data: "); ok && data != "[DONE]" {
					var v map[string]any
					if err := json.Unmarshal([]byte(data), &v); err != nil {
						t.Errorf("%s: %v", data, err)
					}
				}
			}
			_, whole := ask(t, h, edited(t, good(k), `"stream":true`, `"stream":false`))
			var v map[string]any
			if err := json.Unmarshal([]byte(whole), &v); err != nil || v["usage"] == nil || !strings.Contains(whole, "Über zwei.") {
				t.Errorf("whole: %v %s", err, whole)
			}
			if a := h.Last(); a.User != "Look." || a.System != "Rules." || !slices.Equal(a.Results, []string{"one", "two"}) || !slices.Equal(a.Tools, []string{"get_item"}) {
				t.Errorf("understood %+v", a)
			}
		})
	}
}

// TestRefuses changes one thing of a good request for each kind.
func TestRefuses(t *testing.T) {
	rows := []struct {
		name   string
		kinds  []Kind
		change []string
		status int
		want   string
	}{
		{"unknown field", []Kind{OpenAI, OpenAIChat}, []string{`"stream"`, `"top_k":3,"stream"`}, 400, `"param":"top_k"`},
		{"unknown field", []Kind{Anthropic}, []string{`"stream"`, `"seed":3,"stream"`}, 400, `seed: Extra inputs are not permitted`},
		{"unknown field", []Kind{Mistral}, []string{`"stream"`, `"store":false,"stream"`}, 422, `"loc":["body","store"]`},
		{"unknown field", []Kind{Gemini}, []string{`"stream"`, `"store":false,"stream"`}, 400, `Unknown name \"store\": Cannot find field.`},
		{"unknown field", []Kind{OpenRouter}, []string{`"stream"`, `"store":false,"stream"`}, 400, `store`},
		{"unknown field", []Kind{XAI, XAIChat}, []string{`"stream"`, `"safety_identifier":"x","stream"`}, 400, `safety_identifier`},
		{"unknown field inside", []Kind{Anthropic}, []string{`"is_error":true`, `"is_error":true,"name":"x"`}, 400, "messages.2.content.1.name: Extra inputs"},
		{"unknown field inside", []Kind{OpenAIChat}, []string{`"id":"abcdefgh2"`, `"id":"abcdefgh2","index":1`}, 400, `messages[2].tool_calls[1].index`},
		{"unknown field inside", []Kind{Gemini}, []string{`"type":"object",`, `"type":"object","additionalProperties":false,`}, 400, `Unknown name \"additionalProperties\" at 'tools[0].function.parameters'`},
		{"an object of nothing", []Kind{Gemini}, []string{`{"id":{"type":"string"}}`, `{"id":{"type":"object","properties":{}}}`}, 400, `should be non-empty for OBJECT type`},
		{"sampling", []Kind{Anthropic, OpenAI, OpenAIChat}, []string{`"stream"`, `"temperature":1,"stream"`}, 400, "temperature"},
		{"the other ceiling", []Kind{OpenAIChat}, []string{`"max_completion_tokens"`, `"max_tokens"`}, 400, "Use 'max_completion_tokens' instead."},
		{"the other ceiling", []Kind{Mistral}, []string{`"max_tokens"`, `"max_completion_tokens"`}, 422, "max_completion_tokens"},
		{"no ceiling", []Kind{Anthropic}, []string{`"max_tokens":100,`, ``}, 400, "max_tokens: Field required"},
		{"a ceiling of nothing", Kinds(), []string{`:100,`, `:0,`}, 0, "greater than or equal to 1"},
		{"effort with tools", []Kind{OpenAIChat}, []string{`"reasoning_effort":"none",`, ``}, 400, "reasoning_effort"},
		{"effort it lacks", []Kind{Gemini, XAIChat, Local}, []string{`"stream"`, `"reasoning_effort":"xhigh","stream"`}, 400, "xhigh"},
		{"role", Kinds(), []string{`"role":"user"`, `"role":"human"`}, 0, "human"},
		{"a result missing", []Kind{Anthropic}, []string{`,{"type":"tool_result","tool_use_id":"abcdefgh2","content":"two","is_error":true}`, ""}, 400, "without `tool_result` blocks immediately after: abcdefgh2"},
		{"a result missing", []Kind{OpenAIChat, Gemini, OpenRouter, XAIChat, Mistral}, []string{`,{"role":"tool","tool_call_id":"abcdefgh2","content":"two"}`, ""}, 400, "abcdefgh2"},
		{"a result missing", []Kind{OpenAI, XAI}, []string{`,{"type":"function_call_output","call_id":"abcdefgh2","output":"two"}`, ""}, 400, "No tool output found for function call abcdefgh2."},
		{"a result of nothing", []Kind{Anthropic}, []string{`"tool_use_id":"abcdefgh2"`, `"tool_use_id":"abcdefgh3"`}, 400, "unexpected `tool_use_id`"},
		{"a result of nothing", []Kind{OpenAIChat, Gemini, OpenRouter, XAIChat}, []string{`"tool_call_id":"abcdefgh2"`, `"tool_call_id":"abcdefgh3"`}, 400, "must be a response to a preceding message"},
		{"a result of nothing", []Kind{Mistral}, []string{`"tool_call_id":"abcdefgh2"`, `"tool_call_id":"abcdefgh3"`}, 400, "Unexpected tool call id"},
		{"a result of nothing", []Kind{OpenAI, XAI}, []string{`"call_id":"abcdefgh2","output"`, `"call_id":"abcdefgh3","output"`}, 400, "No tool call found for function call output with call_id abcdefgh3."},
		{"a result twice", []Kind{Anthropic}, []string{`"tool_use_id":"abcdefgh2"`, `"tool_use_id":"abcdefgh1"`}, 400, "unexpected `tool_use_id`"},
		{"a result too late", []Kind{Anthropic}, []string{`[{"type":"tool_result"`, `[{"type":"text","text":"And?"},{"type":"tool_result"`}, 400, "unexpected `tool_use_id`"},
		{"a result too late", []Kind{OpenAIChat, Gemini, OpenRouter, XAIChat, Mistral}, []string{`,{"role":"tool","tool_call_id":"abcdefgh2"`, `,{"role":"user","content":"And?"},{"role":"tool","tool_call_id":"abcdefgh2"`}, 400, ""},
		{"a result too late", []Kind{Mistral}, []string{`,{"role":"tool","tool_call_id":"abcdefgh2"`, `,{"role":"user","content":"And?"},{"role":"tool","tool_call_id":"abcdefgh2"`}, 400, "Not the same number of function calls and responses"},
		{"one id twice", []Kind{Anthropic}, []string{`"id":"abcdefgh2"`, `"id":"abcdefgh1"`}, 400, "ids must be unique"},
		{"one id twice", []Kind{OpenAI, XAI}, []string{`"call_id":"abcdefgh2","name"`, `"call_id":"abcdefgh1","name"`}, 400, "Duplicate function_call"},
		{"effort it lacks", []Kind{Anthropic}, []string{`"claude-opus-5-5"`, `"claude-haiku-4-5","output_config":{"effort":"low"}`}, 400, "effort parameter"},
		{"effort it lacks", []Kind{Anthropic}, []string{`"claude-opus-5-5"`, `"claude-opus-4-6","output_config":{"effort":"xhigh"}`}, 400, "effort parameter"},
		{"a user after a tool", []Kind{Mistral}, []string{`"content":"two"}`, `"content":"two"},{"role":"user","content":"And?"}`}, 400, "Unexpected role 'user' after role 'tool'"},
		{"prefill", []Kind{Anthropic}, []string{`"is_error":true}]}`, `"is_error":true}]},{"role":"assistant","content":"It is"}`}, 400, "assistant message prefill"},
		{"prefill", []Kind{Mistral, Gemini}, []string{`"content":"two"}`, `"content":"two"},{"role":"assistant","content":"It is"}`}, 400, "Expected last role"},
		{"an assistant first", []Kind{Anthropic}, []string{`{"role":"user","content":"Look."},`, ""}, 400, "first message must use the"},
		{"an empty text", []Kind{Anthropic}, []string{`"text":"Rules."`, `"text":" "`}, 400, "non-whitespace"},
		{"arguments that are none", []Kind{OpenAIChat, Mistral}, []string{`"arguments":"{}"`, `"arguments":"{"`}, 0, "not a JSON object"},
		{"ids of others", []Kind{Mistral}, []string{`"id":"abcdefgh1"`, `"id":"call_1"`}, 400, `"code":"3280"`},
		{"a foreign seal", []Kind{Anthropic}, []string{`{"type":"tool_use"`, `{"type":"thinking","thinking":"a","signature":"b"},{"type":"tool_use"`}, 400, "Invalid `signature` in `thinking` block"},
		{"a foreign seal", []Kind{OpenAI, XAI}, []string{`{"type":"function_call",`, `{"type":"reasoning","summary":[],"encrypted_content":"x"},{"type":"function_call",`}, 400, "could not be verified"},
		{"kept by the host", []Kind{OpenAI, XAI}, []string{`"store":false`, `"store":true`}, 400, "store"},
		{"a picture by address", []Kind{OpenAIChat, Mistral, Gemini, OpenRouter, XAIChat, Local}, []string{`"content":"Look."`, `"content":[{"type":"image_url","image_url":{"url":"https://example.test/a.png"}}]`}, 0, "data URL"},
		{"a picture of another kind", []Kind{Anthropic}, []string{`"content":"Look."`, `"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"R0lGODlhAQABAAAAACw="}}]`}, 400, "image/gif"},
		{"a PDF where none may be", []Kind{Gemini, XAIChat, Local}, []string{`"content":"Look."`, `"content":[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}}]`}, 400, ""},
		{"a model that it has not", []Kind{OpenAI, XAI}, []string{`"model":"`, `"model":"claude-`}, 404, "does not exist"},
		{"a tool without a schema of an object", []Kind{Anthropic, OpenAI, OpenAIChat, Gemini}, []string{`"type":"object"`, `"type":"string"`}, 400, "type"},
		{"no JSON", Kinds(), []string{`{"model"`, `"model"`}, 0, "could not parse"},
	}
	for _, row := range rows {
		for _, k := range row.kinds {
			if k == Local && row.name == "a role" {
				continue
			}
			t.Run(row.name+"/"+string(k), func(t *testing.T) {
				r := &recorder{}
				h := New(r, k).MayRefuse()
				defer h.server.Close()
				status, body := ask(t, h, edited(t, good(k), row.change...))
				if status < 400 || status >= 500 || row.status != 0 && status != row.status || !strings.Contains(body, row.want) {
					t.Errorf("got %d %s, want %d %s", status, body, row.status, row.want)
				}
				r.has(t)
			})
		}
	}
}

// TestMarks counts what marks the ends of what is to be cached.
func TestMarks(t *testing.T) {
	h := New(t, Anthropic).MayRefuse()
	body := good(Anthropic)
	for _, part := range []string{`"text":"Rules."`, `"content":"one"`, `"content":"two"`, `"input":{"id":"i1"}`, `"input":{"id":"i2"}`} {
		body = edited(t, body, part, part+`,"cache_control":{"type":"ephemeral"}`)
	}
	if status, got := ask(t, h, body); status != 400 || !strings.Contains(got, "A maximum of 4 blocks with cache_control may be provided. Found 5.") {
		t.Errorf("got %d %s", status, got)
	}
}

// TestKeys asks with none, a wrong one, and at the wrong address.
func TestKeys(t *testing.T) {
	words := map[Kind][2]string{
		Anthropic: {"x-api-key header is required", "invalid x-api-key"}, Mistral: {"Unauthorized", "Unauthorized"},
		OpenAI: {"You didn't provide an API key", "invalid_api_key"}, Gemini: {"UNAUTHENTICATED", "API_KEY_INVALID"},
		OpenRouter: {"No auth credentials found", "User not found."}, XAIChat: {"No API key provided", "Incorrect API key provided"},
	}
	for k, want := range words {
		t.Run(string(k), func(t *testing.T) {
			h := New(t, k).MayRefuse()
			for i, key := range []string{"", "Bearer no"} {
				status, got := ask(t, h, good(k), "Authorization", key, "X-Api-Key", strings.TrimPrefix(key, "Bearer "))
				if status != 401 && status != 400 || !strings.Contains(got, want[i]) {
					t.Errorf("got %d %s", status, got)
				}
			}
		})
	}
	h := New(t, Anthropic).MayRefuse()
	for _, version := range []string{"", "2023-06-01"} {
		if status, got := ask(t, h, good(Anthropic), "Anthropic-Version", version); status != 400 || !strings.Contains(got, "anthropic-version") {
			t.Errorf("version %q: got %d %s", version, status, got)
		}
	}
}

// TestScript tries what a script can do beside answering.
func TestScript(t *testing.T) {
	r := &recorder{}
	h := New(r, Mistral,
		Fail(503, "busy", "Retry-After", "3"),
		Turn{When: Says("Something else."), Steps: []Step{Say("no")}},
		Answer(Say("half"), Cut()), Answer(Say("half"), Fall()), Answer(Say("half"), Trouble()), Turn{Whole: true, Steps: []Step{Say("all"), Ceiling()}},
		Turn{First: time.Millisecond, Between: time.Millisecond, Mute: true, Steps: []Step{Refuse("no"), Verbatim("data: x\n\n"), Pause(time.Millisecond)}},
	)
	defer h.server.Close()
	for _, want := range []string{"busy", "<broke off>", `"half"`, "overloaded", `"length"`, "content_filter"} {
		_, got := ask(t, h, good(Mistral))
		if !strings.Contains(got, want) || strings.Contains(got, "no") && strings.Contains(got, `"content":"no"`) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	r.has(t)
	ask(t, h, good(Mistral))
	ask(t, h, "{}")
	r.has(t, "no turn is for this request", "refuses the request")
	if h.Most() != 1 || len(h.Asked()) != 8 || h.Last().Refused == "" && h.Last().Raw == nil {
		t.Errorf("recorded %d, at once %d", len(h.Asked()), h.Most())
	}
	h.Without("tools", "tools: not here")
	if _, got := ask(t, h, good(Mistral)); !strings.Contains(got, "not here") {
		t.Errorf("got %s", got)
	}
	h.Then(Answer(Say("more")))
	if _, got := ask(t, h, edited(t, good(Mistral), `"tools":[{"type":"function","function":`, `"max_tokens":2,"tools":[{"type":"function","function":`)); !strings.Contains(got, "parse") {
		t.Errorf("the same field twice: %s", got)
	}
}

// TestSeals lets each kind think and call, and gives it back what it thought:
// as it was, and changed, left out, moved, of another model.
func TestSeals(t *testing.T) {
	const (
		claude = `{"model":"claude-opus-5-5","max_tokens":100,"messages":[{"role":"user","content":"Look."},{"role":"assistant","content":[` +
			`{"type":"thinking","thinking":"So.","signature":"SEAL"},{"type":"text","text":"I look."},{"type":"tool_use","id":"toolu_fake1","name":"get_item","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_fake1","content":"one"}]}]}`
		gpt = `{"model":"gpt-6-sol","store":false,"input":[{"role":"user","content":"Look."},{"type":"reasoning","summary":[{"type":"summary_text","text":"So."}],"encrypted_content":"SEAL"},` +
			`{"type":"message","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"I look."}]},` +
			`{"type":"function_call","call_id":"call_fake1","name":"get_item","arguments":"{}"},{"type":"function_call_output","call_id":"call_fake1","output":"one"}]}`
		chat = `{"model":"m1","max_tokens":100,"messages":[{"role":"user","content":"Look."},{"role":"assistant","content":"I look.",%s"tool_calls":[{"id":"call_fake1","type":"function",%s"function":{"name":"get_item","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"call_fake1","content":"one"}]}`
	)
	mistral := strings.NewReplacer("call_fake1", "Call00001", `"content":"I look."`, `"content":[{"type":"thinking","thinking":[{"type":"text","text":"So."}],"closed":true},{"type":"text","text":"I look."}]`).Replace(fmt.Sprintf(chat, "", ""))
	router := fmt.Sprintf(chat, `"reasoning_details":[{"type":"reasoning.text","text":"S","format":"anthropic-claude-v1","index":0},{"type":"reasoning.text","text":"o.","signature":"SEAL","format":"anthropic-claude-v1","index":0}],`, "")
	gemini := fmt.Sprintf(chat, "", `"extra_content":{"google":{"thought_signature":"SEAL"}},`)
	rows := []struct {
		name   string
		kind   Kind
		body   string
		change []string
		want   string // "" if it is taken
	}{
		{"as it was", Anthropic, claude, nil, ""},
		{"marked", Anthropic, claude, []string{`"input":{}`, `"input":{},"cache_control":{"type":"ephemeral"}`}, ""},
		{"changed seal", Anthropic, claude, []string{"SEAL", "SEAl"}, "Invalid `signature`"},
		{"changed thought", Anthropic, claude, []string{"So.", "So. "}, "Invalid `signature`"},
		{"left out", Anthropic, claude, []string{`{"type":"thinking","thinking":"So.","signature":"SEAL"},`, ""}, "Expected `thinking`"},
		{"moved", Anthropic, claude, []string{`{"type":"text","text":"I look."},`, "", `[{"type":"thinking"`, `[{"type":"text","text":"I look."},{"type":"thinking"`}, "cannot be modified"},
		{"another model", Anthropic, claude, []string{"opus-5-5", "opus-5"}, "Invalid `signature`"},
		{"left out before the question", Anthropic, claude, []string{`{"type":"thinking","thinking":"So.","signature":"SEAL"},`, "", `"content":"one"}]}`, `"content":"one"},{"type":"text","text":"And?"}]}`}, ""},
		{"as it was", OpenAI, gpt, nil, ""},
		{"changed seal", OpenAI, gpt, []string{"SEAL", "SEAl"}, "could not be verified"},
		{"left out", OpenAI, gpt, []string{`{"type":"reasoning","summary":[{"type":"summary_text","text":"So."}],"encrypted_content":"SEAL"},`, ""}, ""},
		{"moved", OpenAI, gpt, []string{`{"type":"message","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"I look."}]},`, ""}, "without its required following item"},
		{"another model", OpenAI, gpt, []string{"gpt-6-sol", "gpt-6-luna"}, "could not be verified"},
		{"with its id", OpenAI, gpt, []string{`"summary":`, `"id":"rs_fake0","summary":`}, "not persisted"},
		{"another phase", OpenAI, gpt, []string{"commentary", "final_answer"}, "without its required following item"},
		{"another call", OpenAI, gpt, []string{`"arguments":"{}"`, `"arguments":"{\"id\":1}"`}, "does not match"},
		{"as it was", Mistral, mistral, nil, ""},
		{"changed thought", Mistral, mistral, []string{"So.", "So. "}, "not what was given"},
		{"left out", Mistral, strings.ReplaceAll(fmt.Sprintf(chat, "", ""), "call_fake1", "Call00001"), nil, ""},
		{"as it was", OpenRouter, router, nil, ""},
		{"changed", OpenRouter, router, []string{`"o."`, `"o"`}, "Invalid `signature`"},
		{"left out", OpenRouter, fmt.Sprintf(chat, "", ""), nil, "Invalid `signature`"},
		{"another model", OpenRouter, router, []string{`"m1"`, `"m2"`}, "Invalid `signature`"},
		{"as it was", Gemini, gemini, nil, ""},
		{"changed", Gemini, gemini, []string{"SEAL", "SEAl"}, "Corrupted thought signature"},
		{"left out", Gemini, fmt.Sprintf(chat, "", ""), nil, "missing a thought_signature"},
		{"another model", Gemini, gemini, []string{`"m1"`, `"m2"`}, "Corrupted thought signature"},
	}
	for _, row := range rows {
		t.Run(row.name+"/"+string(row.kind), func(t *testing.T) {
			r := &recorder{}
			h := New(r, row.kind, Answer(Think("So.", "SEAL"), Say("I look."), Calls(Call{Name: "get_item", Args: "{}"})), Turn{Times: -1, Steps: []Step{Say("It is.")}}).MayRefuse()
			defer h.server.Close()
			first, _, _ := strings.Cut(row.body, `,{"role":"assistant"`)
			first, _, _ = strings.Cut(first, `,{"type":"reasoning"`)
			if status, got := ask(t, h, first+"]}"); status != 200 {
				t.Fatalf("got %d %s", status, got)
			}
			status, got := ask(t, h, edited(t, row.body, row.change...))
			if row.want == "" && status != 200 || !strings.Contains(got, row.want) || row.want != "" && status != 400 && status != 404 && status != 422 {
				t.Errorf("got %d %s, want %q", status, got, row.want)
			}
		})
	}
	// Where reasoning stands right before a call, the call needs it.
	h := New(t, OpenAI, Answer(Think("", "SEAL"), Calls(Call{Name: "get_item", Args: "{}"}))).MayRefuse()
	ask(t, h, `{"model":"gpt-6-sol","store":false,"input":"Look."}`)
	if _, got := ask(t, h, `{"model":"gpt-6-sol","store":false,"input":[{"role":"user","content":"Look."},{"type":"function_call","call_id":"call_fake1","name":"get_item","arguments":"{}"},{"type":"function_call_output","call_id":"call_fake1","output":"one"}]}`); !strings.Contains(got, "without its required 'reasoning' item") {
		t.Errorf("got %s", got)
	}
}
