package offer

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/assistant/gate"
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
	shown func() map[string]shown // by the name of a plugin's tool; made with the first question, as the index is
	turns []string                // core tools in the order in which they are listed as long as there is room
	index func() *index           // made with the first search: a server that nobody asks needs none

	mu    sync.Mutex
	views map[string]*view // by what of an agent they hang on
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
	m := &Menu{c: c, own: map[string]Own{}, views: map[string]*view{}}
	for _, o := range c.Own {
		_, taken := c.Registry.Tool(o.Name)
		if _, twice := m.own[o.Name]; taken || twice {
			return nil, fmt.Errorf("the tool %s is there twice", o.Name)
		}
		m.own[o.Name] = o
	}
	m.turns = turns(c.Registry)
	m.shown = sync.OnceValue(func() map[string]shown { return shownOf(c) })
	m.index = sync.OnceValue(func() *index { return newIndex(c.Registry, c.Catalogue, m.shown()) })
	return m, nil
}

// shownOf are the tools of plugins as models see them. One whose arguments cannot
// be written down is none of them.
func shownOf(c Config) map[string]shown {
	all := map[string]shown{}
	for _, t := range c.Registry.Tools() {
		if t.Hidden != "" || t.Operator {
			continue
		}
		s := shown{Tool: t, input: t.Input}
		if c.Files != nil {
			s.input = c.Files.Schema(t)
		}
		var err error
		if s.schema, err = written(s.input); err == nil {
			all[t.Name] = s
		}
	}
	return all
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
