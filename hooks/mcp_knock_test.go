package hooks

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

const toolsList = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`

// TestMCPHostAndOrigin: a page of another site, or of a name that was made to
// point here, gets nothing; programs, this instance's own pages and named sites
// do.
func TestMCPHostAndOrigin(t *testing.T) {
	i := newInstance(t, "NODKEEP_URL=https://keep.example.org/base", "NODKEEP_ORIGINS=https://app.example.net")
	i.domains = []string{"served.example.org"}
	_, secret := i.agentToken("ann", `{"mode":"read"}`)
	for _, row := range []struct {
		host, origin string
		key          string // "" for one that is answered
	}{
		{"127.0.0.1:8090", "", ""},
		{"[::1]:8090", "", ""},
		{"192.168.1.5", "", ""},
		{"localhost:8090", "", ""},
		{"LOCALHOST", "", ""},
		{"keep.example.org", "", ""},
		{"KEEP.example.org:443", "", ""},
		{"served.example.org", "", ""},
		{"evil.example", "", "mcp.host"},
		{"keep.example.org.evil.example", "", "mcp.host"},
		{"localhost.evil.example", "", "mcp.host"},
		{"", "", "mcp.host"},
		{"127.0.0.1.evil.example", "", "mcp.host"},
		{"127.0.0.1:8090", "http://127.0.0.1:8090", ""},
		{"127.0.0.1:8090", "http://localhost:6274", ""},
		{"127.0.0.1:8090", "http://[::1]:6274", ""},
		{"keep.example.org", "https://keep.example.org", ""},
		{"127.0.0.1:8090", "https://keep.example.org", ""},
		{"127.0.0.1:8090", "https://app.example.net", ""},
		{"127.0.0.1:8090", "https://evil.example", "mcp.origin"},
		{"127.0.0.1:8090", "null", "mcp.origin"},
		{"127.0.0.1:8090", "https://localhost.evil.example", "mcp.origin"},
		{"127.0.0.1:8090", "https://app.example.net.evil.example", "mcp.origin"},
		{"127.0.0.1:8090", "http://app.example.net", "mcp.origin"},
		{"127.0.0.1:8090", "http://192.168.1.5", "mcp.origin"},
		{"127.0.0.1:8090", "file://", "mcp.origin"},
	} {
		t.Run(row.host+" "+row.origin, func(t *testing.T) {
			headers := []string{"Host", row.host, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"}
			if row.origin != "" {
				headers = append(headers, "Origin", row.origin)
			}
			w := i.knock("POST", secret, toolsList, headers...)
			shown := w.Header().Get("Access-Control-Allow-Origin")
			if row.key == "" {
				if w.Code != 200 || shown != row.origin {
					t.Errorf("%d %s, and the page %q may read it", w.Code, w.Body, shown)
				}
				if row.origin != "" && !strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), "Mcp-Session-Id") {
					t.Errorf("%v", w.Header())
				}
				return
			}
			a := parse(t, w.Body)
			want(t, w.Code, a, 403, tools.Forbidden)
			if a.str("data", "text", "key") != row.key || shown != "" {
				t.Errorf("%s, and the page %q may read it", a, shown)
			}
		})
	}
}

// TestMCPPreflight: a browser asks first, without a token.
func TestMCPPreflight(t *testing.T) {
	i := newInstance(t, "NODKEEP_ORIGINS=https://app.example.net")
	for origin, status := range map[string]int{"https://app.example.net": 204, "http://localhost:6274": 204, "https://evil.example": 403} {
		w := i.knock("OPTIONS", "", "", "Origin", origin, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,mcp-protocol-version,mcp-param-id")
		h := w.Header()
		if w.Code != status || (h.Get("Access-Control-Allow-Origin") == origin) != (status == 204) {
			t.Errorf("%s: %d %v", origin, w.Code, h)
		}
		if status != 204 {
			continue
		}
		for _, name := range []string{"Authorization", "Mcp-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name", "Last-Event-ID", "mcp-param-id"} {
			if !strings.Contains(h.Get("Access-Control-Allow-Headers"), name) {
				t.Errorf("%s may not be sent: %s", name, h.Get("Access-Control-Allow-Headers"))
			}
		}
		if !strings.Contains(h.Get("Access-Control-Allow-Methods"), "DELETE") || h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%v", h)
		}
	}
}

// TestMCPMethods: what the protocol does not know is refused with what it does.
func TestMCPMethods(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{}`)
	for _, method := range []string{"PUT", "PATCH", "HEAD", "TRACE"} {
		w := i.knock(method, secret, "")
		if w.Code != 405 || w.Header().Get("Allow") == "" {
			t.Errorf("%s: %d %v", method, w.Code, w.Header())
		}
	}
	w := i.knock("GET", secret, "")
	want(t, w.Code, parse(t, w.Body), 400, tools.Invalid) // without a session
	w = i.knock("DELETE", secret, "", "Mcp-Session-Id", "none")
	want(t, w.Code, parse(t, w.Body), 404, tools.NotFound)
	w = i.knock("POST", secret, toolsList, "Content-Type", "text/plain")
	if a := parse(t, w.Body); w.Code != 415 || a.str("message") == "" {
		t.Errorf("%d %s", w.Code, a)
	}
	w = i.knock("POST", secret, `{"jsonrpc":`)
	want(t, w.Code, parse(t, w.Body), 400, tools.Invalid)
	w = i.knock("POST", secret, ``)
	want(t, w.Code, parse(t, w.Body), 400, tools.Invalid)
}

