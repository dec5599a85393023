package roster

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// english says texts.
func english(t *testing.T) *i18n.Catalogue {
	t.Helper()
	c, err := i18n.Load(i18n.Core(), Locales())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// tested makes a roster that does not wait, with what it logs.
func tested(t *testing.T, c Config) (*Roster, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	c.Log = slog.New(slog.NewTextHandler(&log, nil))
	c.Sleep = func(context.Context, time.Duration) error { return nil }
	r, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	r.patient.answer = time.Minute
	return r, &log
}

// asked is a request as a test host reads it.
type asked struct {
	Stream bool  `json:"stream"`
	Tools  []any `json:"tools"`
	raw    string
}

// host is one that speaks chat completions, but for what a test has it do.
type host struct {
	answer func(w http.ResponseWriter, r *http.Request, a asked) bool // false: as it should be
	models string                                                     // "" is 404
}

func (h host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		if h.models == "" {
			http.NotFound(w, r)
			return
		}
		if strings.HasPrefix(h.models, "<") {
			w.Header().Set("Content-Type", "text/html")
		}
		_, _ = io.WriteString(w, h.models)
		return
	}
	body, _ := io.ReadAll(r.Body)
	a := asked{raw: string(body)}
	_ = json.Unmarshal(body, &a)
	if h.answer != nil && h.answer(w, r, a) {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if len(a.Tools) > 0 {
		chunk(w, `{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"nodkeep_test","arguments":"{\"word\":\"nod\"}"}}]}`, "tool_calls")
		return
	}
	for _, word := range []string{"one", "two", "three"} {
		chunk(w, `{"role":"assistant","content":"`+word+`, "}`, "")
	}
	chunk(w, `{}`, "stop")
}

func chunk(w http.ResponseWriter, delta, finish string) {
	reason := "null"
	if finish != "" {
		reason = `"` + finish + `"`
	}
	fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, reason)
	if finish != "" {
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}
	w.(http.Flusher).Flush()
}

