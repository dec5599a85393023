package hooks

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

const tryPath = prefix + "/connect/test"

// TestTryEndpoint tells members what a client with a token of theirs sees.
func TestTryEndpoint(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	for mode, row := range map[string]struct{ add, del string }{
		"read": {"", ""}, "ask": {"always", "always"}, "write": {"money", "always"}, "trusted": {"never", "always"},
	} {
		_, secret := i.agentToken("ann", `{"name":"Claude","tools":"all","mode":"`+mode+`"}`)
		status, a := i.web("POST", tryPath, ann, `{"token":"`+secret+`"}`)
		want(t, status, a, 200, "")
		if a.at("ok") != true || a.at("problem") != nil || a.len("protocols") != 2 || a.str("protocols", "0", "protocol") != "2026-07-28" || a.str("protocols", "1", "protocol") != "2025-11-25" ||
			a.str("protocols", "0", "server") != "nodkeep" || a.at("protocols", "0", "tools") != a.at("protocols", "1", "tools") || a.at("protocols", "0", "tools") != float64(a.len("tools")) {
			t.Fatalf("%s: %.900s", mode, a)
		}
		if !strings.Contains(a.str("says", "0"), "Claude") || a.len("says") != 2 || a.len("resources") == 0 || a.len("templates") == 0 || a.len("prompts") == 0 {
			t.Errorf("%s: %.900s", mode, a)
		}
		if strings.Contains(a.String(), secret) {
			t.Error("the token is told again")
		}
		asks := map[string]string{}
		for n := range a.len("tools") {
			tool := a.at("tools").([]any)[n].(map[string]any)
			said, _ := tool["asks"].(string)
			asks[tool["name"].(string)] = tool["effect"].(string) + " " + said
		}
		wanted := map[string]string{"household_overview": "read never", "proposal_status": "read never", "upload_link": "write never"}
		if mode != "read" {
			wanted["household_category_add"], wanted["household_subscription_delete"], wanted["undo"] = "write "+row.add, "destroy "+row.del, "destroy always"
		}
		for name, is := range wanted {
			if asks[name] != is {
				t.Errorf("%s: %s is %q, want %q", mode, name, asks[name], is)
			}
		}
		if _, offered := asks["household_category_add"]; offered != (mode != "read") {
			t.Errorf("%s: what writes is offered: %v", mode, offered)
		}
	}
	_, bobs := i.agentToken("bob", "{}")
	id, revoked := i.agentToken("ann", "{}")
	status, a := i.web("DELETE", tokensPath+"/"+id, ann, "")
	want(t, status, a, 200, "")
	for _, secret := range []string{bobs, revoked, "nk_never-made", "", ann} {
		status, a = i.web("POST", tryPath, ann, `{"token":"`+secret+`"}`, "Accept-Language", "de")
		want(t, status, a, 200, "")
		if a.at("ok") != false || a.str("problem", "key") != "connect.error.token" || !strings.HasPrefix(a.str("problem", "text"), "Das Token wird abgelehnt") || secret != "" && strings.Contains(a.String(), secret) {
			t.Errorf("%.8s: %s", secret, a)
		}
	}
	for _, body := range []string{`{"token":7}`, `{`, `{"tokens":"x"}`} {
		status, a = i.web("POST", tryPath, ann, body)
		want(t, status, a, 400, tools.Invalid)
	}
	status, a = i.web("POST", tryPath, "", `{"token":"`+bobs+`"}`)
	want(t, status, a, 401, tools.Unauthorized)
	status, a = i.web("POST", tryPath, i.superuser(), `{"token":"`+bobs+`"}`)
	want(t, status, a, 403, tools.Forbidden)
}

