package hooks

import (
	"path/filepath"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestOverARestart: what waits goes on waiting when the program ends and begins
// anew: for a nod of the person, and for the answer of a client's form.
func TestOverARestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pb_data")
	i := newInstanceIn(t, dir)
	_, secret := i.agentToken("ann", `{"mode":"ask"}`)
	first := i.toolCall(secret, "household_subscription_add", netflix).str("result", "structuredContent", "proposal")
	const form = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	send := func(more string) answer {
		_, _, a := i.post(secret, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+form+`,"name":"household_subscription_add","arguments":`+netflix+more+`}}`,
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "household_subscription_add")
		return a
	}
	state := send("").str("result", "requestState")
	if first == "" || state == "" {
		t.Fatal("nothing waits")
	}
	if err := i.close(); err != nil {
		t.Fatal(err)
	}
	i = openInstance(t, dir, func(*App) {})
	ann := i.token("ann")
	status, p := i.web("GET", proposals+"/"+first, ann, "")
	want(t, status, p, 200, "")
	status, a := i.web("POST", proposals+"/"+first+"/confirm", ann, `{"digest":"`+p.str("digest")+`"}`)
	want(t, status, a, 200, "")
	if a := i.toolCall(secret, "proposal_status", `{"id":"`+first+`"}`); a.str("result", "structuredContent", "status") != "done" {
		t.Errorf("%s", a)
	}
	yes := `,"requestState":"` + state + `","inputResponses":{"nod":{"action":"accept","content":{"confirm":true}}}`
	if a := send(yes); a.str("result", "structuredContent", "status") != "done" || i.subscriptions() != 2 {
		t.Errorf("%s", a)
	}
	// Once, also over a restart.
	if err := i.close(); err != nil {
		t.Fatal(err)
	}
	i = openInstance(t, dir, func(*App) {})
	if a := send(yes); !a.isError() || i.subscriptions() != 2 {
		t.Errorf("%s", a)
	}
	status, a = i.web("POST", proposals+"/"+first+"/confirm", i.token("ann"), `{"digest":"`+p.str("digest")+`"}`)
	want(t, status, a, 409, tools.Conflict)
}
