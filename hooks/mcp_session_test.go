package hooks

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// session opens one of an older version.
func (i *instance) session(secret, version string) (id string) {
	i.t.Helper()
	w := i.knock("POST", secret, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	if id = w.Header().Get("Mcp-Session-Id"); w.Code != 200 || id == "" {
		i.t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := i.knock("POST", secret, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", id); w.Code != 202 {
		i.t.Fatalf("%d %s", w.Code, w.Body)
	}
	return id
}

// TestMCPSessionIsOneTokens: a session is of the token that opened it. Another
// one, wider or narrower, of the same person or not, may do nothing in it.
func TestMCPSessionIsOneTokens(t *testing.T) {
	i := newInstance(t)
	_, write := i.agentToken("ann", `{"mode":"write"}`)
	_, read := i.agentToken("ann", `{"mode":"read"}`)
	_, bobs := i.agentToken("bob", `{"mode":"write"}`)
	id := i.session(write, "2025-11-25")
	add := `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"household_subscription_add","arguments":` + netflix + `}}`
	in := []string{"Mcp-Session-Id", id, "Mcp-Protocol-Version", "2025-11-25"}
	before := i.subscriptions()
	for name, secret := range map[string]string{"the person's reading token": read, "somebody else's token": bobs} {
		for _, method := range []string{"POST", "GET", "DELETE"} {
			w := i.knock(method, secret, add, in...)
			a := parse(t, w.Body)
			want(t, w.Code, a, 403, tools.Forbidden)
			if strings.Contains(a.String(), id) || i.subscriptions() != before {
				t.Errorf("%s of %s: %s", method, name, a)
			}
		}
	}
	if _, _, a := i.post(read, add, "Mcp-Session-Id", "unknown"); a.at("status") != 404.0 {
		t.Errorf("%s", a)
	}
	if _, _, a := i.post(write, add, in...); a.str("result", "structuredContent", "status") != "pending" { // money is in it
		t.Errorf("%s", a)
	}
	if w := i.knock("DELETE", write, "", in...); w.Code != 204 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if _, _, a := i.post(write, add, in...); a.at("status") != 404.0 {
		t.Errorf("an ended session: %s", a)
	}
}

// TestMCPEnds: what a token has open ends with it, and with its person's
// standing, at once; what it opened cannot be gone on with.
func TestMCPEnds(t *testing.T) {
	for name, end := range map[string]func(i *instance, id string){
		"revoked":       func(i *instance, id string) { i.web("POST", tokensPath+"/"+id+"/revoke", i.token("ann"), "") },
		"narrowed":      func(i *instance, id string) { i.web("POST", tokensPath+"/"+id, i.token("ann"), `{"mode":"read"}`) },
		"suspended":     func(i *instance, _ string) { i.stand("ann", "suspended") },
		"person gone":   func(i *instance, _ string) { _ = i.pb.Delete(i.user("ann")) },
		"the door shut": func(i *instance, _ string) { i.door.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			i := newInstance(t)
			id, secret := i.agentToken("ann", `{"mode":"write"}`)
			base := i.serve()
			session := i.session(secret, "2025-11-25")
			open := func(method, body string, headers ...string) <-chan string {
				r, err := http.NewRequest(method, base+"/mcp", strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Authorization", "Bearer "+secret)
				r.Header.Set("Accept", "application/json, text/event-stream")
				r.Header.Set("Content-Type", "application/json")
				for n := 0; n+1 < len(headers); n += 2 {
					r.Header.Set(headers[n], headers[n+1])
				}
				res, err := http.DefaultTransport.RoundTrip(r)
				if err != nil {
					t.Fatal(err)
				}
				if res.StatusCode != 200 || res.Header.Get("X-Accel-Buffering") != "no" || res.Header.Get("Cache-Control") != "no-store" {
					t.Fatalf("%d %v", res.StatusCode, res.Header)
				}
				over := make(chan string, 1)
				first := make(chan bool, 1)
				go func() {
					defer func() { _ = res.Body.Close() }()
					lines := bufio.NewScanner(res.Body)
					for n := 0; lines.Scan(); n++ {
						if n == 0 {
							first <- true
						}
					}
					over <- "ended"
				}()
				<-first
				return over
			}
			older := open("GET", "", "Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25")
			newer := open("POST", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{`+modernMeta+`,"notifications":{"resourceSubscriptions":["nodkeep://context"]}}}`,
				"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")
			end(i, id)
			for _, over := range []<-chan string{older, newer} {
				select {
				case <-over:
				case <-time.After(patient):
					t.Fatal("a stream goes on")
				}
			}
			w := i.knock("POST", secret, toolsList, "Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25")
			if name == "narrowed" || name == "the door shut" {
				want(t, w.Code, parse(t, w.Body), 404, tools.NotFound)
				return
			}
			want(t, w.Code, parse(t, w.Body), 401, tools.Unauthorized)
		})
	}
}

// TestMCPBatch: of several messages at once, as one old version has them, the
// wrong one is answered for itself and writes nothing.
func TestMCPBatch(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"trusted","tools":"all"}`)
	id := i.session(secret, "2025-03-26")
	in := []string{"Mcp-Session-Id", id, "Mcp-Protocol-Version", "2025-03-26"}
	call := func(id, tool, args string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
	}
	w := i.knock("POST", secret, "["+strings.Join([]string{
		call("1", "household_category_add", `{"name":"Fun"}`),
		call("2", "household_category_add", `{"name":["no"]}`),
		call("3", "household_category_list", `{}`),
		call("4", "household_nothing", `{}`),
	}, ",")+"]", in...)
	answers := map[string]answer{}
	for line := range strings.Lines(w.Body.String()) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			a := parse(t, strings.NewReader(data))
			answers[a.String()[strings.Index(a.String(), `"id":`)+5:][:1]] = a
		}
	}
	if len(answers) != 4 || answers["1"].str("result", "structuredContent", "status") != "done" || answers["3"].at("result", "structuredContent", "items") == nil || answers["4"].at("error", "code") != -32602.0 {
		t.Errorf("%d %v", len(answers), answers)
	}
	wantRefused(t, answers["2"], "name")
	var n int
	if err := i.pb.DB().NewQuery("SELECT count(*) FROM household_categories").Row(&n); err != nil || n != 1 {
		t.Errorf("%d categories %v", n, err)
	}
	// One of a method that there is not lets none of them through.
	w = i.knock("POST", secret, `[`+call("1", "household_category_add", `{"name":"Work"}`)+`,{"jsonrpc":"2.0","id":2,"method":"no/such","params":{}}]`, in...)
	if w.Code != 400 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if err := i.pb.DB().NewQuery("SELECT count(*) FROM household_categories").Row(&n); err != nil || n != 1 {
		t.Errorf("%d categories %v", n, err)
	}
	// The newer versions have no batches.
	if status, _, a := i.post(secret, `[`+toolsList+`]`, "Mcp-Protocol-Version", "2026-07-28"); status != 400 {
		t.Errorf("%d %s", status, a)
	}
}
