package hooks

import (
	"encoding/json/jsontext"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// agent makes a token of a member and gives whom it lets act.
func (i *instance) agent(handle, name, mode string) gate.Agent {
	i.t.Helper()
	status, a := i.local("POST", "/tools/nodkeep_token_create", handle, `{"name":"`+name+`","mode":"`+mode+`","tools":"all"}`)
	want(i.t, status, a, 200, "")
	agent, _, err := i.gate.Token(i.t.Context(), a.str("output", "token"))
	if err != nil {
		i.t.Fatal(err)
	}
	return agent
}

// asks has an agent propose calls together; each is a tool and its arguments.
func (i *instance) asks(agent gate.Agent, calls ...string) gate.Proposal {
	i.t.Helper()
	var invs []tools.Invocation
	for n := 0; n+1 < len(calls); n += 2 {
		invs = append(invs, tools.Invocation{Tool: calls[n], Args: jsontext.Value(calls[n+1])})
	}
	p, err := i.gate.Propose(i.t.Context(), agent, invs...)
	if err != nil {
		i.t.Fatal(err)
	}
	return p
}

const disney = `{"name":"Disney+","amount":"8.99","currency":"EUR","cycle":"P1M","first_date":"2026-02-03"}`

// nods sends what a card's form does, as it was shown.
func (v *visitor) nods(t *testing.T, id, do string, more ...string) (int, string, string) {
	t.Helper()
	_, body, _ := v.do("GET", nodPath+"/"+id, nil)
	form := sends(body)
	form.Set("do", do)
	for n := 0; n+1 < len(more); n += 2 {
		form.Set(more[n], more[n+1])
	}
	code, body, h := v.do("POST", nodPath+"/"+id, form)
	return code, body, h.Get("Location")
}

func (i *instance) stateOf(p gate.Proposal) gate.Proposal {
	i.t.Helper()
	now, err := i.gate.Proposal(i.t.Context(), tools.Actor{Person: p.Actor.Person, Door: tools.DoorWeb}, p.ID)
	if err != nil {
		i.t.Fatal(err)
	}
	return now
}

// has fails for each part that a page lacks.
func has(t *testing.T, body string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(body, part) {
			t.Errorf("no %q in\n%s", part, withoutHead(body))
		}
	}
}

func hasNot(t *testing.T, body string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(body, part) {
			t.Errorf("%q in\n%s", part, withoutHead(body))
		}
	}
}

func withoutHead(body string) string {
	_, after, _ := strings.Cut(body, "<main>")
	return after
}

// TestNodACard: a person opens the link, reads, says yes, and takes it back.
func TestNodACard(t *testing.T) {
	i := newInstance(t)
	claude := i.agent("ann", "Claude Desktop", "ask")
	p := i.asks(claude, "household_subscription_add", netflix)
	v := i.signedInAs("ann")
	code, body, _ := v.do("GET", nodPath, nil)
	if code != 200 {
		t.Fatal(code, body)
	}
	has(t, body, `href="/nod/`+p.ID+`"`, "Add Netflix", "Claude Desktop")
	hasNot(t, body, doDiscardAll, "deletes or sends")
	code, body, _ = v.do("GET", nodPath+"/"+p.ID, nil)
	if code != 200 {
		t.Fatal(code, body)
	}
	has(t, body, "<h1>Add Netflix", "Claude Desktop asked just now.", "It waits 24 hours more.", "15.99 EUR", "Field by field: ", `name="digest" value="`+p.Digest+`"`, "Signed in as ann.")
	hasNot(t, body, "autofocus", `class="grave"`, "checkbox")
	code, _, to := v.nods(t, p.ID, doConfirm)
	if code != 303 || to != nodPath+"/"+p.ID || i.stateOf(p).State != gate.Applied {
		t.Fatal(code, to, i.stateOf(p))
	}
	_, body, _ = v.do("GET", to, nil)
	has(t, body, "<h1>Done</h1>", "Confirmed here, just now.", "Netflix", "It can be taken back until ", `value="undo"`)
	hasNot(t, body, `value="confirm"`)
	_, body, _ = v.do("GET", nodPath, nil)
	has(t, body, "Nothing waits.")
	before := i.entries()
	code, body, _ = v.do("POST", nodPath+"/"+p.ID, url.Values{"do": {doUndo}})
	form := sends(body)
	has(t, body, "<h1>Take it back?</h1>", "Delete Netflix")
	if code != 200 || form.Get("digest") == "" || i.entries() != before {
		t.Fatal(code, body)
	}
	form.Set("do", doUndone)
	for range 2 { // sent twice
		code, body, h := v.do("POST", nodPath+"/"+p.ID, form)
		if code != 303 {
			t.Fatal(code, body)
		}
		_, body, _ = v.do("GET", h.Get("Location"), nil)
		has(t, body, "<h1>Taken back</h1>", "and taken back since:")
		hasNot(t, body, `value="undo"`)
	}
	if n := i.count("household_subscriptions"); n != 0 || i.entries() != before+1 {
		t.Errorf("%d subscriptions, %d entries more", n, i.entries()-before)
	}
}

