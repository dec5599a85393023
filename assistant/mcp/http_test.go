package mcp

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// serve answers as the door does once it is known who asks.
func (b *bench) serve(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.ServeHTTP(w, r, Visitor{Agent: b.agent}, func(status int, message string) { http.Error(w, "ours: "+message, status) })
	}))
	t.Cleanup(func() {
		b.Close()
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// send posts a message of the protocol without sessions.
func (b *bench) send(ctx context.Context, t *testing.T, url, method, name, params string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},`+params+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	for header, value := range map[string]string{
		"Authorization": "Bearer nk_x", "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name,
	} {
		if value != "" {
			r.Header.Set(header, value)
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestHungUp: over HTTP without sessions, who hangs up wants no more of a call.
func TestHungUp(t *testing.T) {
	b := newBench(t)
	s := b.serve(t)
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	go func() {
		for b.begun.Load() == 0 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if res, err := b.send(ctx, t, s.URL, "tools/call", "lab_slow", `"name":"lab_slow","arguments":{}`); err == nil {
		_, err = io.ReadAll(res.Body)
		if err == nil {
			t.Fatal("the call was answered")
		}
	}
	for deadline := time.Now().Add(patient); b.ended.Load() != 1; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the tool goes on")
		}
	}
}

// TestPlainErrors: what the library would say in plain text is said as we do,
// and what it says as the protocol wants stays.
func TestPlainErrors(t *testing.T) {
	b := newBench(t)
	s := b.serve(t)
	r, err := http.NewRequest("GET", s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer nk_x")
	r.Header.Set("Accept", "text/event-stream")
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	if res.StatusCode != 400 || !strings.HasPrefix(string(body), "ours: ") || res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v %s", res.StatusCode, res.Header, body)
	}
	res, err = b.send(t.Context(), t, s.URL, "no/such", "", `"x":1`)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ = io.ReadAll(res.Body); res.StatusCode != 404 || !strings.Contains(string(body), "-32601") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

// TestStuckReader: a client that opens a stream and never reads holds up no
// notice of others.
func TestStuckReader(t *testing.T) {
	b := newBench(t)
	stuck, fine := b.seat(b.agent), (*seat)(nil)
	other := b.agent
	other.Token = "token2"
	fine = b.seat(other)
	defer stuck.leave(time.Now)
	defer fine.leave(time.Now)
	stuck.mu.Lock()
	stuck.telling = true // as one that writes and is not read
	stuck.mu.Unlock()
	done := make(chan struct{})
	go func() {
		for range 100 {
			stuck.tell([]string{contextURI})
			fine.tell([]string{contextURI})
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(patient):
		t.Fatal("one holds up the others")
	}
	stuck.mu.Lock()
	defer stuck.mu.Unlock()
	if len(stuck.untold) != 1 {
		t.Errorf("%d notices wait: they are the same", len(stuck.untold))
	}
}

// TestStreamsAreNotHeldBack: by no proxy and no cache.
func TestStreamsAreNotHeldBack(t *testing.T) {
	w := httptest.NewRecorder()
	a := newAnswer(w, nil)
	defer a.End()
	a.Header().Set("Content-Type", "text/event-stream")
	if _, err := a.Write([]byte("data: x\n\n")); err != nil {
		t.Fatal(err)
	}
	if got := w.Body.String(); got != "data: x\n\n" {
		t.Errorf("%q", got)
	}
	if h := w.Header(); h.Get("X-Accel-Buffering") != "no" || h.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", h)
	}
}
