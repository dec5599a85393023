package hooks

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/mcp"
	"github.com/nodkeep/nodkeep/tools"
)

// TestMCPLongBatch: many messages in one request would all run at once, and their
// answers add up to more than there is room for.
func TestMCPLongBatch(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{}`)
	id := i.session(secret, "2025-03-26")
	for n, status := range map[int]int{2: 200, mcp.MaxBatch: 200, mcp.MaxBatch + 1: 413, 1000: 413} {
		all := make([]string, n)
		for k := range all {
			all[k] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, k)
		}
		w := i.knock("POST", secret, " ["+strings.Join(all, ",")+"]", "Mcp-Session-Id", id, "Mcp-Protocol-Version", "2025-03-26")
		if w.Code != status {
			t.Errorf("%d: %d %.200s", n, w.Code, w.Body)
		}
		if status == 413 {
			want(t, w.Code, parse(t, w.Body), 413, tools.TooLarge)
		}
	}
}

// TestMCPCrowd: a token has only so many requests under way, which takes nothing
// from others; and what is announced and does not come takes no room.
func TestMCPCrowd(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{}`)
	_, bobs := i.agentToken("bob", `{}`)
	address := strings.TrimPrefix(i.serve(), "http://")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range mcpCalls {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{", secret, mcp.MaxBody)
	}
	for deadline := time.Now().Add(patient); i.calls.count() < mcpCalls; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(i.calls.count(), " came")
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if more := int64(after.HeapAlloc) - int64(before.HeapAlloc); more > mcpCalls*mcp.MaxBody/4 {
		t.Errorf("%d MB for bodies that did not come", more>>20)
	}
	if status, a := i.rpc(bobs, "tools/list", ""); status != 200 {
		t.Errorf("somebody else: %d %s", status, a)
	}
	status, a := i.rpc(secret, "tools/list", "")
	want(t, status, a, 429, tools.Limit)
	if w := i.knock("GET", secret, "", "Accept", "text/event-stream"); w.Code == http.StatusTooManyRequests {
		t.Error("streams are counted among the calls")
	}
}

// TestMCPSessionsAreBounded: who begins session after session loses the oldest,
// and goes on with the newest.
func TestMCPSessionsAreBounded(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{}`)
	var ids []string
	for range mcp.MaxSessions + 3 {
		ids = append(ids, i.session(secret, "2025-11-25"))
	}
	ping := func(id string) int {
		return i.knock("POST", secret, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Mcp-Session-Id", id, "Mcp-Protocol-Version", "2025-11-25").Code
	}
	for deadline := time.Now().Add(patient); ping(ids[0]) != 404 || ping(ids[2]) != 404; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the oldest is still there")
		}
	}
	for _, id := range []string{ids[3], ids[len(ids)-1]} {
		if code := ping(id); code != 200 {
			t.Errorf("%d", code)
		}
	}
}

// TestMCPStaleVisitor: a request that was looked at before its token was
// narrowed goes on as what the token is now.
func TestMCPStaleVisitor(t *testing.T) {
	i := newInstance(t)
	id, secret := i.agentToken("ann", `{"mode":"write"}`)
	v, err := i.visitor(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	status, a := i.web("POST", tokensPath+"/"+id, i.token("ann"), `{"own_surfaces":true,"mode":"ask"}`)
	want(t, status, a, 200, "")
	e := &core.RequestEvent{App: i.pb}
	e.Request, e.Response = httptest.NewRequest("POST", mcpPath, nil), httptest.NewRecorder()
	e.Request.Header.Set("Authorization", "Bearer "+secret)
	visits, err := i.enterAgent(e, &v)
	if err != nil {
		t.Fatal(err)
	}
	defer visits.leave()
	if !v.Agent.OwnSurfaces || v.Agent.Mode != "ask" {
		t.Errorf("%+v", v.Agent)
	}
}

// TestMCPTogether: many requests of one token share what is remembered of it and
// of its person, while both change. Run it with the race detector.
func TestMCPTogether(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	id, secret := i.agentToken("ann", `{"mode":"write"}`)
	i.add(ann, "Netflix", "")
	session := i.session(secret, "2025-11-25")
	over := make(chan struct{})
	var all sync.WaitGroup
	for n := range 6 {
		all.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` +
					[]string{"household_subscription_list", "activity_list", "household_settings_get"}[n%3] + `","arguments":{}}}`
				if n < 3 {
					i.knock("POST", secret, body, "Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25")
				} else {
					i.toolCall(secret, "household_subscription_list", `{}`)
				}
			}
		})
	}
	for n := range 20 {
		rec := i.user("ann")
		rec.Set("name", fmt.Sprint("Ann ", n))
		rec.Set("language", []string{"de", "en"}[n%2])
		if err := i.pb.Save(rec); err != nil {
			t.Error(err)
		}
		status, a := i.web("POST", tokensPath+"/"+id, ann, fmt.Sprintf(`{"daily_writes":%d,"mode":"%s"}`, 40+n, []string{"ask", "write"}[n%2]))
		want(t, status, a, 200, "")
		i.add(ann, fmt.Sprint("More ", n), "")
	}
	status, a := i.web("POST", tokensPath+"/"+id+"/revoke", ann, "")
	want(t, status, a, 200, "")
	if status, _ := i.rpc(secret, "tools/list", ""); status != 401 {
		t.Errorf("revoked: %d", status)
	}
	close(over)
	all.Wait()
}

// lingering is a plugin whose one tool answers when it is let.
type lingering struct{ came, let chan struct{} }

func (lingering) Name() string { return "slow" }
func (s lingering) Tools() []tools.Tool {
	return []tools.Tool{tools.NewRead(tools.Def{Name: "slow_look", Title: "t", Help: "Looks for long.", Core: true}, func(*tools.Reader, struct{}) (string, error) {
		s.came <- struct{}{}
		<-s.let
		return "", nil
	})}
}

// TestMCPAtWork: of what a token asks for at once only so much is at work; who
// waits for a person, and other tokens, are not held up by it.
func TestMCPAtWork(t *testing.T) {
	plugin := lingering{make(chan struct{}, 100), make(chan struct{})}
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.Plugins = append(a.Plugins, plugin)
		a.settings.Plugins = append(a.settings.Plugins, "slow")
	})
	_, secret := i.agentToken("ann", `{}`)
	_, bobs := i.agentToken("bob", `{}`)
	const most, asked = 8, 20
	var all sync.WaitGroup
	for range asked {
		all.Go(func() { i.toolCall(secret, "slow_look", `{}`) })
	}
	for range most {
		<-plugin.came
	}
	i.toolCall(secret, "proposal_status", `{"id":"none"}`) // which answers
	i.toolCall(bobs, "household_settings_get", `{}`)
	if len(plugin.came) > 0 {
		t.Error("more than may be are at work")
	}
	close(plugin.let)
	all.Wait()
	if n := most + len(plugin.came); n != asked {
		t.Errorf("%d of %d were answered", n, asked)
	}
}
