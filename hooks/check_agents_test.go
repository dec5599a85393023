package hooks

import (
	"fmt"
	"strings"
	"testing"
)

// TestDoctorSpeaksOfAgents: it counts the tokens by which somebody can come in, and
// says what the settings hold back.
func TestDoctorSpeaksOfAgents(t *testing.T) {
	agents := func(i *instance) string {
		_, a := i.local("GET", "/local/checks", "", "")
		for n := range a.len("items") {
			if a.str("items", fmt.Sprint(n), "name") == "agents" {
				return a.str("items", fmt.Sprint(n), "says")
			}
		}
		return "no check: " + a.str("message")
	}
	i := newInstance(t, "NODKEEP_URL=https://nodkeep.example.org")
	i.agentToken("ann", `{}`)
	_, expired := i.agentToken("ann", `{"expires":"90d"}`)
	if says := agents(i); says != "tokens that are good: 2; their clients go to https://nodkeep.example.org/mcp" {
		t.Error(says)
	}
	if _, err := i.pb.DB().NewQuery("UPDATE nodkeep_tokens SET expires = '2026-01-01 00:00:00.000Z' WHERE expires != ''").Execute(); err != nil {
		t.Fatal(err)
	}
	if says := agents(i); !strings.Contains(says, "good: 1;") || strings.Contains(says, expired) {
		t.Error(says)
	}
	i = newInstance(t, "NODKEEP_OWN_SURFACES=yes", "NODKEEP_FORBID_TOOLS=undo,household_subscription_c*", "NODKEEP_ASK_TOOLS=household_*")
	if says := agents(i); !strings.Contains(says, "own surfaces alone; names in NODKEEP_FORBID_TOOLS: 2; names in NODKEEP_ASK_TOOLS: 1") {
		t.Error(says)
	}
}

// TestUndoIsForbiddenByItsName, by that under which agents and their persons see it.
func TestUndoIsForbiddenByItsName(t *testing.T) {
	for _, row := range []struct {
		env     string
		offered bool
	}{{"", true}, {"NODKEEP_FORBID_TOOLS=undo", false}, {"NODKEEP_FORBID_TOOLS=nodkeep_undo", false}} {
		i := newInstance(t, row.env)
		_, secret := i.agentToken("ann", `{"mode":"write"}`)
		_, a := i.rpc(secret, "tools/list", "")
		if strings.Contains(a.String(), `"name":"undo"`) != row.offered {
			t.Errorf("%s: offered is not %t", row.env, row.offered)
		}
		if a := i.toolCall(secret, "undo", `{"audit":["x"]}`); strings.Contains(a.String(), "forbid agents to use") == row.offered {
			t.Errorf("%s: %s", row.env, a)
		}
	}
}
