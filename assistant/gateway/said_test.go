package gateway

import (
	"strings"
	"testing"
)

// TestErrorsAreReadOnlySoFar: what is nested without end is not followed, for each
// step reads all that is within; and long words are cut before they are looked
// through.
func TestErrorsAreReadOnlySoFar(t *testing.T) {
	within := func(open string, n int, ending string) string {
		return strings.Repeat(open, n) + `"deep down"` + strings.Repeat(ending, n)
	}
	for name, body := range map[string]string{
		"details":         `{"error":` + within(`{"detail":`, 50, "}") + `}`,
		"details of HTTP": within(`{"detail":`, 50, "}"),
		"hosts behind":    within(`{"error":{"metadata":{"raw":`, 50, "}}}"),
		"both":            within(`{"error":{"detail":{"detail":"x"},"metadata":{"raw":{"detail":`, 50, "}}}}"),
	} {
		if s := read([]byte(body)); strings.TrimSpace(s.message) == "deep down" || strings.HasSuffix(s.message, "x deep down") {
			t.Errorf("%s: it was followed to the end", name)
		}
	}
	if s := read([]byte(`{"error":{"message":"a","metadata":{"raw":{"error":{"detail":{"detail":"b"}}}}}}`)); s.message != "a b" {
		t.Errorf("%q", s.message)
	}
	long := strings.Repeat("ä model that does not support ", 10_000)
	e := spoken([]byte(`{"error":{"message":"` + long + `","code":"` + long + `","param":"` + long + `","type":"` + long + `"}}`))
	if e == nil || len(e.Message) > longestWord || len(e.Code) > longestLabel || len(e.Param) > longestLabel {
		t.Errorf("%d %d %d", len(e.Message), len(e.Code), len(e.Param))
	}
}

// TestNamesOfToolsAreBounded: what a model calls is quoted to it and to people.
func TestNamesOfToolsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for p, body := range map[Protocol]string{
		Anthropic: `{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"a","name":"` + long + `","input":{}}],"stop_reason":"tool_use"}`,
		Responses: `{"object":"response","status":"completed","output":[{"type":"function_call","call_id":"a","name":"` + long + `","arguments":"{}"}]}`,
		OpenAI:    `{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"` + long + `","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
	} {
		r, failed, err := Decode(Reply{Protocol: p, Status: 200, Body: strings.NewReader(body)})
		if err != nil || failed != nil || len(r.Calls) != 1 || len(r.Calls[0].Name) != longestName {
			t.Errorf("%s: %v %v, %d calls", p, failed, err, len(r.Calls))
		}
	}
}
