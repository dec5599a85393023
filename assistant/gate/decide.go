package gate

import (
	"context"
	"slices"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Decide is asked by the runner, in the transaction of a call: what the agent
// may do is read again there, so that a token that was revoked or narrowed
// since changes nothing.
func (g *Gate) Decide(ctx context.Context, app core.App, who tools.Actor, w tools.Weight) (tools.Decision, error) {
	if who.Agent == "" {
		return tools.DecidePerson(ctx, app, who, w)
	}
	a, known := agentIn(ctx)
	// A read tells nothing that the request's own token did not allow a moment ago.
	if !known || a.Actor != who || w.Effect != tools.EffectRead {
		var err error
		if a, err = g.again(ctx, app, who); err != nil {
			return tools.Refuse, err
		}
	}
	d, err := g.decide(a, w)
	if err == nil && d == tools.Run && !isNodded(ctx) && w.Effect != tools.EffectRead {
		err = g.withinDay(ctx, app, a)
	}
	if err != nil {
		return tools.Refuse, err
	}
	return d, nil
}

// again reads the agent of an actor as it is now.
func (g *Gate) again(ctx context.Context, app core.App, who tools.Actor) (Agent, error) {
	if who.Token == "" {
		return g.assistant(ctx, who)
	}
	if who.Token != who.Agent {
		return Agent{}, tools.Fail(tools.Forbidden, "gate.error.no_agent")
	}
	a, _, err := g.agent(ctx, app, dbx.HashExp{"id": who.Token, "person": who.Person})
	if err != nil {
		return Agent{}, err
	}
	return a, nil
}

// decide is the table: the mode, and whatever tightens it.
func (g *Gate) decide(a Agent, w tools.Weight) (tools.Decision, error) {
	if err := g.reach(a, w.Tool); err != nil {
		return tools.Refuse, err
	}
	mode := a.Mode
	if a.Tainted(g.now()) && mode != ModeRead {
		mode = ModeAsk
	}
	switch d := mode.decide(w); {
	case d == tools.Refuse:
		return d, tools.Fail(tools.Forbidden, "gate.error.read_only")
	case d == tools.Run && w.Effect != tools.EffectRead && g.tightened(w.Tool) == tools.Ask:
		return tools.Ask, nil
	default:
		return d, nil
	}
}

// tightened is what settings and plugins say of a tool, whatever the mode: Run
// where they say nothing.
func (g *Gate) tightened(tool string) tools.Decision {
	own := g.c.Registry.Guard(tool)
	switch {
	case own != tools.Run && own != tools.Ask, slices.Contains(g.c.Forbid, tool):
		return tools.Refuse
	case own == tools.Ask, slices.Contains(g.c.Asks, tool):
		return tools.Ask
	}
	return tools.Run
}

// withinDay refuses what goes beyond the agent's writes of a day, which begins
// at midnight UTC.
func (g *Gate) withinDay(ctx context.Context, app core.App, a Agent) error {
	n, err := g.run.Writes(ctx, app, a.Actor, g.now().Truncate(24*time.Hour), a.DailyWrites)
	if err != nil {
		return err
	}
	if n >= a.DailyWrites {
		return tools.Fail(tools.Limit, "gate.error.daily", a.DailyWrites)
	}
	return nil
}

// agentKey carries the agent of a request to the runner and back.
type agentKey struct{}

func withAgent(ctx context.Context, a Agent) context.Context {
	return context.WithValue(within(ctx, a.Scope), agentKey{}, a)
}

// within runs what comes after in the scope of a question, if it has one.
func within(ctx context.Context, s *tools.Scope) context.Context {
	if s == nil {
		return ctx
	}
	return tools.WithScope(ctx, *s)
}

func agentIn(ctx context.Context) (Agent, bool) {
	a, ok := ctx.Value(agentKey{}).(Agent)
	return a, ok
}
