package mcp

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// Name is how the server calls itself. Clients put it before the names of its
// tools, and some allow no more than 60 characters for both.
const (
	Name    = "nodkeep"
	display = "Nodkeep"
)

// newServer makes the server of a token.
func (d *Door) newServer(s *seat, a gate.Agent) *mcp.Server {
	options := &mcp.ServerOptions{
		Instructions:       instructions(a),
		Capabilities:       &mcp.ServerCapabilities{},
		SubscribeHandler:   s.subscribe,
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		// What is said to one person is never another's.
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope, c.TTLMs = "private", 0 },
	}
	fit := d.c.Fitting
	if fit != nil {
		fit.Options(options)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: Name, Title: display, Version: d.c.Version}, options)
	server.AddReceivingMiddleware(s.unlisted, s.fallBack)
	if fit != nil {
		fit.Server(server)
	}
	return server
}

// follow makes the lists again where the agent is another than they were made
// for, and leaves those entries alone that stay.
func (s *seat) follow(a gate.Agent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.agent
	s.agent = a
	if s.tools != nil && alike(was, a) { // as for nearly every request
		return
	}
	offered := map[string]bool{}
	for _, t := range s.door.toolsOf(a) {
		offered[t.def.Name] = true
		s.server.AddTool(t.def, s.handler(t))
	}
	var gone []string
	for name := range s.tools {
		if !offered[name] {
			gone = append(gone, name)
		}
	}
	if slices.Sort(gone); len(gone) > 0 {
		s.server.RemoveTools(gone...)
	}
	s.tools = offered
	s.addResources(a)
	s.addPrompts(a)
}

// offers says whether a tool is in the seat's list.
func (s *seat) offers(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools[name] || (s.door.c.Fitting != nil && slices.Contains(s.door.c.Fitting.Tools, name))
}

// say is a sentence in the language of the agent's person.
func (d *Door) say(a gate.Agent, t tools.Text) string { return d.c.Catalogue.Say(a.Language, t) }
