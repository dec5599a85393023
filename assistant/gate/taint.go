package gate

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// maxTaint is how many sources a card names.
const maxTaint = 10

// Tainted says that the agent has read text of late that its person did not
// write: it may be told by it what to do.
func (a Agent) Tainted(now time.Time) bool { return a.tainted.After(now) || a.turn.tainted() }

// Taint names what it has read.
func (a Agent) Taint() []tools.Text {
	if a.turn != nil {
		return a.turn.Taint()
	}
	return slices.Clone(a.taint)
}

// Foreign notes that an agent was given text that others wrote, so that its
// cards say so and nothing runs without a nod for a while. Text that cannot be
// noted is not handed out.
func (g *Gate) Foreign(ctx context.Context, who tools.Actor, sources []tools.Text) error {
	if who.Token == "" {
		in, ok := agentIn(ctx)
		if !ok || in.Actor != who || in.turn == nil {
			return tools.Fail(tools.Forbidden, "gate.error.no_agent")
		}
		in.turn.add(sources)
		return nil
	}
	a, err := g.again(ctx, g.app, who)
	if err != nil {
		return err
	}
	taint := joined(a.Taint(), sources)
	until := g.now().Add(g.c.TaintedFor)
	if len(taint) == len(a.taint) && until.Sub(a.tainted) < time.Minute {
		return nil // noted a moment ago
	}
	stored, err := tools.Store(taint)
	if err != nil {
		return err
	}
	_, err = g.app.NonconcurrentDB().Update(tools.TokensTable, dbx.Params{"tainted": tools.Stamp(until), "taint": string(stored)}, dbx.HashExp{"id": who.Token}).
		WithContext(ctx).Execute()
	return err
}

// joined are the sources of both, each once.
func joined(taint, more []tools.Text) []tools.Text {
	for _, s := range more {
		same := func(t tools.Text) bool { return reflect.DeepEqual(t, s) }
		if len(taint) < maxTaint && !slices.ContainsFunc(taint, same) {
			taint = append(taint, s)
		}
	}
	return taint
}
