package hooks

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/tools/subscriptions"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

const proposals = prefix + "/proposals"

// TestProposals: listed, shown, chosen from, confirmed, and told of again.
func TestProposals(t *testing.T) {
	i := newInstance(t)
	claude, codex, ann := i.agent("ann", "Claude", "ask"), i.agent("ann", "Codex", "ask"), i.token("ann")
	p := i.asks(claude, "household_subscription_add", netflix, "household_subscription_add", disney)
	other := i.asks(codex, "household_category_add", `{"name":"Films"}`)
	status, a := i.web("GET", proposals+"?state=pending", ann, "")
	want(t, status, a, 200, "")
	if a.len("items") != 2 || a.str("items", "0", "id") != other.ID || a.at("next") != "" {
		t.Errorf("%s", a)
	}
	status, a = i.web("GET", proposals+"?agent="+claude.Agent+"&limit=1", ann, "")
	if want(t, status, a, 200, ""); a.len("items") != 1 || a.str("items", "0", "id") != p.ID {
		t.Errorf("%s", a)
	}
	_, a = i.web("GET", proposals+"?limit=1", ann, "")
	next := a.str("next")
	if status, a = i.web("GET", proposals+"?limit=1&cursor="+next, ann, ""); a.str("items", "0", "id") != p.ID || next == "" {
		t.Errorf("the next page: %d %s", status, a)
	}
	status, a = i.web("GET", proposals+"/"+p.ID, ann, "", "Accept-Language", "de")
	want(t, status, a, 200, "")
	for path, is := range map[string]any{
		"state": "pending", "digest": p.Digest, "actor.agent": claude.Agent, "actor.agent_name": "Claude", "actor.door": "mcp", "actor.person": claude.Person,
		"items.0.tool": "household_subscription_add", "items.0.effect": "write", "items.0.args.name": "Netflix", "items.0.card.title.text": "Netflix hinzufügen: 15,99 EUR im Monat",
		"items.1.changes.0.op": "create", "card.title.text": "2 Änderungen", "card.grave": false, "items.0.changes.0.fields.0.label": "Name",
	} {
		if got := a.at(strings.Split(path, ".")...); got != is {
			t.Errorf("%s is %v, want %v", path, got, is)
		}
	}
	status, a = i.web("POST", proposals+"/"+p.ID+"/preview", ann, `{"keep":[1]}`)
	digest := a.str("digest")
	if want(t, status, a, 200, ""); digest == "" || digest == p.Digest || a.len("items") != 1 || a.str("items", "0", "args", "name") != "Disney+" {
		t.Errorf("%s", a)
	}
	status, a = i.web("POST", proposals+"/"+p.ID+"/confirm", ann, `{"keep":[1],"digest":"`+digest+`"}`)
	want(t, status, a, 200, "")
	if a.str("state") != "applied" || a.str("by") != "web" || a.len("receipt", "audit") != 1 || a.str("receipt", "undo_until") == "" || a.at("keep", "0") != float64(1) || i.count("household_subscriptions") != 1 {
		t.Errorf("%s", a)
	}
	// Again, from wherever: what became of it.
	for _, act := range []string{"confirm", "preview", "discard", "edit"} {
		body := map[string]string{"confirm": `{"digest":"` + digest + `"}`, "edit": `{"items":[]}`}[act]
		status, a = i.web("POST", proposals+"/"+p.ID+"/"+act, ann, body)
		want(t, status, a, 409, tools.Conflict)
		if a.str("data", "proposal", "state") != "applied" || a.len("data", "proposal", "receipt", "audit") != 1 {
			t.Errorf("%s: %s", act, a)
		}
	}
}

