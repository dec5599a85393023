package offer

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"slices"
	"sort"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// view is what agents of a mode and some plugins are offered.
type view struct {
	listed  []gateway.Tool
	reached map[string]string // the plugins' tools, with what is to be said of each
}

// Listed are the tools that each request of an agent's turn carries: its own,
// and as many core tools of its plugins as there is room for, by name. They are
// the same byte for byte for agents of the same mode and plugins, whatever else
// happens in the turn.
func (m *Menu) Listed(a gate.Agent) []gateway.Tool { return slices.Clone(m.view(a).listed) }

// mostViews bounds what is kept: there are few modes, and few choices of plugins.
const mostViews = 64

// view is made once for all agents that are alike, of what does not change while
// the program runs.
func (m *Menu) view(a gate.Agent) *view {
	a = lasting(a)
	key := string(a.Mode) + " " + strings.Join(a.Plugins, " ")
	m.mu.Lock()
	defer m.mu.Unlock()
	v := m.views[key]
	if v == nil {
		v = &view{reached: m.reached(a)}
		v.listed = m.list(a, v.reached)
		if len(m.views) >= mostViews {
			clear(m.views)
		}
		m.views[key] = v
	}
	return v
}

// lasting is an agent without what changes within a turn.
func lasting(a gate.Agent) gate.Agent {
	plugins := slices.Clone(a.Plugins)
	slices.Sort(plugins)
	return gate.Agent{Actor: a.Actor, Mode: a.Mode, All: true, Plugins: plugins}
}

func (m *Menu) list(a gate.Agent, reached map[string]string) []gateway.Tool {
	var list []gateway.Tool
	left := m.c.Budget
	for _, o := range m.c.Own {
		schema, err := written(o.Input)
		if err != nil || (o.Calls() != "" && m.c.Gate.Would(a, o.Calls()) == tools.Refuse) {
			continue
		}
		t := gateway.Tool{Name: o.Name, Description: o.Help, Schema: schema}
		list, left = append(list, t), left-Tokens(t)
	}
	for _, name := range m.turns {
		mark, ok := reached[name]
		if !ok {
			continue
		}
		s := m.shown()[name]
		t := gateway.Tool{Name: name, Description: s.Help + mark, Schema: s.schema}
		if n := Tokens(t); n <= left {
			list, left = append(list, t), left-n
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// What is said of a tool that changes something.
const (
	asks   = " The person is asked first."
	mayAsk = " The person may be asked first."
)

// reached are the plugins' tools that an agent may have called, with what is to
// be said of each.
func (m *Menu) reached(a gate.Agent) map[string]string {
	all := map[string]string{}
	for _, t := range m.c.Gate.Offers(a) {
		if _, known := m.shown()[t.Name]; !known {
			continue
		}
		switch d := m.c.Gate.Would(a, t.Name); {
		case t.Effect == tools.EffectRead && d == tools.Run:
			all[t.Name] = ""
		case d == tools.Run:
			all[t.Name] = mayAsk
		case d == tools.Ask:
			all[t.Name] = asks
		}
	}
	return all
}

// Tokens estimates what a tool costs each time it is listed, by the bytes of the
// compact JSON of {name, description, input_schema}.
func Tokens(t gateway.Tool) int {
	b, err := json.Marshal(struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		InputSchema jsontext.Value `json:"input_schema"`
	}{t.Name, t.Description, t.Schema})
	if err != nil {
		return Budget // one that cannot be written fits nowhere
	}
	return tools.Tokens(len(b))
}
