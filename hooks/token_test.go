package hooks

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

const tokensPath = prefix + "/tokens"

// agentToken is a new one of a member.
func (i *instance) agentToken(handle, terms string) (id, secret string) {
	i.t.Helper()
	status, a := i.web("POST", tokensPath, i.token(handle), terms)
	want(i.t, status, a, 200, "")
	return a.str("output", "id"), a.str("output", "token")
}

// TestTokenEndpoints go through a token's life.
func TestTokenEndpoints(t *testing.T) {
	i := newInstance(t)
	ann, bob := i.token("ann"), i.token("bob")
	status, a := i.web("POST", tokensPath, ann, `{"name":"Claude","mode":"write","plugins":["household"],"expires":"90d"}`)
	want(t, status, a, 200, "")
	id, secret := a.str("output", "id"), a.str("output", "token")
	if !tools.IsToken(secret) || a.str("output", "mode") != "write" || a.str("output", "tools") != "core" || a.at("output", "daily_writes") != 50.0 || a.len("receipt", "audit") != 1 {
		t.Errorf("%s", a)
	}
	if strings.Count(a.String(), secret) != 1 || strings.Contains(a.String(), tools.Hash(secret)) {
		t.Errorf("the secret is told more than once: %s", a)
	}
	at := tokensPath + "/" + id
	_, a = i.web("GET", tokensPath, ann, "")
	if a.len("items") != 1 || a.str("items", "0", "id") != id || a.str("items", "0", "state") != "active" || a.str("next") != "" || strings.Contains(a.String(), secret) || strings.Contains(a.String(), "hash") {
		t.Errorf("%s", a)
	}
	// As PocketBase lists them, too.
	_, a = i.web("GET", "/api/collections/nodkeep_tokens/records", ann, "")
	if a.len("items") != 1 || strings.Contains(a.String(), "hash") || strings.Contains(a.String(), "taint") {
		t.Errorf("%s", a)
	}
	for _, token := range []string{bob, i.token("ann")} {
		status, a = i.web("GET", "/api/collections/nodkeep_tokens/records/"+id, token, "")
		if status == 200 != (token != bob) {
			t.Errorf("%d %s", status, a)
		}
	}
	for _, method := range []string{"PATCH", "DELETE"} {
		if status, a = i.web(method, "/api/collections/nodkeep_tokens/records/"+id, ann, `{"mode":"trusted"}`); status != 403 {
			t.Errorf("%s: %d %s", method, status, a)
		}
	}
	status, a = i.web("POST", at+"?preview=1", ann, `{"mode":"trusted"}`)
	want(t, status, a, 200, "")
	digest := a.str("digest")
	if digest == "" || i.text("nodkeep_tokens") != strings.ReplaceAll(i.text("nodkeep_tokens"), "trusted", "") {
		t.Errorf("%s", a)
	}
	status, a = i.web("POST", at, ann, `{"mode":"trusted"}`, digestHeader, digest)
	want(t, status, a, 200, "")
	if a.str("output", "mode") != "trusted" || a.at("output", "token") != nil {
		t.Errorf("%s", a)
	}
	// What is in the path counts.
	other, _ := i.agentToken("ann", `{"name":"other"}`)
	status, a = i.web("POST", at, ann, `{"id":"`+other+`","name":"renamed"}`)
	want(t, status, a, 200, "")
	if a.str("output", "id") != id {
		t.Errorf("%s", a)
	}
	for _, row := range []struct{ method, path, body string }{
		{"POST", at, `{"mode":"read"}`}, {"POST", at + "/rotate", ""}, {"POST", at + "/revoke", ""}, {"DELETE", at, ""},
	} {
		before := i.text("nodkeep_tokens")
		status, a = i.web(row.method, row.path, bob, row.body)
		want(t, status, a, 404, tools.NotFound)
		status, a = i.web(row.method, row.path, "", row.body)
		want(t, status, a, 401, tools.Unauthorized)
		if i.text("nodkeep_tokens") != before {
			t.Errorf("%s %s changed something for somebody else", row.method, row.path)
		}
	}
	status, a = i.web("POST", at+"/rotate", ann, "")
	want(t, status, a, 200, "")
	if is := a.str("output", "token"); !tools.IsToken(is) || is == secret {
		t.Errorf("%s", a)
	}
	status, a = i.web("DELETE", at, ann, "")
	want(t, status, a, 200, "")
	status, a = i.web("POST", at+"/revoke", ann, "")
	want(t, status, a, 409, tools.Conflict)
	status, a = i.web("POST", tokensPath, ann, `{"mode":"root"}`)
	want(t, status, a, 400, tools.Invalid)
	for _, query := range []string{"limit=0x", "limit=201", "cursor=x", "unknown=1"} {
		status, a = i.web("GET", tokensPath+"?"+query, ann, "")
		want(t, status, a, 400, tools.Invalid)
	}
	root := i.superuser()
	for _, rt := range i.tokenRoutes() {
		path := prefix + strings.Replace(rt.path, "{id}", other, 1)
		before := i.text("nodkeep_tokens")
		status, a = i.web(rt.method, path, root, "{}")
		want(t, status, a, 403, tools.Forbidden)
		status, a = i.local(rt.method, strings.TrimPrefix(path, prefix), "", "{}")
		want(t, status, a, 401, tools.Unauthorized)
		if i.text("nodkeep_tokens") != before {
			t.Errorf("%s %s changed something", rt.method, path)
		}
	}
}

