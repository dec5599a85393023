package mcp

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/assistant/gate"
)

// seat is the server of one token, with its sessions.
type seat struct {
	door   *Door
	token  string
	person string
	server *mcp.Server
	works  chan struct{} // a place for each call that is at work

	mu         sync.Mutex
	agent      gate.Agent      // as it was last seen
	tools      map[string]bool // nil before the lists are made
	resources  map[string]bool // by address
	prompts    map[string]bool
	subscribed map[string]bool // addresses that somebody listens to, or did
	untold     map[string]bool // addresses of notices that are still to be sent
	telling    bool            // somebody sends them
	here       int             // requests under way
	last       time.Time       // when the last one ended
}

// mostAtWork is how many calls of a token run at a time; the others wait for
// them. One agent that asks for everything at once slows itself down, not others.
const mostAtWork = 8

// work waits for a place among the calls of the token that are at work. A call
// that waits for a person needs none.
func (s *seat) work(ctx context.Context) (leave func(), err error) {
	select {
	case s.works <- struct{}{}:
		return func() { <-s.works }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *seat) enter() {
	s.mu.Lock()
	s.here++
	s.mu.Unlock()
}

func (s *seat) leave(now func() time.Time) {
	s.mu.Lock()
	s.here--
	s.last = now()
	s.mu.Unlock()
}

// idle says that nobody has used the seat since a time, and no session is left.
func (s *seat) idle(since time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range s.server.Sessions() {
		return false
	}
	return s.here == 0 && s.last.Before(since)
}

// MaxSessions is how many sessions a token has. A client that begins again and
// again without ending one loses the oldest, which it has most likely forgotten.
const MaxSessions = 500

// bound ends the oldest sessions where there are as many as may be.
func (s *seat) bound() {
	var of []*mcp.ServerSession // the oldest first
	for session := range s.server.Sessions() {
		if session.ID() != "" { // others are no longer than their request
			of = append(of, session)
		}
	}
	for _, session := range of[:max(len(of)-MaxSessions+1, 0)] {
		go func() { _ = session.Close() }() // it waits for the calls under way
	}
}

// seat is that of an agent's token, entered. Its lists follow the token: a new mode or
// language changes them, and tells the sessions.
func (d *Door) seat(a gate.Agent) *seat {
	d.mu.Lock()
	s := d.seats[a.Token]
	if s == nil {
		d.sweep()
		s = d.newSeat(a)
		d.seats[a.Token] = s
	}
	s.enter() // before somebody sweeps
	d.mu.Unlock()
	s.follow(a)
	return s
}

func (d *Door) newSeat(a gate.Agent) *seat {
	s := &seat{works: make(chan struct{}, mostAtWork), door: d, token: a.Token, person: a.Person, last: d.c.Now()}
	s.server = d.newServer(s, a)
	return s
}

// sweep forgets the seats that nobody uses any more; the lock is held.
func (d *Door) sweep() {
	now := d.c.Now()
	if now.Sub(d.swept) < time.Minute {
		return
	}
	d.swept = now
	for token, s := range d.seats {
		if s.idle(now.Add(-d.c.Idle)) {
			delete(d.seats, token)
		}
	}
}

// Drop ends the sessions of a token, and forgets it.
func (d *Door) Drop(token string) {
	d.drop(func(s *seat) bool { return s.token == token })
}

// DropPerson ends the sessions of all tokens of a person.
func (d *Door) DropPerson(person string) {
	d.drop(func(s *seat) bool { return s.person == person })
}

// Close ends all sessions.
func (d *Door) Close() {
	d.drop(func(*seat) bool { return true })
	d.notice.close()
}

func (d *Door) drop(which func(*seat) bool) {
	var gone []*seat
	d.mu.Lock()
	for token, s := range d.seats {
		if which(s) {
			delete(d.seats, token)
			gone = append(gone, s)
		}
	}
	d.mu.Unlock()
	for _, s := range gone {
		for session := range s.server.Sessions() {
			// It waits for the calls under way, which have their own end.
			go func() { _ = session.Close() }()
		}
	}
}

// alike says that the lists of two agents are the same.
func alike(a, b gate.Agent) bool {
	return a.Mode == b.Mode && a.All == b.All && a.Language == b.Language && slices.Equal(a.Plugins, b.Plugins)
}
