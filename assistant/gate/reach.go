package gate

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// Offers lists the tools that an agent is offered, sorted by name. Undo and
// what looks after proposals is offered by its door.
func (g *Gate) Offers(a Agent) []tools.Tool {
	offered := []tools.Tool{}
	for _, t := range g.c.Registry.Tools() {
		if g.reach(a, t.Name) == nil && (a.Mode != ModeRead || t.Effect == tools.EffectRead) {
			offered = append(offered, t)
		}
	}
	return offered
}

// Reaches says why an agent may not have done by these tools what a tool of
// every token does by them. Whether they are core is not asked.
func (g *Gate) Reaches(a Agent, names ...string) error {
	a.All = true
	for _, name := range names {
		if err := g.reach(a, name); err != nil {
			return err
		}
	}
	return nil
}

// reach says why a tool is beyond an agent, whatever its mode; nil where it is
// not.
func (g *Gate) reach(a Agent, name string) error {
	if name == tools.UndoTool {
		if g.tightened(name) == tools.Refuse {
			return tools.Fail(tools.Forbidden, "gate.error.forbidden", name)
		}
		return nil
	}
	t, ok := g.c.Registry.Tool(name)
	switch plugin := g.c.Registry.Owner(name); {
	case !ok:
		return tools.Fail(tools.NotFound, "error.no_tool", tools.Quoted(name, 80))
	case t.Hidden != "" || t.Operator:
		return tools.Fail(tools.Forbidden, "gate.error.hidden", name, t.Hidden)
	case len(a.Plugins) > 0 && !slices.Contains(a.Plugins, plugin):
		return tools.Fail(tools.Forbidden, "gate.error.plugin", name, plugin)
	case !a.All && !t.Core && !g.takesRows(name):
		return tools.Fail(tools.Forbidden, "gate.error.core", name)
	case g.tightened(name) == tools.Refuse:
		return tools.Fail(tools.Forbidden, "gate.error.forbidden", name)
	}
	return nil
}

// takesRows says that a tool takes what is read of a file: every token can have
// one read, which would lead nowhere else.
func (g *Gate) takesRows(name string) bool {
	return slices.ContainsFunc(g.imports, func(i tools.Import) bool { return i.Apply == name })
}