// TestProposalsDiscarded: one with a reason, all of an agent, and edited ones.
func TestProposalsDiscarded(t *testing.T) {
	i := newInstance(t)
	claude, ann := i.agent("ann", "Claude", "ask"), i.token("ann")
	p := i.asks(claude, "household_subscription_add", netflix)
	status, a := i.web("POST", proposals+"/"+p.ID+"/edit", ann, `{"items":[{"tool":"household_subscription_add","args":`+disney+`}]}`)
	want(t, status, a, 200, "")
	edited := a.str("id")
	if a.str("state") != "pending" || edited == p.ID || a.str("items", "0", "args", "name") != "Disney+" || a.str("digest") == "" {
		t.Errorf("%s", a)
	}
	if now := i.stateOf(p); now.State != gate.Replaced || now.ReplacedBy != edited {
		t.Errorf("%+v", now)
	}
	status, a = i.web("POST", proposals+"/"+edited+"/discard", ann, `{"reason":"too dear"}`)
	want(t, status, a, 200, "")
	if a.str("state") != "discarded" || a.str("reason") != "too dear" {
		t.Errorf("%s", a)
	}
	p = i.asks(claude, "household_subscription_add", netflix)
	if status, a = i.web("POST", proposals+"/"+p.ID+"/discard", ann, ""); a.str("state") != "discarded" {
		t.Errorf("without a reason: %d %s", status, a)
	}
	i.asks(claude, "household_subscription_add", netflix)
	i.asks(claude, "household_subscription_add", disney)
	status, a = i.web("POST", proposals+"/discard", ann, `{"agent":"`+claude.Agent+`"}`)
	if want(t, status, a, 200, ""); a.at("discarded") != float64(2) {
		t.Errorf("%s", a)
	}
}

// TestProposalsStand: how many wait, what the agent may do by now, lists for the eye,
// and what was taken back.
func TestProposalsStand(t *testing.T) {
	i := newInstance(t)
	claude, ann := i.agent("ann", "Claude", "ask"), i.token("ann")
	p := i.asks(claude, "household_subscription_add", netflix)
	i.asks(claude, "household_subscription_add", disney)
	count := func(n float64) {
		t.Helper()
		if status, a := i.web("GET", proposals+"/waiting", ann, ""); status != 200 || a.at("waiting") != n {
			t.Errorf("%v wait: %d %s", n, status, a)
		}
	}
	count(2)
	status, a := i.web("GET", proposals+"/"+p.ID, ann, "")
	if want(t, status, a, 200, ""); a.str("mode") != "ask" || a.at("undone") != nil || a.str("state") != "pending" {
		t.Errorf("%s", a)
	}
	_, a = i.web("POST", proposals+"/"+p.ID+"/confirm", ann, `{"digest":"`+p.Digest+`"}`)
	entry := a.str("receipt", "audit", "0")
	count(1)
	status, a = i.web("GET", proposals+"?state=decided&brief=1", ann, "")
	if want(t, status, a, 200, ""); a.len("items") != 1 || a.str("items", "0", "id") != p.ID || a.str("items", "0", "card", "title", "text") == "" || a.at("items", "0", "items", "0", "changes") != nil || a.at("items", "0", "receipt") != true {
		t.Errorf("%s", a)
	}
	status, a = i.web("POST", prefix+"/undo", ann, `{"audit":["`+entry+`"]}`)
	if status == 409 {
		status, a = i.web("POST", prefix+"/undo", ann, `{"audit":["`+entry+`"]}`, "X-Nodkeep-Digest", a.str("data", "digest"))
	}
	want(t, status, a, 200, "")
	if status, a = i.web("GET", proposals+"/"+p.ID, ann, ""); status != 200 || a.at("undone") != true || a.at("mode") != nil {
		t.Errorf("%d %s", status, a)
	}
	status, a = i.web("POST", prefix+"/tokens/"+claude.Agent+"/revoke", ann, "")
	want(t, status, a, 200, "")
	count(0)
	if status, a = i.web("GET", proposals+"/waiting", i.token("bob"), ""); a.at("waiting") != 0.0 {
		t.Errorf("bob's: %d %s", status, a)
	}
}

