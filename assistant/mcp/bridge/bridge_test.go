package bridge

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const good = "nk_good"

// house is what a bridge speaks to: servers may come and go in it.
type house struct {
	t       *testing.T
	mu      sync.Mutex
	addr    string // of the server that lives; "" while there is none
	server  *http.Server
	mcp     *mcp.Server
	token   string
	calls   map[string]int // of the tool "note", by what was noted
	began   int            // sessions
	seen    []string       // methods of HTTP requests
	release chan struct{}
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, token: good, calls: map[string]int{}, release: make(chan struct{})}
	h.start()
	t.Cleanup(h.kill)
	return h
}

// start puts a server there that knows nothing of the one before.
func (h *house) start() {
	h.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		h.t.Fatal(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	known := map[string]bool{}
	h.mcp = h.newServer(known)
	one := func(*http.Request) *mcp.Server { return h.mcp }
	modern := mcp.NewStreamableHTTPHandler(one, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	legacy := mcp.NewStreamableHTTPHandler(one, nil)
	h.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.seen = append(h.seen, r.Method)
		ok := r.Header.Get("Authorization") == "Bearer "+h.token
		h.mu.Unlock()
		if !ok {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		if r.Header.Get("Mcp-Method") != "" {
			modern.ServeHTTP(w, r)
			return
		}
		// A session that is not known is told as our own door tells it.
		id := r.Header.Get("Mcp-Session-Id")
		h.mu.Lock()
		lost := id != "" && !known[id]
		h.mu.Unlock()
		if lost {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"status":404,"message":"session not found","data":{"kind":"not_found"}}`)
			return
		}
		legacy.ServeHTTP(w, r)
	})}
	h.addr = l.Addr().String()
	go func() { _ = h.server.Serve(l) }()
}

type noteIn struct {
	Text string `json:"text"`
	Wait bool   `json:"wait,omitempty"`
}

type noteOut struct {
	Length int `json:"length"`
}

func (h *house) newServer(known map[string]bool) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "house", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		GetSessionID: func() string {
			h.mu.Lock()
			defer h.mu.Unlock()
			id := rand.Text()
			known[id] = true
			return id
		},
		InitializedHandler: func(context.Context, *mcp.InitializedRequest) { h.mu.Lock(); h.began++; h.mu.Unlock() },
	})
	mcp.AddTool(s, &mcp.Tool{Name: "note", Description: "notes"}, func(ctx context.Context, _ *mcp.CallToolRequest, in noteIn) (*mcp.CallToolResult, noteOut, error) {
		h.mu.Lock()
		h.calls[in.Text]++
		release := h.release
		h.mu.Unlock()
		if in.Wait {
			select {
			case <-release:
			case <-ctx.Done():
				h.mu.Lock()
				h.calls["cancelled "+in.Text]++
				h.mu.Unlock()
				return nil, noteOut{}, ctx.Err()
			}
		}
		return nil, noteOut{len(in.Text)}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "ask", Description: "asks"}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Sure?"})
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: res.Action}}}, nil, nil
	})
	s.AddResource(&mcp.Resource{URI: "test://one", Name: "one"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "test://one", Text: "1"}}}, nil
	})
	return s
}

// kill ends the server as a crash does.
func (h *house) kill() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.addr = ""
	_ = h.server.Close()
}

func (h *house) count(text string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls[text]
}

// patient is how long a test waits for what must come. It ends what hangs.
const patient = time.Minute

// eventually waits for something that must come.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for until := time.Now().Add(patient); time.Now().Before(until); time.Sleep(2 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatal("never: " + what)
}

// do waits for a server as a Config's Do must.
func (h *house) do(r *http.Request) (*http.Response, error) {
	transport := &http.Transport{DisableKeepAlives: true, ExpectContinueTimeout: time.Minute, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		for {
			h.mu.Lock()
			addr := h.addr
			h.mu.Unlock()
			if addr != "" {
				if c, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr); err == nil {
					return c, nil
				}
			}
			select {
			case <-r.Context().Done():
				return nil, ErrNobody
			case <-time.After(5 * time.Millisecond):
			}
		}
	}}
	return transport.RoundTrip(r)
}

// client is one that writes and reads lines.
type client struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	done  chan error
	rest  []string
}

// connect puts a bridge between a client and the house.
func (h *house) connect(token string) (b *Bridge, in *io.PipeWriter, out *io.PipeReader, done chan error) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	b = New(Config{Do: h.do, URL: "http://localhost/mcp", Token: token, In: inR, Out: outW, Refused: "make another token"})
	done = make(chan error, 1)
	go func() {
		done <- b.Run(h.t.Context())
		_ = outW.Close()
	}()
	h.t.Cleanup(func() { _ = inW.Close() })
	return b, inW, outR, done
}

func (h *house) client(token string) *client {
	_, in, out, done := h.connect(token)
	c := &client{t: h.t, in: in, lines: make(chan string, 1000), done: done}
	go func() {
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				close(c.lines)
				return
			}
			c.lines <- line
		}
	}()
	return c
}

func (c *client) send(lines ...string) {
	c.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(c.in, l+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

// until gives the first line that holds all these; the others stay.
func (c *client) until(parts ...string) string {
	c.t.Helper()
	is := func(l string) bool {
		return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(l, p) })
	}
	if n := slices.IndexFunc(c.rest, is); n >= 0 {
		l := c.rest[n]
		c.rest = slices.Delete(c.rest, n, n+1)
		return l
	}
	for {
		select {
		case l, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("the output ended before %q; there was %q", parts, c.rest)
			}
			if is(l) {
				return l
			}
			c.rest = append(c.rest, l)
		case <-time.After(patient):
			c.t.Fatalf("never %q; there was %q", parts, c.rest)
		}
	}
}

// end closes the input and gives what was not yet read.
func (c *client) end() []string {
	c.t.Helper()
	_ = c.in.Close()
	if err := <-c.done; err != nil {
		c.t.Error(err)
	}
	for l := range c.lines {
		c.rest = append(c.rest, l)
	}
	return c.rest
}

const (
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	meta        = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
)

func note(id, text, more string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"note","arguments":{"text":"` + text + `"` + more + `}}}`
}

func modernNote(id, text, more string) string {
	return strings.Replace(note(id, text, more), `"params":{`, `"params":{`+meta+`,`, 1)
}

func (c *client) begin() {
	c.t.Helper()
	c.send(initialize)
	c.until(`"id":1`, `"protocolVersion":"2025-11-25"`)
	c.send(initialized)
}

// TestClients drives the SDK's own client through a bridge, in both generations.
func TestClients(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18"} {
		t.Run(version, func(t *testing.T) {
			h := newHouse(t)
			_, in, out, done := h.connect(good)
			updated := make(chan string, 10)
			c := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					return &mcp.ElicitResult{Action: "decline"}, nil
				},
				ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI },
			})
			session, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Fatalf("it speaks %s", got)
			}
			var all sync.WaitGroup
			for n := range 30 {
				all.Go(func() {
					text := strings.Repeat("x", n*1000)
					res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "note", Arguments: noteIn{Text: text}})
					if err != nil || res.IsError || !strings.Contains(fmt.Sprint(res.StructuredContent), fmt.Sprint(len(text))) {
						t.Errorf("call %d: %+v, %v", n, res, err)
					}
				})
			}
			all.Wait()
			if res, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "test://one"}); err != nil || res.Contents[0].Text != "1" {
				t.Errorf("%+v, %v", res, err)
			}
			if version != "2026-07-28" {
				res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask", Arguments: map[string]any{}})
				if err != nil || res.Content[0].(*mcp.TextContent).Text != "decline" {
					t.Errorf("%+v, %v", res, err)
				}
				if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "test://one"}); err != nil {
					t.Fatal(err)
				}
				// The stream of notices may be a moment behind.
				eventually(t, "a notice", func() bool {
					if err := h.mcp.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "test://one"}); err != nil {
						t.Fatal(err)
					}
					select {
					case uri := <-updated:
						return uri == "test://one"
					case <-time.After(20 * time.Millisecond):
						return false
					}
				})
			}
			_ = session.Close()
			_ = in.Close()
			if err := <-done; err != nil {
				t.Error(err)
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			if deleted := slices.Contains(h.seen, http.MethodDelete); deleted != (version != "2026-07-28") {
				t.Errorf("the session was ended: %v", deleted)
			}
		})
	}
}

