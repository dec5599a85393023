package fake

import (
	"encoding/json/v2"
	"net/http"
	"strings"
)

// Asked is a request, and in it what is the same in every protocol.
type Asked struct {
	N                  int // from 0
	Method, Path, Host string
	Header             http.Header
	Raw                []byte
	Body               map[string]any
	Refused            string // why; "" if it was answered

	Model   string
	Stream  bool
	System  string   // all the instructions
	User    string   // the text of the last user's message
	Results []string // of the tools, if they came last
	Tools   []string // names
}

// Says is a When: the last user's text is this.
func Says(text string) func(Asked) bool {
	return func(a Asked) bool { return a.User == text }
}

// parse reads the body as JSON.
func (a *Asked) parse() *refusal {
	if err := json.Unmarshal(a.Raw, &a.Body); err != nil || a.Body == nil {
		return &refusal{kind: invalid, text: "We could not parse the JSON body of your request."}
	}
	a.Model, _ = a.Body["model"].(string)
	a.Stream, _ = a.Body["stream"].(bool)
	return nil
}

// each gives the objects of a list.
func each(v any) []map[string]any {
	l, _ := v.([]any)
	out := make([]map[string]any, 0, len(l))
	for _, v := range l {
		if o, ok := v.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

func str(v any) string {
	s, _ := v.(string)
	return s
}

// textOf is a content, whole or in parts.
func textOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var b strings.Builder
	for _, part := range each(v) {
		b.WriteString(str(part["text"]))
	}
	return b.String()
}
