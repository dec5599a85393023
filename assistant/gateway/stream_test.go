package gateway

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// plain is a protocol that only tests speak: each event is a piece of text, and
// "." ends it.
type plain struct{}

func (plain) path() string { return "/ask" }
func (plain) headers(h http.Header, _ Request, _ target, key string) {
	h.Set("Key", key)
}
func (plain) decoder(_ target, a *answer) decoder { return &plainDecoder{a} }
func (plain) encode(r Request, t target) ([]byte, error) {
	m := map[string]any{"ceiling": r.MaxOutput}
	if to := t.Learned["max_tokens"]; to != "" {
		m["other"] = true
	}
	if !t.refuses("store") {
		m["store"] = true
	}
	if r.Effort != "" && !t.refuses("reasoning_effort") {
		m["effort"] = max(string(r.Effort), t.Learned["reasoning_effort"])
	}
	return json.Marshal(m, json.Deterministic(true))
}

type plainDecoder struct{ a *answer }

func (d *plainDecoder) event(_ string, data []byte) {
	if e := spoken(data); e != nil {
		d.a.fail(e)
	} else if string(data) == "." {
		d.a.over(Stop)
		d.a.usage = &Usage{Uncached: 3, Output: 2}
	} else {
		d.a.say(string(data))
	}
}
func (d *plainDecoder) whole(v jsontext.Value) { d.a.say(string(v)); d.a.over(Stop) }
func (d *plainDecoder) end()                   {}

// count is a meter that counts.
type count struct {
	mu            sync.Mutex
	holds, settle int
	spent         []Spent
	refuse        error
}

func (c *count) Hold(context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refuse == nil {
		c.holds++
	}
	return c.refuse
}

func (c *count) Settle(s Spent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle++
	c.spent = append(c.spent, s)
}

