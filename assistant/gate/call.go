package gate

import (
	"context"

	"github.com/nodkeep/nodkeep/tools"
)

// Answer is what became of an agent's call. A read has only an Output; what ran
// or was confirmed has the Receipt too; what waits, or ended otherwise, has the
// Proposal.
type Answer struct {
	Output   any
	Receipt  *tools.Receipt
	Proposal *Proposal
}

// Call makes a call of an agent: it is answered, done, or kept for the person
// to nod, as the gate decides.
func (g *Gate) Call(ctx context.Context, a Agent, inv tools.Invocation) (Answer, error) {
	ctx = withAgent(ctx, a)
	effect := g.effect(inv.Tool)
	d, err := g.decide(a, tools.Weight{Tool: inv.Tool, Effect: effect})
	switch {
	case err != nil && effect == tools.EffectRead:
		return Answer{}, g.run.Told(err)
	case err != nil:
		return Answer{}, g.refuse(a, inv, err)
	case effect == tools.EffectRead:
		out, err := g.run.Read(ctx, a.Actor, inv)
		return Answer{Output: out}, err
	case d == tools.Run:
		receipt, err := g.run.Apply(ctx, a.Actor, "", inv)
		if err == nil {
			return Answer{Output: receipt.Outputs[0], Receipt: &receipt}, nil
		}
		if tools.KindOf(err) != tools.DigestRequired {
			return Answer{}, err
		}
		// It turned out to be heavier than its tool says.
	}
	p, err := g.Propose(ctx, a, inv)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Proposal: &p}, nil
}
