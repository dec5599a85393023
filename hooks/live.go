package hooks

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/pocketbase/pocketbase/core"
)

const (
	// lateness is how long after an account's end a request may still arrive
	// whose token was looked up before it.
	lateness = time.Minute
	// farewell is how long an answer that is under way may take to be written
	// when its account ends. A reader that does not read would hold it for ever.
	farewell = 500 * time.Millisecond
)

// live is what each account, and each token of one, has under way, so that it can be ended: requests,
// and streams, which are long requests. Its zero value is ready.
type live struct {
	mu    sync.Mutex
	of    map[string]*visit    // the newest of an account; the others hang on it
	ended map[string]time.Time // accounts that ended of late
}

// visit is one request of an account.
type visit struct {
	account    string
	session    string // the key of the account that it was made with; "" for who did not sign in
	next, prev *visit
	cancel     context.CancelFunc
	answer     http.ResponseWriter // nil once it is over
}

// enter notes a request until leave. Its context ends with the account's
// standing. late says that the account ended a moment ago, so that what is
// known of it may be older than that.
func (l *live) enter(account string, w http.ResponseWriter, r *http.Request) (_ *http.Request, v *visit, late bool) {
	return l.enterIn("", account, w, r)
}

// enterIn is enter for a request of a session.
func (l *live) enterIn(session, account string, w http.ResponseWriter, r *http.Request) (_ *http.Request, v *visit, late bool) {
	ctx, cancel := context.WithCancel(r.Context())
	v = &visit{account: account, session: session, cancel: cancel, answer: w}
	l.mu.Lock()
	if l.of == nil {
		l.of = map[string]*visit{}
	}
	if v.next = l.of[account]; v.next != nil {
		v.next.prev = v
	}
	l.of[account] = v
	if len(l.ended) > 0 {
		late = l.lately(account)
	}
	l.mu.Unlock()
	return r.WithContext(ctx), v, late
}

// leave forgets a visit that is over.
func (l *live) leave(v *visit) {
	l.mu.Lock()
	v.answer = nil
	if v.next != nil {
		v.next.prev = v.prev
	}
	switch {
	case v.prev != nil:
		v.prev.next = v.next
	case v.next != nil:
		l.of[v.account] = v.next
	default:
		delete(l.of, v.account)
	}
	l.mu.Unlock()
	v.cancel()
}

// end ends all that an account has under way.
func (l *live) end(account string) { l.endWhere(account, func(*visit) bool { return true }) }

// endSessions ends what the sessions of an account have under way that were made
// with another key than it has now. What its agents do goes on.
func (l *live) endSessions(account, key string) {
	l.endWhere(account, func(v *visit) bool { return v.session != "" && v.session != key })
}

func (l *live) endWhere(account string, which func(*visit) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for id, at := range l.ended {
		if now.Sub(at) > lateness {
			delete(l.ended, id)
		}
	}
	if l.ended == nil {
		l.ended = map[string]time.Time{}
	}
	l.ended[account] = now
	for v := l.of[account]; v != nil; v = v.next {
		if which(v) {
			v.end(now)
		}
	}
}

// end ends one visit; live's lock is held.
func (v *visit) end(now time.Time) {
	v.cancel()
	if v.answer == nil {
		return
	}
	// Not every connection has deadlines; those that have none hold no reader.
	c := http.NewResponseController(v.answer)
	_ = c.SetWriteDeadline(now.Add(farewell))
	_ = c.SetReadDeadline(now.Add(farewell))
}

// endOne ends one visit, unless it is over.
func (l *live) endOne(v *visit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v.end(time.Now())
}

// endedLately says that an account ended a moment ago.
func (l *live) endedLately(account string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lately(account)
}

// lately says that an account ended a moment ago; the lock is held.
func (l *live) lately(account string) bool {
	at, ok := l.ended[account]
	return ok && time.Since(at) <= lateness
}

// enter notes a request of the member that it acts for, until leave. It costs a
// query only where the account ended a moment ago: then it may have been read
// before that.
func (a *App) enter(e *core.RequestEvent, member *core.Record) (*visit, error) {
	r, v, late := a.visits.enterIn(member.TokenKey(), member.Id, e.Response, e.Request)
	if late {
		if err := a.stillHolds(member); err != nil {
			a.visits.leave(v)
			return nil, err
		}
	}
	e.Request = r
	return v, nil
}
