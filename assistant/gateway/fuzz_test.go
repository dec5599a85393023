package gateway

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func FuzzAnthropic(f *testing.F) { fuzzReplies(f, Anthropic, "testdata/wire/1*") }
func FuzzResponses(f *testing.F) { fuzzReplies(f, Responses, "testdata/wire/2*") }

// fuzzReplies: whatever comes, there is a result or an error, the same however
// it was cut; a call has arguments or is invalid, and what goes back is JSON.
func fuzzReplies(f *testing.F, p Protocol, seeds string) {
	files, err := filepath.Glob(seeds)
	if err != nil || len(files) < 10 {
		f.Fatal(len(files), err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, ".expect.json") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var first Result
		for i, how := range []string{"whole", "byte by byte", "line by line"} {
			r, failed, err := Decode(Reply{Protocol: p, Host: "api.example.test", Model: "m", Status: 200, Body: servings[how](body)})
			if err != nil {
				t.Fatal(err)
			}
			if (failed == nil) == (r.Finish == Failed) || (len(r.Calls) > 0) != (r.Finish == ToolUse) {
				t.Errorf("finish %s, %d calls, %v", r.Finish, len(r.Calls), failed)
			}
			for _, c := range r.Calls {
				if c.ID == "" || c.Invalid == (c.Args != nil) || (!c.Invalid && (c.Args.Kind() != '{' || !c.Args.IsValid())) {
					t.Errorf("%+v", c)
				}
			}
			if r.Raw != nil {
				for _, v := range r.Raw.Items {
					if !v.IsValid() {
						t.Errorf("%s", v)
					}
				}
				if _, err := Replay(r.Raw); err != nil {
					t.Error(err)
				}
			}
			if i == 0 {
				first = r
			} else if d := cmp.Diff(first, r); d != "" {
				t.Errorf("%s: %s", how, d)
			}
		}
	})
}

// TestReadingIsLinear: twice as much takes about twice the memory to read, in
// whatever pieces it comes.
func TestReadingIsLinear(t *testing.T) {
	shapes := map[string]struct {
		p              Protocol
		head, one, end string // one with the number of the piece
	}{
		"text":            {Anthropic, stream(aStart, aText), `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word %d"}}`, stream(aEnd, aStop)},
		"arguments":       {Anthropic, stream(aStart, aTool), `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"%d"}}`, stream(aUse, aStop)},
		"blocks":          {Anthropic, stream(aStart), `{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","name":"x","input":{}}}`, stream(aUse, aStop)},
		"counts":          {Anthropic, stream(aStart, aText, aHi), `{"type":"message_delta","usage":{"output_tokens":%d,"iterations":[{},{}]}}`, stream(aEnd, aStop)},
		"output_text":     {Responses, stream(rStart, rMsg), `{"type":"response.output_text.delta","output_index":0,"delta":"word %d"}`, stream(rEnd)},
		"function_call":   {Responses, stream(rStart, rCall), `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"%d"}`, stream(rEnd)},
		"items":           {Responses, stream(rStart), `{"type":"response.output_item.done","output_index":%d,"item":{"type":"function_call","name":"x","arguments":"{}"}}`, stream(rEnd)},
		"items added":     {Responses, stream(rStart), `{"type":"response.output_item.added","item":{"type":"message","id":"m%d"}}`, stream(rEnd)},
		"without a place": {Responses, stream(rStart), `{"type":"response.reasoning_text.delta","item_id":"x%d","output_index":%[1]d,"delta":"a"}`, stream(rEnd)},
	}
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			read := func(n int) uint64 {
				var b strings.Builder
				b.WriteString(s.head)
				for i := range n {
					b.WriteString(stream(fmt.Sprintf(s.one, i)))
				}
				b.WriteString(s.end)
				body := []byte(b.String())
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if _, _, err := Decode(Reply{Protocol: s.p, Status: 200, Body: bytes.NewReader(body)}); err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			read(10)
			if few, many := read(1_000), read(8_000); many > 16*few {
				t.Errorf("1000 pieces take %d bytes, 8000 take %d", few, many)
			}
		})
	}
}
