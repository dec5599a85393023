package hooks

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// updates are the addresses that a client was told of.
type updates struct {
	mu   sync.Mutex
	uris []string
}

func (h *updates) add(uri string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.uris = append(h.uris, uri)
}

func (h *updates) all() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.uris)
}

func (h *updates) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.uris = nil
}

// until waits for a notice.
func (h *updates) until(t *testing.T, uri string) {
	t.Helper()
	for deadline := time.Now().Add(patient); !slices.Contains(h.all(), uri); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("nothing was told of %s: %v", uri, h.all())
		}
	}
}

// TestMCPNotices: who listens is told of what they may see, once for a burst,
// whoever changed it; of what they may not see they hear nothing.
func TestMCPNotices(t *testing.T) {
	for _, version := range generations() {
		t.Run(version, func(t *testing.T) {
			i := newInstance(t)
			shared, _ := i.add(i.token("ann"), "Shared", "")
			private, _ := i.add(i.token("ann"), "Private", `,"private":true`)
			base := i.serve()
			listen := func(handle string, uris ...string) (*updates, *mcp.ClientSession) {
				h := &updates{}
				_, secret := i.agentToken(handle, `{"mode":"read","tools":"all"}`)
				s := mcpClient(t, base, secret, version, &mcp.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { h.add(r.Params.URI) }})
				for _, uri := range uris {
					if err := s.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
						t.Fatal(uri, err)
					}
				}
				return h, s
			}
			const context, at, list = "nodkeep://context", "nodkeep://household/subscriptions/", "nodkeep://household/tags"
			anns, _ := listen("ann", context, list, at+shared, at+private)
			bobs, session := listen("bob", context, list, at+shared)
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: at + private}); err == nil && version != "2026-07-28" { // there the listening itself fails
				t.Error("bob may listen to what he may not see")
			}
			for deadline := time.Now().Add(patient); !slices.Contains(anns.all(), at+shared) || !slices.Contains(bobs.all(), at+shared); time.Sleep(400 * time.Millisecond) { // until they listen
				if status, a := i.call("household_subscription_update", i.token("bob"), `{"id":"`+shared+`","notes":"`+time.Now().String()+`"}`); status != 200 || time.Now().After(deadline) {
					t.Fatal("nobody listens: ", status, a)
				}
			}
			time.Sleep(600 * time.Millisecond) // what was done before is told
			anns.clear()
			bobs.clear()
			for n := range 5 {
				if status, a := i.call("household_subscription_update", i.token("ann"), `{"id":"`+private+`","notes":"`+strings.Repeat("x", n+1)+`"}`); status != 200 {
					t.Fatal(a)
				}
			}
			anns.until(t, at+private)
			anns.until(t, context)
			anns.until(t, list)
			time.Sleep(500 * time.Millisecond)
			if got := bobs.all(); len(got) > 0 {
				t.Errorf("bob was told of %v", got)
			}
			if got := anns.all(); len(got) > 6 || slices.Contains(got, at+shared) {
				t.Errorf("a burst was told as %v", got)
			}
			// Whoever changes it, also one who is no member.
			if status, a := i.call("household_subscription_update", i.token("bob"), `{"id":"`+shared+`","notes":"new"}`); status != 200 {
				t.Fatal(a)
			}
			anns.until(t, at+shared)
			bobs.until(t, at+shared)
			bobs.until(t, context)
			bobs.until(t, list)
		})
	}
}

// TestMCPPrompts: those of the token's plugins, with their arguments.
func TestMCPPrompts(t *testing.T) {
	for _, version := range generations() {
		i := newInstance(t)
		_, secret := i.agentToken("ann", `{"mode":"read"}`)
		s := mcpClient(t, i.serve(), secret, version, nil)
		list, err := s.ListPrompts(t.Context(), nil)
		if err != nil || len(list.Prompts) != 5 || list.Prompts[0].Title == "" {
			t.Fatalf("%s: %v %v", version, list, err)
		}
		got, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "household_review_month", Arguments: map[string]string{"month": "2026-02"}})
		if err != nil || !strings.Contains(got.Messages[0].Content.(*mcp.TextContent).Text, "2026-02") {
			t.Errorf("%s: %v %v", version, got, err)
		}
		for _, wrong := range []*mcp.GetPromptParams{{Name: "household_nothing"}, {Name: "household_review_month", Arguments: map[string]string{"moon": "x"}}} {
			if _, err := s.GetPrompt(t.Context(), wrong); err == nil || strings.Contains(err.Error(), "panic") {
				t.Errorf("%s: %v", version, err)
			}
		}
	}
}

// TestMCPLists: instructions that stand alone where they are cut, lists that the
// client may keep for itself only, and none that reaches beyond the token.
func TestMCPLists(t *testing.T) {
	i := newInstance(t)
	for _, row := range []struct {
		terms string
		most  int
		undo  bool
	}{{`{"mode":"read"}`, 15, false}, {`{"mode":"ask"}`, 20, true}, {`{"mode":"trusted","tools":"all"}`, 100, true}, {`{"mode":"read","tools":"all"}`, 40, false}} {
		_, secret := i.agentToken("ann", row.terms)
		_, a := i.rpc(secret, "tools/list", "")
		if a.str("result", "cacheScope") != "private" || a.at("result", "ttlMs") != 0.0 {
			t.Errorf("others may be shown %s's list", row.terms)
		}
		if n := a.len("result", "tools"); n < 5 || n > row.most || strings.Contains(a.String(), `"name":"undo"`) != row.undo || a.str("result", "nextCursor") != "" {
			t.Errorf("%s: %d tools", row.terms, n)
		}
		_, a = i.rpc(secret, "server/discover", "")
		says := a.str("result", "instructions")
		head := says[:min(512, len(says))]
		if end := strings.Index(says, "\n\n"); end < 0 || end > 512 || !strings.Contains(head, "nodkeep://context") || !strings.Contains(head, "briefing tool") || !strings.Contains(head, "never an instruction") || a.str("result", "cacheScope") != "private" || strings.Contains(a.String(), "logging") {
			t.Errorf("%s: %s", row.terms, a)
		}
		if row.undo != strings.Contains(head, "proposal_status") {
			t.Errorf("%s: %s", row.terms, head)
		}
	}
	_, secret := i.agentToken("ann", `{"mode":"read"}`)
	for _, list := range []string{"resources/list", "resources/templates/list", "prompts/list"} {
		if _, a := i.rpc(secret, list, ""); a.str("result", "cacheScope") != "private" {
			t.Errorf("%s: %s", list, a)
		}
	}
}

// TestMCPContext: what a model should know before it begins.
func TestMCPContext(t *testing.T) {
	i := newInstance(t)
	for mode, parts := range map[string][]string{
		"ask":   {"ann", "Desk", "Every change waits", "UTC", "expires on", "currency is EUR"},
		"write": {"What costs money", "7 changes"},
	} {
		_, secret := i.agentToken("ann", `{"name":"Desk","mode":"`+mode+`","daily_writes":7,"expires":"90d"}`)
		_, a := i.rpc(secret, "resources/read", `"uri":"nodkeep://context"`, "Mcp-Name", "nodkeep://context")
		says := a.str("result", "contents", "0", "text")
		for _, part := range parts {
			if !strings.Contains(says, part) {
				t.Errorf("%s: %q is not said: %s", mode, part, a)
			}
		}
		if mode == "ask" && strings.Contains(says, "without asking") {
			t.Errorf("where every change waits, some go through without asking: %s", says)
		}
	}
}
