package hooks

import (
	"context"
	"errors"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/client"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/mcp"
	"github.com/nodkeep/nodkeep/tools"
)

// sight is what a client with a token sees, or what is in its way.
type sight struct {
	OK      bool        `json:"ok"`
	Problem *tools.Text `json:"problem,omitzero"`
	mcp.Seen
}

// tryConnect connects with a token as a client does, to this instance itself,
// and answers what such a client sees. A member tries their own tokens.
func (a *App) tryConnect(e *core.RequestEvent) (any, error) {
	machine := isLocal(e.Request)
	if !machine {
		if _, err := a.member(e); err != nil {
			return nil, err
		}
	}
	body, err := jsonBody(e)
	if err != nil {
		return nil, err
	}
	var in struct {
		Token string `json:"token"`
	}
	if err := decode(body, &in); err != nil {
		return nil, err
	}
	ctx := e.Request.Context()
	agent, person, err := a.gate.Token(ctx, in.Token)
	if err == nil && !machine && person.Id != e.Auth.Id {
		err = tools.Fail(tools.Unauthorized, "connect.error.token")
	}
	if tools.KindOf(err) == tools.Unauthorized {
		text := tools.T("connect.error.token")
		return sight{Problem: &text}, nil
	}
	if err != nil {
		return nil, err
	}
	return probed(ctx, mcp.Probe{URL: "http://localhost" + client.Path, Token: in.Token, Transport: inside{local(a.handler)}}, func(s *mcp.Seen) {
		for i := range s.Tools {
			s.Tools[i].Asks = a.asks(agent, s.Tools[i])
		}
	})
}

// probed is the outcome of a probe, as it is told.
func probed(ctx context.Context, p mcp.Probe, and func(*mcp.Seen)) (sight, error) {
	got, err := p.Run(ctx)
	if own, ok := errors.AsType[*tools.Error](err); ok {
		return sight{Problem: &own.Text, Seen: got}, nil
	}
	if err != nil {
		return sight{}, err
	}
	and(&got)
	return sight{OK: true, Seen: got}, nil
}

// asks says when an agent's call of a tool waits for its person. Of tools that
// change nothing of the data, which no plugin brings, the gate is not asked.
func (a *App) asks(agent gate.Agent, t mcp.SeenTool) string {
	name := t.Name
	if name == "undo" {
		name = tools.UndoTool
	}
	_, known := a.registry.Tool(name)
	switch d := a.gate.Would(agent, name); {
	case t.Effect == tools.EffectRead, !known && name != tools.UndoTool:
		return "never"
	case d == tools.Run && agent.Mode == gate.ModeWrite:
		return "money"
	case d == tools.Run:
		return "never"
	}
	return "always"
}
