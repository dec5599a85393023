package tools

import "slices"

// agentsBusiness says whether an agent is told of an entry, and takes from what
// is visible of it the records that no tool of an agent reads: accounts, tokens,
// what operators do, and other plugins' than its own. What is hidden from agents
// as a tool is not told them as what was done by it. Their own entries are, but
// for the questions that they answered.
func (r *Runner) agentsBusiness(rd *Reader, plugins []string, row auditRow, nets []step, visible []bool) bool {
	if row.Kind == string(kindQuestion) {
		return false
	}
	some := false
	for i, s := range nets {
		visible[i] = visible[i] && r.reg.forAgents(r.reg.ownerOf(s.Collection), plugins)
		some = some || visible[i]
	}
	if row.Agent == rd.Actor.Agent || some {
		return true
	}
	t := r.reg.tools[row.Tool]
	return row.Tool == UndoTool || (t != nil && t.Hidden == "" && !t.Operator && r.reg.forAgents(r.reg.owner[row.Tool], plugins))
}

// forAgents says whether a plugin has anything for agents, and is among those
// named; none named are all.
func (r *Registry) forAgents(p Plugin, plugins []string) bool {
	return p != nil && r.agents[p.Name()] && (len(plugins) == 0 || slices.Contains(plugins, p.Name()))
}
