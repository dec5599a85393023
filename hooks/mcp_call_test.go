package hooks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestMCPArguments: what models get wrong is understood where it is beyond
// doubt, and else refused in words that they can act on.
func TestMCPArguments(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"trusted","tools":"all"}`)
	for _, args := range []string{
		`{"name":"A","amount":15.99,"currency":"EUR","cycle":"P1M","first_date":"2026-01-14"}`,                                       // a number for a text
		`{"name":"B","amount":"15.99","currency":"EUR","cycle":"P1M","first_date":"2026-01-31","anchor_day":"31","remind_days":"3"}`, // texts for numbers
		`{"name":"C","amount":"15.99","currency":"EUR","cycle":"P1M","first_date":"2026-01-14","category":null,"tags":null,"private":null,"notes":null}`,
		`{"name":"D","amount":"15.99","currency":"EUR","cycle":"P1M","first_date":"2026-01-14","private":"true","tags":"[\"fun\"]"}`,
		`{"name":7,"amount":"15.99","currency":"EUR","cycle":"P1M","first_date":"2026-01-14"}`,
	} {
		if a := i.toolCall(secret, "household_subscription_add", args); a.str("result", "structuredContent", "status") != "done" {
			t.Errorf("%s: %s", args, a)
		}
	}
	before := i.subscriptions()
	for args, says := range map[string]string{
		`{"name":null,"amount":"1","cycle":"P1M"}`:                                 "name",
		`{"name":"X","amount":"1","cycle":"P1M","first_date":"soon"}`:              "soon",
		`{"name":"X","amount":"1","cycle":"P1M","colour":"red"}`:                   `"colour" is unknown; the fields are`,
		`{"name":"X","amount":"1","cycle":"P1M","remind_days":"three"}`:            "remind_days",
		`{"name":"X","amount":"1","cycle":"P1M","remind_days":1.5}`:                "remind_days",
		`{"name":"X","amount":"1","cycle":"P1M","remind_days":"9007199254740993"}`: "remind_days",
		`{"name":"X","amount":1e3,"cycle":"P1M"}`:                                  "amount",
		`{"name":["X"],"amount":"1","cycle":"P1M"}`:                                "name",
		`[]`:     "object",
		`"text"`: "object",
		`{}`:     "is missing",
	} {
		wantRefused(t, i.toolCall(secret, "household_subscription_add", args), says)
	}
	if i.subscriptions() != before {
		t.Error("something was written")
	}
	var refused int
	if err := i.pb.DB().NewQuery("SELECT count(*) FROM nodkeep_audit WHERE state = 'refused' AND tool = 'household_subscription_add'").Row(&refused); err != nil || refused != 11 {
		t.Errorf("%d of 11 refusals are in the audit %v", refused, err)
	}
	// No arguments at all.
	if _, a := i.rpc(secret, "tools/call", `"name":"household_settings_get"`, "Mcp-Name", "household_settings_get"); a.str("result", "structuredContent", "currency") == "" {
		t.Errorf("%s", a)
	}
}

// TestMCPWrongTool: a name that is none gets the one that was meant; one that is
// not for this token gets the reason. Both leave a trace.
func TestMCPWrongTool(t *testing.T) {
	i := newInstance(t)
	_, core := i.agentToken("ann", `{"mode":"ask"}`)
	_, read := i.agentToken("ann", `{"mode":"read","tools":"all"}`)
	for _, row := range []struct{ secret, tool, says string }{
		{core, "household_subscription_lst", "Did you mean household_subscription_list?"},
		{core, "subscription_list", "Did you mean household_subscription_list?"},
		{core, "nothing_like_it_at_all", "There is no tool nothing_like_it_at_all"},
		{core, "household_category_add", "core"},
		{core, "nodkeep_token_create", "not for agents"},
		{core, "nodkeep_me_delete", "not for agents"},
		{read, "household_subscription_add", "read"},
		{read, "undo", "read"},
	} {
		before := i.entries()
		a := i.toolCall(row.secret, row.tool, `{}`)
		if a.at("error", "code") != -32602.0 || !strings.Contains(a.str("error", "message"), row.says) {
			t.Errorf("%s: %s", row.tool, a)
		}
		if i.entries() != before+1 {
			t.Errorf("%s: %d entries were written", row.tool, i.entries()-before)
		}
	}
}

// TestMCPForeignResource: what is somebody else's is not there, at any address.
func TestMCPForeignResource(t *testing.T) {
	i := newInstance(t)
	hidden, _ := i.add(i.token("bob"), "Secret", `,"private":true`)
	open, _ := i.add(i.token("bob"), "Open", "")
	_, secret := i.agentToken("ann", `{"mode":"read"}`)
	read := func(uri string) answer {
		_, a := i.rpc(secret, "resources/read", `"uri":"`+uri+`"`, "Mcp-Name", uri)
		return a
	}
	if a := read("nodkeep://household/subscriptions/" + open); !strings.Contains(a.str("result", "contents", "0", "text"), "Open") || a.str("result", "cacheScope") != "private" {
		t.Errorf("%s", a)
	}
	gone := read("nodkeep://household/subscriptions/aaaaaaaaaaaaaaa")
	for _, uri := range []string{
		"nodkeep://household/subscriptions/" + hidden, "nodkeep://household/nothing", "nodkeep://other", "https://example.com/", "nodkeep://household/subscriptions/",
		"nodkeep://household/subscriptions/..", "nodkeep://household/subscriptions/%00", "nodkeep://answer/household_subscription_list/x/y/z",
	} {
		a := read(uri)
		if a.at("error", "code") != gone.at("error", "code") || a.str("error", "message") != gone.str("error", "message") || strings.Contains(a.String(), "Secret") {
			t.Errorf("%s: %s", uri, a)
		}
	}
	wantRefused(t, i.toolCall(secret, "household_subscription_get", `{"id":"`+hidden+`"}`), "there is no")
	// Nor can one listen to it.
	status, a := i.rpc(secret, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["nodkeep://household/subscriptions/`+hidden+`"]}`)
	if a.at("error") == nil {
		t.Errorf("%d %s", status, a)
	}
}