// TestNodGrave: what destroys says so, and yes is nowhere where a key falls by
// itself.
func TestNodGrave(t *testing.T) {
	i := newInstance(t)
	id, _ := i.add(i.token("ann"), "Netflix", "")
	claude := i.agent("ann", "Claude", "trusted")
	p := i.asks(claude, "household_subscription_delete", `{"id":"`+id+`"}`)
	v := i.signedInAs("ann")
	_, body, _ := v.do("GET", nodPath, nil)
	has(t, body, "deletes or sends")
	_, body, _ = v.do("GET", nodPath+"/"+p.ID, nil)
	has(t, body, "This deletes, cancels or suspends something.", `class="grave" name="do" value="confirm"`, "Netflix is deleted")
	hasNot(t, body, "autofocus")
	if code, _, _ := v.nods(t, p.ID, doConfirm); code != 303 || i.stateOf(p).State != gate.Applied {
		t.Error(code, i.stateOf(p).State)
	}
}

// TestNodOfMuch: where a card's sentences do not say every change, all are open.
func TestNodOfMuch(t *testing.T) {
	i := newInstance(t)
	var ids []string
	for _, name := range []string{"a1", "b2", "c3", "d4"} {
		id, _ := i.add(i.token("ann"), name, "")
		ids = append(ids, `"`+id+`"`)
	}
	claude := i.agent("ann", "Claude", "ask")
	v := i.signedInAs("ann")
	few := i.asks(claude, "household_subscriptions_bulk_pause", `{"ids":[`+ids[0]+`]}`)
	_, body, _ := v.do("GET", nodPath+"/"+few.ID, nil)
	has(t, body, "<details>", "pause from ")
	many := i.asks(claude, "household_subscriptions_bulk_pause", `{"ids":[`+strings.Join(ids, ",")+`]}`)
	_, body, _ = v.do("GET", nodPath+"/"+many.ID, nil)
	has(t, body, "<details open>", "<td>a1</td>", "<td>d4</td>")
}

// TestNodTicks: another choice is shown first, and only what was shown happens.
func TestNodTicks(t *testing.T) {
	i := newInstance(t)
	claude := i.agent("ann", "Claude", "ask")
	p := i.asks(claude, "household_subscription_add", netflix, "household_subscription_add", disney, "household_category_add", `{"name":"Films"}`)
	v := i.signedInAs("ann")
	_, body, _ := v.do("GET", nodPath+"/"+p.ID, nil)
	has(t, body, `name="keep_0" value="1" checked`, `name="keep_1" value="1" checked`, `name="keep_2" value="1" checked`, `name="shown" value="0,1,2"`)
	// Enter in a form presses its first button.
	if first := strings.Index(body, `value="look"`); first < 0 || first > strings.Index(body, `value="confirm"`) {
		t.Error("Enter confirms")
	}
	code, body, _ := v.nods(t, p.ID, doConfirm)
	if code != 400 || i.stateOf(p).State != gate.Pending {
		t.Errorf("nothing ticked: %d %s", code, body)
	}
	code, body, _ = v.nods(t, p.ID, doConfirm, "keep_1", "1", "keep_2", "1")
	form := sends(body)
	if code != 200 || i.stateOf(p).State != gate.Pending || form.Get("digest") == p.Digest || form.Get("shown") != "1,2" {
		t.Fatalf("another choice: %d %s", code, body)
	}
	has(t, body, "what the ticked ones alone would do", `name="keep_0" value="1">`, `name="keep_1" value="1" checked`)
	for field, value := range map[string]string{"do": doConfirm, "keep_1": "1", "keep_2": "1"} {
		form.Set(field, value)
	}
	lie := url.Values{"do": {doConfirm}, "keep_0": {"1"}, "shown": {"0"}, "digest": {form.Get("digest")}} // of what it did not show
	if code, _, _ := v.do("POST", nodPath+"/"+p.ID, lie); i.count("household_subscriptions") > 0 {
		t.Error("what was not shown happened: ", code)
	}
	now := i.stateOf(p)
	if now.State == gate.Pending {
		if code, body, _ = v.do("POST", nodPath+"/"+p.ID, form); code != 303 {
			t.Fatal(code, body)
		}
		if now = i.stateOf(p); now.State != gate.Applied || len(now.Keep) != 2 || i.count("household_subscriptions") != 1 {
			t.Errorf("%+v", now)
		}
	}
}

