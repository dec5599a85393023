package offer

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

type undoIn struct {
	Audit  []string `json:"audit,omitempty" jsonschema:"entries to take back, as receipts and activity_list name them"`
	Since  string   `json:"since,omitzero" jsonschema:"instead: all that you did since a time such as 2027-03-14T00:00:00Z"`
	Except []string `json:"except,omitempty" jsonschema:"with since: entries to leave as they are"`
}

// Undo asks the gate for an undo, which never runs without a nod. What a call
// answers is its door's to say.
func Undo() Own {
	d := tools.Def{
		Name: UndoName, Title: "offer.tool.undo", Effect: tools.EffectDestroy,
		Help: "Takes changes back: give the ids of audit entries, or a time since when all that you did is taken back. A person always decides over it.",
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
				return nil, tools.Fail(tools.Invalid, "offer.since")
			}
			spec.Agent = a.Agent
		}
		return json.Marshal(spec, json.Deterministic(true))
	}
	return Own{Def: d, Input: t.Input, check: t.Arguments, call: tools.UndoTool, args: args}
}