// TestMCPModes: what a token may do without a nod is said in its answer, and
// what was done can be taken back, with one.
func TestMCPModes(t *testing.T) {
	i := newInstance(t)
	id, secret := i.agentToken("ann", `{"mode":"write","tools":"all"}`)
	a := i.toolCall(secret, "household_category_add", `{"name":"Fun"}`)
	if a.str("result", "structuredContent", "status") != "done" || a.str("result", "structuredContent", "output", "name") != "Fun" || !strings.Contains(a.str("result", "structuredContent", "card"), "Fun") {
		t.Fatalf("%s", a)
	}
	if parse(t, strings.NewReader(a.text())).String() != (answer{a.at("result", "structuredContent")}).String() {
		t.Error("the text says something else than what is structured")
	}
	entry := a.str("result", "structuredContent", "receipt", "audit", "0")
	for _, args := range []string{`{"audit":["` + entry + `"]}`, `{"since":"2020-01-01T00:00:00Z"}`} {
		if a := i.toolCall(secret, "undo", args); a.str("result", "structuredContent", "status") != "pending" || !strings.Contains(a.str("result", "structuredContent", "card"), "Fun") {
			t.Errorf("%s", a)
		}
	}
	for args, says := range map[string]string{`{}`: "Name the entries", `{"since":"yesterday"}`: "since", `{"audit":["none"]}`: "", `{"agent":"x"}`: "unknown"} {
		wantRefused(t, i.toolCall(secret, "undo", args), says)
	}
	a = i.toolCall(secret, "activity_list", `{"limit":"5"}`)
	if a.str("result", "structuredContent", "items", "0", "actor", "agent") != id {
		t.Errorf("%s", a)
	}
	if a := i.toolCall(secret, "activity_list", `{"agent":"*","tool":"nodkeep_token_create"}`); a.len("result", "structuredContent", "items") != 0 { // who has which tokens is no agent's affair
		t.Errorf("%s", a)
	}
	for args, says := range map[string]string{`{"limit":0.5}`: "limit", `{"limit":500}`: "limit", `{"since":"x"}`: "since", `{"cursor":"x"}`: "cursor"} {
		wantRefused(t, i.toolCall(secret, "activity_list", args), says)
	}
	for args, says := range map[string]string{`{"id":"none"}`: "no", `{"id":"none","wait":51}`: "wait", `{}`: "missing"} {
		wantRefused(t, i.toolCall(secret, "proposal_status", args), says)
	}
	// Another token's proposal is not there.
	_, bobs := i.agentToken("bob", `{}`)
	p := i.toolCall(secret, "household_category_merge", `{"from":"Fun","into":"Fun"}`)
	_ = p
	var one string
	if err := i.pb.DB().NewQuery("SELECT id FROM " + tools.ProposalsTable + " LIMIT 1").Row(&one); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, i.toolCall(bobs, "proposal_status", `{"id":"`+one+`"}`), "no")
}

