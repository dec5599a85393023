package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/tools"
)

// maxWait is how long proposal_status waits at most: clients give up soon after.
const maxWait = 50

// statusName is the tool whose calls wait for a person most of the time.
const statusName = "proposal_status"

// ownTools are the tools of every token: those of this door, those that every
// agent has, and those that the program adds.
func (d *Door) ownTools() ([]offer.Own, error) {
	undo := offer.Undo()
	undo.Output = outcomeOf(nil)
	all := append([]offer.Own{d.statusTool(), offer.Activity(d.c.Runner), undo}, d.c.Own...)
	seen := map[string]bool{}
	for _, o := range all {
		if _, taken := d.c.Registry.Tool(o.Name); taken || seen[o.Name] {
			return nil, fmt.Errorf("the tool %s is there twice", o.Name)
		}
		seen[o.Name] = true
	}
	return all, nil
}

type statusIn struct {
	ID   string `json:"id" jsonschema:"of the proposal"`
	Wait int    `json:"wait,omitzero" jsonschema:"seconds to wait for a decision, up to 50"`
}

func (d *Door) statusTool() offer.Own {
	own := offer.NewOwn(tools.Def{
		Name: statusName, Title: "mcp.tool.proposal_status", Effect: tools.EffectRead,
		Help: "Tells what became of a call that had to be asked for: pending, done, discarded (with the person's reason), expired, stale or replaced. Only a person can confirm; no tool does.",
	}, func(ctx context.Context, a gate.Agent, in statusIn) (outcome, error) {
		if in.Wait < 0 || in.Wait > maxWait {
			return outcome{}, tools.Fail(tools.Invalid, "mcp.wait", maxWait)
		}
		p, err := d.decided(ctx, a, in.ID, time.Duration(in.Wait)*time.Second)
		if err != nil {
			return outcome{}, err
		}
		return d.outcome(a, gate.Answer{Proposal: &p}), nil
	})
	own.Output = outcomeOf(own.Output.Properties["output"])
	return own
}