// TestLines sends what is no message.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	rows := []struct{ name, line, want string }{
		{"no JSON", `hello`, `"id":null,"error":{"code":-32700`},
		{"a half", `{"jsonrpc":"2.0","id":7,`, `"id":null,"error":{"code":-32700`},
		{"no UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}", `"id":null,"error":{"code":-32700`},
		{"a number", `7`, `"id":null,"error":{"code":-32600`},
		{"an empty batch", `[]`, `"id":null,"error":{"code":-32600`},
		{"no version", `{"id":7,"method":"ping"}`, `"id":7,"error":{"code":-32600`},
		{"nothing in it", `{"jsonrpc":"2.0","id":"seven"}`, `"id":"seven","error":{"code":-32600`},
		{"10 MB", note("7", long, ""), `"id":7,"error":{"code":-32600`},
		{"70 MB", note("7", strings.Repeat(long, 7), ""), `"id":null,"error":{"code":-32600`},
		{"before initialize", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, `"id":7,"error":{"code":-32603`},
		{"an unknown method", `{"jsonrpc":"2.0","id":7,"method":"nope","params":{` + meta + `}}`, `"id":7`},
	}
	h := newHouse(t)
	c := h.client(good)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			c.t = t
			c.send("", row.line)
			l := c.until(row.want)
			if len(l) > 1000 || !strings.Contains(l, `"error":`) {
				t.Errorf("%.2000s", l)
			}
		})
	}
	c.t = t
	c.begin()
	c.send(note("8", strings.Repeat("y", 4<<20-200), ""))
	c.until(`"id":8`, `"length":4194104`)
	if rest := c.end(); len(rest) > 0 {
		t.Errorf("it says more: %.1000q", rest)
	}
}