// TestTryCommand, without a server, with one, and at an address.
func TestTryCommand(t *testing.T) {
	m := newMachine(t)
	if r := m.run("connect", "--test"); r.code != 1 || r.out != "" || !strings.Contains(r.err, "NODKEEP_TOKEN is not set") {
		t.Errorf("%+v", r)
	}
	m.ok("account", "add", "ana")
	secret := m.ok("token", "create", "--as", "ana", "--name", "Claude", "--mode", "write").str("token")
	m.env = append(m.env, "NODKEEP_TOKEN="+secret)
	alone := m.ok("connect", "--test")
	s := m.serve()
	served, there := m.ok("connect", "--test"), m.ok("connect", "--test", "--url", s.base)
	if alone.String() != served.String() || alone.at("ok") != true {
		t.Errorf("without a server:\n%s\nwith one:\n%s", alone, served)
	}
	if there.at("ok") != true || there.len("tools") != served.len("tools") || there.at("tools", "0", "asks") != nil || there.str("says", "1") != served.str("says", "1") {
		t.Errorf("at its address: %s", there)
	}
	if a := m.ok("connect", "--test", "--url", s.base+"/mcp"); a.at("ok") != true {
		t.Errorf("%s", a)
	}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/moved") {
			http.Redirect(w, r, "https://nodkeep.example.org/mcp", http.StatusMovedPermanently)
			return
		}
		_, _ = w.Write([]byte("<html>an app</html>"))
	}))
	defer elsewhere.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for _, row := range []struct {
		code int
		says string
		args []string
	}{
		{1, "connect.error.no_mcp", []string{"--url", elsewhere.URL}},
		{1, "connect.error.moved", []string{"--url", elsewhere.URL + "/moved"}},
		{1, "connect.error.nobody", []string{"--url", gone.URL}},
		{1, "--url is an address", []string{"--url", "nodkeep.example.org"}},
		{1, "--url is an address", []string{"--url", "https://ana:x@nodkeep.example.org"}},
	} {
		if r := m.run(append([]string{"connect", "--test"}, row.args...)...); r.code != row.code || r.out != "" || !strings.Contains(r.err, row.says) || strings.Contains(r.err, secret) {
			t.Errorf("%v: %+v", row.args, r)
		}
	}
	m.ok("token", "revoke", "Claude", "--as", "ana")
	for _, args := range [][]string{nil, {"--url", s.base}} {
		if r := m.run(append([]string{"connect", "--test"}, args...)...); r.code != 1 || r.out != "" || !strings.Contains(r.err, "connect.error.token") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

// TestTryOnATerminal says it in sentences.
func TestTryOnATerminal(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"name":"Claude","mode":"write"}`)
	out, stderr, code := i.typed(secret, "connect", "--test", "--token", "-")
	if code != 0 || stderr != "" || !strings.HasPrefix(out, "You act for ann, by the token Claude.\n") || !strings.Contains(out, "over MCP 2026-07-28: ") || !strings.Contains(out, "over MCP 2025-11-25: ") ||
		!strings.Contains(out, "\nreads:\n  ") || !strings.Contains(out, "waits for a nod where money is in it:\n  ") || !strings.Contains(out, "nodkeep://context") || strings.Contains(out, secret) {
		t.Errorf("%d %s%s", code, out, stderr)
	}
	out, stderr, code = i.typed("nk_never-made", "connect", "--test", "--token", "-")
	if code != 1 || out != "" || !strings.Contains(stderr, "The token is refused") {
		t.Errorf("%d %s%s", code, out, stderr)
	}
}

// TestInside: an answer is read while it is written, and a handler that panics
// or stays silent ends only its own request.
func TestInside(t *testing.T) {
	next := make(chan struct{})
	c := http.Client{Timeout: 10 * time.Second, Transport: inside{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/stream":
			w.Header().Set("X-Is", "there")
			_, _ = w.Write([]byte("one "))
			<-next
			_, _ = w.Write([]byte("two"))
		case "/panic":
			panic("no")
		case "/status":
			w.WriteHeader(http.StatusTeapot)
			w.Header().Set("X-Is", "too late")
		}
	})}}
	resp, err := c.Get("http://inside/stream")
	if err != nil || resp.Header.Get("X-Is") != "there" {
		t.Fatal(err, resp)
	}
	b := make([]byte, 4)
	if n, err := resp.Body.Read(b); err != nil || string(b[:n]) != "one " {
		t.Error(n, err)
	}
	close(next)
	if n, err := resp.Body.Read(b); err != nil || string(b[:n]) != "two" {
		t.Error(n, err)
	}
	_ = resp.Body.Close()
	for path, code := range map[string]int{"/panic": 500, "/status": 418, "/silent": 200} {
		resp, err := c.Get("http://inside" + path)
		if err != nil || resp.StatusCode != code || resp.Header.Get("X-Is") != "" {
			t.Error(path, err, resp)
			continue
		}
		_ = resp.Body.Close()
	}
}