// TestNodLook shows without deciding.
func TestNodLook(t *testing.T) {
	i := newInstance(t)
	p := i.asks(i.agent("ann", "Claude", "ask"), "household_subscription_add", netflix, "household_subscription_add", disney)
	v := i.signedInAs("ann")
	for _, keep := range [][]string{{"keep_0", "1"}, {"keep_0", "1", "keep_1", "1"}} {
		code, body, _ := v.nods(t, p.ID, doLook, keep...)
		if code != 200 || !strings.Contains(body, "Nothing has happened yet.") || i.stateOf(p).State != gate.Pending {
			t.Errorf("%v: %d %s", keep, code, body)
		}
	}
}

// TestNodDiscard: a no, with a reason for the agent, of one and of all.
func TestNodDiscard(t *testing.T) {
	i := newInstance(t)
	claude := i.agent("ann", "Claude", "ask")
	p := i.asks(claude, "household_subscription_add", netflix)
	v := i.signedInAs("ann")
	code, body, _ := v.nods(t, p.ID, doDiscard, "reason", strings.Repeat("x", 501))
	if code != 400 || !strings.Contains(body, strings.Repeat("x", 501)) || i.stateOf(p).State != gate.Pending {
		t.Errorf("a long reason: %d", code)
	}
	if code, body, _ = v.nods(t, p.ID, doDiscard, "reason", "<b>too</b> dear"); code != 303 {
		t.Fatal(code, body)
	}
	_, body, _ = v.do("GET", nodPath+"/"+p.ID, nil)
	has(t, body, "<h1>Discarded</h1>", "&lt;b&gt;too&lt;/b&gt; dear", "Add Netflix")
	if told, err := i.gate.Status(t.Context(), claude, p.ID); err != nil || told.Reason != "<b>too</b> dear" {
		t.Error(told.Reason, err)
	}
	one, two := i.asks(claude, "household_subscription_add", netflix), i.asks(claude, "household_subscription_add", disney)
	other := i.asks(i.agent("ann", "Codex", "ask"), "household_category_add", `{"name":"Films"}`)
	_, body, _ = v.do("GET", nodPath, nil)
	has(t, body, "Discard all 2 that wait from Claude")
	hasNot(t, body, "wait from Codex")
	_, body, _ = v.do("GET", nodPath+"/"+one.ID, nil)
	has(t, body, "Discard all 2 that wait from Claude")
	code, _, h := v.do("POST", nodPath, url.Values{"do": {doDiscardAll}, "agent": {claude.Agent}})
	if code != 303 || i.stateOf(one).State != gate.Discarded || i.stateOf(two).State != gate.Discarded || i.stateOf(other).State != gate.Pending {
		t.Error(code, i.stateOf(one).State, i.stateOf(two).State, i.stateOf(other).State)
	}
	_, body, _ = v.do("GET", h.Get("Location"), nil)
	has(t, body, "What waited is discarded.", other.ID)
	if code, _, _ := v.nods(t, other.ID, doDiscardAll); code != 303 || i.stateOf(other).State != gate.Discarded {
		t.Error("from a card: ", code, i.stateOf(other).State)
	}
}