// TestCancelled ends a call in both generations.
func TestCancelled(t *testing.T) {
	for _, old := range []bool{false, true} {
		h := newHouse(t)
		c := h.client(good)
		call := modernNote(`"a"`, "x", `,"wait":true`)
		if old {
			c.begin()
			call = note(`"a"`, "x", `,"wait":true`)
		}
		c.send(call)
		eventually(t, "the call arrives", func() bool { return h.count("x") == 1 })
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`)
		eventually(t, "the call ends", func() bool { return h.count("cancelled x") == 1 })
		next := modernNote("9", "y", "")
		if old {
			next = note("9", "y", "")
		}
		c.send(next)
		c.until(`"id":9`, `"length":1`)
		for _, l := range c.end() {
			if !old && strings.Contains(l, `"id":"a"`) {
				t.Errorf("a cancelled request is answered: %s", l)
			}
		}
	}
}

// TestServersComeAndGo kills the server again and again under clients of both
// generations: no call is made twice, and what is lost is said to be.
func TestServersComeAndGo(t *testing.T) {
	for _, old := range []bool{false, true} {
		h := newHouse(t)
		c := h.client(good)
		make1 := modernNote
		if old {
			c.begin()
			make1 = note
		}
		const n = 300
		var calls sync.WaitGroup
		calls.Go(func() {
			for i := range n {
				c.send(make1(fmt.Sprint(i+100), fmt.Sprint("t", i), ""))
				time.Sleep(time.Millisecond)
			}
		})
		for range 8 {
			time.Sleep(20 * time.Millisecond)
			h.kill()
			time.Sleep(10 * time.Millisecond)
			h.start()
		}
		calls.Wait()
		done, lost := 0, 0
		for i := range n {
			l := c.until(fmt.Sprintf(`"id":%d,`, i+100))
			switch made := h.count(fmt.Sprint("t", i)); {
			case made > 1:
				t.Errorf("call %d was made %d times", i, made)
			case strings.Contains(l, `"result"`) && made == 1:
				done++
			case strings.Contains(l, errLost.Error()):
				lost++
			default:
				t.Errorf("call %d, made %d times: %s", i, made, l)
			}
		}
		t.Logf("old %v: %d done, %d lost", old, done, lost)
		if done < n/2 {
			t.Errorf("only %d of %d were done", done, n)
		}
		c.end()
	}
}

// TestSessionBeginsAnew: the client notices nothing but that lists may be
// others, and hears of the resource that it subscribed to.
func TestSessionBeginsAnew(t *testing.T) {
	h := newHouse(t)
	c := h.client(good)
	c.begin()
	c.send(`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"test://one"}}`)
	c.until(`"id":2`, `"result"`)
	c.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask","arguments":{}}}`)
	asked := c.until(`"elicitation/create"`)
	h.kill()
	c.until(`"id":3`, "went away")
	c.until("notifications/cancelled")
	h.start()
	c.until("notifications/tools/list_changed")
	c.until("notifications/resources/updated", "test://one")
	// A late answer to what the dead server asked goes nowhere.
	var a struct{ ID int }
	if err := json.Unmarshal([]byte(asked), &a); err != nil {
		t.Fatal(err)
	}
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"action":"accept"}}`, a.ID))
	eventually(t, "a notice", func() bool {
		h.mu.Lock()
		s := h.mcp
		h.mu.Unlock()
		_ = s.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "test://one"})
		select {
		case l := <-c.lines:
			return strings.Contains(l, "resources/updated")
		case <-time.After(20 * time.Millisecond):
			return false
		}
	})
	c.send(note("4", "z", ""))
	c.until(`"id":4`, `"length":1`)
	c.end()
	if h.began != 2 {
		t.Errorf("%d sessions", h.began)
	}
}

// TestRefusedToken: before a session, and in one.
func TestRefusedToken(t *testing.T) {
	h := newHouse(t)
	b, _, _, _ := h.connect("nk_bad")
	if err := b.Check(t.Context()); !errors.Is(err, ErrRefused) {
		t.Errorf("got %v", err)
	}
	b, _, _, _ = h.connect(good)
	if err := b.Check(t.Context()); err != nil {
		t.Error(err)
	}
	c := h.client(good)
	c.begin()
	c.send(note("2", "z", ""))
	c.until(`"id":2`, `"length":1`)
	h.mu.Lock()
	h.token = "another"
	h.mu.Unlock()
	c.send(note("3", "z", ""), modernNote("4", "z", ""), `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`)
	for _, id := range []string{"3", "4", "5"} {
		c.until(`"id":`+id, "make another token")
	}
	c.end()
	if h.count("z") != 1 {
		t.Error("a call with a refused token was made")
	}
}

// TestEndOfInput: what is under way has a moment, and no session is left.
func TestEndOfInput(t *testing.T) {
	h := newHouse(t)
	c := h.client(good)
	c.send(initialize, initialized, note("2", "z", ""), note("3", "w", `,"wait":true`), `{"jsonrpc":"2.0","id":4,"method":"subscriptions/listen","params":{`+meta+`}}`)
	began := time.Now()
	rest := c.end()
	// Promised is a second; the machine may be busy.
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
	if !slices.ContainsFunc(rest, func(l string) bool { return strings.Contains(l, `"length":1`) }) {
		t.Errorf("what could be answered was not: %q", rest)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Contains(h.seen, http.MethodDelete) {
		t.Error("the session is left")
	}
}

func TestEvents(t *testing.T) {
	const stream = ": hello\r\nevent: message\r\nid: 1\r\ndata: {\"a\":\r\ndata:  1}\r\n\r\nretry: 5\n\ndata:x\n\ndata\n\ndata: cut off"
	var got []string
	if err := events(strings.NewReader(stream), func(d []byte) { got = append(got, string(d)) }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"{\"a\":\n 1}", "x"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	huge := strings.NewReader("data: " + strings.Repeat("x", maxEvent+100) + "\n\n")
	if err := events(huge, func([]byte) {}); err == nil {
		t.Error("a huge event is taken")
	}
}

// FuzzParse: whatever comes, a message has an id that is JSON.
func FuzzParse(f *testing.F) {
	for _, s := range []string{initialize, initialized, note("1", "x", ""), `[` + initialize + `]`, `{"jsonrpc":"2.0","id":1e400,"result":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := parse(line)
		for _, id := range append(m.wants(), m.id) {
			if id != "" && !jsontext.Value(id).IsValid() {
				t.Errorf("id %q of %q, %v", id, line, err)
			}
		}
		_ = bytes.TrimSpace(m.raw)
	})
}
