package hooks

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// agentLink has an agent make a link and gives the upload's id and the path.
func (i *instance) agentLink(secret string) (id, path string) {
	i.t.Helper()
	a := i.toolCall(secret, "upload_link", `{"name":"bank.csv"}`)
	path, ok := strings.CutPrefix(a.str("result", "structuredContent", "link"), i.base)
	if a.isError() || !ok {
		i.t.Fatal(a)
	}
	return a.str("result", "structuredContent", "upload"), path
}

// TestImportByAgent: a link, a file, a review, and rows by their numbers.
func TestImportByAgent(t *testing.T) {
	i := newUploads(t)
	_, secret := i.agentToken("ann", `{"mode":"write"}`)
	schemas := i.published(t, secret)
	if a := i.toolCall(secret, "upload_link", `{}`); schemas["upload_link"].Validate(a.at("result", "structuredContent")) != nil {
		t.Errorf("upload_link answers what its schema does not say: %s", a)
	}
	id, path := i.agentLink(secret)
	wantRefused(t, i.toolCall(secret, "import_read", `{"upload":"`+id+`"}`), "has not come yet")
	if w := i.bring("PUT", path, statementCSV); w.Code != 200 {
		t.Fatal(w.Code)
	}
	_, other := i.agentToken("bob", `{"mode":"write"}`)
	wantRefused(t, i.toolCall(other, "import_read", `{"upload":"`+id+`"}`), "no file")
	before := i.entries()
	read := i.toolCall(secret, "import_read", `{"upload":"`+id+`"}`)
	if review := (answer{read.at("result", "structuredContent")}); review.at("total") != float64(1) || review.str("subscriptions", "0", "status") != "new" || review.str("file") != "bank.csv" {
		t.Fatalf("%s", read)
	}
	if err := schemas["import_read"].Validate(read.at("result", "structuredContent")); err != nil {
		t.Errorf("import_read answers what its schema does not say: %v", err)
	}
	if i.entries() != before {
		t.Error("reading left a trace")
	}
	// Who has read words of others asks, and the card says of whom.
	asked := i.toolCall(secret, "household_import_apply", `{"upload":"`+id+`","subscriptions":[{"row":0}]}`)
	proposal := asked.str("result", "structuredContent", "proposal")
	if asked.str("result", "structuredContent", "status") != "pending" || proposal == "" || !strings.Contains(asked.String(), "the file bank.csv") {
		t.Fatalf("%s", asked)
	}
	ann := tools.Actor{Person: i.user("ann").Id, Door: tools.DoorWeb}
	p, err := i.gate.Proposal(t.Context(), ann, proposal)
	if err != nil {
		t.Fatal(err)
	}
	if args := string(p.Items[0].Args); strings.Contains(args, `"upload"`) || !strings.Contains(args, "2026-01-14") {
		t.Errorf("the proposal does not stand alone: %s", args)
	}
	// What was proposed stays what it is, also once the file has gone.
	status, a := i.web("DELETE", prefix+"/uploads/"+id, i.token("ann"), "")
	want(t, status, a, 200, "")
	if p, err = i.gate.Confirm(t.Context(), ann, proposal, p.Digest, nil); err != nil || p.State != gate.Applied {
		t.Errorf("%+v %v", p, err)
	}

	// A write that names no file of its person is refused, and that is kept.
	before = i.entries()
	wantRefused(t, i.toolCall(secret, "household_import_apply", `{"upload":"`+id+`","subscriptions":[{"row":0}]}`), "no file")
	if i.entries() != before+1 {
		t.Error("the refusal left no trace")
	}
}

