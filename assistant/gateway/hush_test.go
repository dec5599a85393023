package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWordsOfPeopleAreLoggedNowhere(t *testing.T) {
	r := Request{
		System: []Block{{Text: "Ana lives in Amselgrund 7 with Ben and two cats."}},
		Messages: []Message{
			{Role: User, Parts: []Part{{Media: Text, Text: "Why did I pay Bäckerei Müller twice in March? My sister must not know of it."}, {Media: PDF, Name: "divorce-papers.pdf"}}},
			{Role: Assistant, Text: "Let me see what you paid there.", Calls: []Call{{Name: "find", Args: jsontext.Value(`{"q":"Bäckerei Müller 14 March"}`)}}},
			{Role: Tools, Results: []ToolResult{{Text: "2026-03-14 19.90 EUR Bäckerei Müller, card ending in 4471"}}},
		},
	}
	for message, want := range map[string]string{
		"Unsupported parameter: 'max_tokens'": "Unsupported parameter: 'max_tokens'",
		"":                                    "",
		"Invalid prompt: Why did I pay Bäckerei Müller twice in March? My sister must not know of it. (blocked)": "Invalid prompt: •••(blocked)",
		"bad file 'divorce-papers.pdf'":                                           "bad file '•••'",
		`tool output "2026-03-14 19.90 EUR Bäckerei Müller, card ending" refused`: `tool output "•••" refused`,
		"I cannot speak of Ana lives in Amselgrund 7 with Ben":                    "I cannot speak of •••",
	} {
		got := hush(message, r)
		// A blank beside what was hidden may have gone with it.
		if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") || !utf8.ValidString(got) {
			t.Errorf("%q becomes %q, want %q", message, got, want)
		}
	}
}

// TestLogOfARefusal has what the host said and its id, and none of the question.
func TestLogOfARefusal(t *testing.T) {
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "req_7")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"message":"moderation of: My sister must not know of the divorce; key sk-secret-0123"}}`)
	}))
	defer host.Close()
	var log bytes.Buffer
	p, err := New(Config{Protocol: OpenAI, BaseURL: host.URL, Model: "m", Key: "sk-secret-0123", Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Stream(t.Context(), Request{Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: "My sister must not know of the divorce"}}}}}, func(Delta) {})
	if err == nil || !strings.Contains(log.String(), "moderation of") || !strings.Contains(log.String(), "req_7") {
		t.Error(err, log.String())
	}
	if strings.Contains(log.String(), "divorce") || strings.Contains(log.String(), "sk-secret") {
		t.Error(log.String())
	}
}
