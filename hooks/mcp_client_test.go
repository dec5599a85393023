package hooks

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/tools"
)

// generations are a version of the protocol without sessions, and the versions
// with: the last, and the oldest that is met.
func generations() []string { return []string{"2026-07-28", "2025-11-25", "2025-03-26"} }

// serve answers on a port of its own.
func (i *instance) serve() string {
	i.t.Helper()
	server := httptest.NewServer(i.handler)
	i.t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	i.base = server.URL
	return server.URL
}

// bearing sends a token with each request.
type bearing struct{ secret string }

// RoundTrip adds it.
func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.secret)
	return http.DefaultTransport.RoundTrip(r)
}

// mcpClient is a client as the library has it.
func mcpClient(t testing.TB, url, secret, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	s, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: bearing{secret}}},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // it may have been ended
	return s
}

// use calls a tool, and gives what is structured of its answer.
func use(t testing.TB, s *mcp.ClientSession, tool string, args any) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	res, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	if res.IsError {
		t.Fatalf("%s: %s", tool, res.Content[0].(*mcp.TextContent).Text)
	}
	b, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, bytes.NewReader(b))
}

// proposals are how many of a member are in a state.
func (i *instance) proposals(state string) (n int) {
	i.t.Helper()
	if err := i.pb.DB().NewQuery("SELECT count(*) FROM " + tools.ProposalsTable + " WHERE state = '" + state + "'").Row(&n); err != nil {
		i.t.Fatal(err)
	}
	return n
}

// subscriptions are how many there are.
func (i *instance) subscriptions() (n int) {
	i.t.Helper()
	if err := i.pb.DB().NewQuery("SELECT count(*) FROM household_subscriptions").Row(&n); err != nil {
		i.t.Fatal(err)
	}
	return n
}
