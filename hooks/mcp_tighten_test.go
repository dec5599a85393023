package hooks

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestMCPTightened: what settings forbid no agent is offered or does, whatever
// its mode, and what they ask for waits; people do both as before.
func TestMCPTightened(t *testing.T) {
	i := newInstance(t, "NODKEEP_FORBID_TOOLS=household_category_*, undo, household_subscription_get", "NODKEEP_ASK_TOOLS=household_subscription_add")
	_, secret := i.agentToken("ann", `{"mode":"trusted","tools":"all"}`)
	_, list := i.rpc(secret, "tools/list", "")
	for _, tool := range []string{"household_category_add", "household_category_list", "undo"} {
		if strings.Contains(list.String(), `"name":"`+tool+`"`) {
			t.Errorf("%s is offered", tool)
		}
		before := i.entries()
		if a := i.toolCall(secret, tool, `{"name":"Fun"}`); !a.isError() && a.at("error") == nil {
			t.Errorf("%s: %s", tool, a)
		}
		if tool != "household_category_list" && i.entries() != before+1 {
			t.Errorf("%s left %d traces", tool, i.entries()-before)
		}
	}
	if a := i.toolCall(secret, "household_subscription_add", netflix); a.str("result", "structuredContent", "status") != "pending" || i.subscriptions() != 0 {
		t.Errorf("%s", a)
	}
	if a := i.toolCall(secret, "household_tag_list", `{}`); a.isError() {
		t.Errorf("%s", a)
	}
	// Nor is what a forbidden tool answers to be had by its address.
	id, _ := i.add(i.token("ann"), "Spotify", "")
	uri := "nodkeep://household/subscriptions/" + id
	if _, a := i.rpc(secret, "resources/templates/list", ""); strings.Contains(a.String(), "household_subscription_get") {
		t.Errorf("%s", a)
	}
	if _, a := i.rpc(secret, "resources/read", `"uri":"`+uri+`"`, "Mcp-Name", uri); a.at("error", "code") != -32602.0 || strings.Contains(a.String(), "Spotify") {
		t.Errorf("%s", a)
	}
	status, a := i.call("household_category_add", i.token("ann"), `{"name":"Fun"}`)
	want(t, status, a, 200, "")
	if _, audit := i.add(i.token("ann"), "Netflix", ""); i.subscriptions() != 2 {
		t.Error("nothing was added")
	} else if status, a = i.web("POST", prefix+"/undo?preview=1", i.token("ann"), `{"audit":["`+audit+`"]}`); status != 200 {
		t.Errorf("a person may not undo: %d %s", status, a)
	}
}

// TestSettingsNameTools: a name that is no tool's stops the start, as what it
// was to forbid would be allowed.
func TestSettingsNameTools(t *testing.T) {
	i := newInstance(t)
	for name, n := range map[string]int{"household_category_add": 1, "undo": 1, "nodkeep_undo": 1, "household_categry_add": 0, "nothing_*": 0, "household": 0} {
		found, err := i.toolsNamed("NODKEEP_FORBID_TOOLS", []string{name})
		if len(found) != n || (err == nil) != (n > 0) {
			t.Errorf("%s: %v %v", name, found, err)
		}
		if err != nil && !strings.Contains(err.Error(), "NODKEEP_FORBID_TOOLS") {
			t.Error(err)
		}
	}
	if found, err := i.toolsNamed("NODKEEP_ASK_TOOLS", []string{"household_*", "household_tag_list"}); err != nil || len(found) < 30 {
		t.Errorf("%d %v", len(found), err)
	}
}

// TestMCPRefusedIsNoted: what the door itself refuses of a change leaves a trace
// too, as what the gate does.
func TestMCPRefusedIsNoted(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"write","tools":"all"}`)
	answer := `"requestState":"look:none","inputResponses":{"nod":{"action":"accept"}}`
	for _, row := range []struct{ tool, as, args, more string }{
		{"undo", tools.UndoTool, `{"agent":"x"}`, ""},
		{"undo", tools.UndoTool, `{"since":"yesterday"}`, ""},
		{"undo", tools.UndoTool, `{"audit":"none"}`, ""},
		{"undo", tools.UndoTool, `{}`, ""},
		{"household_subscription_add", "", `{"name":"X","amount":"1","cycle":"P1M","colour":"red"}`, ""},
		{"household_import_apply", "", `{"upload":"none","subscriptions":[{"row":0}]}`, ""},
		{"household_import_apply", "", `{"upload":7}`, ""},
		{"nodkeep_me_password", "", `{"password":"another long password"}`, ""},
		{"no_such_tool", "", `{}`, ""},
		{"household_subscription_add", "", netflix, answer},
		{"undo", tools.UndoTool, `{"since":"2020-01-01T00:00:00Z"}`, answer},
	} {
		before, more := i.entries(), []string{}
		if row.more != "" {
			more = append(more, row.more)
		}
		a := i.toolCall(secret, row.tool, row.args, more...)
		if !a.isError() && a.at("error") == nil {
			t.Errorf("%s %s: %s", row.tool, row.args, a)
		}
		var last struct {
			Tool  string `db:"tool"`
			State string `db:"state"`
			Args  string `db:"args"`
		}
		as := row.tool
		if row.as != "" {
			as = row.as
		}
		err := i.pb.DB().NewQuery("SELECT tool, state FROM nodkeep_audit ORDER BY seq DESC LIMIT 1").One(&last)
		if err != nil || i.entries() != before+1 || last.State != "refused" || last.Tool != as {
			t.Errorf("%s %s: %d entries, the last %+v, %v", row.tool, row.args, i.entries()-before, last, err)
		}
	}
	if i.subscriptions() != 0 {
		t.Error("something was written")
	}
}