// TestProposalsStale: with the one that stands for it, which can be confirmed.
func TestProposalsStale(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	id, _ := i.add(ann, "Netflix", "")
	p := i.asks(i.agent("ann", "Claude", "ask"), "household_subscription_delete", `{"id":"`+id+`"}`)
	status, a := i.call("household_subscription_update", ann, `{"id":"`+id+`","name":"Netflix Premium"}`)
	want(t, status, a, 200, "")
	status, a = i.web("POST", proposals+"/"+p.ID+"/confirm", ann, `{"digest":"`+p.Digest+`"}`)
	want(t, status, a, 409, tools.Stale)
	next := a.str("data", "proposal", "id")
	if next == p.ID || a.str("data", "proposal", "state") != "pending" || !strings.Contains(a.str("data", "proposal", "card", "title", "text"), "Netflix Premium") {
		t.Fatalf("%s", a)
	}
	status, a = i.web("GET", proposals+"/"+p.ID, ann, "")
	if want(t, status, a, 200, ""); a.str("state") != "stale" || a.str("replaced_by") != next {
		t.Errorf("%s", a)
	}
	_, a = i.web("GET", proposals+"/"+next, ann, "")
	status, a = i.web("POST", proposals+"/"+next+"/confirm", ann, `{"digest":"`+a.str("digest")+`"}`)
	if want(t, status, a, 200, ""); i.count("household_subscriptions") != 0 {
		t.Errorf("%s", a)
	}
}

