package hooks

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/subscriptions"

	"github.com/nodkeep/nodkeep/tools"
)

// stand gives an account a status as every writer would: by saving a record
// that was just loaded.
func (i *instance) stand(handle, status string) {
	i.t.Helper()
	rec := i.user(handle)
	rec.Set("status", status)
	if err := i.pb.Save(rec); err != nil {
		i.t.Fatal(err)
	}
}

// listener is a realtime client of a member, as PocketBase has it.
func (i *instance) listener(handle string) subscriptions.Client {
	c := subscriptions.NewDefaultClient()
	c.Set(apis.RealtimeClientAuthKey, i.user(handle))
	i.pb.SubscriptionsBroker().Register(c)
	return c
}

// visit enters as a request of a member does, and gives its context.
func (i *instance) visit(handle string) context.Context {
	e := &core.RequestEvent{App: i.pb, Auth: i.user(handle)}
	e.Request, e.Response = httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
	if _, err := i.enter(e, e.Auth); err != nil {
		i.t.Fatal(err)
	}
	return e.Request.Context()
}

func TestWhatIsLiveEndsWithTheApproval(t *testing.T) {
	errBack := errors.New("back")
	rows := []struct {
		name string
		do   func(i *instance, rec *core.Record) error
		ends bool
	}{
		{"suspended", func(i *instance, rec *core.Record) error { rec.Set("status", "suspended"); return i.pb.Save(rec) }, true},
		{"no status", func(i *instance, rec *core.Record) error { rec.Set("status", ""); return i.pb.Save(rec) }, true},
		{"deleted", func(i *instance, rec *core.Record) error { return i.pb.Delete(rec) }, true},
		{"the saved record is the one that a client keeps", func(i *instance, rec *core.Record) error {
			i.pb.SubscriptionsBroker().Register(func() subscriptions.Client {
				c := subscriptions.NewDefaultClient()
				c.Set(apis.RealtimeClientAuthKey, rec)
				return c
			}())
			rec.Set("language", "de")
			if err := i.pb.Save(rec); err != nil {
				return err
			}
			rec.Set("status", "suspended")
			return i.pb.Save(rec)
		}, true},
		{"in a transaction", func(i *instance, rec *core.Record) error {
			return i.pb.RunInTransaction(func(tx core.App) error { rec.Set("status", "refused"); return tx.Save(rec) })
		}, true},
		{"rolled back", func(i *instance, rec *core.Record) error {
			err := i.pb.RunInTransaction(func(tx core.App) error {
				rec.Set("status", "suspended")
				return errors.Join(tx.Save(rec), errBack)
			})
			if errors.Is(err, errBack) {
				return nil
			}
			return errors.New("it was kept")
		}, false},
		{"a deletion rolled back", func(i *instance, rec *core.Record) error {
			_ = i.pb.RunInTransaction(func(tx core.App) error { return errors.Join(tx.Delete(rec), errBack) })
			return nil
		}, false},
		{"another change", func(i *instance, rec *core.Record) error { rec.Set("language", "de"); return i.pb.Save(rec) }, false},
	}
	i := newInstance(t)
	for n, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			handle := "member-" + string(rune('a'+n))
			i.member(handle)
			token, request, client, other := i.token(handle), i.visit(handle), i.listener(handle), i.listener("bob")
			if err := row.do(i, i.user(handle)); err != nil {
				t.Fatal(err)
			}
			if got := request.Err() != nil; got != row.ends {
				t.Errorf("a request under way ended: %t", got)
			}
			if got := client.IsDiscarded(); got != row.ends {
				t.Errorf("a realtime connection ended: %t", got)
			}
			if other.IsDiscarded() {
				t.Error("somebody else's connection ended")
			}
			for _, c := range i.pb.SubscriptionsBroker().Clients() {
				if rec, _ := c.Get(apis.RealtimeClientAuthKey).(*core.Record); row.ends && rec != nil && rec.GetString("handle") == handle {
					t.Error("a connection of the account is still there")
				}
			}
			if _, err := i.pb.FindAuthRecordByToken(token, core.TokenTypeAuth); (err != nil) != row.ends {
				t.Errorf("the token: %v", err)
			}
		})
	}
}

