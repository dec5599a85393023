package hooks

import (
	"context"
	"sync"
	"time"

	"github.com/nodkeep/nodkeep/assistant/mcp"
	"github.com/nodkeep/nodkeep/tools"
)

const (
	// mostAgents bounds how many tokens are remembered at a time.
	mostAgents = 2000
	// rememberAgent is how long a token is remembered: long enough for a model
	// that calls one tool after the other.
	rememberAgent = 10 * time.Second
)

// agents are tokens that were looked at a moment ago: an agent calls often, and
// to look at its token takes as long as a small read. What changes a token or an
// account in this process, which is the only one, is heard of and forgotten at
// once. Who changes something is looked at again all the same, where the change
// is made. Its zero value is ready.
type agents struct {
	mu      sync.Mutex
	of      map[string]remembered // by the hash of a token
	changes int                   // how often something was forgotten
}

type remembered struct {
	mcp.Visitor
	until time.Time
}

func (s *agents) get(hash string, now time.Time) (v mcp.Visitor, changes int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.of[hash]
	return r.Visitor, s.changes, ok && now.Before(r.until) && (r.Agent.Expires.IsZero() || now.Before(r.Agent.Expires))
}

// put remembers an agent, unless something was forgotten while it was looked up.
func (s *agents) put(hash string, v mcp.Visitor, changes int, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changes != changes {
		return
	}
	if s.of == nil || len(s.of) >= mostAgents {
		s.of = map[string]remembered{}
	}
	s.of[hash] = remembered{v, now.Add(rememberAgent)}
}

// forget forgets all of a token or an account.
func (s *agents) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes++
	for hash, r := range s.of {
		if r.Agent.Token == id || r.Agent.Person == id {
			delete(s.of, hash)
		}
	}
}

// visitor is the agent of a token's secret, and its person.
func (a *App) visitor(ctx context.Context, secret string) (v mcp.Visitor, err error) {
	hash, now := tools.Hash(secret), time.Now()
	v, changes, ok := a.agents.get(hash, now)
	if ok {
		return v, nil
	}
	if v.Agent, v.Person, err = a.gate.Token(ctx, secret); err != nil {
		return mcp.Visitor{}, err
	}
	a.agents.put(hash, v, changes, now)
	return v, nil
}
