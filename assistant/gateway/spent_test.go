package gateway

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestWhatIsBilled: an attempt costs nothing only where its host surely did not
// begin to answer. That it cannot be read, or shows nothing, is no such reason.
func TestWhatIsBilled(t *testing.T) {
	const failing = `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`
	rows := []struct {
		name   string
		p      Protocol
		status int
		body   string
		free   bool
		cut    bool
	}{
		{"refused", Anthropic, 529, failing, true, true},
		{"a page of a proxy", OpenAI, 502, "<html>Bad Gateway</html>", true, true},
		{"an error that is no JSON", OpenAI, 500, `{"error":`, true, true},
		{"too many", OpenAI, 429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, true, true},
		{"a proxy that did not wait", OpenAI, 504, "<html>Gateway Timeout</html>", false, true},
		{"another that did not wait", Anthropic, 524, "error code: 524", false, true},
		{"an error behind an answer", OpenAI, 500, "data: {\"choices\":[{\"delta\":{\"content\":\"Well\"}}]}\n\n" + `data: {"error":{"message":"x"}}` + "\n\n", false, true},
		{"an error with counts", OpenAI, 500, `{"error":{"message":"x"},"usage":{"prompt_tokens":12,"completion_tokens":900}}`, false, true},
		{"an error with counts of nothing", OpenAI, 500, `{"error":{"message":"x"},"usage":{"prompt_tokens":0}}`, true, true},
		{"an error under 200", OpenAI, 200, `{"error":{"message":"x","code":503}}`, true, true},
		{"one with counts", OpenAI, 200, `{"error":{"message":"x","code":503},"usage":{"prompt_tokens":12,"completion_tokens":900}}`, false, true},
		{"a page", OpenAI, 200, "<html>Sign in</html>", true, true},
		{"an answer that is no JSON", OpenAI, 200, `{"choices":[{]}`, false, true},
		{"an event that is no JSON", Anthropic, 200, "data: {]}\n\n", false, true},
		{"an answer that is too long", OpenAI, 200, `{"choices":[{"message":{"content":"` + strings.Repeat("a", maxLine) + `"}}]}`, false, true},
		{"more pieces than are read", OpenAI, 200, `data: {"choices":[{"delta":{"tool_calls":[` + strings.Repeat(`{"id":"a","function":{"name":"a"}},{"id":"b","function":{"name":"b"}},`, maxItems) + `{}]}}]}` + "\n\n", false, true},
		{"thought that is not shown", Responses, 200, `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","encrypted_content":"a"}}` + "\n\ndata: " + failing + "\n\n", false, true},
		{"a block that is not shown", Anthropic, 200, `data: {"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"a"}}` + "\n\ndata: " + failing + "\n\n", false, true},
		{"thought details that are not shown", OpenAI, 200, `data: {"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"a"}]}}]}` + "\n\ndata: {\"error\":{\"message\":\"x\"}}\n\n", false, true},
		{"broken off", OpenAI, 200, ": hello\n\n", false, true},
		{"whole", OpenAI, 200, `{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":1}}`, false, false},
		{"an answer without its length", OpenAI, 200, `{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":0}}`, false, true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			m := &count{}
			p := billing(t, row.p, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("X-Should-Retry", "false")
				w.WriteHeader(row.status)
				_, _ = io.WriteString(w, row.body)
			})
			_, err := p.Stream(t.Context(), Request{Meter: m, Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: "?"}}}}}, func(Delta) {})
			if m.holds == 0 || m.settle != m.holds {
				t.Fatalf("%d holds, %d settled: %v", m.holds, m.settle, err)
			}
			for _, s := range m.spent {
				if s.Unbilled != row.free || !s.Unbilled && s.Cut != row.cut {
					t.Errorf("%+v, %v", s, err)
				}
			}
		})
	}
}

// billing is a provider of a host that answers so.
func billing(t *testing.T, p Protocol, h http.HandlerFunc) Provider {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	made, err := New(Config{Protocol: p, BaseURL: server.URL, Model: "m", Log: slog.New(slog.DiscardHandler), Sleep: noSleep})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestPackedIsPaid: an answer that was packed although nobody asked for that cannot
// be read, and was an answer.
func TestPackedIsPaid(t *testing.T) {
	m := &count{}
	p := billing(t, OpenAI, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		_, _ = io.WriteString(w, "\x8b\x02\x80hello\x03")
	})
	_, err := p.Stream(t.Context(), Request{Meter: m, Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: "?"}}}}}, func(Delta) {})
	if err == nil || m.holds == 0 || m.settle != m.holds || m.spent[0].Unbilled {
		t.Errorf("%v: %d holds, %d settled: %+v", err, m.holds, m.settle, m.spent)
	}
}

// TestPanicIsPaid: whoever shows an answer and falls over it has had it.
func TestPanicIsPaid(t *testing.T) {
	m := &count{}
	p := billing(t, OpenAI, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}]}`)
	})
	func() {
		defer func() { _ = recover() }()
		_, _ = p.Stream(t.Context(), Request{Meter: m, Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: "?"}}}}}, func(Delta) { panic("x") })
	}()
	if m.holds != 1 || m.settle != 1 || m.spent[0].Unbilled {
		t.Errorf("%d holds, %d settled: %+v", m.holds, m.settle, m.spent)
	}
}

// slow is a meter whose hold takes its time.
type slow struct {
	count
	in, out chan struct{}
}

func (s *slow) Hold(ctx context.Context) error {
	close(s.in)
	<-s.out
	return s.count.Hold(ctx)
}

// TestHeldAfterItWasGivenUp: a request that is given up while its hold is being
// written is settled after that, once, and in full: its bytes may leave.
func TestHeldAfterItWasGivenUp(t *testing.T) {
	for _, refuse := range []error{nil, errors.New("nothing left")} {
		p := billing(t, OpenAI, func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
		m := &slow{count: count{refuse: refuse}, in: make(chan struct{}), out: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-m.in
			cancel()
			time.Sleep(20 * time.Millisecond) // so that the transport gives up, most times
			close(m.out)
		}()
		_, err := p.Stream(ctx, Request{Meter: m, Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: "?"}}}}}, func(Delta) {})
		if err == nil || m.settle != m.holds || m.holds == 1 != (refuse == nil) || len(m.spent) == 1 && (m.spent[0].Unbilled || m.spent[0].Usage != nil) {
			t.Errorf("%v: %d holds, %d settled: %+v", err, m.holds, m.settle, m.spent)
		}
	}
}

func noSleep(context.Context, time.Duration) error { return nil }