// plainProvider asks what h answers.
func plainProvider(t *testing.T, h http.HandlerFunc) (*provider, *[]time.Duration, *bytes.Buffer) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	var slept []time.Duration
	var log bytes.Buffer
	made, err := New(Config{
		Protocol: OpenAI, BaseURL: server.URL, Model: "m", Key: "a-secret-key", Log: slog.New(slog.NewTextHandler(&log, nil)),
		Sleep: func(ctx context.Context, d time.Duration) error { slept = append(slept, d); return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	p := made.(*provider)
	p.speech, p.url = plain{}, server.URL+"/v1/ask"
	return p, &slept, &log
}

func TestStreamRetries(t *testing.T) {
	fine := "data: Hel\n\ndata: lo\n\ndata: .\n\n"
	type reply struct {
		status int
		body   string
		head   string
	}
	rows := []struct {
		name     string
		replies  []reply
		attempts int
		text     string
		kind     ErrorKind
		unbilled int // attempts that cost nothing
		slept    []time.Duration
	}{
		{"at once", []reply{{200, fine, ""}}, 1, "Hello", "", 0, nil},
		{"busy, then not", []reply{{529, "", ""}, {503, "", ""}, {200, fine, ""}}, 3, "Hello", "", 2, nil},
		{"always busy", []reply{{500, "", ""}, {500, "", ""}, {500, "", ""}, {200, fine, ""}}, 3, "", Server, 3, nil},
		{"a hint", []reply{{429, "", "7"}, {200, fine, ""}}, 2, "Hello", "", 1, []time.Duration{7 * time.Second}},
		{"a long hint", []reply{{429, "", "3600"}, {200, fine, ""}}, 1, "", RateLimit, 1, []time.Duration{}},
		{"no key", []reply{{401, "", ""}, {200, fine, ""}}, 1, "", Auth, 1, nil},
		{"an error as the first event", []reply{{200, "data: {\"error\":{\"code\":503,\"message\":\"x\"}}\n\n", ""}, {200, fine, ""}}, 2, "Hello", "", 1, nil},
		{"broken before anything", []reply{{200, ": hello\n\n", ""}, {200, fine, ""}}, 2, "Hello", "", 0, nil},
		{"broken after something", []reply{{200, "data: Hel\n\n", ""}, {200, fine, ""}}, 1, "Hel", Truncated, 0, nil},
		{"an error after something", []reply{{200, "data: Hel\n\ndata: {\"error\":{\"code\":503,\"message\":\"x\"}}\n\n", ""}, {200, fine, ""}}, 1, "Hel", Server, 0, nil},
		{"a page", []reply{{200, "<html>", ""}, {200, fine, ""}}, 2, "Hello", "", 1, nil},
		{"a field less", []reply{{400, `{"error":{"message":"Unknown parameter: 'store'","param":"store","code":"unknown_parameter"}}`, ""}, {200, fine, ""}}, 2, "Hello", "", 1, []time.Duration{}},
		{"refused for ever", []reply{
			{400, `{"error":{"param":"store","code":"unknown_parameter"}}`, ""}, {400, `{"error":{"param":"store","code":"unknown_parameter"}}`, ""}, {200, fine, ""},
		}, 2, "", Unsupported, 2, []time.Duration{}},
		{"a redirect", []reply{{307, "", ""}, {200, fine, ""}}, 1, "", BadRequest, 1, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			n := 0
			p, slept, log := plainProvider(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				a := row.replies[n]
				n++
				if a.head != "" {
					w.Header().Set("Retry-After", a.head)
				}
				w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
				w.Header().Set("Request-Id", "req_9")
				w.WriteHeader(a.status)
				_, _ = io.WriteString(w, a.body)
			})
			var shown strings.Builder
			m := &count{}
			res, err := p.Stream(t.Context(), Request{Meter: m}, func(d Delta) { shown.WriteString(d.Text) })
			e, _ := errors.AsType[*Error](err)
			if (row.kind == "") != (err == nil) || e != nil && e.Kind != row.kind {
				t.Errorf("error %v, want kind %q", err, row.kind)
			}
			if n != row.attempts || res.Attempts != n || res.Text != row.text || shown.String() != row.text || res.RequestID != "req_9" {
				t.Errorf("%d attempts: %+v, shown %q", n, res, shown.String())
			}
			if e != nil && (e.AfterContent != (row.text != "") || res.Finish != Failed) {
				t.Errorf("%+v", e)
			}
			if row.slept != nil && fmt.Sprint(*slept) != fmt.Sprint(row.slept) {
				t.Errorf("it waited %v, want %v", *slept, row.slept)
			}
			free := 0
			for _, s := range m.spent {
				if s.Unbilled {
					free++
				}
			}
			if m.holds != n || m.settle != n || free != row.unbilled {
				t.Errorf("%d holds, %d settled, %d for nothing: %+v", m.holds, m.settle, free, m.spent)
			}
			if row.kind != "" && !strings.Contains(log.String(), "request_id=req_9") {
				t.Error("the log does not say which request it was:", log)
			}
		})
	}
}

// TestRepairsAreRemembered: what a host does not take is not sent to it again,
// and an effort goes down before it goes away.
func TestRepairsAreRemembered(t *testing.T) {
	var bodies []string
	p, _, _ := plainProvider(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(b))
		switch {
		case bytes.Contains(b, []byte(`"effort"`)):
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"error":{"param":"reasoning_effort","code":"unsupported_value","message":"x"}}`)
		case bytes.Contains(b, []byte(`"store"`)):
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"error":{"param":"store","code":"unknown_parameter","message":"x"}}`)
		default:
			_, _ = io.WriteString(w, "data: x\n\ndata: .\n\n")
		}
	})
	for range 2 {
		if _, err := p.Stream(t.Context(), Request{Effort: Low}, func(Delta) {}); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{`{"ceiling":8192,"effort":"low","store":true}`, `{"ceiling":8192,"store":true}`, `{"ceiling":8192}`, `{"ceiling":8192}`}
	if fmt.Sprint(bodies) != fmt.Sprint(want) {
		t.Errorf("%q", bodies)
	}
}

