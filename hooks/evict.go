package hooks

import (
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
	"github.com/pocketbase/pocketbase/tools/subscriptions"
)

// visitKey is where a realtime client keeps the request that it lives on.
const visitKey = "nodkeepVisit"

// bindEviction ends what is live of an account when it is approved no more, or
// gone, and of its sessions when they are worth nothing any more. That happens
// after the commit: what is rolled back ends nothing.
func (a *App) bindEviction() {
	// Before PocketBase's own handlers, which only take a connection's account.
	const before = -100
	a.pb.OnModelAfterUpdateSuccess(users).Bind(&hook.Handler[*core.ModelEvent]{Id: "nodkeepEvict", Priority: before, Func: func(e *core.ModelEvent) error {
		id, ok := e.Model.PK().(string)
		if !ok {
			return e.Next()
		}
		switch rec := recordOf(e.App, e.Model, id); {
		case rec == nil || !approved(rec):
			a.evict(id)
		case rec.GetRaw(rekeyedKey) != nil:
			rec.SetRaw(rekeyedKey, nil)
			a.endSessions(rec)
		}
		return e.Next()
	}})
	a.pb.OnModelAfterDeleteSuccess(users).Bind(&hook.Handler[*core.ModelEvent]{Id: "nodkeepEvict", Priority: before, Func: func(e *core.ModelEvent) error {
		if id, ok := e.Model.PK().(string); ok {
			a.evict(id)
		}
		return e.Next()
	}})
	a.pb.OnRealtimeConnectRequest().Bind(&hook.Handler[*core.RealtimeConnectRequestEvent]{Id: "nodkeepConnect", Priority: early, Func: func(e *core.RealtimeConnectRequestEvent) error {
		// It belongs to nobody yet: who a client is comes with its subscriptions.
		r, v, _ := a.visits.enter("", e.Response, e.Request)
		defer a.visits.leave(v)
		e.Request = r
		e.Client.Set(visitKey, v)
		return e.Next()
	}})
	a.pb.OnRealtimeSubscribeRequest().Bind(&hook.Handler[*core.RealtimeSubscribeRequestEvent]{Id: "nodkeepSubscribe", Priority: early, Func: func(e *core.RealtimeSubscribeRequestEvent) error {
		err := e.Next()
		// The account may have ended since the token was looked at, and its
		// connections with it, this one not yet being one of them.
		if e.Auth != nil && e.Auth.Collection().Name == users && a.visits.endedLately(e.Auth.Id) && a.stillHolds(e.Auth) != nil {
			a.disconnect(e.Client)
		}
		return err
	}})
}

// recordOf is the account of a model, by what was saved; nil where it is not known.
func recordOf(app core.App, m core.Model, id string) *core.Record {
	rec, ok := m.(*core.Record)
	if p, is := m.(core.RecordProxy); !ok && is {
		rec = p.ProxyRecord()
	}
	if rec == nil {
		rec, _ = app.FindRecordById(users, id)
	}
	return rec
}

// evict ends all that is live of an account: its requests, its streams, its
// realtime connections.
func (a *App) evict(account string) {
	a.agents.forget(account)
	a.visits.end(account)
	if a.loop != nil {
		a.loop.End(account)
	}
	if a.door != nil {
		a.door.DropPerson(account)
	}
	a.cut(account)
}

// endSessions ends what is live of the sessions of an account that has another key
// now: a new password, or signed out everywhere. Its agents go on.
func (a *App) endSessions(account *core.Record) {
	a.visits.endSessions(account.Id, account.TokenKey())
	if a.loop != nil {
		a.loop.Halt(account.Id)
	}
	a.cut(account.Id)
}

// cut ends the realtime connections of an account.
func (a *App) cut(account string) {
	for _, c := range a.pb.SubscriptionsBroker().Clients() {
		if rec, ok := c.Get(apis.RealtimeClientAuthKey).(*core.Record); ok && rec != nil && rec.Id == account && rec.Collection().Name == users {
			a.disconnect(c)
		}
	}
}

// disconnect ends a realtime connection, also one whose reader does not read.
func (a *App) disconnect(c subscriptions.Client) {
	c.Unset(apis.RealtimeClientAuthKey)
	a.pb.SubscriptionsBroker().Unregister(c.Id())
	if v, ok := c.Get(visitKey).(*visit); ok {
		a.visits.endOne(v)
	}
}
