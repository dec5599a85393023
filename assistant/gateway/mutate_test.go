package gateway

import (
	"bytes"
	"encoding/json/v2"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// recorded are the bodies of testdata/wire, by protocol.
func recorded(t testing.TB) map[Protocol][][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/wire/*.expect.json")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	all := map[Protocol][][]byte{}
	for _, name := range files {
		var says struct {
			Body     string `json:"body"`
			Protocol string `json:"protocol"`
		}
		b, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(b, &says)
		}
		if err != nil {
			t.Fatal(name, err)
		}
		p, err := ParseProtocol(says.Protocol)
		if err != nil {
			t.Fatal(name, err)
		}
		body, err := os.ReadFile(filepath.Join("testdata/wire", says.Body))
		if err != nil {
			t.Fatal(err)
		}
		all[p] = append(all[p], body)
	}
	return all
}

// mutate changes a body as networks, proxies and bad hosts do, and worse.
func mutate(r *rand.Rand, b []byte, others [][]byte) []byte {
	b = bytes.Clone(b)
	words := []string{
		`null`, `""`, `{}`, `[]`, `-1`, `1e308`, `99999999999999999999`, `true`, "\x00", "\xff\xfe", "\n\n", "\r", `\u0000`, `\ud800`, `"`, `{`, `[`, `data: `, `event: `, `error: `, `:`,
		`"index":-1,`, `"index":9007199254740993,`, `"usage":null,`, `"content":[`, `"tool_calls":[{}],`, `"type":"error",`, strings.Repeat("[", 500), strings.Repeat("x", 3000),
	}
	for range 1 + r.IntN(6) {
		if len(b) == 0 {
			return b
		}
		at := r.IntN(len(b))
		end := min(len(b), at+1+r.IntN(200))
		switch r.IntN(8) {
		case 0:
			b[at] ^= byte(1 << r.IntN(8))
		case 1:
			b = append(b[:at:at], b[end:]...)
		case 2: // said twice
			b = append(b[:end:end], b[at:]...)
		case 3:
			b = b[:at]
		case 4, 5:
			b = append(b[:at:at], append([]byte(words[r.IntN(len(words))]), b[at:]...)...)
		case 6: // one value becomes another
			b = append(b[:at:at], append([]byte(words[r.IntN(len(words))]), b[end:]...)...)
		case 7:
			other := others[r.IntN(len(others))]
			b = append(b[:at:at], other[r.IntN(len(other)):]...)
		}
	}
	return b
}

// TestMutatedBodies: whatever a host sends ends in a result or an error, in
// bounded memory, and no call runs that the host did not end.
func TestMutatedBodies(t *testing.T) {
	bodies := 100_000
	if testing.Short() {
		bodies = 5_000
	}
	for protocol, seeds := range recorded(t) {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(6, uint64(len(protocol))))
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for range bodies {
				body := mutate(r, seeds[r.IntN(len(seeds))], seeds)
				reply := Reply{Protocol: protocol, Host: "h.example", Model: "m", Status: 200, Header: http.Header{}, Body: bytes.NewReader(body)}
				if r.IntN(10) == 0 {
					reply.Status = []int{400, 401, 422, 429, 500, 529}[r.IntN(6)]
				}
				res, failed, err := Decode(reply)
				switch {
				case err != nil:
					t.Fatalf("%q: %v", body, err)
				case (failed != nil) != (res.Finish == Failed):
					t.Fatalf("%q: %v, but %+v", body, failed, res)
				case len(res.Calls) > 0 && res.Finish != ToolUse, res.Finish == ToolUse && len(res.Calls) == 0:
					t.Fatalf("%q: %+v", body, res)
				case res.Usage != nil && min(res.Usage.Uncached, res.Usage.CacheRead, res.Usage.CacheWrite, res.Usage.Output, res.Usage.Reasoning) < 0:
					t.Fatalf("%q: usage %+v", body, *res.Usage)
				case len(res.Text)+len(res.Reasoning) > 8*len(body)+100:
					t.Fatalf("%q grew to %q %q", body, res.Text, res.Reasoning)
				}
				for _, c := range res.Calls {
					if c.ID == "" || c.Invalid != (c.Args == nil) || !c.Invalid && (c.Args.Kind() != '{' || !c.Args.IsValid()) {
						t.Fatalf("%q: call %+v", body, c)
					}
				}
				if items, err := Replay(res.Raw); err != nil || len(items) > len(body) {
					t.Fatalf("%q is sent back as %s, %v", body, items, err)
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if after.HeapInuse > before.HeapInuse+64<<20 {
				t.Errorf("%d bytes were in use before, %d after", before.HeapInuse, after.HeapInuse)
			}
		})
	}
}