// TestNothingLeavesWithoutAHold: who has no budget left has sent nothing.
func TestNothingLeavesWithoutAHold(t *testing.T) {
	var got atomic.Int64
	p, _, _ := plainProvider(t, func(_ http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		got.Add(n)
	})
	none := errors.New("nothing left")
	m := &count{refuse: none}
	if _, err := p.Stream(t.Context(), Request{Meter: m}, func(Delta) {}); !errors.Is(err, none) {
		t.Error(err)
	}
	if got.Load() != 0 || m.settle != 0 {
		t.Error(got.Load(), "bytes arrived;", m.settle, "settled")
	}
}

// TestNoHoldWithoutAConnection: what surely never left costs nothing.
func TestNoHoldWithoutAConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	made, err := New(Config{Protocol: OpenAI, BaseURL: "http://" + address, Model: "m", Sleep: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	p := made.(*provider)
	p.speech = plain{}
	m := &count{}
	res, err := p.Stream(t.Context(), Request{Meter: m}, func(Delta) {})
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != Unreachable || m.holds != 0 || m.settle != 0 || res.Attempts != 3 {
		t.Error(err, m, res)
	}
}

// TestGivenUp: a person who stops an answer ends the request; what came counts
// as the least that it cost.
func TestGivenUp(t *testing.T) {
	gone := make(chan struct{})
	p, _, _ := plainProvider(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "data: Hel\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	})
	ctx, cancel := context.WithCancel(t.Context())
	m := &count{}
	res, err := p.Stream(ctx, Request{Meter: m}, func(Delta) { cancel() })
	if !errors.Is(err, context.Canceled) || res.Text != "Hel" || res.Finish != Failed || res.Raw != nil {
		t.Error(err, res)
	}
	if m.holds != 1 || m.settle != 1 || m.spent[0].Unbilled || !m.spent[0].Cut {
		t.Errorf("%+v", m)
	}
	select {
	case <-gone:
	case <-time.After(time.Minute):
		t.Error("the host was not told")
	}
}

// TestSilence: a host that says nothing any more is given up, and what it sends
// to stay alive keeps it.
func TestSilence(t *testing.T) {
	var beats atomic.Bool
	p, _, _ := plainProvider(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "data: Hel\n\n")
		w.(http.Flusher).Flush()
		for range 25 { // longer than a silence may be
			select {
			case <-r.Context().Done():
				return
			case <-time.After(50 * time.Millisecond):
			}
			if beats.Load() {
				_, _ = io.WriteString(w, ": wait\n")
				w.(http.Flusher).Flush()
			}
		}
		if !beats.Load() {
			<-r.Context().Done()
		}
		_, _ = io.WriteString(w, "data: lo\n\ndata: .\n\n")
	})
	p.c.Idle = time.Second
	_, err := p.Stream(t.Context(), Request{}, func(Delta) {})
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Truncated || !strings.Contains(e.Message, "in time") || !e.AfterContent {
		t.Error(err)
	}
	beats.Store(true)
	if res, err := p.Stream(t.Context(), Request{}, func(Delta) {}); err != nil || res.Text != "Hello" {
		t.Error(res, err)
	}
	p.c.First = 500 * time.Millisecond
	p.url = strings.Replace(p.url, "/ask", "/none", 1)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer silent.Close()
	p.url = silent.URL
	m := &count{}
	_, err = p.Stream(t.Context(), Request{Meter: m}, func(Delta) {})
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Unreachable || m.holds != m.settle || m.spent[0].Unbilled {
		t.Errorf("%v, %+v", err, m)
	}
}

