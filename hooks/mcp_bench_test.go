package hooks

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What the door for agents must reach, beside what it is measured against in the
// same run.
const (
	minRate     = 0.6                    // of the library's bare server, and of PocketBase's own list
	maxListing  = 5000                   // µs that a list of forty tools may take
	maxSessions = 60                     // MB that idle sessions may take
	sessions    = 500                    // so many of them
	turn        = 100 * time.Millisecond // that each gets before the other
	fewRates    = 5                      // are too few for a median
)

// wire is a client of nothing but HTTP, so that what is measured is the server.
type wire struct {
	t       testing.TB
	url     string
	token   string
	session string
	client  *http.Client
	modern  bool
	ids     atomic.Int64 // of messages: none may be under way twice in a session
}

func (c *wire) do(method, path, body string, more ...string) (*http.Response, []byte) {
	r, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.token != "" {
		r.Header.Set("Authorization", c.token)
	}
	for n := 0; n+1 < len(more); n += 2 {
		r.Header.Set(more[n], more[n+1])
	}
	res, err := c.client.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	_ = res.Body.Close()
	return res, b
}

// open begins a session of the older protocol.
func (c *wire) open() {
	if c.modern {
		return
	}
	res, b := c.do("POST", "/mcp", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}`)
	if c.session = res.Header.Get("Mcp-Session-Id"); c.session == "" {
		c.t.Fatalf("no session: %d %s", res.StatusCode, b)
	}
	c.do("POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", c.session)
}

func (c *wire) rpc(method, name, params string) []byte {
	headers := []string{"Mcp-Session-Id", c.session, "Mcp-Protocol-Version", "2025-11-25"}
	if c.modern {
		headers = []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}
		if name != "" {
			headers = append(headers, "Mcp-Name", name)
		}
		params = modernMeta + "," + params
	}
	res, b := c.do("POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"`, c.ids.Add(1))+method+`","params":{`+strings.TrimSuffix(params, ",")+`}}`, headers...)
	if res.StatusCode != http.StatusOK || !bytes.Contains(b, []byte(`"result"`)) || bytes.Contains(b, []byte(`"isError":true`)) {
		c.t.Fatalf("%s %s: %d %.600s", method, params, res.StatusCode, b)
	}
	return b
}

func (c *wire) call(tool, args string) {
	c.rpc("tools/call", tool, `"name":"`+tool+`","arguments":`+args)
}

// bareServer is the library's own with one trivial tool.
func bareServer(b *testing.B, modern bool) string {
	type in struct {
		Name string `json:"name"`
	}
	type out struct {
		Said string `json:"said"`
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "greet"}, func(_ context.Context, _ *mcp.CallToolRequest, i in) (*mcp.CallToolResult, out, error) {
		return nil, out{"hello " + i.Name}, nil
	})
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: modern}))
	server := httptest.NewServer(mux)
	b.Cleanup(server.Close)
	return server.URL
}

// BenchmarkMCP holds calls over HTTP, in both generations of the protocol,
// against the library's bare server and PocketBase's own list of the same rows,
// and fails below the limit.
func BenchmarkMCP(b *testing.B) {
	i := newInstance(b)
	i.household(b, 100)
	_, secret := i.agentToken("ann", `{"mode":"ask","tools":"all"}`)
	server := httptest.NewServer(i.handler)
	b.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}
	pb := &wire{t: b, url: server.URL, token: i.token("ann"), client: client}
	list := func() {
		if res, body := pb.do("GET", "/api/collections/household_subscriptions/records?perPage=50&sort=name", ""); res.StatusCode != http.StatusOK {
			b.Fatalf("%d %s", res.StatusCode, body)
		}
	}
	for _, modern := range []bool{false, true} {
		ours := &wire{t: b, url: server.URL, token: "Bearer " + secret, client: client, modern: modern}
		bare := &wire{t: b, url: bareServer(b, modern), client: client, modern: modern}
		ours.open()
		bare.open()
		era := map[bool]string{false: "2025-11-25", true: "2026-07-28"}[modern]
		for _, workers := range []int{1, 8} {
			b.Run(fmt.Sprintf("small/%s/workers=%d", era, workers), func(b *testing.B) {
				rates(b, workers, func() { ours.call("household_settings_get", `{}`) }, func() { bare.call("greet", `{"name":"x"}`) })
			})
			b.Run(fmt.Sprintf("list50/%s/workers=%d", era, workers), func(b *testing.B) {
				rates(b, workers, func() { ours.call("household_subscription_list", `{"limit":50}`) }, list)
			})
		}
		b.Run("tools/"+era, func(b *testing.B) {
			n := bytes.Count(ours.rpc("tools/list", "", ""), []byte(`"inputSchema"`))
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				ours.rpc("tools/list", "", "")
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			forty := float64(took[len(took)/2].Microseconds()) * 40 / float64(n)
			b.ReportMetric(forty, "µs-of-40")
			b.ReportMetric(maxListing, "limit")
			if forty > maxListing && len(took) >= fewTurns {
				b.Errorf("a list of 40 tools takes %.0f µs, at most %d are allowed", forty, maxListing)
			}
		})
	}
}

// rates lets workers make calls of both in turns, and compares how many of each
// they got done.
func rates(b *testing.B, workers int, ours, theirs func()) {
	rate := func(call func()) float64 {
		var wg sync.WaitGroup
		done := make([]int, workers)
		start := time.Now()
		for w := range workers {
			wg.Go(func() {
				for time.Since(start) < turn {
					call()
					done[w]++
				}
			})
		}
		wg.Wait()
		sum := 0
		for _, n := range done {
			sum += n
		}
		return float64(sum) / time.Since(start).Seconds()
	}
	rate(ours) // until caches and pools are filled
	rate(theirs)
	var a, t, r []float64
	for b.Loop() {
		x, y := rate(ours), rate(theirs)
		a, t, r = append(a, x), append(t, y), append(r, x/y)
	}
	for _, s := range [][]float64{a, t, r} {
		slices.Sort(s)
	}
	got := r[len(r)/2] // of neighbours: the machine's speed drifts
	b.ReportMetric(a[len(a)/2], "ours/s")
	b.ReportMetric(t[len(t)/2], "theirs/s")
	b.ReportMetric(got, "ratio")
	b.ReportMetric(minRate, "limit")
	if got < minRate && len(r) >= fewRates {
		b.Errorf("reaches %.2f of the rate, at least %.1f is wanted", got, minRate)
	}
}

// BenchmarkIdleSessions holds the memory of sessions in which nothing happens,
// of one token and of as many tokens, and fails above the limit.
func BenchmarkIdleSessions(b *testing.B) {
	for _, tokens := range []int{1, sessions} {
		b.Run(fmt.Sprintf("tokens=%d", tokens), func(b *testing.B) {
			i := newInstance(b)
			secrets := i.manyTokens(b, tokens)
			i.session(secrets[0], "2025-11-25")
			before := inUse()
			for n := range sessions {
				i.session(secrets[n%tokens], "2025-11-25")
			}
			mb := float64(int64(inUse())-int64(before)) / 1e6
			for b.Loop() {
			}
			b.ReportMetric(mb, "MB")
			b.ReportMetric(maxSessions, "limit")
			if mb > maxSessions {
				b.Errorf("%d idle sessions take %.1f MB, at most %d are allowed", sessions, mb, maxSessions)
			}
			i.door.Close()
		})
	}
}

// inUse is what the program holds: its heap, and the stacks of what waits.
func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}
