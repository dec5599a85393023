package gate

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Propose previews calls together and keeps them for the person to nod. Each
// call may need what those before it did. Nothing is written of what they would
// do.
func (g *Gate) Propose(ctx context.Context, a Agent, invs ...tools.Invocation) (Proposal, error) {
	ctx = withAgent(ctx, a)
	for _, inv := range invs {
		if _, err := g.decide(a, tools.Weight{Tool: inv.Tool, Effect: g.effect(inv.Tool)}); err != nil {
			return Proposal{}, g.refuse(a, inv, err)
		}
	}
	p, err := g.propose(ctx, a, invs)
	if err != nil && len(invs) > 0 {
		return p, g.refuse(a, invs[max(0, placeOf(err)-1)], err)
	}
	return p, err
}

func (g *Gate) propose(ctx context.Context, a Agent, invs []tools.Invocation) (Proposal, error) {
	if err := g.withinDay(ctx, g.app, a); err != nil {
		return Proposal{}, err
	}
	if err := g.askedEnough(ctx, g.app, a); err != nil {
		return Proposal{}, err // before it costs a preview
	}
	// As it is now: it may have read something since the request was let in.
	scope := a.Scope
	a, err := g.again(ctx, g.app, a.Actor)
	if err != nil {
		return Proposal{}, err
	}
	p, err := g.draft(ctx, a.Actor, a.Taint(), scope, invs)
	if err != nil {
		return Proposal{}, err
	}
	if err := withinPlugins(a, p); err != nil {
		return Proposal{}, err
	}
	err = g.app.RunInTransaction(func(tx core.App) error {
		now, err := g.again(ctx, tx, a.Actor)
		if err != nil {
			return err // revoked meanwhile
		}
		if err := g.askedEnough(ctx, tx, now); err != nil {
			return err
		}
		return g.insert(tx, &p)
	})
	if err != nil {
		return Proposal{}, err
	}
	g.c.Told(a.Person, p.ID)
	return p, nil
}

// withinPlugins refuses an undo that reaches into plugins that the token was not
// given: what it takes back is known once it was tried.
func withinPlugins(a Agent, p Proposal) error {
	for _, it := range p.Items {
		if it.Tool != tools.UndoTool || len(a.Plugins) == 0 {
			continue
		}
		for _, c := range it.Changes {
			if !slices.ContainsFunc(a.Plugins, func(name string) bool { return strings.HasPrefix(c.Collection, name+"_") }) {
				return tools.Fail(tools.Forbidden, "gate.error.plugin", tools.UndoTool, c.Collection)
			}
		}
		if it.Unseen > 0 {
			return tools.Fail(tools.Forbidden, "gate.error.plugin", tools.UndoTool, tools.T("card.unseen", it.Unseen))
		}
	}
	return nil
}

// askedEnough refuses an agent that asked as often today as it may. What is
// decided at once, a client's no for one, is never among those that wait.
func (g *Gate) askedEnough(ctx context.Context, app core.App, a Agent) error {
	day, most := tools.Stamp(g.now().Truncate(24*time.Hour)), max(g.c.Asked, 2*a.DailyWrites)
	var n int
	err := app.DB().Select("count(*)").From(tools.ProposalsTable).
		Where(dbx.HashExp{"person": a.Person, "agent": a.Agent}).AndWhere(dbx.NewExp("created >= {:day}", dbx.Params{"day": day})).WithContext(ctx).Row(&n)
	if err == nil && n >= most {
		err = tools.Fail(tools.Limit, "gate.error.asked", most)
	}
	return err
}

// draft is a proposal that is not kept yet. It finds what is in the scope of the
// question that it comes from.
func (g *Gate) draft(ctx context.Context, who tools.Actor, taint []tools.Text, scope *tools.Scope, invs []tools.Invocation) (Proposal, error) {
	if _, acts := agentIn(ctx); !acts { // a person looks: what is read goes to nobody else
		a, err := g.again(ctx, g.app, who)
		if err != nil {
			return Proposal{}, err
		}
		ctx = withAgent(ctx, a)
	}
	pre, err := g.run.Preview(within(ctx, scope), who, invs...)
	if err != nil {
		return Proposal{}, err
	}
	p := Proposal{
		State: Pending, Items: itemsOf(pre, taint), Digest: pre.Digest, Expires: pre.Expires, Created: g.now(), Actor: who,
		calls: make([]tools.Invocation, len(pre.Items)), scope: scope,
	}
	for i, it := range pre.Items {
		p.calls[i] = it.Invocation
	}
	p.Card = card(p.Items)
	return p, nil
}

// effect is what a tool says of itself.
func (g *Gate) effect(tool string) tools.Effect {
	if t, ok := g.c.Registry.Tool(tool); ok {
		return t.Effect
	}
	return tools.EffectWrite // an undo; what is no tool is refused for that
}

// refuse leaves a trace of what an agent may not change.
func (g *Gate) refuse(a Agent, inv tools.Invocation, why error) error {
	return g.run.Refuse(a.Actor, inv, why)
}
