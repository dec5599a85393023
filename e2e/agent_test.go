package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent is a program of somebody's, connected over /mcp as any is.
type agent struct {
	t  testing.TB
	s  *mcp.ClientSession
	id string // of its token
}

// bearing sends a token with each request.
type bearing struct{ secret string }

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.secret)
	return http.DefaultTransport.RoundTrip(r)
}

// agent connects one with a new token of who, which may use every tool.
func (i *instance) agent(who, name, mode string) *agent {
	i.t.Helper()
	made, _ := i.ask(who, "POST", "/api/nodkeep/tokens", map[string]any{"name": name, "mode": mode, "tools": "all"})["output"].(map[string]any)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
	s, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: i.base + "/mcp", HTTPClient: &http.Client{Transport: bearing{made["token"].(string)}}}, nil)
	if err != nil {
		i.t.Fatal(err)
	}
	i.t.Cleanup(func() { _ = s.Close() }) // the server may be gone
	return &agent{t: i.t, s: s, id: made["id"].(string)}
}

// use calls a tool, and gives what is structured of the answer.
func (a *agent) use(tool string, args any) map[string]any {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	res, err := a.s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Fatal(err)
	}
	if res.IsError {
		a.t.Fatalf("%s: %s", tool, res.Content[0].(*mcp.TextContent).Text)
	}
	b, err := json.Marshal(res.StructuredContent)
	if err != nil {
		a.t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(b, &out); err != nil {
		a.t.Fatal(err)
	}
	return out
}

// asks calls a tool that waits for a nod, and gives the proposal's id.
func (a *agent) asks(tool string, args any) string {
	a.t.Helper()
	out := a.use(tool, args)
	id, _ := out["proposal"].(string)
	if id == "" {
		a.t.Fatalf("%s did not wait: %v", tool, out)
	}
	return id
}

// hears is what the agent is told of its proposal.
func (a *agent) hears(id string) map[string]any {
	a.t.Helper()
	return a.use("proposal_status", map[string]any{"id": id})
}

// subscription gives the id of somebody's subscription by its name.
func (i *instance) subscription(who, name string) string {
	i.t.Helper()
	items, _ := i.tool(who, "household_subscription_list", map[string]any{})["items"].([]any)
	for _, it := range items {
		if s, _ := it.(map[string]any); s["name"] == name {
			return s["id"].(string)
		}
	}
	i.t.Fatalf("no subscription %s", name)
	return ""
}

// status is how a subscription stands.
func (i *instance) status(who, id string) string {
	i.t.Helper()
	out := i.tool(who, "household_subscription_get", map[string]any{"id": id})
	if s, ok := out["subscription"].(map[string]any); ok {
		out = s
	}
	s, _ := out["status"].(string)
	return s
}

// state is how a proposal stands.
func (i *instance) state(who, proposal string) string {
	i.t.Helper()
	s, _ := i.ask(who, "GET", "/api/nodkeep/proposals/"+proposal, nil)["state"].(string)
	return s
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatal("waited for ", what)
}
