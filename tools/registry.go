package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Registry holds what the plugins bring. It does not change once it is made.
type Registry struct {
	plugins  []Plugin
	tools    map[string]*Tool
	owner    map[string]Plugin // by tool
	order    []string          // names of tools as the plugins list them
	rules    map[string]ownedRule
	volatile map[string][]string // by collection
	prompts  []Prompt
	routes   []route
	sources  []Source
	parsed   parsed
	agents   map[string]bool    // plugins that have a tool for agents
	scopes   map[string]Scoping // by collection
}

type ownedRule struct {
	Rule
	plugin string
}

// toolName is what every MCP client takes: at most 64 characters.
var toolName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)+$`)

// NewRegistry collects the plugins' tools and rules, and refuses what breaks
// their contract, naming the plugin.
func NewRegistry(plugins ...Plugin) (*Registry, error) {
	r := &Registry{
		plugins: plugins, tools: map[string]*Tool{}, owner: map[string]Plugin{},
		rules: map[string]ownedRule{}, volatile: map[string][]string{}, agents: map[string]bool{}, scopes: map[string]Scoping{},
	}
	share := sharing{}
	for i, p := range plugins {
		if slices.ContainsFunc(plugins[:i], func(o Plugin) bool { return o.Name() == p.Name() }) {
			return nil, fmt.Errorf("plugin %s is listed twice", p.Name())
		}
		if err := r.add(p, share); err != nil {
			return nil, fmt.Errorf("plugin %s: %w", p.Name(), err)
		}
	}
	return r, nil
}

func (r *Registry) add(p Plugin, share sharing) error {
	prefix := p.Name() + "_"
	for _, t := range p.Tools() {
		if err := t.check(prefix); err != nil {
			return fmt.Errorf("tool %q: %w", t.Name, err)
		}
		if r.tools[t.Name] != nil {
			return fmt.Errorf("tool %q is there twice", t.Name)
		}
		t.Input, t.Output = share.of(t.Input), share.of(t.Output)
		t.in = resolving(t.Input)
		r.tools[t.Name], r.owner[t.Name] = &t, p
		r.order = append(r.order, t.Name)
		if t.Hidden == "" && !t.Operator {
			r.agents[p.Name()] = true
		}
	}
	if ruler, ok := p.(Ruler); ok {
		for collection, rule := range ruler.ChangeRules() {
			if !strings.HasPrefix(collection, prefix) && (p.Name() != Core || collection != Members) {
				return fmt.Errorf("a change rule for %s, which is not its collection", collection)
			}
			r.rules[collection] = ownedRule{rule, p.Name()}
		}
	}
	if v, ok := p.(Volatiler); ok {
		for collection, fields := range v.Volatile() {
			if !strings.HasPrefix(collection, prefix) && (p.Name() != Core || collection != Members) {
				return fmt.Errorf("volatile fields of %s, which is not its collection", collection)
			}
			r.volatile[collection] = fields
		}
	}
	if err := errors.Join(r.addScopes(p), r.addPrompts(p), r.addResources(p), r.addSources(p), r.checkExport(p)); err != nil {
		return err
	}
	if importer, ok := p.(Importer); ok {
		for _, i := range importer.Imports() {
			if t := r.tools[i.Match]; t == nil || t.read == nil {
				return fmt.Errorf("import %s is matched by %q, which is no read tool of it", i.Name, i.Match)
			}
			if t := r.tools[i.Apply]; t == nil || t.run == nil {
				return fmt.Errorf("import %s is applied by %q, which is no writing tool of it", i.Name, i.Apply)
			}
			if t := r.tools[i.Home]; i.Home != "" && (t == nil || t.read == nil) {
				return fmt.Errorf("import %s asks %q, which is no read tool of it", i.Name, i.Home)
			}
		}
	}
	return nil
}

func (t *Tool) check(prefix string) error {
	if err := checkName(t.Name, prefix); err != nil {
		return err
	}
	switch {
	case t.err != nil:
		return t.err
	case t.Title == "" || t.Help == "":
		return fmt.Errorf("it needs a title and a help text")
	case t.Operator && t.Hidden == "":
		return fmt.Errorf("it is for operators, and so must say why no model is offered it (Hidden)")
	case t.Input.Type != "object":
		return fmt.Errorf("its input must be an object")
	case t.read != nil && t.Effect != EffectRead, t.read == nil && t.Effect == EffectRead, t.run == nil && t.read == nil:
		return fmt.Errorf("its effect is %q, which does not fit how it was made", t.Effect)
	case !slices.Contains([]Effect{EffectRead, EffectWrite, EffectDestroy, EffectSend}, t.Effect):
		return fmt.Errorf("its effect %q is none", t.Effect)
	}
	return t.checkSensitive()
}

// checkName wants the name of a tool, prompt or resource to be what every MCP
// client takes, and to say whose it is.
func checkName(name, prefix string) error {
	if !strings.HasPrefix(name, prefix) || !toolName.MatchString(name) || len(name) > 64 {
		return fmt.Errorf("its name must begin with %s and be lower case, at most 64 characters", prefix)
	}
	return nil
}

// Plugins lists the plugins in the order of main.
func (r *Registry) Plugins() []Plugin { return slices.Clone(r.plugins) }

// Tools lists all tools, sorted by name.
func (r *Registry) Tools() []Tool {
	names := slices.Sorted(maps.Keys(r.tools))
	list := make([]Tool, len(names))
	for i, n := range names {
		list[i] = *r.tools[n]
	}
	return list
}

// ToolsOf lists the tools of a plugin as it lists them itself.
func (r *Registry) ToolsOf(plugin string) []Tool {
	var list []Tool
	for _, name := range r.order {
		if r.owner[name].Name() == plugin {
			list = append(list, *r.tools[name])
		}
	}
	return list
}

// Tool finds a tool by name.
func (r *Registry) Tool(name string) (Tool, bool) {
	t, ok := r.tools[name]
	if !ok {
		return Tool{}, false
	}
	return *t, true
}

// Owner is the name of the plugin that a tool belongs to; "" where there is no
// such tool.
func (r *Registry) Owner(tool string) string {
	if p := r.owner[tool]; p != nil {
		return p.Name()
	}
	return ""
}

// Guard is what the plugin of a tool says of agents that call it.
func (r *Registry) Guard(tool string) Decision {
	if g, ok := r.owner[tool].(Guard); ok {
		return g.Guard(tool)
	}
	return Run
}

// Asked is the key of other words by which people ask for a tool; "" where its
// plugin has none.
func (r *Registry) Asked(tool string) string {
	if f, ok := r.owner[tool].(Finder); ok {
		return f.Asked()[tool]
	}
	return ""
}

// Imports lists what the plugins take from files.
func (r *Registry) Imports() []Import {
	var all []Import
	for _, p := range r.plugins {
		if i, ok := p.(Importer); ok {
			all = append(all, i.Imports()...)
		}
	}
	return all
}

// Locales lists the plugins' texts.
func (r *Registry) Locales() []fs.FS {
	var all []fs.FS
	for _, p := range r.plugins {
		if t, ok := p.(Translator); ok {
			all = append(all, t.Locales())
		}
	}
	return all
}
