package mcp

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// maxWait is how long proposal_status waits at most: clients give up soon after.
const maxWait = 50

// ownTools are the tools of every token: those of this package, and those that
// the program adds.
func (d *Door) ownTools() ([]Own, error) {
	all := append([]Own{d.statusTool(), d.activityTool(), undoTool()}, d.c.Own...)
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

func (d *Door) statusTool() Own {
	own := NewOwn(tools.Def{
		Name: "proposal_status", Title: "mcp.tool.proposal_status", Effect: tools.EffectRead,
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
	own.Output, own.waits = outcomeOf(own.Output.Properties["output"]), true
	return own
}

type activityIn struct {
	Agent  string `json:"agent,omitzero" jsonschema:"id of an agent; this token by default, * for everybody"`
	Tool   string `json:"tool,omitzero" jsonschema:"name of a tool"`
	Since  string `json:"since,omitzero" jsonschema:"a time such as 2027-03-14T00:00:00Z"`
	Cursor string `json:"cursor,omitzero" jsonschema:"next of the page before"`
	Limit  int    `json:"limit,omitzero" jsonschema:"up to 200, 20 by default"`
}

func (d *Door) activityTool() Own {
	return NewOwn(tools.Def{
		Name: "activity_list", Title: "mcp.tool.activity_list", Effect: tools.EffectRead,
		Help: "Lists what was done, newest first, as far as the person may see it: who, by which tool, what changed, and whether it was undone since. The ids are what undo takes.",
	}, func(ctx context.Context, a gate.Agent, in activityIn) (tools.Activity, error) {
		q := tools.ActivityQuery{Agent: in.Agent, Tool: in.Tool, Cursor: in.Cursor, Limit: in.Limit, Plugins: a.Plugins}
		switch {
		case in.Limit < 0 || in.Limit > 200:
			return tools.Activity{}, tools.Fail(tools.Invalid, "mcp.limit", 200)
		case in.Limit == 0:
			q.Limit = 20
		}
		switch in.Agent {
		case "":
			q.Agent = a.Agent
		case "*":
			q.Agent = ""
		}
		if in.Since != "" {
			at, err := time.Parse(time.RFC3339, in.Since)
			if err != nil {
				return tools.Activity{}, tools.Fail(tools.Invalid, "mcp.since")
			}
			q.Since = at
		}
		return d.c.Runner.Activity(ctx, a.Actor, q)
	})
}

type undoIn struct {
	Audit  []string `json:"audit,omitempty" jsonschema:"entries to take back, as receipts and activity_list name them"`
	Since  string   `json:"since,omitzero" jsonschema:"instead: all that this token did since a time such as 2027-03-14T00:00:00Z"`
	Except []string `json:"except,omitempty" jsonschema:"with since: entries to leave as they are"`
}

// undoTool asks the gate for an undo, which never runs without a nod.
func undoTool() Own {
	d := tools.Def{
		Name: "undo", Title: "mcp.tool.undo", Effect: tools.EffectDestroy,
		Help: "Takes changes back: give the ids of audit entries, or a time since when all that this token did is taken back. A person always decides over it.",
	}
	t := tools.NewRead[undoIn, map[string]any](d, nil)
	args := func(a gate.Agent, raw jsontext.Value) (jsontext.Value, error) {
		in, err := decoded[undoIn](t, raw)
		if err != nil {
			return nil, err
		}
		spec := tools.UndoSpec{Audit: in.Audit, Except: in.Except}
		if in.Since != "" {
			if spec.Since, err = time.Parse(time.RFC3339, in.Since); err != nil {
				return nil, tools.Fail(tools.Invalid, "mcp.since")
			}
			spec.Agent = a.Agent
		}
		return json.Marshal(spec, json.Deterministic(true))
	}
	return Own{Def: d, Input: t.Input, Output: outcomeOf(nil), call: tools.UndoTool, args: args}
}