// TestNoEnd: who says a little now and then is given up, too, and not asked again.
func TestNoEnd(t *testing.T) {
	asked := 0
	p, _, _ := plainProvider(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, ": wait\n")
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	})
	p.c.Longest = time.Second
	m := &count{}
	_, err := p.Stream(t.Context(), Request{Meter: m}, func(Delta) {})
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Truncated || !strings.Contains(e.Message, "in time") || asked != 1 || m.holds != 1 || m.settle != 1 {
		t.Errorf("%v, asked %d times, %+v", err, asked, m)
	}
}

// TestKeysStayHere: a host that repeats the key does not bring it into a log.
func TestKeysStayHere(t *testing.T) {
	p, _, log := plainProvider(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(401)
		_, _ = fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s"}}`, r.Header.Get("Key"))
	})
	_, err := p.Stream(t.Context(), Request{}, func(Delta) {})
	if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "Incorrect") {
		t.Error(err, log)
	}
}

// TestFloods: a host that never stops is stopped.
func TestFloods(t *testing.T) {
	line := []byte(strings.Repeat("x", 64<<10))
	for name, begin := range map[string]string{"a line": "data: ", "JSON": `{"a":"`, "a page": "<html>", "an event a line": ""} {
		t.Run(name, func(t *testing.T) {
			var sent atomic.Int64
			p, _, _ := plainProvider(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, begin)
				for r.Context().Err() == nil {
					var err error
					sent.Add(int64(len(line)))
					if begin == "" {
						_, err = w.Write([]byte("data: \n\n" + string(line) + "\n"))
					} else {
						_, err = w.Write(line)
					}
					if err != nil {
						return
					}
				}
			})
			_, err := p.Stream(t.Context(), Request{}, func(Delta) {})
			if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Server || e.Retryable {
				t.Error(err)
			}
			if sent.Load() > 96<<20 {
				t.Errorf("it was stopped after %d bytes", sent.Load())
			}
		})
	}
}

func TestBase(t *testing.T) {
	for in, want := range map[string]string{
		"http://127.0.0.1:11434": "http://127.0.0.1:11434/v1", "https://api.x.example/v1/": "https://api.x.example/v1", "https://h.example/v1beta/openai": "https://h.example/v1beta/openai",
		"https://h.example/": "https://h.example/v1", "ftp://x": "", "api.example.com": "", "https://u:p@h.example": "", "https://h.example/v1?x=1": "", "": "", "http://": "",
	} {
		u, err := Base(in)
		if (err != nil) != (want == "") || err == nil && u.String() != want {
			t.Errorf("%s: %v, %v; want %s", in, u, err, want)
		}
	}
}

// watcher keeps what an Observer is told.
type watcher struct {
	info Info
	out  Outcome
}

func (w *watcher) Begin(ctx context.Context, i Info) (context.Context, func(Outcome)) {
	w.info = i
	return ctx, func(o Outcome) { w.out = o }
}

// TestObserved: an observer is told how a request went, all its attempts
// together, and how its pieces came.
func TestObserved(t *testing.T) {
	n := 0
	p, _, _ := plainProvider(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if n++; n == 1 {
			w.WriteHeader(529)
			return
		}
		_, _ = io.WriteString(w, "data: a\n\ndata: b\n\ndata: c\n\ndata: .\n\n")
	})
	var now time.Time
	p.c.Now = func() time.Time { now = now.Add(time.Second); return now }
	w := &watcher{}
	p.c.Observer = w
	if _, err := p.Stream(t.Context(), Request{Effort: High, MaxOutput: 7}, func(Delta) {}); err != nil {
		t.Fatal(err)
	}
	if w.info != (Info{Protocol: OpenAI, Host: p.target.Host, Model: "m", MaxOutput: 7, Effort: High, Stream: true}) {
		t.Errorf("%+v", w.info)
	}
	o := w.out
	if o.Err != nil || o.Result.Text != "abc" || o.Result.Attempts != 2 || o.Result.First != time.Second || o.Took != 4*time.Second || len(o.Gaps) != 2 || o.Gaps[0] != time.Second {
		t.Errorf("%+v", o)
	}
}