func fails(status int, body string, headers ...string) func(http.ResponseWriter, *http.Request, asked) bool {
	return func(w http.ResponseWriter, _ *http.Request, _ asked) bool {
		for n := 0; n+1 < len(headers); n += 2 {
			w.Header().Set(headers[n], headers[n+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
}

// TestWhatIsWrong: each thing that can be wrong with an assistant is said in one
// sentence that names it.
func TestWhatIsWrong(t *testing.T) {
	const models = `{"object":"list","data":[{"id":"qwen3:4b"},{"id":"llama4"},{"id":"qwen3:8b"}]}`
	rows := []struct {
		name   string
		host   host
		fields []string // of the assistant, beside its address and model
		what   string   // of the line that is not ok; "" is none
		state  State
		says   string
		slow   time.Duration // from when on it counts as slow; 0 is never
	}{
		{name: "all is well", host: host{}},
		{name: "with pictures", fields: []string{"images=yes"}},
		{name: "no key", host: host{answer: fails(401, `{"error":{"message":"You didn't provide an API key.","type":"invalid_request_error"}}`)}, what: "answer", state: Failed, says: "wants a key"},
		{name: "wrong key", host: host{answer: fails(401, `{"error":{"message":"Incorrect API key provided: sk-wrong-key-0123","code":"invalid_api_key"}}`)}, fields: []string{"key=sk-wrong-key-0123"}, what: "answer", state: Failed, says: "does not accept the key"},
		{name: "no such model", host: host{answer: fails(404, `{"error":{"message":"model 'qwen3:9b' not found","code":"model_not_found"}}`), models: models}, what: "answer", state: Failed, says: "has, among others: qwen3:4b, qwen3:8b, llama4"},
		{name: "no such model, and no list", host: host{answer: fails(404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`)}, what: "answer", state: Failed, says: "does not have the model qwen3:9b"},
		{name: "no credit", host: host{answer: fails(402, `{"error":{"message":"Insufficient credits"}}`)}, what: "answer", state: Failed, says: "no credit left"},
		{name: "too often", host: host{answer: fails(429, `{"error":{"message":"slow down","type":"rate_limit_error"}}`, "Retry-After", "61")}, what: "answer", state: Failed, says: "Try again in 61 seconds"},
		{name: "a wrong path", host: host{answer: fails(404, "404 page not found")}, what: "answer", state: Failed, says: "address or protocol is wrong"},
		{name: "another protocol", host: host{answer: fails(404, "404 page not found"), models: `{"object":"list","data":[{"id":"qwen3:9b"}]}`}, what: "answer", state: Failed, says: "does not know the protocol openai"},
		{name: "a web page", host: host{answer: fails(200, "<!DOCTYPE html><html><body>Welcome</body></html>", "Content-Type", "text/html"), models: "<!DOCTYPE html>"}, what: "answer", state: Failed, says: "there is a web page"},
		{name: "a web page that is not found", host: host{answer: fails(404, "<html><body>Not found</body></html>", "Content-Type", "text/html"), models: "<html>"}, what: "answer", state: Failed, says: "there is a web page"},
		{name: "somewhere else", host: host{answer: fails(307, "", "Location", "https://elsewhere.example/v1")}, what: "answer", state: Failed, says: "sends on to another address"},
		{name: "out of order", host: host{answer: fails(500, `{"error":"boom"}`)}, what: "answer", state: Failed, says: "failed to answer"},
		{name: "too busy", host: host{answer: fails(529, `{"error":{"type":"overloaded_error","message":"Overloaded"}}`)}, what: "answer", state: Failed, says: "too much to do"},
		{name: "nothing", host: host{answer: fails(200, "")}, what: "answer", state: Failed, says: "broke off"},
		{name: "no JSON", host: host{answer: fails(200, "hello there, this is no model")}, what: "answer", state: Failed, says: "failed to answer"},
		{name: "no UTF-8", host: host{answer: fails(200, "data: \xff\xfe\n\n")}, what: "answer", state: Failed, says: ""},
		{name: "cut in the middle", host: host{answer: func(w http.ResponseWriter, _ *http.Request, _ asked) bool {
			chunk(w, `{"content":"one, "}`, "")
			panic(http.ErrAbortHandler)
		}}, what: "answer", state: Failed, says: "broke off"},
		{name: "a line without end", host: host{answer: func(w http.ResponseWriter, r *http.Request, _ asked) bool {
			_, _ = io.WriteString(w, "data: ")
			for b := bytes.Repeat([]byte("x"), 1<<20); ; {
				if _, err := w.Write(b); err != nil {
					return true
				}
			}
		}}, what: "answer", state: Failed, says: "failed to answer"},
		{name: "in one piece", host: host{answer: func(w http.ResponseWriter, _ *http.Request, a asked) bool {
			if len(a.Tools) > 0 {
				return false
			}
			_, _ = io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"one, two"},"finish_reason":"stop"}]}`)
			return true
		}}, what: "stream", state: Weak, says: "in one piece"},
		{name: "slow", slow: time.Millisecond, host: host{answer: func(http.ResponseWriter, *http.Request, asked) bool {
			time.Sleep(20 * time.Millisecond)
			return false
		}}, what: "answer", state: Weak, says: "only after one second"},
		{name: "a refusal", host: host{answer: func(w http.ResponseWriter, _ *http.Request, _ asked) bool {
			chunk(w, `{"content":"I"}`, "content_filter")
			return true
		}}, what: "answer", state: Failed, says: "refuses even a harmless question"},
		{name: "no streaming", host: host{answer: func(w http.ResponseWriter, r *http.Request, a asked) bool {
			if a.Stream {
				return fails(400, `{"error":{"message":"stream is not supported by this server","param":"stream","code":"unsupported_value"}}`)(w, r, a)
			}
			if len(a.Tools) > 0 {
				_, _ = io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"nodkeep_test","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`)
				return true
			}
			_, _ = io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"one, two"},"finish_reason":"stop"}]}`)
			return true
		}}, what: "stream", state: Weak, says: "cannot stream"},
		{name: "no tools", host: host{answer: func(w http.ResponseWriter, r *http.Request, a asked) bool {
			return len(a.Tools) > 0 && fails(400, `{"error":{"message":"registry.ollama.ai/library/x does not support tools"}}`)(w, r, a)
		}}, what: "tools", state: Failed, says: "refuses tools"},
		{name: "no call", host: host{answer: func(w http.ResponseWriter, r *http.Request, a asked) bool {
			if len(a.Tools) == 0 {
				return false
			}
			chunk(w, `{"content":"I will call it soon."}`, "stop")
			return true
		}}, what: "tools", state: Failed, says: "was told to call a tool and did not"},
		{name: "another tool", host: host{answer: func(w http.ResponseWriter, r *http.Request, a asked) bool {
			if len(a.Tools) == 0 {
				return false
			}
			chunk(w, `{"tool_calls":[{"index":0,"id":"c","function":{"name":"rm","arguments":"{}"}}]}`, "tool_calls")
			return true
		}}, what: "tools", state: Failed, says: "a tool that does not exist"},
		{name: "arguments that are no JSON", host: host{answer: func(w http.ResponseWriter, r *http.Request, a asked) bool {
			if len(a.Tools) == 0 {
				return false
			}
			chunk(w, `{"tool_calls":[{"index":0,"id":"c","function":{"name":"nodkeep_test","arguments":"{word"}}]}`, "tool_calls")
			return true
		}}, what: "tools", state: Failed, says: "in a form that cannot be read"},
		{name: "no pictures", fields: []string{"images=yes"}, host: host{answer: func(w http.ResponseWriter, r *http.Request, a asked) bool {
			return strings.Contains(a.raw, "image/png") && fails(400, `{"error":{"message":"this model is missing data required for image input"}}`)(w, r, a)
		}}, what: "images", state: Failed, says: "takes no pictures"},
	}
	say := english(t)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := httptest.NewServer(row.host)
			defer s.Close()
			r, log := tested(t, Config{Fixed: []Fixed{{"x", fields(append(row.fields, "base_url="+s.URL, "model=qwen3:9b")...)}}})
			if r.patient.slow = time.Hour; row.slow > 0 {
				r.patient.slow = row.slow
			}
			report, err := r.Test(t.Context(), "x", "")
			if err != nil {
				t.Fatal(err)
			}
			wrong := false
			for _, l := range report.Lines {
				says := say.English(l.Says)
				if strings.Contains(says, "{") || strings.Contains(says, "roster.") {
					t.Errorf("no sentence: %q", says)
				}
				if l.State == OK {
					continue
				}
				wrong = true
				if l.What != row.what || l.State != row.state || !strings.Contains(says, row.says) {
					t.Errorf("%s %s: %s", l.What, l.State, says)
				}
			}
			if wrong != (row.what != "") || report.OK != (row.state != Failed) || len(report.Lines) == 0 {
				t.Errorf("%+v", report)
			}
			if strings.Contains(log.String(), "sk-wrong-key-0123") {
				t.Error("the log has the key: ", log)
			}
		})
	}
}

// TestNothingIsThere: what no host answers.
func TestNothingIsThere(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	plain := httptest.NewServer(host{})
	defer plain.Close()
	secret := httptest.NewTLSServer(host{})
	defer secret.Close()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer silent.Close()
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer hangs.Close()
	say := english(t)
	for says, address := range map[string]string{
		"Nothing answers at": closed.URL, "does not speak https": strings.Replace(plain.URL, "http:", "https:", 1), "certificate": secret.URL,
		"did not answer in time": silent.URL, "There is no host": "http://no-such-host.invalid", "hung up": hangs.URL,
	} {
		r, _ := tested(t, Config{Fixed: []Fixed{{"x", fields("base_url="+address, "model=m")}}})
		if address == silent.URL {
			r.patient.answer = 500 * time.Millisecond
		}
		report, err := r.Test(t.Context(), "x", "")
		if err != nil || report.OK || len(report.Lines) != 1 || !strings.Contains(say.English(report.Lines[0].Says), says) {
			t.Errorf("%s: %+v %v", says, report, err)
		}
	}
}

// TestEachProtocolIsTried: a test passes with hosts as strict as the real ones,
// and tells them of nobody but by an opaque id.
func TestEachProtocolIsTried(t *testing.T) {
	for _, kind := range fake.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			h := fake.New(t, kind, fake.Answer(fake.Say("one, two, three, four").In(4)), fake.Answer(fake.Calls(fake.Call{Name: "nodkeep_test", Args: `{"word":"nod"}`})), fake.Answer(fake.Say("Green.")))
			var metered int
			r, log := tested(t, Config{
				Fixed:     []Fixed{{"x", fields("protocol="+h.Protocol(), "base_url="+h.Base(), "model="+h.Model(), "key="+fake.Key, "images=yes", "effort=high", "max_effort=low")}},
				Transport: h.Transport(), IDKey: strings.Repeat("i", 32),
				Trial: func(person string, a Assistant, r gateway.Request) gateway.Meter {
					if person != "account00000001" || a.ID != "x" || r.Effort != gateway.Low {
						t.Error(person, a, r.Effort)
					}
					metered++
					return nil
				},
			})
			report, err := r.Test(t.Context(), "x", "account00000001")
			if err != nil || !report.OK || len(report.Lines) != 4 {
				t.Fatalf("%+v %v %s", report, err, log)
			}
			for _, l := range report.Lines {
				if l.State != OK {
					t.Errorf("%+v", l)
				}
			}
			if metered != 3 {
				t.Errorf("%d calls were metered", metered)
			}
			for _, a := range h.Asked() {
				if strings.Contains(string(a.Raw), "account00000001") {
					t.Error("the host is told who asks")
				}
				a1, _ := r.Get(t.Context(), "x")
				if field := a1.PersonField(); field != "" != strings.Contains(string(a.Raw), r.Person("account00000001")) {
					t.Errorf("the page on privacy names the field %q; the request is %s", field, a.Raw)
				}
			}
		})
	}
}