// TestNodStale: what would be something else by now is shown anew, and the old
// link leads there.
func TestNodStale(t *testing.T) {
	i := newInstance(t)
	id, _ := i.add(i.token("ann"), "Netflix", "")
	p := i.asks(i.agent("ann", "Claude", "ask"), "household_subscription_delete", `{"id":"`+id+`"}`)
	v := i.signedInAs("ann")
	status, a := i.call("household_subscription_update", i.token("ann"), `{"id":"`+id+`","name":"Netflix Premium"}`)
	want(t, status, a, 200, "")
	code, body, to := v.nods(t, p.ID, doConfirm)
	if code != 303 || i.count("household_subscriptions") != 1 || !strings.HasSuffix(to, "?said=changed") || strings.Contains(to, p.ID) {
		t.Fatal(code, to, body)
	}
	for range 2 {
		_, body, _ = v.do("GET", to, nil)
		has(t, body, "Something has changed meanwhile", "Netflix Premium", `value="confirm"`)
		_, _, h := v.do("GET", nodPath+"/"+p.ID, nil)
		if h.Get("Location") != to {
			t.Fatal("the old link leads to ", h.Get("Location"))
		}
	}
	next := strings.TrimSuffix(strings.TrimPrefix(to, nodPath+"/"), "?said=changed")
	if code, _, _ := v.nods(t, next, doConfirm); code != 303 || i.count("household_subscriptions") != 0 {
		t.Error(code)
	}
	// Edited elsewhere.
	p = i.asks(i.agent("ann", "Claude", "ask"), "household_subscription_add", netflix)
	edited, err := i.gate.Edit(t.Context(), tools.Actor{Person: p.Actor.Person, Door: tools.DoorTelegram}, p.ID, []tools.Invocation{{Tool: "household_subscription_add", Args: jsontext.Value(disney)}})
	if err != nil {
		t.Fatal(err)
	}
	_, _, h := v.do("GET", nodPath+"/"+p.ID, nil)
	if h.Get("Location") != nodPath+"/"+edited.ID+"?said=replaced" {
		t.Error(h.Get("Location"))
	}
}

// TestNodDecidedElsewhere: whoever is late is told where and when.
func TestNodDecidedElsewhere(t *testing.T) {
	i := newInstance(t)
	claude := i.agent("ann", "Claude", "ask")
	who := func(door tools.Door) tools.Actor { return tools.Actor{Person: claude.Person, Door: door} }
	v := i.signedInAs("ann")
	p := i.asks(claude, "household_subscription_add", netflix)
	_, card, _ := v.do("GET", nodPath+"/"+p.ID, nil)
	if _, err := i.gate.Confirm(t.Context(), who(tools.DoorTelegram), p.ID, p.Digest, nil); err != nil {
		t.Fatal(err)
	}
	for _, do := range []string{doConfirm, doLook, doDiscard} {
		form := sends(card)
		form.Set("do", do)
		code, _, h := v.do("POST", nodPath+"/"+p.ID, form)
		_, body, _ := v.do("GET", h.Get("Location"), nil)
		if code != 303 || !strings.Contains(body, "Confirmed in Telegram, just now.") || i.count("household_subscriptions") != 1 {
			t.Errorf("%s: %d %s", do, code, withoutHead(body))
		}
	}
	p = i.asks(claude, "household_subscription_add", disney)
	if _, err := i.gate.Discard(t.Context(), who(tools.DoorCLI), p.ID, ""); err != nil {
		t.Fatal(err)
	}
	_, body, _ := v.do("GET", nodPath+"/"+p.ID, nil)
	has(t, body, "Discarded in the terminal, just now.")
	hasNot(t, body, "The reason")
}