// TestPictureByAgent: an upload stands for a file's content.
func TestPictureByAgent(t *testing.T) {
	i := newUploads(t)
	_, secret := i.agentToken("ann", `{"mode":"write","tools":"all"}`)
	sub, _ := i.add(i.token("ann"), "Netflix", "")
	png, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	if err != nil {
		t.Fatal(err)
	}
	id, path := i.agentLink(secret)
	if w := i.bring("PUT", path+"?name=logo.png", string(png)); w.Code != 200 {
		t.Fatal(w.Code)
	}
	a := i.toolCall(secret, "household_logo_set", `{"id":"`+sub+`","logo":{"upload":"`+id+`"}}`)
	if a.isError() || !strings.HasPrefix(a.str("result", "structuredContent", "output", "logo"), "logo_") {
		t.Errorf("%s", a)
	}
	_, list := i.rpc(secret, "tools/list", "")
	for n := range list.len("result", "tools") {
		tool, _ := list.at("result", "tools").([]any)[n].(map[string]any)
		said := (answer{tool["inputSchema"]}).String()
		if strings.Contains(said, "base64") || tool["name"] == "household_logo_set" != strings.Contains(said, `"logo":{`) {
			t.Errorf("%v: %s", tool["name"], said)
		}
		if tool["name"] == "upload_link" && (tool["annotations"].(map[string]any)["readOnlyHint"] != false || strings.Contains(tool["description"].(string), "pending")) {
			t.Errorf("%v", tool)
		}
	}
}

// TestImportByAgentOfOtherPlugins: a token without the plugin reads no statement
// with it.
func TestImportByAgentOfOtherPlugins(t *testing.T) {
	i := newUploads(t)
	_, secret := i.agentToken("ann", `{"mode":"read"}`)
	id, path := i.agentLink(secret)
	if w := i.bring("PUT", path, statementCSV); w.Code != 200 {
		t.Fatal(w.Code)
	}
	if _, err := i.pb.DB().NewQuery("UPDATE nodkeep_tokens SET plugins = '[\"other\"]' WHERE hash = '" + tools.Hash(secret) + "'").Execute(); err != nil {
		t.Fatal(err)
	}
	i.agents.forget(i.user("ann").Id)
	a := i.toolCall(secret, "import_read", `{"upload":"`+id+`"}`)
	wantRefused(t, a, "household_")
}

// TestPromptsOverMCP: an agent that follows a prompt finds every tool that it
// names, or is told which ones it was not given.
func TestPromptsOverMCP(t *testing.T) {
	i := newUploads(t)
	_, all := i.agentToken("ann", `{"mode":"ask","tools":"all"}`)
	_, some := i.agentToken("ann", `{"mode":"ask"}`)
	text := func(secret, prompt string) string {
		t.Helper()
		_, a := i.rpc(secret, "prompts/get", `"name":"`+prompt+`","arguments":{}`, "Mcp-Name", prompt)
		return a.str("result", "messages", "0", "content", "text")
	}
	_, list := i.rpc(all, "tools/list", "")
	schemas := (answer{list.at("result", "tools")}).String()
	words := regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`)
	_, prompts := i.rpc(all, "prompts/list", "")
	if prompts.len("result", "prompts") != 5 {
		t.Errorf("%s", prompts)
	}
	for n := range prompts.len("result", "prompts") {
		name := prompts.str("result", "prompts", string(rune('0'+n)), "name")
		says := text(all, name)
		for _, word := range words.FindAllString(says, -1) {
			if !strings.Contains(schemas, `"`+word+`"`) {
				t.Errorf("%s names %s, which is not there", name, word)
			}
		}
		if strings.Contains(says, "not given") || says == "" {
			t.Errorf("%s: %s", name, says)
		}
	}
	if says := text(some, "household_audit_price_rises"); !strings.Contains(says, "not given household_price_changes, household_price_set.") {
		t.Error(says)
	}
	// What takes a statement in is there for every token.
	for _, prompt := range []string{"household_import_statement", "household_find_savings"} {
		if says := text(some, prompt); strings.Contains(says, "not given") || says == "" {
			t.Errorf("%s: %s", prompt, says)
		}
	}
}
