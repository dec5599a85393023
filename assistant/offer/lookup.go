package offer

import (
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// Entry is a tool that a model can call.
type Entry struct {
	tools.Def
	Input *jsonschema.Schema // to Coerce by
	Own   *Own               // nil for a plugin's
}

// Lookup finds a tool by name, whether it is listed or not. Where the agent may
// not have it called the error is the gate's, and the Entry is there all the
// same; the Entry of a name that is none has no name.
func (m *Menu) Lookup(a gate.Agent, name string) (Entry, error) {
	a.All = true
	if o, ok := m.own[name]; ok {
		e := Entry{Def: o.Def, Input: o.Input, Own: &o}
		if o.Calls() != "" {
			return e, m.c.Gate.Refusal(a, o.Calls())
		}
		return e, nil
	}
	if t, ok := m.c.Registry.Tool(name); ok {
		e := Entry{Def: t.Def, Input: t.Input}
		if s, ok := m.shown()[name]; ok {
			e.Input = s.input
		}
		return e, m.c.Gate.Refusal(a, name)
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(m.own)), maps.Keys(m.view(a).reached))
	said := tools.Quoted(name, 80)
	if like := tools.Like(name, names); like != "" {
		return Entry{}, tools.Fail(tools.NotFound, "offer.no_tool_like", said, like)
	}
	return Entry{}, tools.Fail(tools.NotFound, "offer.no_tool", said)
}
