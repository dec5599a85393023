package gate

import (
	"context"

	"github.com/nodkeep/nodkeep/tools"
)

// Edit replaces a proposal by one with other arguments: the same tools, in the
// same order. What it would do is shown anew, and waits for a nod of its own.
func (g *Gate) Edit(ctx context.Context, who tools.Actor, id string, items []tools.Invocation) (Proposal, error) {
	p, err := g.Proposal(ctx, who, id)
	if err != nil {
		return Proposal{}, err
	}
	if err := p.open(); err != nil {
		return p, g.run.Told(err)
	}
	same := len(items) == len(p.calls)
	for i := 0; same && i < len(items); i++ {
		same = items[i].Tool == p.calls[i].Tool
	}
	if !same {
		return p, g.run.Told(tools.Fail(tools.Invalid, "gate.error.edit"))
	}
	next, err := g.draft(ctx, p.Actor, p.Card.Taint, p.scope, items)
	if err != nil {
		return p, err
	}
	if err := g.replace(p, Replaced, string(who.Door), &next); err != nil {
		return p, g.run.Told(err)
	}
	g.c.Told(p.Actor.Person, p.ID)
	return next, nil
}
