package gate

import (
	"context"
	"errors"

	"github.com/nodkeep/nodkeep/tools"
)

// Step is what became of one call of a round: an answer, or why there is none.
type Step struct {
	Answer
	Err error
}

// Round makes the changes of one answer of a model, in order. What needs no nod
// runs, until one needs it: that and all after it become one proposal, so that a
// person sees together what belongs together. An undo is a proposal of its own.
// Once one fails, those after it are not made.
func (g *Gate) Round(ctx context.Context, a Agent, calls ...tools.Invocation) []Step {
	ctx = withAgent(ctx, a)
	steps := make([]Step, len(calls))
	for i, inv := range calls {
		if _, err := g.decide(a, tools.Weight{Tool: inv.Tool, Effect: g.effect(inv.Tool)}); err != nil {
			steps[i].Err = g.refuse(a, inv, err)
			return g.halted(steps, i)
		}
	}
	from := 0
	for ; from < len(calls); from++ {
		inv := calls[from]
		if g.Would(a, inv.Tool) != tools.Run {
			break
		}
		receipt, err := g.run.Apply(ctx, a.Actor, "", inv)
		if tools.KindOf(err) == tools.DigestRequired && err != nil {
			break // it turned out to be heavier than its tool says
		}
		if err != nil {
			steps[from].Err = err
			return g.halted(steps, from)
		}
		steps[from].Answer = Answer{Output: receipt.Outputs[0], Receipt: &receipt}
	}
	for from < len(calls) {
		to := from + 1
		for calls[from].Tool != tools.UndoTool && to < len(calls) && calls[to].Tool != tools.UndoTool {
			to++
		}
		p, err := g.Propose(ctx, a, calls[from:to]...)
		if err != nil {
			at := from + max(0, placeOf(err)-1)
			steps[at].Err = err
			return g.halted(steps, at)
		}
		for i := from; i < to; i++ {
			steps[i].Proposal = &p
		}
		from = to
	}
	return steps
}

// halted says of the calls that were not made that another one failed.
func (g *Gate) halted(steps []Step, at int) []Step {
	for i := range steps {
		if i != at && steps[i].Receipt == nil && steps[i].Proposal == nil {
			steps[i].Err = g.run.Told(tools.Fail(tools.Conflict, "gate.error.round", at+1))
		}
	}
	return steps
}

// placeOf says which of several calls an error is of, from 1; 0 if that is not
// known.
func placeOf(err error) int {
	if e, ok := errors.AsType[*tools.Error](err); ok {
		return e.Place
	}
	return 0
}