// TestMCPLanguage: titles, cards and the context are the person's; what went
// wrong is English, for models.
func TestMCPLanguage(t *testing.T) {
	i := newInstance(t)
	ann := i.user("ann")
	ann.Set("language", "de")
	if err := i.pb.Save(ann); err != nil {
		t.Fatal(err)
	}
	_, secret := i.agentToken("ann", `{"mode":"ask","tools":"all"}`)
	_, a := i.rpc(secret, "tools/list", "")
	if !strings.Contains(a.String(), `"title":"Änderungen zurücknehmen"`) {
		t.Error("titles are not German")
	}
	if a := i.toolCall(secret, "household_subscription_add", netflix); !strings.Contains(a.str("result", "structuredContent", "card"), "15,99") {
		t.Errorf("%s", a)
	}
	_, a = i.rpc(secret, "resources/read", `"uri":"nodkeep://context"`, "Mcp-Name", "nodkeep://context")
	if !strings.Contains(a.String(), "Gehandelt wird für") {
		t.Errorf("%s", a)
	}
	wantRefused(t, i.toolCall(secret, "household_subscription_add", `{}`), "is missing")
	// Another language is heard of at once.
	ann = i.user("ann")
	ann.Set("language", "es")
	if err := i.pb.Save(ann); err != nil {
		t.Fatal(err)
	}
	if _, a = i.rpc(secret, "tools/list", ""); !strings.Contains(a.String(), `"title":"Deshacer cambios"`) {
		t.Error("titles are not Spanish")
	}
}

// TestMCPLarge: an answer that is too large is not cut; its parts together are
// the whole, until it changes.
func TestMCPLarge(t *testing.T) {
	i := newInstance(t)
	token := i.token("ann")
	for n := range 120 {
		i.add(token, fmt.Sprintf("Subscription %03d", n), `,"notes":"`+strings.Repeat("Größe ", 200)+`"`)
	}
	_, secret := i.agentToken("ann", `{"mode":"read","tools":"all"}`)
	a := i.toolCall(secret, "household_subscription_list", `{"limit":120}`)
	wantRefused(t, a, "Ask for pages instead")
	if a.str("result", "content", "1", "type") != "resource_link" {
		t.Fatalf("%.900s", a)
	}
	var whole strings.Builder
	uri := a.str("result", "content", "1", "uri")
	base := uri[:strings.LastIndex(uri, "/")+1]
	for n := 1; n < a.len("result", "content"); n++ {
		at := fmt.Sprint(base, n)
		_, part := i.rpc(secret, "resources/read", `"uri":"`+at+`"`, "Mcp-Name", at)
		if part.at("error") != nil {
			t.Fatalf("%s", part)
		}
		whole.WriteString(part.str("result", "contents", "0", "text"))
	}
	if got := parse(t, strings.NewReader(whole.String())); got.len("items") != 120 {
		t.Errorf("%d items", got.len("items"))
	}
	if a := i.toolCall(secret, "household_subscription_list", `{"limit":10}`); a.len("result", "structuredContent", "items") != 10 {
		t.Errorf("%.500s", a)
	}
	i.add(token, "One more", "")
	_, part := i.rpc(secret, "resources/read", `"uri":"`+uri+`"`, "Mcp-Name", uri)
	if !strings.Contains(part.str("error", "message"), "another one by now") {
		t.Errorf("%.300s", part)
	}
	// It is read by the rights of who asks.
	_, bobs := i.agentToken("bob", `{"mode":"read","plugins":["household"]}`)
	if _, part := i.rpc(bobs, "resources/read", `"uri":"`+strings.Replace(uri, "household_subscription_list", "household_export", 1)+`"`, "Mcp-Name", strings.Replace(uri, "household_subscription_list", "household_export", 1)); part.at("error") == nil {
		t.Errorf("%.300s", part)
	}
}