// TestProposalsRefuse what is not the person's, and what cannot be read; nothing
// happens.
func TestProposalsRefuse(t *testing.T) {
	i := newInstance(t)
	claude := i.agent("ann", "Claude", "ask")
	p := i.asks(claude, "household_subscription_add", netflix)
	late := i.asks(claude, "household_subscription_add", disney)
	if _, err := i.pb.DB().NewQuery("UPDATE nodkeep_proposals SET expires = '2026-01-01 00:00:00.000Z' WHERE id = {:id}").Bind(map[string]any{"id": late.ID}).Execute(); err != nil {
		t.Fatal(err)
	}
	static, err := i.user("ann").NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	i.stand("bob", "approved")
	ann, bob, root := i.token("ann"), i.token("bob"), i.superuser()
	yes := `{"digest":"` + p.Digest + `"}`
	at := proposals + "/" + p.ID
	rows := []struct {
		name, method, path, token, body string
		status                          int
		kind                            tools.Kind
	}{
		{"a guest's list", "GET", proposals, "", "", 401, tools.Unauthorized},
		{"a guest", "POST", at + "/confirm", "", yes, 401, tools.Unauthorized},
		{"a superuser's list", "GET", proposals, root, "", 403, tools.Forbidden},
		{"a superuser", "POST", at + "/confirm", root, yes, 403, tools.Forbidden},
		{"a superuser's look", "GET", at, root, "", 403, tools.Forbidden},
		{"somebody else's look", "GET", at, bob, "", 404, tools.NotFound},
		{"somebody else's preview", "POST", at + "/preview", bob, "", 404, tools.NotFound},
		{"somebody else's yes", "POST", at + "/confirm", bob, yes, 404, tools.NotFound},
		{"somebody else's no", "POST", at + "/discard", bob, "", 404, tools.NotFound},
		{"somebody else's words", "POST", at + "/edit", bob, `{"items":[]}`, 404, tools.NotFound},
		{"nothing", "POST", proposals + "/aaaaaaaaaaaaaaa/confirm", ann, yes, 404, tools.NotFound},
		{"no id", "GET", proposals + "/%27", ann, "", 404, tools.NotFound},
		{"a static token's yes", "POST", at + "/confirm", static, yes, 403, tools.Forbidden},
		{"a static token's no", "POST", at + "/discard", static, "", 403, tools.Forbidden},
		{"a static token's words", "POST", at + "/edit", static, `{"items":[]}`, 403, tools.Forbidden},
		{"a static token's no to all", "POST", proposals + "/discard", static, `{"agent":"` + claude.Agent + `"}`, 403, tools.Forbidden},
		{"no digest", "POST", at + "/confirm", ann, "", 409, tools.DigestRequired},
		{"no digest of ours", "POST", at + "/confirm", ann, `{"digest":"x"}`, 400, tools.Invalid},
		{"a digest of another type", "POST", at + "/confirm", ann, `{"digest":7}`, 400, tools.Invalid},
		{"no JSON", "POST", at + "/confirm", ann, `{`, 400, tools.Invalid},
		{"an unknown field", "POST", at + "/confirm", ann, `{"digests":"x"}`, 400, tools.Invalid},
		{"none kept", "POST", at + "/preview", ann, `{"keep":[]}`, 400, tools.Invalid},
		{"what is not there kept", "POST", at + "/preview", ann, `{"keep":[1]}`, 400, tools.Invalid},
		{"less than nothing kept", "POST", at + "/confirm", ann, `{"digest":"` + p.Digest + `","keep":[-1]}`, 400, tools.Invalid},
		{"kept twice", "POST", at + "/preview", ann, `{"keep":[0,0]}`, 400, tools.Invalid},
		{"a reason too long", "POST", at + "/discard", ann, `{"reason":"` + strings.Repeat("x", 501) + `"}`, 400, tools.Invalid},
		{"another tool", "POST", at + "/edit", ann, `{"items":[{"tool":"household_subscription_delete","args":{}}]}`, 400, tools.Invalid},
		{"arguments that do not fit", "POST", at + "/edit", ann, `{"items":[{"tool":"household_subscription_add","args":{"name":7}}]}`, 400, tools.Invalid},
		{"no agent", "POST", proposals + "/discard", ann, "", 400, tools.Invalid},
		{"a state that is none", "GET", proposals + "?state=maybe", ann, "", 400, tools.Invalid},
		{"a limit that is none", "GET", proposals + "?limit=0", ann, "", 400, tools.Invalid},
		{"a cursor that is none", "GET", proposals + "?cursor=x", ann, "", 400, tools.Invalid},
		{"a look at what does something", "GET", at + "/confirm", ann, "", 400, tools.Invalid},
		{"too large", "POST", at + "/edit", ann, `{"items":[{"tool":"` + strings.Repeat("x", 4<<20) + `"}]}`, 413, tools.TooLarge},
		{"too late", "POST", proposals + "/" + late.ID + "/confirm", ann, `{"digest":"` + late.Digest + `"}`, 410, tools.Expired},
		{"too late for a no", "POST", proposals + "/" + late.ID + "/discard", ann, "", 410, tools.Expired},
		{"too late to look again", "POST", proposals + "/" + late.ID + "/preview", ann, "", 410, tools.Expired},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			status, a := i.web(row.method, row.path, row.token, row.body)
			want(t, status, a, row.status, row.kind)
			if row.kind == tools.Expired && a.str("data", "proposal", "state") != "expired" {
				t.Errorf("%s", a)
			}
			if row.kind == tools.NotFound && strings.Contains(a.String(), "Netflix") {
				t.Errorf("it tells: %s", a)
			}
		})
	}
	if now := i.stateOf(p); now.State != gate.Pending || i.count("household_subscriptions") != 0 {
		t.Errorf("%+v", now)
	}
	// A static token may look, and its yes is in the audit as a refusal.
	status, a := i.web("GET", at, static, "")
	want(t, status, a, 200, "")
	status, a = i.web("GET", prefix+"/audit?tool=household_subscription_add", ann, "")
	if want(t, status, a, 200, ""); a.str("items", "0", "state") != "refused" {
		t.Errorf("%s", a)
	}
	form := httptest.NewRequest("POST", at+"/confirm", strings.NewReader("digest="+p.Digest))
	form.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	form.Header.Set("Authorization", ann)
	w := httptest.NewRecorder()
	if i.handler.ServeHTTP(w, form); w.Code != 400 {
		t.Error("a form: ", w.Code)
	}
}