// TestSessionsEndWithTheirKey: a new password, or signing out everywhere, ends what
// sessions have under way, and nothing of agents or others.
func TestSessionsEndWithTheirKey(t *testing.T) {
	for name, by := range map[string]struct{ path, body string }{
		"signed out everywhere": {"/me/signout", ""},
		"a new password":        {"/me/password", `{"password":"a long password","new":"another long password"}`},
	} {
		t.Run(name, func(t *testing.T) {
			i := newInstance(t)
			id, secret := i.agentToken("ann", `{"name":"Claude"}`)
			v, token, before := i.signedInAs("ann"), i.token("ann"), i.entries()
			request, client, other := i.visit("ann"), i.listener("ann"), i.listener("bob")
			r, agent, _ := i.visits.enter(i.user("ann").Id, httptest.NewRecorder(), httptest.NewRequest("POST", mcpPath, nil))
			defer i.visits.leave(agent)
			tool := i.agentVisit(id)
			status, a := i.web("POST", prefix+by.path+"?preview=1", token, by.body)
			want(t, status, a, 200, "")
			if request.Err() != nil || client.IsDiscarded() || i.entries() != before {
				t.Error("a preview ended something")
			}
			status, a = i.web("POST", prefix+by.path, token, by.body)
			want(t, status, a, 200, "")
			if i.entries() != before+1 || strings.Contains(a.String(), i.user("ann").TokenKey()) {
				t.Errorf("%d entries more: %s", i.entries()-before, a)
			}
			if request.Err() == nil || !client.IsDiscarded() {
				t.Error("something of a session goes on")
			}
			if other.IsDiscarded() || tool.Err() != nil || r.Context().Err() != nil {
				t.Error("something of an agent, or of somebody else, ended")
			}
			status, a = i.web("GET", prefix+"/me", token, "")
			want(t, status, a, 401, tools.Unauthorized)
			if _, body, _ := v.do("GET", nodPath, nil); strings.Contains(body, "Signed in as ann") {
				t.Error("the plain pages know the session still")
			}
			if _, a := i.rpc(secret, "tools/list", ""); a.at("result", "tools") == nil {
				t.Errorf("the agent's token: %s", a)
			}
			again := i.visit("ann")
			if status, a := i.web("POST", prefix+"/me", i.token("ann"), `{"language":"de"}`); status != 200 || again.Err() != nil {
				t.Errorf("a new session: %d %s", status, a)
			}
		})
	}
}

// member makes an approved account, with a password that is cheap to hash.
func (i *instance) member(handle string) *core.Record {
	i.t.Helper()
	col, err := i.pb.FindCollectionByNameOrId(users)
	if err != nil {
		i.t.Fatal(err)
	}
	if p, ok := col.Fields.GetByName(core.FieldNamePassword).(*core.PasswordField); ok && p.Cost != 4 {
		p.Cost = 4
		if err := i.pb.Save(col); err != nil {
			i.t.Fatal(err)
		}
	}
	status, a := i.local("POST", "/operator/accounts", "", `{"handle":"`+handle+`","email":"`+handle+`@example.com","password":"a long password"}`)
	want(i.t, status, a, 200, "")
	return i.user(handle)
}

// TestAnOldCopyBringsNothingBack: PocketBase writes a record whole, so whoever
// loaded it before a suspension would undo it.
func TestAnOldCopyBringsNothingBack(t *testing.T) {
	i := newInstance(t)
	old, again := i.user("ann"), i.user("ann")
	oldKey := old.TokenKey()
	i.stand("ann", "suspended")
	key := i.user("ann").TokenKey()
	if key == oldKey {
		t.Error("the key is as it was")
	}
	old.Set("language", "de")
	if err := i.pb.Save(old); err != nil {
		t.Fatal(err)
	}
	if ann := i.user("ann"); ann.GetString("status") != "suspended" || ann.GetString("language") != "de" || ann.TokenKey() != key {
		t.Errorf("%q, %q, the key is another: %t", ann.GetString("status"), ann.GetString("language"), ann.TokenKey() != key)
	}
	again.SetPassword("another long password")
	if err := i.pb.Save(again); err != nil {
		t.Fatal(err)
	}
	if ann := i.user("ann"); ann.GetString("status") != "suspended" || ann.TokenKey() == oldKey || !ann.ValidatePassword("another long password") {
		t.Errorf("%q after a new password", ann.GetString("status"))
	}
	// Of an approval too: its date stays, and the words stay away.
	waits := i.member("wanda")
	waits.Set("status", "waiting")
	waits.Set("approved", "")
	waits.Set("words", "sealed")
	if err := i.pb.Save(waits); err != nil {
		t.Fatal(err)
	}
	waits = i.user("wanda")
	i.stand("wanda", "approved")
	waits.SetVerified(true)
	if err := i.pb.Save(waits); err != nil {
		t.Fatal(err)
	}
	if now := i.user("wanda"); now.GetString("status") != "approved" || now.GetDateTime("approved").IsZero() || now.GetString("words") != "" {
		t.Errorf("an approval undone: %q, approved %s, words %q", now.GetString("status"), now.GetDateTime("approved"), now.GetString("words"))
	}
	// What a writer means is done, from one record in turn and from a new one.
	rec := i.user("bob")
	for _, status := range []string{"suspended", "approved", "waiting", "approved", "suspended"} {
		was := i.user("bob")
		rec.Set("status", status)
		if err := i.pb.Save(rec); err != nil {
			t.Fatal(err)
		}
		bob := i.user("bob")
		if bob.GetString("status") != status {
			t.Errorf("%s became %s", status, bob.GetString("status"))
		}
		if ends := was.GetString("status") == "approved"; (bob.TokenKey() != was.TokenKey()) != ends {
			t.Errorf("%s -> %s: the key changed: %t", was.GetString("status"), status, !ends)
		}
	}
	made := core.NewRecord(rec.Collection())
	made.Set("handle", "cy")
	made.SetPassword("a long password")
	made.Set("status", "approved")
	for range 2 {
		if err := i.pb.Save(made); err != nil {
			t.Fatal(err)
		}
		i.stand("cy", "suspended")
		made.Set("language", "de")
	}
	if got := i.user("cy").GetString("status"); got != "suspended" {
		t.Errorf("from the record it was made with: %s", got)
	}
}