// TestNodExpired: what nobody answered cannot be confirmed any more.
func TestNodExpired(t *testing.T) {
	i := newInstance(t)
	p := i.asks(i.agent("ann", "Claude", "ask"), "household_subscription_add", netflix)
	v := i.signedInAs("ann")
	_, card, _ := v.do("GET", nodPath+"/"+p.ID, nil)
	past := time.Now().UTC().Add(-3 * time.Hour).Format("2006-01-02 15:04:05.000Z")
	if _, err := i.pb.DB().NewQuery("UPDATE nodkeep_proposals SET expires = {:past}").Bind(map[string]any{"past": past}).Execute(); err != nil {
		t.Fatal(err)
	}
	form := sends(card)
	form.Set("do", doConfirm)
	code, _, h := v.do("POST", nodPath+"/"+p.ID, form)
	_, body, _ := v.do("GET", h.Get("Location"), nil)
	if code != 303 || i.count("household_subscriptions") > 0 {
		t.Error(code)
	}
	has(t, body, "<h1>Its time is over</h1>", "it ended 3 hours ago", "ask the agent again")
	_, body, _ = v.do("GET", nodPath, nil)
	has(t, body, "Nothing waits.")
}

// TestNodOfOthers: what is somebody else's, what is not there and what is no id
// at all are one page.
func TestNodOfOthers(t *testing.T) {
	i := newInstance(t)
	p := i.asks(i.agent("ann", "Claude", "ask"), "household_subscription_add", netflix)
	v := i.signedInAs("bob")
	_, nothing, _ := v.do("GET", nodPath+"/aaaaaaaaaaaaaaa", nil)
	for _, id := range []string{p.ID, "x", "%2e%2e", strings.Repeat("a", 500), "aaaaaaaaaaaaaaa'"} {
		code, body, _ := v.do("GET", nodPath+"/"+id, nil)
		if code != 404 || body != nothing {
			t.Errorf("%s: %d %s", id, code, body)
		}
		for _, do := range []string{doConfirm, doLook, doDiscard, doUndo, doUndone, doDiscardAll, "", "x"} {
			if code, body, _ := v.do("POST", nodPath+"/"+id, url.Values{"do": {do}, "digest": {p.Digest}, "shown": {"0"}}); code != 404 || body != nothing {
				t.Errorf("%s %s: %d %s", do, id, code, body)
			}
		}
	}
	if code, _, _ := v.do("POST", nodPath, url.Values{"do": {doDiscardAll}, "agent": {p.Actor.Agent}}); code != 303 || i.stateOf(p).State != gate.Pending {
		t.Error(code, i.stateOf(p).State)
	}
	_, body, _ := v.do("GET", nodPath, nil)
	hasNot(t, body, p.ID, "Netflix")
}

// TestNodFromAnotherSite: a page that leads a member's browser here decides
// nothing, though the cookie comes along when a link is opened.
func TestNodFromAnotherSite(t *testing.T) {
	i := newInstance(t)
	p := i.asks(i.agent("ann", "Claude", "ask"), "household_subscription_add", netflix)
	v := i.signedInAs("ann")
	code, body, _ := v.do("GET", nodPath+"/"+p.ID, nil, "Sec-Fetch-Site", "cross-site")
	if code != 200 || !isIn(body) {
		t.Fatal("a link from a chat opens no card: ", code)
	}
	form := sends(body)
	for _, from := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
		for _, do := range []string{doConfirm, doDiscard, doDiscardAll, doLeave} {
			form.Set("do", do)
			if code, _, h := v.do("POST", nodPath+"/"+p.ID, form, from...); code != 403 || h.Get("Set-Cookie") != "" || i.stateOf(p).State != gate.Pending {
				t.Errorf("%v %s: %d", from, do, code)
			}
		}
	}
	for _, method := range []string{"GET", "HEAD"} { // what is in an address does nothing
		v.do(method, nodPath+"/"+p.ID+"?"+form.Encode()+"&do=confirm", nil)
	}
	if i.stateOf(p).State != gate.Pending {
		t.Error("a look confirmed")
	}
}

