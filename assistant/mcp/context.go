package mcp

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// contextURI is where a model reads what it should know before it begins.
const contextURI = tools.Scheme + "context"

// readContext tells who the agent acts for, what it may do, and what the
// plugins say of the present, in the person's language.
func (s *seat) readContext(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	ctx, a, err := s.who(ctx, req.Extra)
	if err != nil {
		return nil, s.door.protocol(err)
	}
	leave, err := s.work(ctx)
	if err != nil {
		return nil, s.door.protocol(err)
	}
	defer leave()
	d := s.door
	said, err := d.c.Runner.Brief(ctx, a.Actor)
	if err != nil {
		return nil, d.protocol(err)
	}
	now := d.c.Now().UTC()
	lines := []tools.Text{
		tools.T("mcp.context.who", nameOf(visitorOf(ctx, req.Extra)), a.AgentName), tools.T("mcp.context.mode." + modeName(a.Mode)),
		tools.T("mcp.context.data"), tools.T("mcp.context.now", tools.DateOf(now), now.Format("15:04")),
	}
	if zone := zoneOf(visitorOf(ctx, req.Extra)); zone != nil {
		lines = append(lines, tools.T("mcp.context.zone", tools.Moment(now, zone)))
	}
	if len(a.Plugins) > 0 {
		lines = append(lines, tools.T("mcp.context.plugins", strings.Join(a.Plugins, ", ")))
		said = slices.DeleteFunc(said, func(t tools.Text) bool {
			return !slices.ContainsFunc(a.Plugins, func(p string) bool { return strings.HasPrefix(t.Key, p+".") })
		})
	}
	if a.Mode != gate.ModeRead && a.Mode != gate.ModeAsk { // there nothing goes by itself
		lines = append(lines, tools.T("mcp.context.daily", a.DailyWrites))
	}
	if !a.Expires.IsZero() {
		lines = append(lines, tools.T("mcp.context.expires", a.Expires.UTC().Format(time.RFC3339)))
	}
	var b strings.Builder
	for _, line := range append(lines, said...) {
		b.WriteString(d.say(a, line) + "\n")
	}
	return contents(contextURI, textType, b.String()), nil
}

// nameOf is how a person is called.
func nameOf(v Visitor) string {
	if v.Person == nil {
		return v.Agent.Person
	}
	return cmp.Or(v.Person.GetString("name"), v.Person.GetString("handle"))
}

// zoneOf is the time zone that a person has set; nil where there is none.
func zoneOf(v Visitor) *time.Location {
	if v.Person == nil {
		return nil
	}
	return tools.ZoneOf(v.Person)
}

// modeName is a mode that there are words for; one that is none may nothing.
func modeName(m gate.Mode) string {
	switch m {
	case gate.ModeAsk, gate.ModeWrite, gate.ModeTrusted:
		return string(m)
	}
	return string(gate.ModeRead)
}