// TestNoScriptMakesTokens: what outlasts a session is made by who has signed in.
func TestNoScriptMakesTokens(t *testing.T) {
	i := newInstance(t)
	id, _ := i.agentToken("ann", "{}")
	static, err := i.user("ann").NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		method, path, body string
		refused            bool
	}{
		{"GET", "", "", false},
		{"POST", "", `{"mode":"trusted"}`, true},
		{"POST", "?preview=1", `{"mode":"trusted"}`, true},
		{"POST", "/" + id, `{"mode":"trusted"}`, true},
		{"POST", "/" + id + "/rotate", "", true},
		{"POST", "/" + id + "/rotate?preview=1", "", true},
		{"POST", "/" + id + "/revoke", "", false}, // a script that was told of a leak
	} {
		before := i.text("nodkeep_tokens")
		status, a := i.web(row.method, tokensPath+row.path, static, row.body)
		if row.refused {
			want(t, status, a, 403, tools.Forbidden)
			if i.text("nodkeep_tokens") != before {
				t.Errorf("%s was done all the same", row.path)
			}
		} else {
			want(t, status, a, 200, "")
		}
	}
	status, a := i.call("nodkeep_token_create", static, `{"mode":"trusted"}`)
	want(t, status, a, 403, tools.Forbidden)
}

