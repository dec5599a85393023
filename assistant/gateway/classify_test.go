package gateway

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestClassify: what hosts say of an error, in all their forms.
func TestClassify(t *testing.T) {
	rows := []struct {
		name   string
		status int
		body   string
		kind   ErrorKind
		param  string
		says   string
		again  bool
	}{
		{"openai key", 401, `{"error":{"message":"Incorrect API key provided: sk-abc.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, Auth, "", "Incorrect", false},
		{"openai quota", 429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, Billing, "", "quota", false},
		{"openai rate", 429, `{"error":{"message":"Rate limit reached for gpt-6","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`, RateLimit, "", "Rate", true},
		{"openai model", 404, `{"error":{"message":"The model 'gpt-9' does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`, NoModel, "", "gpt-9", false},
		{"openai context", 400, `{"error":{"message":"This model's maximum context length is 128000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, ContextLength, "messages", "128000", false},
		{"openai ceiling", 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`, Unsupported, "max_tokens", "max_completion_tokens", false},
		{"openai tools and effort", 400, `{"error":{"message":"Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.","type":"invalid_request_error","param":"reasoning_effort","code":null}}`, Unsupported, "reasoning_effort", "responses", false},
		{"openai value", 400, `{"error":{"message":"Unsupported value: 'xhigh' is not supported with this model.","type":"invalid_request_error","param":"reasoning_effort","code":"unsupported_value"}}`, Unsupported, "reasoning_effort", "xhigh", false},
		{"openai server", 500, `{"error":{"message":"The server had an error","type":"server_error","param":null,"code":null}}`, Server, "", "server had", true},
		{"responses replay", 404, `{"error":{"message":"Item with id 'rs_06a2' not found.","type":"invalid_request_error","param":"input","code":null}}`, BadRequest, "input", "rs_06a2", false},
		{"anthropic key", 401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"req_1"}`, Auth, "", "invalid x-api-key", false},
		{"anthropic credit", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`, Billing, "", "credit balance", false},
		{"anthropic long", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, ContextLength, "", "210000", false},
		{"anthropic model", 404, `{"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}`, NoModel, "", "claude-9", false},
		{"anthropic extra", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"store: Extra inputs are not permitted"}}`, Unsupported, "store", "Extra", false},
		{"anthropic large", 413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, BadRequest, "", "maximum size", false},
		{"anthropic busy", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, Overloaded, "", "Overloaded", true},
		{"anthropic may not", 403, `{"type":"error","error":{"type":"permission_error","message":"Your API key does not have permission"}}`, Auth, "", "permission", false},
		{"anthropic billing", 403, `{"type":"error","error":{"type":"billing_error","message":"Your account has no payment method"}}`, Billing, "", "payment", false},
		{"gemini field", 400, `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"store\": Cannot find field.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest"}]}}]`, Unsupported, "store", "Unknown name", false},
		{"gemini key", 400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}]`, Auth, "", "not valid", false},
		{"gemini rate", 429, `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"17s"}]}}]`, RateLimit, "", "quota", true},
		{"gemini busy", 503, `[{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}]`, Overloaded, "", "overloaded", true},
		{"mistral field", 422, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error","code":null}`, Unsupported, "max_completion_tokens", "Extra", false},
		{"mistral field, bare", 422, `{"detail":[{"type":"extra_forbidden","loc":["body","store"],"msg":"Extra inputs are not permitted"}]}`, Unsupported, "store", "Extra", false},
		{"mistral id", 400, `{"object":"error","message":"Tool call id was call_abc but must be a-z, A-Z, 0-9, with a length of 9.","type":"invalid_function_call","code":"3280"}`, BadRequest, "", "length of 9", false},
		{"mistral key", 401, `{"message":"Unauthorized","request_id":"x"}`, Auth, "", "Unauthorized", false},
		{"openrouter credit", 402, `{"error":{"message":"Insufficient credits","code":402}}`, Billing, "", "Insufficient", false},
		{"openrouter upstream", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"prompt is too long: 9 tokens > 5 maximum\",\"type\":\"invalid_request_error\"}}","provider_name":"Anthropic"}}}`, ContextLength, "", "prompt is too long", false},
		{"openrouter none", 404, `{"error":{"message":"No endpoints found for x/y.","code":404}}`, NoModel, "", "endpoints", false},
		{"xai key", 400, `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xx***yy."}`, Auth, "", "Incorrect", false},
		{"ollama model", 404, `{"error":{"message":"model \"qwen9\" not found, try pulling it first","type":"not_found_error","param":null,"code":null}}`, NoModel, "", "qwen9", false},
		{"ollama tools", 400, `{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"invalid_request_error"}}`, Unsupported, "tools", "tools", false},
		{"lm studio", 400, `{"error":"Unexpected endpoint or method."}`, BadRequest, "", "Unexpected endpoint", false},
		{"vllm context", 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","param":null,"code":400}`, ContextLength, "", "4096", false},
		{"vllm bad", 400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice","type":"BadRequestError","code":400}`, BadRequest, "", "auto", false},
		{"llama.cpp context", 400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, ContextLength, "", "context size", false},
		{"llama.cpp loads", 503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, Overloaded, "", "Loading", true},
		{"a page", 502, "<html><body>Bad gateway</body></html>", Server, "", "Bad gateway", true},
		{"nothing", 500, "", Server, "", "Internal Server Error", true},
		{"a redirect", 302, "", BadRequest, "", "Found", false},
		{"words", 400, "no", BadRequest, "", "no", false},
		{"null", 400, "null", BadRequest, "", "null", false},
		{"a number", 404, "7", BadRequest, "", "7", false},
		{"odd fields", 400, `{"error":{"message":7,"type":[],"code":{"x":1}}}`, BadRequest, "", "", false},
		{"a rate in tokens", 429, `{"error":{"message":"Too many tokens in the last minute, please slow down","type":"tokens"}}`, RateLimit, "", "slow down", true},
		{"a conflict", 409, `{"error":{"message":"Conflict"}}`, Server, "", "Conflict", true},
		{"a late answer", 408, `{"error":{"message":"Request timed out"}}`, Server, "", "timed out", true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			e := classify(row.status, http.Header{}, []byte(row.body))
			if e.Kind != row.kind || e.Param != row.param || e.Retryable != row.again || e.Status != row.status || !strings.Contains(e.Message, row.says) || e.Message == "" {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestSpoken(t *testing.T) {
	for body, kind := range map[string]ErrorKind{
		`{"error":{"message":"Something went wrong"}}`:                                                       Server,
		`{"error":"out of memory"}`:                                                                          Server,
		`{"error":{"code":502,"message":"Upstream error"}}`:                                                  Server,
		`{"error":{"code":429,"message":"slow down"}}`:                                                       RateLimit,
		`{"error":{"code":400,"message":"bad"}}`:                                                             BadRequest,
		`{"error_type":"context_length_exceeded","error_message":"too long"}`:                                ContextLength,
		`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`:                        Overloaded,
		`{"type":"error","error":{"type":"api_error","message":"x"}}`:                                        Server,
		`{"type":"error","code":"rate_limit_exceeded","message":"x","param":null}`:                           RateLimit,
		`{"type":"error","error":{"type":"invalid_request_error","code":"insufficient_quota","message":""}}`: Billing,
		`{"object":"error","message":"x","type":"InternalServerError","code":500}`:                           Server,
		`[{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}]`:                                      Overloaded,
	} {
		if e := spoken([]byte(body)); e == nil || e.Kind != kind || e.Status != 0 {
			t.Errorf("%s: %+v, want %s", body, e, kind)
		}
	}
	for _, body := range []string{
		`{"choices":[],"error":null}`, `{"error":""}`, `{"error":{}}`, `{"message":"an error"}`, `{"choices":[{"delta":{"content":"error"}}]}`, `"error"`, `error`, ``,
		`{"type":"message_start","message":{"content":[{"text":"error"}]}}`, `{"type":"response.created","response":{"error":null}}`,
	} {
		if e := spoken([]byte(body)); e != nil {
			t.Errorf("%s is no error: %+v", body, e)
		}
	}
}

func TestHints(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		name, value string
		want        time.Duration
		found       bool
	}{
		{"Retry-After", "12", 12 * time.Second, true},
		{"Retry-After", "1.5", 1500 * time.Millisecond, true},
		{"Retry-After", "Mon, 30 Nov 2026 12:00:20 GMT", 20 * time.Second, true},
		{"Retry-After", "Mon, 30 Nov 2020 12:00:20 GMT", 0, true},
		{"Retry-After-Ms", "250", 250 * time.Millisecond, true},
		{"Retry-After", "-3", 0, false},
		{"Retry-After", "1e300", 365 * 24 * time.Hour, true},
		{"Retry-After", "soon", 0, false},
		{"X", "1", 0, false},
	} {
		h := http.Header{}
		h.Set(row.name, row.value)
		if got, found := waitOf(h, now); got != row.want || found != row.found {
			t.Errorf("%s: %s gives %v, %v", row.name, row.value, got, found)
		}
	}
	e := classify(429, http.Header{"X-Should-Retry": {"false"}}, []byte(`{}`))
	if e.Retryable {
		t.Error("it is asked again although the host says not to")
	}
	if e := classify(400, http.Header{"X-Should-Retry": {"true"}}, []byte(`{}`)); !e.Retryable {
		t.Error("it is not asked again although the host says to")
	}
	if e := classify(429, http.Header{}, []byte(`[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"x","details":[{"retryDelay":"17.5s"}]}}]`)); e.RetryAfter != 17500*time.Millisecond {
		t.Error(e.RetryAfter)
	}
	for n, most := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second} {
		for range 100 {
			if wait, ok := pause(&Error{}, n); !ok || wait > most || wait < most*3/4 {
				t.Fatal(n, wait)
			}
		}
	}
	for hint, waits := range map[time.Duration]bool{time.Minute: true, time.Minute + 1: false, time.Hour: false} {
		if wait, ok := pause(&Error{RetryAfter: hint}, 0); ok != waits || ok && wait != hint {
			t.Errorf("a hint of %v: waits %v, %v", hint, wait, ok)
		}
	}
	// What comes of asking again is the same, whatever the host says.
	for body, kind := range map[string]ErrorKind{
		`{"error":{"code":"insufficient_quota","message":"x"}}`: Billing, `{"error":{"code":"invalid_api_key","message":"x"}}`: Auth, `{"error":{"code":"context_length_exceeded","message":"x"}}`: ContextLength,
	} {
		if e := classify(400, http.Header{"X-Should-Retry": {"true"}}, []byte(body)); e.Kind != kind || e.Retryable {
			t.Errorf("%+v", e)
		}
	}
}