// told waits for what a connection hears of proposals, as "id state".
func (s *realtime) told(t *testing.T) string {
	t.Helper()
	_, data, ok := strings.Cut(s.next(t), topicProposals+" ")
	if !ok {
		t.Fatal("it heard something else: ", data)
	}
	a := parse(t, strings.NewReader(data))
	return a.str("id") + " " + a.str("state")
}

// TestProposalsAreTold to the person's own clients, and to nobody else.
func TestProposalsAreTold(t *testing.T) {
	i, base := badgeInstance(t)
	root := i.superuser()
	phone, laptop, elsewhere, other, admin := i.connect(base), i.connect(base), i.connect(base), i.connect(base), i.connect(base)
	for s, token := range map[*realtime]string{phone: i.token("ann"), laptop: i.token("ann"), other: i.token("bob"), admin: root} {
		if status := i.listen(base, s, token, topicProposals); status != 204 {
			t.Fatal(status)
		}
	}
	i.listen(base, elsewhere, i.token("ann"), "users/*")
	claude := i.agent("ann", "Claude", "ask")
	p := i.asks(claude, "household_subscription_add", netflix)
	for _, s := range []*realtime{phone, laptop} {
		if got := s.told(t); got != p.ID+" pending" {
			t.Error(got)
		}
	}
	if _, err := i.gate.Confirm(t.Context(), tools.Actor{Person: claude.Person, Door: tools.DoorTelegram}, p.ID, p.Digest, nil); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*realtime{phone, laptop} {
		if got := s.told(t); got != p.ID+" applied" {
			t.Error(got)
		}
	}
	other.silent(t, "somebody else is told")
	admin.silent(t, "a superuser is told")
	elsewhere.silent(t, "who did not ask is told")
	p = i.asks(claude, "household_subscription_add", disney)
	if got := phone.told(t); got != p.ID+" pending" {
		t.Error(got)
	}
	status, a := i.web("POST", prefix+"/tokens/"+claude.Agent+"/revoke", i.token("ann"), "")
	want(t, status, a, 200, "")
	if got := phone.told(t); got != p.ID+" discarded" {
		t.Error("with its token: ", got)
	}
	bobs := i.asks(i.agent("bob", "Codex", "ask"), "household_subscription_add", disney)
	if got := other.told(t); got != bobs.ID+" pending" {
		t.Error(got)
	}
	phone.silent(t, "ann is told of bob's")
}

// TestProposalsAreNotTold to who may hear nothing any more, should a connection
// of theirs ever outlive that.
func TestProposalsAreNotTold(t *testing.T) {
	i := newInstance(t)
	p := i.asks(i.agent("ann", "Claude", "ask"), "household_subscription_add", netflix)
	c := subscriptions.NewDefaultClient()
	c.Set(apis.RealtimeClientAuthKey, i.user("ann"))
	c.Subscribe(topicProposals)
	if state, may := i.stateFor(c, p.ID); !may || state != gate.Pending {
		t.Error(state, may)
	}
	rec := i.user("ann")
	if _, err := i.pb.DB().NewQuery("UPDATE users SET status = 'suspended' WHERE id = {:id}").Bind(map[string]any{"id": rec.Id}).Execute(); err != nil {
		t.Fatal(err)
	}
	if state, may := i.stateFor(c, p.ID); may {
		t.Error("a suspended one is told ", state)
	}
	c.Set(apis.RealtimeClientAuthKey, i.user("bob"))
	if state, may := i.stateFor(c, p.ID); may {
		t.Error("somebody else is told ", state)
	}
	if c.Unset(apis.RealtimeClientAuthKey); true {
		if state, may := i.stateFor(c, p.ID); may {
			t.Error("a guest is told ", state)
		}
	}
}