// TestAPreviewEndsNothing: what is only shown did not happen.
func TestAPreviewEndsNothing(t *testing.T) {
	i := newInstance(t)
	i.pb.OnRecordCreate("household_categories").BindFunc(func(e *core.RecordEvent) error {
		rec, err := e.App.FindFirstRecordByData(users, "handle", "bob")
		if err != nil {
			return err
		}
		rec.Set("status", "suspended")
		return errors.Join(e.App.Save(rec), e.Next())
	})
	request, client := i.visit("bob"), i.listener("bob")
	status, a := i.call("household_category_add?preview=1", i.token("ann"), `{"name":"Books"}`)
	if status != 200 || !strings.Contains(a.String(), "digest") {
		t.Fatal(status, a)
	}
	if request.Err() != nil || client.IsDiscarded() || i.user("bob").GetString("status") != "approved" {
		t.Error("a preview ended something")
	}
	status, a = i.call("household_category_add", i.token("ann"), `{"name":"Books"}`)
	want(t, status, a, 200, "")
	if request.Err() == nil || !client.IsDiscarded() {
		t.Error("the change itself ended nothing")
	}
}

// TestARequestThatComesLate was let in before the account ended, and goes on
// after it.
func TestARequestThatComesLate(t *testing.T) {
	i := newInstance(t)
	before := i.user("ann")
	late := func(rec *core.Record) error {
		e := &core.RequestEvent{App: i.pb, Auth: rec}
		e.Request, e.Response = httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		_, err := i.enter(e, e.Auth)
		return err
	}
	i.stand("ann", "suspended")
	if late(before) == nil {
		t.Error("it went on while suspended")
	}
	i.stand("ann", "approved")
	if late(before) == nil {
		t.Error("it went on with a token that was ended")
	}
	if err := late(i.user("ann")); err != nil {
		t.Errorf("restored: %v", err)
	}
	// A connection that subscribes with what it had before.
	client := subscriptions.NewDefaultClient()
	i.pb.SubscriptionsBroker().Register(client)
	e := &core.RealtimeSubscribeRequestEvent{Client: client, RequestEvent: &core.RequestEvent{App: i.pb, Auth: before}}
	e.Request, e.Response = httptest.NewRequest("POST", "/api/realtime", nil), httptest.NewRecorder()
	err := i.pb.OnRealtimeSubscribeRequest().Trigger(e, func(e *core.RealtimeSubscribeRequestEvent) error {
		e.Client.Set(apis.RealtimeClientAuthKey, e.Auth)
		return nil
	})
	if err != nil || !client.IsDiscarded() {
		t.Errorf("it stays subscribed: %v", err)
	}
	i.visits.mu.Lock()
	defer i.visits.mu.Unlock()
	for id := range i.visits.ended {
		i.visits.ended[id] = time.Now().Add(-2 * lateness)
	}
	if i.visits.lately(before.Id) {
		t.Error("it is remembered for ever")
	}
}
