package hooks

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// wire is a client of nothing but HTTP, so that what is measured is the server.
type wire struct {
	t       testing.TB
	url     string
	token   string
	session string
	client  *http.Client
	modern  bool
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
	res, b := c.do("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+strings.TrimSuffix(params, ",")+`}}`, headers...)
	if res.StatusCode != 200 || !bytes.Contains(b, []byte(`"result"`)) || bytes.Contains(b, []byte(`"isError":true`)) {
		c.t.Fatalf("%s %s: %d %.600s", method, params, res.StatusCode, b)
	}
	return b
}

func (c *wire) call(tool, args string) []byte {
	return c.rpc("tools/call", tool, `"name":"`+tool+`","arguments":`+args)
}

// bareSDK is the library's own server with one trivial tool.
func bareSDK(b testing.TB, modern bool) string {
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
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: modern})
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	server := httptest.NewServer(mux)
	b.Cleanup(server.Close)
	return server.URL
}

func BenchmarkMCP(b *testing.B) {
	i := newInstance(b)
	i.household(b, 100)
	_, secret := i.agentToken("ann", `{"mode":"ask","tools":"all"}`)
	server := httptest.NewServer(i.handler)
	b.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}
	for _, modern := range []bool{false, true} {
		ours := &wire{t: b, url: server.URL, token: "Bearer " + secret, client: client, modern: modern}
		ours.open()
		bare := &wire{t: b, url: bareSDK(b, modern), client: client, modern: modern}
		bare.open()
		pb := &wire{t: b, url: server.URL, token: i.token("ann"), client: client}
		list := func() {
			if res, body := pb.do("GET", "/api/collections/household_subscriptions/records?perPage=50&sort=name", ""); res.StatusCode != 200 {
				b.Fatalf("%d %s", res.StatusCode, body)
			}
		}
		for _, workers := range []int{1, 8} {
			b.Run(fmt.Sprintf("small/modern=%t/workers=%d", modern, workers), func(b *testing.B) {
				rates(b, workers, func() { ours.call("household_settings_get", `{}`) }, func() { bare.call("greet", `{"name":"x"}`) }, 0.6)
			})
			b.Run(fmt.Sprintf("list50/modern=%t/workers=%d", modern, workers), func(b *testing.B) {
				rates(b, workers, func() { ours.call("household_subscription_list", `{"limit":50}`) }, list, 0.6)
			})
		}
		b.Run(fmt.Sprintf("tools/modern=%t", modern), func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				ours.rpc("tools/list", "", "")
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "list-µs")
		})
	}
}

// rates lets workers call both in turns of 50 ms, and compares how many each got.
func rates(b *testing.B, workers int, ours, theirs func(), least float64) {
	turn := func(f func()) float64 {
		var wg sync.WaitGroup
		var n [64]int
		start := time.Now()
		for w := range workers {
			wg.Go(func() {
				for time.Since(start) < 100*time.Millisecond {
					f()
					n[w]++
				}
			})
		}
		wg.Wait()
		sum := 0
		for _, x := range n {
			sum += x
		}
		return float64(sum) / time.Since(start).Seconds()
	}
	turn(ours)
	turn(theirs)
	var a, t []float64
	for b.Loop() {
		a, t = append(a, turn(ours)), append(t, turn(theirs))
	}
	slices.Sort(a)
	slices.Sort(t)
	b.ReportMetric(a[len(a)/2], "ours/s")
	b.ReportMetric(t[len(t)/2], "theirs/s")
	b.ReportMetric(a[len(a)/2]/t[len(t)/2], "ratio")
	_ = least
}
