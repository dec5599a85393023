package hooks

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestHiddenFromAgents: passwords, tokens, the account and what operators do are
// nobody's tools over MCP, each with its reason, whoever the agent is of.
func TestHiddenFromAgents(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	_, secret := i.agentToken("ann", `{"mode":"trusted","tools":"all"}`)
	_, list := i.rpc(secret, "tools/list", "")
	hidden := 0
	for _, tool := range i.registry.Tools() {
		if !strings.HasPrefix(tool.Name, "nodkeep_") {
			continue
		}
		if hidden++; len(tool.Hidden) < 20 {
			t.Errorf("%s is hidden because of %q", tool.Name, tool.Hidden)
		}
		if strings.Contains(list.String(), `"name":"`+tool.Name+`"`) {
			t.Errorf("%s is offered", tool.Name)
		}
		before := i.entries()
		a := i.toolCall(secret, tool.Name, `{}`)
		if !strings.Contains(a.str("error", "message"), tool.Hidden) {
			t.Errorf("%s: %s", tool.Name, a)
		}
		if wrote := i.entries() - before; (wrote == 1) != (tool.Effect != tools.EffectRead) {
			t.Errorf("%s left %d traces", tool.Name, wrote)
		}
	}
	for _, name := range []string{
		"nodkeep_me_password", "nodkeep_me_signout", "nodkeep_me_delete", "nodkeep_token_create", "nodkeep_token_rotate", "nodkeep_token_update", "nodkeep_token_list",
		"nodkeep_account_approve", "nodkeep_account_suspend", "nodkeep_operator_add", "nodkeep_reset_create", "nodkeep_invite_create",
	} {
		if _, ok := i.registry.Tool(name); !ok {
			t.Errorf("there is no %s", name)
		}
	}
	if hidden < 20 {
		t.Errorf("%d tools are hidden", hidden)
	}
}

// TestNoToolConfirms: no tool that an agent has takes a nod, or answers what it
// takes to give one.
func TestNoToolConfirms(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"ask","tools":"all"}`)
	id := i.toolCall(secret, "household_subscription_add", netflix).str("result", "structuredContent", "proposal")
	p, err := i.gate.Proposal(t.Context(), tools.Actor{Person: i.user("ann").Id, Door: tools.DoorWeb}, id)
	if err != nil || p.Digest == "" {
		t.Fatal(err)
	}
	_, list := i.rpc(secret, "tools/list", "")
	all, _ := list.at("result", "tools").([]any)
	for _, one := range all {
		tool := answer{one}
		name := tool.str("name")
		if tool.at("inputSchema", "properties", "digest") != nil || tool.at("inputSchema", "properties", "proposal") != nil {
			t.Errorf("%s takes what a nod is given by", name)
		}
		for _, args := range []string{`{"id":"` + id + `"}`, `{"proposal":"` + id + `","digest":"` + p.Digest + `","confirm":true}`} {
			if a := i.toolCall(secret, name, args); strings.Contains(a.String(), p.Digest) {
				t.Errorf("%s tells the digest: %s", name, a)
			}
		}
	}
	if i.subscriptions() != 0 || i.proposals("applied") != 0 {
		t.Error("an agent has confirmed")
	}
}