// trickle is a body that comes in pieces.
type trickle struct {
	left  int
	pause time.Duration
}

// Read gives a piece.
func (e *trickle) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	time.Sleep(e.pause)
	n := min(len(b), e.left)
	for i := range n {
		b[i] = ' '
	}
	e.left -= n
	return n, nil
}

// TestMCPBody: a body of 100 MB is told to be too large, whether it says so
// first or just comes, and also to a client that only listens once it has sent
// it all. Without a token nothing is read for long.
func TestMCPBody(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{}`)
	base := i.serve()
	for _, row := range []struct {
		name   string
		body   io.Reader
		length int64
		secret string
		status int
	}{
		{"100 MB that says so", &trickle{left: 100 << 20}, 100 << 20, secret, 413},
		{"100 MB without a length", &trickle{left: 100 << 20}, -1, secret, 413},
		{"slow, without a length", &trickle{left: 6 << 20, pause: time.Millisecond}, -1, secret, 413},
		{"just too large", &trickle{left: 4<<20 + 1}, -1, secret, 413},
		{"as large as allowed", &trickle{left: 4 << 20}, -1, secret, 400}, // of nothing but spaces
		{"100 MB of a stranger", &trickle{left: 100 << 20}, -1, "", 401},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, err := http.NewRequest("POST", base+"/mcp", row.body)
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength = row.length
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			if row.secret != "" {
				r.Header.Set("Authorization", "Bearer "+row.secret)
			}
			res, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = res.Body.Close() }()
			want(t, res.StatusCode, parse(t, res.Body), row.status, "")
		})
	}
	t.Run("who listens last", func(t *testing.T) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		_ = conn.SetDeadline(time.Now().Add(patient))
		fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", secret, 100<<20)
		if _, err := io.Copy(conn, &trickle{left: 100 << 20}); err != nil {
			t.Fatalf("it was cut off while it was sent: %v", err)
		}
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		want(t, res.StatusCode, parse(t, res.Body), 413, tools.TooLarge)
		_ = res.Body.Close()
	})
}

// TestMCPLog: the log of requests has neither tokens nor what was said, also
// where a token was put in the wrong place.
func TestMCPLog(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{}`)
	r := httptest.NewRequest("POST", "http://127.0.0.1/mcp?token="+secret, strings.NewReader(`{"secret words":`))
	r.Header.Set("Authorization", "Bearer "+secret)
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	i.knock("POST", secret+"x", `{"secret words":1}`)
	i.toolCall(secret, "household_settings_get", `{"secret words":1}`)
	for _, path := range []string{"/api/health?access_token=", "/api/health?x=1&", "/nothing/", "/mcp/", "/api/collections/users/records?fields="} {
		r := httptest.NewRequest("GET", "http://127.0.0.1"+path+secret, nil)
		r.Header.Set("Referer", "http://127.0.0.1/?at="+secret)
		r.Header.Set("User-Agent", "curl "+secret)
		i.handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	i.pb.Logger().Info("the last line")
	deadline := time.Now().Add(patient)
	for all := ""; !strings.Contains(all, "the last line"); time.Sleep(100 * time.Millisecond) {
		var logs []string
		if err := i.pb.AuxDB().NewQuery("SELECT message || data FROM _logs").Column(&logs); err != nil {
			t.Fatal(err)
		}
		all = strings.Join(logs, "\n")
		if strings.Contains(all, secret) || strings.Contains(all, "secret words") {
			t.Fatal(all)
		}
		if strings.Contains(all, "the last line") && !strings.Contains(all, mcpPath) {
			t.Error("a refusal is not logged")
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing was logged")
		}
	}
}