// TestNodOfAnAgentThatIsGone: of what may not act any more nothing is confirmed.
func TestNodOfAnAgentThatIsGone(t *testing.T) {
	i := newInstance(t)
	v := i.signedInAs("ann")
	claude := i.agent("ann", "Claude", "ask")
	p := i.asks(claude, "household_subscription_add", netflix)
	status, a := i.web("POST", prefix+"/tokens/"+claude.Agent+"/revoke", i.token("ann"), "")
	want(t, status, a, 200, "")
	_, body, _ := v.do("GET", nodPath+"/"+p.ID, nil)
	has(t, body, "The access of the agent was taken away just now")
	hasNot(t, body, "The reason", "Discarded here")
	codex := i.agent("ann", "Codex", "ask")
	p = i.asks(codex, "household_subscription_add", netflix)
	if _, err := i.pb.DB().NewQuery("UPDATE nodkeep_tokens SET expires = '2026-01-01 00:00:00.000Z'").Execute(); err != nil {
		t.Fatal(err)
	}
	_, body, _ = v.do("GET", nodPath+"/"+p.ID, nil)
	has(t, body, "This agent may not act any more", `value="discard"`)
	hasNot(t, body, `value="confirm"`)
	if code, body, _ := v.nods(t, p.ID, doConfirm); code < 400 || i.count("household_subscriptions") > 0 {
		t.Error(code, body)
	}
	if code, _, _ := v.nods(t, p.ID, doDiscard); code != 303 || i.stateOf(p).State != gate.Discarded {
		t.Error(code, i.stateOf(p).State)
	}
}

// TestNodTainted: a card says what the agent had read that others wrote.
func TestNodTainted(t *testing.T) {
	i := newInstance(t)
	claude := i.agent("ann", "Claude", "trusted")
	if err := i.gate.Foreign(t.Context(), claude.Actor, []tools.Text{tools.T("", "a note of <bob>")}); err != nil {
		t.Fatal(err)
	}
	p := i.asks(i.asNow(claude), "household_subscription_add", netflix)
	_, body, _ := i.signedInAs("ann").do("GET", nodPath+"/"+p.ID, nil)
	has(t, body, "the agent read text that others wrote", "<li>a note of &lt;bob&gt;</li>")
}

// asNow is an agent as its token stands by now.
func (i *instance) asNow(agent gate.Agent) gate.Agent {
	i.t.Helper()
	status, a := i.web("POST", prefix+"/tokens/"+agent.Agent+"/rotate", i.token("ann"), "")
	want(i.t, status, a, 200, "")
	now, _, err := i.gate.Token(i.t.Context(), a.str("output", "token"))
	if err != nil {
		i.t.Fatal(err)
	}
	return now
}

// TestNodBadInput: whatever a form sends, nothing happens that was not shown.
func TestNodBadInput(t *testing.T) {
	i := newInstance(t)
	claude := i.agent("ann", "Claude", "ask")
	p := i.asks(claude, "household_subscription_add", netflix, "household_subscription_add", disney)
	v := i.signedInAs("ann")
	rows := []struct {
		name   string
		form   url.Values
		status int
	}{
		{"nothing", url.Values{}, 303},
		{"what is nothing", url.Values{"do": {"x"}}, 303},
		{"undo of what is not done", url.Values{"do": {doUndo}}, 303},
		{"undone of what is not done", url.Values{"do": {doUndone}, "digest": {p.Digest}}, 303},
		{"no digest", url.Values{"do": {doConfirm}, "shown": {"0,1"}, "keep_0": {"1"}, "keep_1": {"1"}}, 409},
		{"no digest of ours", url.Values{"do": {doConfirm}, "shown": {"0,1"}, "keep_0": {"1"}, "keep_1": {"1"}, "digest": {"x"}}, 400},
		{"ticks that are not there", url.Values{"do": {doConfirm}, "keep_7": {"1"}, "keep_-1": {"1"}, "keep_x": {"1"}}, 400},
		{"nothing shown", url.Values{"do": {doConfirm}, "keep_0": {"1"}, "keep_1": {"1"}, "digest": {p.Digest}}, 200},
		{"a field twice", url.Values{"do": {doConfirm, doDiscard}}, 400},
		{"too much", url.Values{"do": {doDiscard}, "reason": {strings.Repeat("x", 17<<10)}}, 413},
	}
	for _, row := range rows {
		code, body, _ := v.do("POST", nodPath+"/"+p.ID, row.form)
		if code != row.status || i.stateOf(p).State != gate.Pending || i.count("household_subscriptions") > 0 {
			t.Errorf("%s: %d %s", row.name, code, withoutHead(body))
		}
	}
	if code, _, _ := v.do("POST", nodPath, url.Values{"do": {doDiscardAll}}); code != 400 || i.stateOf(p).State != gate.Pending {
		t.Error("all of no agent: ", code)
	}
}
