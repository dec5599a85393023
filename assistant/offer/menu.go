package offer

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// Budget is how many tokens of definitions the first request of a turn carries
// at most.
const Budget = 8000

// Gate says what an agent may be offered. It is gate.Gate.
type Gate interface {
	Offers(a gate.Agent) []tools.Tool
	Would(a gate.Agent, tool string) tools.Decision
	Refusal(a gate.Agent, tool string) error
}

// Files says what a tool takes from an agent in place of a file's content. It
// is upload.Store.
type Files interface {
	Schema(t tools.Tool) *jsonschema.Schema
}

// Config of a Menu. Registry, Gate and Catalogue must be given.
type Config struct {
	Registry  *tools.Registry
	Gate      Gate
	Catalogue *i18n.Catalogue
	Own       []Own // tools beside those of the plugins, always listed
	Files     Files // nil takes the content of files
	Budget    int   // tokens of what is listed; Budget
}

// Menu is what a model is offered: few tools at once, the others by a search.
type Menu struct {
	c     Config
	own   map[string]Own
	shown map[string]shown // by the name of a plugin's tool
	turns []string         // core tools in the order in which they are listed as long as there is room
	index index

	mu    sync.Mutex
	lists map[string][]gateway.Tool // by what Listed goes by
}

// shown is a plugin's tool as a model sees it.
type shown struct {
	tools.Tool
	input  *jsonschema.Schema // as an agent gives it
	schema jsontext.Value     // in the words that every host takes
}

// New makes a Menu.
func New(c Config) (*Menu, error) {
	if c.Registry == nil || c.Gate == nil || c.Catalogue == nil {
		return nil, errors.New("a menu needs a registry, a gate and sentences")
	}
	if c.Budget <= 0 {
		c.Budget = Budget
	}
	m := &Menu{c: c, own: map[string]Own{}, shown: map[string]shown{}, lists: map[string][]gateway.Tool{}}
	for _, o := range c.Own {
		_, taken := c.Registry.Tool(o.Name)
		if _, twice := m.own[o.Name]; taken || twice {
			return nil, fmt.Errorf("the tool %s is there twice", o.Name)
		}
		m.own[o.Name] = o
	}
	for _, t := range c.Registry.Tools() {
		if t.Hidden != "" || t.Operator {
			continue
		}
		s := shown{Tool: t, input: t.Input}
		if c.Files != nil {
			s.input = c.Files.Schema(t)
		}
		var err error
		if s.schema, err = written(s.input); err != nil {
			return nil, fmt.Errorf("the arguments of %s: %w", t.Name, err)
		}
		m.shown[t.Name] = s
	}
	m.turns = turns(c.Registry)
	m.index = newIndex(c.Registry, c.Catalogue, m.shown)
	return m, nil
}

// written is a schema as every host takes it, in bytes that stay the same.
func written(s *jsonschema.Schema) (jsontext.Value, error) {
	return json.Marshal(Schema(s), json.Deterministic(true))
}

// turns are the core tools, the first of each plugin, then the second of each,
// and so on: where there is not room for all, no plugin crowds out another.
func turns(r *tools.Registry) (names []string) {
	var core [][]string
	most := 0
	for _, p := range r.Plugins() {
		var of []string
		for _, t := range r.ToolsOf(p.Name()) {
			if t.Core && t.Hidden == "" && !t.Operator {
				of = append(of, t.Name)
			}
		}
		core, most = append(core, of), max(most, len(of))
	}
	for i := range most {
		for _, of := range core {
			if i < len(of) {
				names = append(names, of[i])
			}
		}
	}
	return names
}

// Listed are the tools that each request of an agent's turn carries: its own,
// and as many core tools of its plugins as there is room for, by name. They are
// the same byte for byte for agents of the same mode and plugins, whatever else
// happens in the turn.
func (m *Menu) Listed(a gate.Agent) []gateway.Tool {
	a = lasting(a)
	key := string(a.Mode) + " " + strings.Join(a.Plugins, " ")
	m.mu.Lock()
	defer m.mu.Unlock()
	list, made := m.lists[key]
	if !made {
		list = m.list(a)
		if len(m.lists) >= mostLists {
			clear(m.lists)
		}
		m.lists[key] = list
	}
	return slices.Clone(list)
}

// mostLists bounds what is kept: there are few modes, and few choices of plugins.
const mostLists = 64

// lasting is an agent without what changes within a turn.
func lasting(a gate.Agent) gate.Agent {
	plugins := slices.Clone(a.Plugins)
	slices.Sort(plugins)
	return gate.Agent{Actor: a.Actor, Mode: a.Mode, All: true, Plugins: plugins}
}

func (m *Menu) list(a gate.Agent) []gateway.Tool {
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
	reached := m.reached(a)
	for _, name := range m.turns {
		mark, ok := reached[name]
		if !ok {
			continue
		}
		s := m.shown[name]
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
	a = lasting(a)
	all := map[string]string{}
	for _, t := range m.c.Gate.Offers(a) {
		if _, known := m.shown[t.Name]; !known {
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
