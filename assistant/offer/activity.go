package offer

import (
	"context"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

type activityIn struct {
	Agent  string `json:"agent,omitzero" jsonschema:"id of an agent; you by default, * for everybody"`
	Tool   string `json:"tool,omitzero" jsonschema:"name of a tool"`
	Since  string `json:"since,omitzero" jsonschema:"a time such as 2027-03-14T00:00:00Z"`
	Cursor string `json:"cursor,omitzero" jsonschema:"next of the page before"`
	Limit  int    `json:"limit,omitzero" jsonschema:"up to 200, 20 by default"`
}

// Activity lists what was done.
func Activity(run *tools.Runner) Own {
	return NewOwn(tools.Def{
		Name: ActivityName, Title: "offer.tool.activity_list", Effect: tools.EffectRead,
		Help: "Lists what was done, newest first, as far as the person may see it: who, by which tool, what changed, and whether it was undone since. The ids are what undo takes.",
	}, func(ctx context.Context, a gate.Agent, in activityIn) (tools.Activity, error) {
		q := tools.ActivityQuery{Agent: in.Agent, Tool: in.Tool, Cursor: in.Cursor, Limit: in.Limit, Plugins: a.Plugins}
		switch {
		case in.Limit < 0 || in.Limit > 200:
			return tools.Activity{}, tools.Fail(tools.Invalid, "offer.limit", 200)
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
				return tools.Activity{}, tools.Fail(tools.Invalid, "offer.since")
			}
			q.Since = at
		}
		return run.Activity(ctx, a.Actor, q)
	})
}
