package mcp

import (
	"context"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/tools"
)

// The methods of the protocol that the door looks at itself.
const (
	methodCall = "tools/call"
	methodRead = "resources/read"
)

// unlisted answers a call of a tool that is not in the token's list: with the
// one that was probably meant, and with a trace where it would have changed
// something.
func (s *seat) unlisted(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != methodCall {
			return next(ctx, method, req)
		}
		call, ok := req.(*mcp.CallToolRequest)
		if !ok || s.offers(call.Params.Name) {
			return next(ctx, method, req)
		}
		ctx, a, err := s.who(ctx, call.Extra)
		if err != nil {
			return nil, s.door.protocol(err)
		}
		if t, known := s.door.known(call.Params.Name); known {
			// The gate says why it is not offered, and leaves the trace.
			res, err := s.call(ctx, a, t, call)
			if err != nil {
				return nil, s.door.protocol(err)
			}
			return res, nil
		}
		name := tools.Quoted(call.Params.Name, 80)
		refusal := tools.Fail(tools.NotFound, "mcp.no_tool", name)
		if like := s.like(call.Params.Name); like != "" {
			refusal = tools.Fail(tools.NotFound, "mcp.no_tool_like", name, like)
		}
		inv := tools.Invocation{Tool: call.Params.Name, Args: call.Params.Arguments}
		return nil, s.door.protocol(s.door.c.Runner.Refuse(a.Actor, inv, refusal))
	}
}

// like is the tool of the list whose name is closest to one that is none.
func (s *seat) like(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for n := range s.tools {
		names = append(names, n)
	}
	return tools.Like(name, names)
}

// askTime is how long an older client has to ask its person in the middle of a
// call.
const askTime = 5 * time.Minute

// fallBack gives a client that said it can ask its person, and then could not
// or did not, the answer that the call waits.
func (s *seat) fallBack(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != methodCall {
			return next(ctx, method, req)
		}
		note := &asked{}
		within, cancel := context.WithTimeout(context.WithValue(ctx, askedKey{}, note), askTime)
		defer cancel()
		res, err := next(within, method, req)
		if err != nil && note.pending != nil && ctx.Err() == nil && strings.HasPrefix(err.Error(), "multi-round-trip") {
			return note.pending, nil
		}
		return res, err
	}
}
