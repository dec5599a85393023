package gateway

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestEffortGoesDown: a model that does not think as much as is wanted is asked
// for less before it is left to itself, and from then on at once.
func TestEffortGoesDown(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, rest, _ := bytes.Cut(body, []byte(`"effort":"`))
		effort, _, _ := bytes.Cut(rest, []byte(`"`))
		got = append(got, string(effort))
		if string(effort) == "max" {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"type":"error","error":{"type":"invalid_request_error","message":"This model does not support effort level 'max'. Supported levels: high, medium, low."}}`)
			return
		}
		_, _ = io.WriteString(w, stream(aStart, aText, aHi, aClose, aEnd, aStop))
	}))
	defer server.Close()
	p, err := New(Config{Protocol: Anthropic, BaseURL: server.URL, Model: "claude-opus-5-5", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for _, effort := range []Effort{Max, Max, Low} {
		r, err := p.Stream(t.Context(), Request{Effort: effort, Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: "?"}}}}}, func(Delta) {})
		if err != nil || r.Text != "Hi" {
			t.Fatal(r, err)
		}
	}
	if want := []string{"max", "high", "high", "low"}; !slices.Equal(got, want) {
		t.Errorf("it was asked for %q, want %q", got, want)
	}
}

// TestNothingComesPacked: what is packed comes in lumps, and what is wanted in
// one piece is not asked for in many.
func TestNothingComesPacked(t *testing.T) {
	var head http.Header
	p, _, _ := plainProvider(t, func(w http.ResponseWriter, r *http.Request) {
		head = r.Header
		_, _ = io.WriteString(w, "data: x\n\ndata: .\n\n")
	})
	for _, whole := range []bool{false, true} {
		if _, err := p.Stream(t.Context(), Request{Whole: whole}, func(Delta) {}); err != nil {
			t.Fatal(err)
		}
		printed := p.headers(Request{Whole: whole}, p.target, "a-secret-key")
		for name := range head {
			if name != "Content-Length" && name != "User-Agent" && printed.Get(name) != head.Get(name) {
				t.Errorf("whole %v: %s was sent, %s is printed", whole, head, printed)
			}
		}
		if head.Get("Accept-Encoding") != "identity" || head.Get("Content-Type") != "application/json" || strings.Contains(head.Get("Accept"), "text/event-stream") == whole {
			t.Errorf("whole %v: %v", whole, head)
		}
	}
}
