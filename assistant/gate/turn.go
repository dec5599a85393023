package gate

import (
	"context"
	"slices"
	"sync"

	"github.com/nodkeep/nodkeep/tools"
)

// Turn is what an assistant has read in one turn: it forgets with the turn what
// a token remembers for a while.
type Turn struct {
	mu    sync.Mutex
	taint []tools.Text
}

// NewTurn begins one in which text of these sources was read already.
func NewTurn(taint ...tools.Text) *Turn { return &Turn{taint: joined(nil, taint)} }

// Taint names the sources of text that the person did not write.
func (t *Turn) Taint() []tools.Text {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.taint)
}

func (t *Turn) tainted() bool { return t != nil && len(t.Taint()) > 0 }

func (t *Turn) add(sources []tools.Text) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.taint = joined(t.taint, sources)
}

// Assistant is an assistant as the agent of a person in a turn. Its actor has the
// assistant's id as Agent and no Token.
func (g *Gate) Assistant(ctx context.Context, who tools.Actor, t *Turn) (Agent, error) {
	a, err := g.assistant(ctx, who)
	a.turn = t
	return a, err
}

// assistant is that of an actor as it is now, in the turn that ctx is of. Outside
// of any, nobody knows what it has read: whatever changes something then asks.
func (g *Gate) assistant(ctx context.Context, who tools.Actor) (Agent, error) {
	if g.c.Assistant == nil || who.Agent == "" || who.Token != "" {
		return Agent{}, tools.Fail(tools.Forbidden, "gate.error.no_agent")
	}
	mode, err := g.c.Assistant(ctx, who.Person, who.Agent)
	if err != nil {
		return Agent{}, err
	}
	a := Agent{Actor: who, Mode: mode, All: true, DailyWrites: g.c.Writes, turn: NewTurn(tools.T("gate.taint.unknown"))}
	if in, ok := agentIn(ctx); ok && in.Actor == who && in.turn != nil {
		a.turn, a.Language = in.turn, in.Language
	}
	return a, nil
}

// Within is a context of what an agent reads past Call and Round, such as a
// briefing: by it the gate knows who is told.
func (g *Gate) Within(ctx context.Context, a Agent) context.Context { return withAgent(ctx, a) }
