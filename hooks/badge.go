package hooks

import (
	"encoding/json/v2"
	"sync"
	"time"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
	"github.com/pocketbase/pocketbase/tools/subscriptions"
)

// badgePause is how long a client that was told is left alone: of a burst of
// sign-ups it hears the first, and then where they stand.
const badgePause = 300 * time.Millisecond

// listenerKey is where a realtime client keeps what it was told, so that this
// goes when the client does.
const listenerKey = "nodkeepListener"

// badge tells operators how many wait. Sending to a client blocks for as long
// as its reader does not read, so each has at most one goroutine, which sends
// what is true then, however often it was rung for in between.
type badge struct {
	pause time.Duration
	mu    sync.Mutex // of making listeners
	fan   bell       // goes through the clients
	gate  sync.RWMutex
	over  bool // the folder is closed, or about to be
}

// listener is what a client was told, and what rings for it.
type listener struct {
	bell
	fresh bool  // it asked just now, and is told whatever it knows; bell's lock
	told  int64 // the last number, -1 before; its goroutine's alone
}

// bindBadge rings after every commit that touches an account, whoever wrote,
// and when somebody subscribes. Whether the number is another is seen where it
// is read: after the commit, in nobody's transaction.
func (a *App) bindBadge() {
	a.badge.pause = badgePause
	after := &hook.Handler[*core.ModelEvent]{Id: "nodkeepBadge", Func: func(e *core.ModelEvent) error {
		err := e.Next()
		a.ring()
		return err
	}}
	a.pb.OnModelAfterCreateSuccess(users).Bind(after)
	a.pb.OnModelAfterUpdateSuccess(users).Bind(after)
	a.pb.OnModelAfterDeleteSuccess(users).Bind(after)
	a.pb.OnRealtimeSubscribeRequest().Bind(&hook.Handler[*core.RealtimeSubscribeRequestEvent]{Id: "nodkeepBadge", Func: func(e *core.RealtimeSubscribeRequestEvent) error {
		if err := e.Next(); err != nil {
			return err
		}
		if len(listens(e.Client)) > 0 {
			a.ringFor(e.Client, true)
		}
		return nil
	}})
}

// ring has all who listen told, if there is something to tell. It never waits.
func (a *App) ring() {
	if a.pb.SubscriptionsBroker().TotalClients() == 0 {
		return // a command without a server, for one
	}
	a.badge.fan.ring(0, func() {
		for _, c := range a.pb.SubscriptionsBroker().Clients() {
			if len(listens(c)) > 0 {
				a.ringFor(c, false)
			}
		}
	})
}

// listens gives the subscriptions of a client to the topic, with their options.
func listens(c subscriptions.Client) map[string]subscriptions.SubscriptionOptions {
	return c.Subscriptions(topicWaiting + "?")
}

// ringFor has one client told.
func (a *App) ringFor(c subscriptions.Client, fresh bool) {
	a.badge.mu.Lock()
	l, ok := c.Get(listenerKey).(*listener)
	if !ok {
		l = &listener{told: -1}
		c.Set(listenerKey, l)
	}
	a.badge.mu.Unlock()
	if fresh {
		l.mu.Lock()
		l.fresh = true
		l.mu.Unlock()
	}
	l.ring(a.badge.pause, func() { a.tell(c, l) })
}

// tell sends a client how many wait, if it may know and does not.
func (a *App) tell(c subscriptions.Client, l *listener) {
	n, may := a.waitingFor(c)
	l.mu.Lock()
	fresh := l.fresh
	l.fresh = false
	l.mu.Unlock()
	if !may || n == l.told && !fresh {
		return
	}
	data, err := json.Marshal(map[string]int64{"waiting": n})
	if err != nil {
		return // a number is always JSON
	}
	for subscription := range listens(c) {
		c.Send(subscriptions.Message{Name: subscription, Data: data})
	}
	l.told = n
}

// waitingFor counts those who wait, for a client whose person looks after the
// instance: as stored now, whatever the client was when it subscribed.
func (a *App) waitingFor(c subscriptions.Client) (n int64, may bool) {
	a.badge.gate.RLock()
	defer a.badge.gate.RUnlock()
	was, _ := c.Get(apis.RealtimeClientAuthKey).(*core.Record)
	if was == nil || a.badge.over || c.IsDiscarded() {
		return 0, false
	}
	rec, err := a.pb.FindRecordById(was.Collection().Name, was.Id)
	if err != nil || !rec.IsSuperuser() && !operates(rec) {
		return 0, false
	}
	n, err = countWaiting(a.pb)
	if err != nil {
		a.pb.Logger().Warn("who waits was not counted", "error", err)
	}
	return n, err == nil
}

// closeBadge lets nobody be told any more, and waits for whoever is reading.
func (a *App) closeBadge() {
	a.badge.gate.Lock()
	a.badge.over = true
	a.badge.gate.Unlock()
}

// bell has something done soon after it was rung, in a goroutine of its own:
// never twice at a time, and once more where it was rung meanwhile. Its zero
// value is ready.
type bell struct {
	mu         sync.Mutex
	rung, busy bool
}

// ring has do done, with a pause after it before it is done again. It never
// waits. Who rings for the same bell rings for the same thing.
func (b *bell) ring(pause time.Duration, do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rung = true
	if b.busy {
		return
	}
	b.busy = true
	go func() {
		for b.next() {
			do()
			time.Sleep(pause)
		}
	}()
}

// next takes what was rung for; false ends the goroutine.
func (b *bell) next() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy = b.rung
	b.rung = false
	return b.busy
}
