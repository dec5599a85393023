package mcp

import (
	"context"
	"encoding/json"
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/tools"
)

// handler answers calls of one tool.
func (s *seat) handler(t offered) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, a, err := s.who(ctx, req.Extra)
		if err != nil {
			return s.door.failed(err), nil
		}
		defer s.progress(ctx, req)()
		res, err := s.call(ctx, a, t, req)
		if err != nil {
			return s.door.failed(err), nil
		}
		return res, nil
	}
}

// call makes a call of a tool, or takes the answer to what an earlier one asked.
func (s *seat) call(ctx context.Context, a gate.Agent, t offered, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	d := s.door
	args := offer.Coerce(req.Params.Arguments, t.input)
	if looks := strings.HasPrefix(req.Params.RequestState, urlState); !looks && (t.own == nil || t.own.Name != statusName) {
		leave, err := s.work(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	answers := req.Params.InputResponses != nil || req.Params.RequestState != ""
	switch {
	case t.call == "" && answers, t.read && answers:
		return nil, tools.Fail(tools.Invalid, "mcp.asked_nothing", t.def.Name)
	case t.call == "":
		out, err := t.own.Run(ctx, a, args)
		if err != nil {
			return nil, err
		}
		return d.result(a, t, args, out)
	}
	if t.own != nil {
		var err error
		given := args
		if args, err = t.own.Args(a, args); err != nil {
			return nil, d.c.Runner.Refuse(a.Actor, tools.Invocation{Tool: t.call, Args: given}, err)
		}
	}
	inv := tools.Invocation{Tool: t.call, Args: args}
	if d.c.Files != nil {
		full, err := d.c.Files.Resolve(ctx, a.Actor, inv)
		if err != nil && !t.read {
			err = d.c.Runner.Refuse(a.Actor, inv, err)
		}
		if err != nil {
			return nil, err
		}
		inv = full
	}
	if answers {
		return s.answered(ctx, a, t, inv, req)
	}
	got, err := d.c.Gate.Call(ctx, a, inv)
	if err != nil {
		return nil, err
	}
	if t.read {
		return d.result(a, t, args, got.Output)
	}
	if got.Proposal != nil && got.Proposal.State == gate.Pending {
		return s.ask(ctx, a, t, inv, *got.Proposal, req)
	}
	return d.result(a, t, args, d.outcome(a, got))
}

// result is an answer as JSON for programs, and the same as text: clients of
// every age read one of the two.
func (d *Door) result(a gate.Agent, t offered, args jsontext.Value, out any) (*mcp.CallToolResult, error) {
	raw, err := d.write(a, out)
	if err != nil {
		return nil, err
	}
	if len(raw) > maxResult {
		o, changed := out.(outcome)
		if !changed {
			return d.large(t, args, raw), nil
		}
		if raw, err = d.slim(a, o); err != nil {
			return nil, err
		}
	}
	return &mcp.CallToolResult{StructuredContent: json.RawMessage(raw), Content: []mcp.Content{&mcp.TextContent{Text: string(raw)}}}, nil
}

// write is a value as JSON in the language of the agent's person.
func (d *Door) write(a gate.Agent, v any) ([]byte, error) {
	return jsonv2.Marshal(v, jsonv2.WithMarshalers(d.c.Catalogue.Marshalers(a.Language)), jsonv2.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// failed is a refusal that a model can act on, in English. It has no structured
// content: clients take that for an answer.
func (d *Door) failed(err error) *mcp.CallToolResult {
	res := &mcp.CallToolResult{}
	res.SetError(errors.New(d.sentence(err)))
	return res
}

// sentence is what went wrong, and what stands in the way of an undo. What is no
// error of ours is logged and tells nothing.
func (d *Door) sentence(err error) string {
	own, ok := errors.AsType[*tools.Error](err)
	if !ok {
		if errors.Is(err, context.Canceled) {
			own = tools.Fail(tools.Unavailable, "error.went_away")
		} else {
			d.c.Log.Error("a call over MCP failed", "error", err)
			own = tools.Fail(tools.Internal, "error.internal")
		}
	}
	says := d.c.Catalogue.English(own.Text)
	for _, c := range own.Conflicts {
		says += "\n- " + c.Collection + " " + c.ID + ": " + d.c.Catalogue.English(c.Reason)
	}
	return says
}
