package gateway

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

// FuzzChat reads whatever may come: it must not panic, nor let a call run that is
// no call, and what comes in one piece is what comes in many.
func FuzzChat(f *testing.F) {
	files, err := filepath.Glob("testdata/wire/0*-chat-*.[sj]s*")
	if err != nil || len(files) == 0 {
		f.Fatal("no bodies", err)
	}
	for n, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body, uint8(n))
	}
	hosts := []string{"api.openai.com", "api.mistral.ai", "generativelanguage.googleapis.com", "openrouter.ai", "api.x.ai", "127.0.0.1:11434"}
	f.Fuzz(func(t *testing.T, body []byte, n uint8) {
		to := target{Protocol: OpenAI, Host: hosts[int(n)%len(hosts)], Model: "m"}
		read := func(step int) (Result, *Error) {
			a := &answer{show: func(Delta) {}}
			in := newIntake(a, chat{}.decoder(to, a))
			for rest := body; len(rest) > 0; {
				k := min(step, len(rest))
				if in.add(bytes.Clone(rest[:k])) != nil {
					break
				}
				rest = rest[k:]
			}
			in.end()
			return a.result(to)
		}
		r, failed := read(len(body) + 1)
		again, failedAgain := read(int(n)%13 + 1)
		if r.Text != again.Text || r.Finish != again.Finish || len(r.Calls) != len(again.Calls) || (failed == nil) != (failedAgain == nil) {
			t.Fatalf("whole %+v (%v), in pieces %+v (%v)", r, failed, again, failedAgain)
		}
		if (failed != nil) != (r.Finish == Failed) || len(r.Calls) > 0 && r.Finish != ToolUse || !utf8.ValidString(r.Text) {
			t.Fatalf("%+v, %v", r, failed)
		}
		ids := map[string]bool{}
		var results []ToolResult
		for _, c := range r.Calls {
			if c.ID == "" || ids[c.ID] || c.Invalid == (c.Args != nil) || !c.Invalid && (c.Args.Kind() != '{' || !c.Args.IsValid()) {
				t.Fatalf("call %+v", c)
			}
			ids[c.ID] = true
			results = append(results, ToolResult{Call: c.ID})
		}
		if r.Raw == nil {
			return
		}
		sent, err := chat{}.encode(Request{Messages: []Message{{Role: User}, {Role: Assistant, Text: r.Text, Calls: r.Calls, Raw: r.Raw}, {Role: Tools, Results: results}}}, to)
		if err != nil || lenient(sent, new(struct{})) != nil {
			t.Fatalf("%v: %s", err, sent)
		}
	})
}
