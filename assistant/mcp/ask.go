package mcp

import (
	"cmp"
	"context"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// nodInput names what a client is asked.
const nodInput = "nod"

// canForm says that a client can show its person a form. A client that names no
// mode means forms.
func canForm(c *mcp.ClientCapabilities) bool {
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// canURL says that a client can open an address for its person.
func canURL(c *mcp.ClientCapabilities) bool {
	return c != nil && c.Elicitation != nil && c.Elicitation.URL != nil
}

// ask asks the person through the client, where both that and the gate allow it:
// by a form, or by opening our own card. Else the answer is that it waits. The
// SDK asks older clients in the middle of the call, once: all is in one form.
func (s *seat) ask(ctx context.Context, a gate.Agent, t offered, inv tools.Invocation, p gate.Proposal, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	d := s.door
	pending, err := d.result(a, t, inv.Args, d.outcome(a, gate.Answer{Proposal: &p}))
	if err != nil {
		return nil, err
	}
	can := req.ClientCapabilities()
	if canForm(can) {
		state, err := d.c.Gate.Form(ctx, a, p, inv)
		if err == nil {
			noteAsked(ctx, pending)
			return d.request(state, &mcp.ElicitParams{Mode: "form", Message: d.card(a, p.Card), RequestedSchema: d.form(a)}), nil
		}
		if tools.KindOf(err) != tools.Forbidden {
			return nil, err
		}
	}
	if link := d.c.Link(p.ID); canURL(can) && link != "" {
		state, err := d.c.Gate.Card(a, p, inv)
		if err != nil {
			return nil, err
		}
		noteAsked(ctx, pending)
		return d.request(urlState+state, &mcp.ElicitParams{Mode: "url", Message: d.card(a, p.Card), URL: link, ElicitationID: p.ID}), nil
	}
	return pending, nil
}

// urlState begins the state of a call whose person decides on our own card.
// Whatever is answered decides nothing: the state says what it is about.
const urlState = "look:"

func (d *Door) request(state string, p *mcp.ElicitParams) *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{nodInput: p}, RequestState: state}
}

// form is what a person fills in: flat, as clients take it.
func (d *Door) form(a gate.Agent) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"confirm": {Type: "boolean", Title: d.say(a, tools.T("mcp.form.confirm")), Description: d.say(a, tools.T("mcp.form.confirm.hint"))},
			"reason":  {Type: "string", Title: d.say(a, tools.T("mcp.form.reason")), Description: d.say(a, tools.T("mcp.form.reason.hint"))},
		},
		PropertyOrder: []string{"confirm", "reason"},
		Required:      []string{"confirm"},
	}
}

// answered takes what a client says that its person answered. Nothing of it is
// believed but by the state, which the gate made and takes once.
func (s *seat) answered(ctx context.Context, a gate.Agent, t offered, inv tools.Invocation, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	d := s.door
	state := req.Params.RequestState
	said, _ := req.Params.InputResponses[nodInput].(*mcp.ElicitResult)
	if card, ok := strings.CutPrefix(state, urlState); ok {
		return s.looked(ctx, a, t, inv, card, said)
	}
	action, yes, reason := gate.Cancel, false, ""
	if said != nil {
		action = said.Action
		yes, _ = said.Content["confirm"].(bool)
		reason, _ = said.Content["reason"].(string)
	}
	got, err := d.c.Gate.Answered(ctx, a, inv, state, action, yes, reason)
	if err != nil && (got.Proposal == nil || got.Proposal.State == gate.Pending) {
		return nil, err
	}
	o := d.outcome(a, got)
	if err != nil { // it was decided, and could not be done: that says how to go on
		o.Reason = cmp.Or(o.Reason, d.sentence(err))
	}
	return d.result(a, t, inv.Args, o)
}

// looked tells what a person decided on our own card, once the client has opened
// it; a moment is given to decide.
func (s *seat) looked(ctx context.Context, a gate.Agent, t offered, inv tools.Invocation, card string, said *mcp.ElicitResult) (*mcp.CallToolResult, error) {
	d := s.door
	id, err := d.c.Gate.CardOf(a, inv, card)
	if err != nil {
		return nil, err
	}
	wait := lookTime
	if said == nil || said.Action != gate.Accept {
		wait = 0
	}
	p, err := d.decided(ctx, a, id, wait)
	if err != nil {
		return nil, err
	}
	return d.result(a, t, inv.Args, d.outcome(a, gate.Answer{Proposal: &p}))
}

// asked is where a call leaves its answer for a client that cannot be asked
// after all.
type asked struct{ pending *mcp.CallToolResult }

type askedKey struct{}

func noteAsked(ctx context.Context, pending *mcp.CallToolResult) {
	if n, ok := ctx.Value(askedKey{}).(*asked); ok {
		n.pending = pending
	}
}
