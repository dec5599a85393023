package mcp

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// addPrompts lists the prompts of the token's plugins, in the language of its
// person. The seat's lock is held.
func (s *seat) addPrompts(a gate.Agent) {
	d := s.door
	now := map[string]bool{}
	for _, p := range d.c.Registry.Prompts() {
		plugin, _, _ := strings.Cut(p.Name, "_")
		if len(a.Plugins) > 0 && !slices.Contains(a.Plugins, plugin) {
			continue
		}
		now[p.Name] = true
		title := d.say(a, tools.T(p.Title))
		def := &mcp.Prompt{Name: p.Name, Title: title, Description: title} // the suite takes none without
		for _, arg := range p.Args {
			title := d.say(a, tools.T(arg.Title))
			def.Arguments = append(def.Arguments, &mcp.PromptArgument{Name: arg.Name, Title: title, Description: title, Required: arg.Required})
		}
		s.server.AddPrompt(def, s.prompt)
	}
	for name := range s.prompts {
		if !now[name] {
			s.server.RemovePrompts(name)
		}
	}
	s.prompts = now
}

// prompt is what a prompt asks, said by the person.
func (s *seat) prompt(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	ctx, a, err := s.who(ctx, req.Extra)
	if err != nil {
		return nil, s.door.protocol(err)
	}
	text, err := s.door.c.Runner.Prompt(ctx, a.Actor, req.Params.Name, req.Params.Arguments)
	if err != nil {
		return nil, s.door.protocol(err)
	}
	says := s.door.say(a, text)
	if missing := s.door.unoffered(a, says); len(missing) > 0 {
		says += "\n\n" + s.door.say(a, tools.T("mcp.prompt.missing", strings.Join(missing, ", ")))
	}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: says}}}}, nil
}

// toolWord is a word that may be the name of a tool.
var toolWord = regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`)

// unoffered are the tools that a prompt speaks of and that this agent is not
// offered: a model would guess what to do without.
func (d *Door) unoffered(a gate.Agent, says string) (names []string) {
	offered := d.c.Gate.Offers(a)
	for _, word := range toolWord.FindAllString(says, -1) {
		_, is := d.c.Registry.Tool(word)
		if is && !slices.Contains(names, word) && !slices.ContainsFunc(offered, func(t tools.Tool) bool { return t.Name == word }) {
			names = append(names, word)
		}
	}
	return names
}
