package hooks

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// noted is a connection that notes until when it is read.
type noted struct {
	net.Conn
	mu    sync.Mutex
	until time.Time
}

func (c *noted) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	c.until = t
	c.mu.Unlock()
	return c.Conn.SetReadDeadline(t)
}

// noting accepts such connections.
type noting struct {
	net.Listener
	last chan *noted
}

func (l noting) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	n := &noted{Conn: c}
	l.last <- n
	return n, nil
}

// TestMCPStreamsStayOpen: how long a request may take to come does not bound the
// stream that answers it, in either generation.
func TestMCPStreamsStayOpen(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"read"}`)
	session := i.session(secret, "2025-11-25")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	on := noting{l, make(chan *noted, 10)}
	s := &http.Server{Handler: i.handler}
	go func() { _ = s.Serve(on) }()
	t.Cleanup(func() { _ = s.Close() })
	for name, row := range map[string]struct {
		method, body string
		headers      []string
	}{
		"older": {"GET", "", []string{"Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25"}},
		"newer": {
			"POST", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"resourceSubscriptions":["nodkeep://context"]}}}`,
			[]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"},
		},
	} {
		r, err := http.NewRequest(row.method, "http://"+l.Addr().String()+"/mcp", strings.NewReader(row.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+secret)
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Content-Type", "application/json")
		for n := 0; n+1 < len(row.headers); n += 2 {
			r.Header.Set(row.headers[n], row.headers[n+1])
		}
		res, err := (&http.Transport{}).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		if _, err := res.Body.Read(make([]byte, 1)); err != nil || res.StatusCode != 200 {
			t.Fatalf("%s: %d %v", name, res.StatusCode, err)
		}
		c := <-on.last
		c.mu.Lock()
		until := c.until
		c.mu.Unlock()
		if !until.IsZero() {
			t.Errorf("%s: the stream ends in %s", name, time.Until(until))
		}
	}
}
