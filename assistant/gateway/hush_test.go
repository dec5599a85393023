package gateway

import (
	"encoding/json/jsontext"
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
