package budget

import (
	"encoding/json/jsontext"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// TestWorst: every part of a request adds at least its bytes to the most that it
// may use, and pictures and pages what hosts make of them.
func TestWorst(t *testing.T) {
	hundred := strings.Repeat("ä", 50)
	items := []jsontext.Value{jsontext.Value(`"` + hundred + `"`)}
	args := jsontext.Value(`{"a":"` + hundred + `"}`)
	message := func(m gateway.Message) gateway.Request { return gateway.Request{Messages: []gateway.Message{m}} }
	rows := []struct {
		name     string
		r        gateway.Request
		at, most int64 // more than an empty request
	}{
		{"instructions", gateway.Request{System: []gateway.Block{{Text: hundred}}}, 100, 200},
		{"a tool", gateway.Request{Tools: []gateway.Tool{{Name: hundred, Description: hundred, Schema: args}}}, 308, 500},
		{"text", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Text, Text: hundred}}}), 100, 300},
		{"no UTF-8", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Text, Text: strings.Repeat("\xff", 100)}}}), 300, 500},
		{"an answer", message(gateway.Message{Text: hundred, Calls: []gateway.Call{{ID: hundred, Name: hundred, Args: args}}}), 408, 600},
		{"an answer as it came", message(gateway.Message{Text: "a", Raw: &gateway.Raw{Items: items}}), 102, 300},
		{"an answer that may be sent either way", message(gateway.Message{Text: hundred, Raw: &gateway.Raw{}}), 100, 300},
		{"results", message(gateway.Message{Results: []gateway.ToolResult{{Call: hundred, Text: hundred}}}), 200, 400},
		{"a picture", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Image, Name: hundred}}}), 6100, 6400},
		{"a medium that nobody knows", message(gateway.Message{Parts: []gateway.Part{{Media: "film"}}}), 6000, 6300},
		{"a PDF", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.PDF, Pages: 3, Data: make([]byte, 1_000_000)}}}), 30_000, 30_300},
		{"a PDF that nobody counted", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.PDF, Data: make([]byte, 1999)}}}), 40_000, 40_300},
		{"a large PDF that nobody counted", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.PDF, Data: make([]byte, 1_000_000)}}}), 6_000_000, 6_000_300},
	}
	for _, row := range rows {
		got, out := worst(row.r)
		if got -= forRequest; got < row.at || got > row.most || out != usualOutput {
			t.Errorf("%s may use %d, want %d to %d", row.name, got, row.at, row.most)
		}
	}
	if _, out := worst(gateway.Request{MaxOutput: 7}); out != 7 {
		t.Error(out)
	}
	if _, out := worst(gateway.Request{MaxOutput: -7}); out != usualOutput {
		t.Error(out)
	}
}