// TestAgentsHaveOneDoor: at every other route a token is refused, and its agent
// is not taken for a guest either.
func TestAgentsHaveOneDoor(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"trusted"}`)
	own, _ := i.add(i.token("ann"), "hers", "")
	open := ""
	col := core.NewBaseCollection("guestbook")
	col.Fields.Add(&core.TextField{Name: "text"})
	col.ListRule, col.CreateRule = &open, &open
	if err := i.pb.Save(col); err != nil {
		t.Fatal(err)
	}
	entries := i.text("household_subscriptions") + i.text("nodkeep_tokens") + i.text("guestbook")
	for _, route := range servedRoutes(t, i) {
		method, path, ok := strings.Cut(route, " ")
		if !ok {
			method, path = "GET", route
		}
		path = strings.NewReplacer("{collection}", "guestbook", "{id}", own, "{name}", "household_overview").Replace(path)
		path = regexp.MustCompile(`\{[^}]*\}`).ReplaceAllStringFunc(path, func(name string) string { return strings.Trim(name, "{}.$") })
		if within(path, mcpPath) {
			continue
		}
		for _, said := range []string{secret, "Bearer " + secret, "bearer  " + secret, "Token " + secret, "nk_never-made"} {
			status, a := i.web(method, path, said, "{}")
			if status != 401 || a.str("data", "text", "key") != "http.agent_token" || !strings.Contains(a.str("message"), mcpPath) || strings.Contains(a.String(), secret) {
				t.Errorf("%s %s with %.12s: %d %s", method, path, said, status, a)
			}
		}
	}
	for _, path := range []string{"/api/files/guestbook/x/y.txt?token=" + secret, "/api/nothing", "/nothing", "/api/nodkeep/nothing"} {
		status, a := i.web("GET", path, "", "")
		if strings.Contains(path, "?") != (status == 401) {
			t.Errorf("%s: %d %s", path, status, a)
		}
		if status, a = i.web("GET", path, secret, ""); status != 401 {
			t.Errorf("%s: %d %s", path, status, a)
		}
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("text", "I was here"); err != nil {
		t.Fatal(err)
	}
	_ = form.Close()
	r := httptest.NewRequest("POST", "/api/collections/guestbook/records", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Authorization", "Bearer "+secret)
	w := httptest.NewRecorder()
	if i.handler.ServeHTTP(w, r); w.Code != 401 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if now := i.text("household_subscriptions") + i.text("nodkeep_tokens") + i.text("guestbook"); now != entries {
		t.Error("an agent's token changed something")
	}
	if status, a := i.web("POST", "/api/collections/guestbook/records", "", `{"text":"a guest"}`); status != 200 {
		t.Errorf("a guest may do what is open to guests: %d %s", status, a)
	}
}

// agentVisit enters as a request of a token does, and gives its context.
func (i *instance) agentVisit(id string) context.Context {
	r, _, _ := i.visits.enter(tokenVisit(id), httptest.NewRecorder(), httptest.NewRequest("POST", mcpPath, nil))
	return r.Context()
}

// TestWhatATokenHasUnderWay ends when the token is another, and only then.
func TestWhatATokenHasUnderWay(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	var told []string
	i.tokenEnded = func(id string) { told = append(told, id) }
	bob := i.token("bob")
	for _, row := range []struct {
		name string
		do   func(id string) (int, answer)
		ends bool
	}{
		{"narrowed", func(id string) (int, answer) { return i.web("POST", tokensPath+"/"+id, bob, `{"mode":"read"}`) }, true},
		{"rotated", func(id string) (int, answer) { return i.web("POST", tokensPath+"/"+id+"/rotate", bob, "") }, true},
		{"revoked", func(id string) (int, answer) { return i.web("DELETE", tokensPath+"/"+id, bob, "") }, true},
		{"a preview", func(id string) (int, answer) { return i.web("DELETE", tokensPath+"/"+id+"?preview=1", bob, "") }, false},
		{"of somebody else", func(id string) (int, answer) {
			status, a := i.web("DELETE", tokensPath+"/"+id, i.token("ann"), "")
			want(t, status, a, 404, tools.NotFound)
			return 200, a
		}, false},
		{"used", func(id string) (int, answer) {
			_, err := i.pb.NonconcurrentDB().Update("nodkeep_tokens", dbx.Params{"used": "2027-01-01 00:00:00.000Z"}, dbx.HashExp{"id": id}).Execute()
			if err != nil {
				t.Fatal(err)
			}
			return 200, answer{}
		}, false},
		{"expired", func(id string) (int, answer) {
			if _, err := i.pb.NonconcurrentDB().Update("nodkeep_tokens", dbx.Params{"expires": "2027-01-01 00:00:00.000Z"}, dbx.HashExp{"id": id}).Execute(); err != nil {
				t.Fatal(err)
			}
			if err := i.endExpired(time.Date(2027, 1, 1, 0, 0, 59, 0, time.UTC)); err != nil {
				t.Fatal(err)
			}
			return 200, answer{}
		}, true},
		{"not yet expired", func(id string) (int, answer) {
			if err := i.endExpired(time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)); err != nil {
				t.Fatal(err)
			}
			return 200, answer{}
		}, false},
		{"deleted by a superuser", func(id string) (int, answer) {
			rec, err := i.pb.FindRecordById("nodkeep_tokens", id)
			if err != nil {
				t.Fatal(err)
			}
			if err := i.pb.Delete(rec); err != nil {
				t.Fatal(err)
			}
			return 200, answer{}
		}, true},
		{"its person is suspended", func(string) (int, answer) {
			_, p := i.web("POST", prefix+"/operator/accounts/"+i.user("bob").Id+"/suspend?preview=1", i.token("ann"), "")
			return i.web("POST", prefix+"/operator/accounts/"+i.user("bob").Id+"/suspend", i.token("ann"), "", digestHeader, p.str("digest"))
		}, true},
	} {
		id, _ := i.agentToken("bob", `{"expires":"2090-01-01"}`)
		other, _ := i.agentToken("ann", "{}")
		told = nil
		under, others := i.agentVisit(id), i.agentVisit(other)
		status, a := row.do(id)
		want(t, status, a, 200, "")
		if ended := under.Err() != nil; ended != row.ends || others.Err() != nil {
			t.Errorf("%s: ended %v, another's %v", row.name, ended, others.Err())
		}
		if row.ends != strings.Contains(strings.Join(told, " "), id) || strings.Contains(strings.Join(told, " "), other) {
			t.Errorf("%s: told of %v", row.name, told)
		}
	}
}

// TestOldTokensAreForgotten once they have been worth nothing for long.
func TestOldTokensAreForgotten(t *testing.T) {
	i := newInstance(t)
	now := time.Now()
	expired, _ := i.agentToken("ann", `{"expires":"`+now.AddDate(0, 0, 10).UTC().Format(time.RFC3339)+`"}`)
	revoked, _ := i.agentToken("ann", "{}")
	good, _ := i.agentToken("ann", "{}")
	status, a := i.web("DELETE", tokensPath+"/"+revoked, i.token("ann"), "")
	want(t, status, a, 200, "")
	for _, row := range []struct {
		days int
		left string
	}{{85, expired + revoked + good}, {95, expired + good}, {105, good}} {
		if err := i.clear(now.AddDate(0, 0, row.days)); err != nil {
			t.Fatal(err)
		}
		recs, err := i.pb.FindAllRecords(accounts.Tokens)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{expired, revoked, good} {
			left := false
			for _, rec := range recs {
				left = left || rec.Id == id
			}
			if left != strings.Contains(row.left, id) {
				t.Errorf("after %d days: %v", row.days, recs)
			}
		}
	}
}

// TestDiscardedWithTheToken: the person's own clients are told.
func TestDiscardedWithTheToken(t *testing.T) {
	i, base := badgeInstance(t)
	phone := i.connect(base)
	if status := i.listen(base, phone, i.token("ann"), topicProposals); status != 204 {
		t.Fatal(status)
	}
	claude := i.agent("ann", "Claude", "ask")
	p := i.asks(claude, "household_subscription_add", netflix)
	if got := phone.told(t); got != p.ID+" pending" {
		t.Error(got)
	}
	status, a := i.web("DELETE", tokensPath+"/"+claude.Agent, i.token("ann"), "")
	want(t, status, a, 200, "")
	if got := phone.told(t); got != p.ID+" discarded" {
		t.Error(got)
	}
	if now := i.stateOf(p); now.Reason == "" || now.Decided.IsZero() {
		t.Errorf("%+v", now)
	}
	status, a = i.web("POST", prefix+"/proposals/"+p.ID+"/confirm", i.token("ann"), `{"digest":"`+p.Digest+`"}`)
	want(t, status, a, 409, tools.Conflict)
}
