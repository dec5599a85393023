package hooks

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestPromisedFields: what clients were promised of a proposal is there by its
// name, over HTTP and over MCP, also where it says nothing.
func TestPromisedFields(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"ask"}`)
	all := func(at string, has any, fields ...string) {
		t.Helper()
		is, _ := has.(map[string]any)
		for _, f := range fields {
			if _, ok := is[f]; !ok {
				t.Errorf("%s has no %s: %v", at, f, has)
			}
		}
	}
	a := i.toolCall(secret, "household_subscription_add", netflix)
	all("a pending answer", a.at("result", "structuredContent"), "status", "proposal", "card", "expires")
	id := a.str("result", "structuredContent", "proposal")
	state := func(want string) {
		t.Helper()
		if a := i.toolCall(secret, "proposal_status", `{"id":"`+id+`"}`); a.str("result", "structuredContent", "state") != want {
			t.Errorf("the state is not %s: %s", want, a)
		}
	}
	state("pending")
	shape := []string{"id", "items", "card", "digest", "state", "expires", "actor", "replaced_by", "receipt", "reason"}
	status, a := i.web("GET", proposals+"/"+id, i.token("ann"), "")
	want(t, status, a, 200, "")
	all("a proposal that waits", a.any, shape...)
	status, a = i.web("POST", proposals+"/"+id+"/discard", i.token("ann"), `{"reason":"too dear"}`)
	want(t, status, a, 200, "")
	all("a proposal that was discarded", a.any, shape...)
	state("discarded")
}

// TestUndoSaysWhatItWants: a model that names too little or too much is told in
// the words of the tool that it called, and one that has nothing left is told that.
func TestUndoSaysWhatItWants(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"write"}`)
	for args, says := range map[string]string{
		`{}`: "one of the two", `{"audit":["x"],"since":"2026-01-01T00:00:00Z"}`: "one of the two", `{"since":"yesterday"}`: "a time such as",
		`{"since":"2020-01-01T00:00:00Z"}`: "left to take back", `{"audit":["none"]}`: "no such audit entry",
	} {
		wantRefused(t, i.toolCall(secret, "undo", args), says)
	}
	status, a := i.web("POST", prefix+"/undo?preview=1", i.token("ann"), `{"agent":"nobody","since":"2020-01-01T00:00:00Z"}`)
	if want(t, status, a, 404, tools.NotFound); !strings.Contains(a.str("message"), "left to take back") {
		t.Errorf("%s", a)
	}
}

// TestEraByVersion: which generation of the protocol a message is of is said by
// its version alone. The official TypeScript client of both generations sends
// Mcp-Method with a session's first message too, and needs the session.
func TestEraByVersion(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"read"}`)
	older := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	newer := `{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{` + modernMeta + `}}`
	for name, row := range map[string]struct {
		body    string
		headers []string
		session bool
	}{
		"older":                  {older, nil, true},
		"older, with its method": {older, []string{"Mcp-Method", "initialize"}, true},
		"newer":                  {newer, []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover"}, false},
	} {
		w := i.knock("POST", secret, row.body, row.headers...)
		if has := w.Header().Get("Mcp-Session-Id") != ""; w.Code != 200 || has != row.session {
			t.Errorf("%s: %d, a session: %t; %s", name, w.Code, has, w.Body)
		}
	}
}
