package hooks

import (
	"strconv"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// proposalRoutes are how a person answers what agents ask for.
func (a *App) proposalRoutes() []route {
	return []route{
		{"GET", "/proposals", false, a.listProposals},
		{"GET", "/proposals/waiting", false, a.countProposals},
		{"GET", "/proposals/{id}", false, a.getProposal},
		{"POST", "/proposals/{id}/preview", false, a.previewProposal},
		{"POST", "/proposals/{id}/confirm", false, a.confirmProposal},
		{"POST", "/proposals/{id}/discard", false, a.discardProposal},
		{"POST", "/proposals/{id}/edit", false, a.editProposal},
		{"POST", "/proposals/discard", false, a.discardProposals},
		{"GET", "/proposals/discard", false, usePost},
		{"GET", "/proposals/{id}/{act}", false, usePost},
	}
}

func (a *App) listProposals(e *core.RequestEvent) (any, error) {
	who, err := a.member(e)
	if err != nil {
		return nil, err
	}
	v := e.Request.URL.Query()
	q := gate.Query{State: v.Get("state"), Agent: v.Get("agent"), Cursor: v.Get("cursor")}
	if s := v.Get("limit"); s != "" {
		if q.Limit, err = strconv.Atoi(s); err != nil || q.Limit < 1 || q.Limit > 200 {
			return nil, tools.Fail(tools.Invalid, "http.limit", 200)
		}
	}
	page, err := a.gate.Proposals(e.Request.Context(), who, q)
	if err != nil {
		return nil, err
	}
	if is := v.Get("brief"); is != "" && is != "0" && is != "false" {
		return a.briefly(page), nil
	}
	return page, nil
}

func (a *App) getProposal(e *core.RequestEvent) (any, error) {
	who, err := a.member(e)
	if err != nil {
		return nil, err
	}
	p, err := a.gate.Proposal(e.Request.Context(), who, e.Request.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return a.standing(e.Request.Context(), p)
}

// previewProposal shows what a choice would do. It decides nothing, and so
// takes any credential of the person.
func (a *App) previewProposal(e *core.RequestEvent) (any, error) {
	var in struct {
		Keep []int `json:"keep"`
	}
	who, err := a.member(e)
	if err == nil {
		err = optionalBody(e, &in)
	}
	if err != nil {
		return nil, err
	}
	id := e.Request.PathValue("id")
	p, err := a.gate.Preview(e.Request.Context(), who, id, in.Keep)
	return p, a.orStanding(e, who, id, err)
}

func (a *App) confirmProposal(e *core.RequestEvent) (any, error) {
	var in struct {
		Digest string `json:"digest"`
		Keep   []int  `json:"keep"`
	}
	who, p, err := a.decides(e)
	if err == nil {
		err = optionalBody(e, &in)
	}
	if err != nil {
		return nil, err
	}
	out, err := a.gate.Confirm(e.Request.Context(), who, p.ID, in.Digest, in.Keep)
	return out, a.orStanding(e, who, p.ID, err)
}

func (a *App) discardProposal(e *core.RequestEvent) (any, error) {
	var in struct {
		Reason string `json:"reason"`
	}
	who, p, err := a.decides(e)
	if err == nil {
		err = optionalBody(e, &in)
	}
	if err != nil {
		return nil, err
	}
	out, err := a.gate.Discard(e.Request.Context(), who, p.ID, in.Reason)
	return out, a.orStanding(e, who, p.ID, err)
}

func (a *App) editProposal(e *core.RequestEvent) (any, error) {
	var in struct {
		Items []tools.Invocation `json:"items"`
	}
	who, p, err := a.decides(e)
	if err == nil {
		err = optionalBody(e, &in)
	}
	if err != nil {
		return nil, err
	}
	out, err := a.gate.Edit(e.Request.Context(), who, p.ID, in.Items)
	return out, a.orStanding(e, who, p.ID, err)
}

// discardProposals is a no to all that waits from one agent.
func (a *App) discardProposals(e *core.RequestEvent) (any, error) {
	var in struct {
		Agent string `json:"agent"`
	}
	who, err := a.member(e)
	if err == nil {
		err = mayConfirm(e)
	}
	if err == nil {
		err = optionalBody(e, &in)
	}
	if err != nil {
		return nil, err
	}
	n, err := a.gate.DiscardAll(e.Request.Context(), who, in.Agent)
	return map[string]int{"discarded": n}, err
}

// decides finds the proposal that somebody is about to decide. Yes, no and
// other words are a person's: a token that nobody signed in for has none of them,
// or an agent that holds one could answer itself, or for another agent.
func (a *App) decides(e *core.RequestEvent) (tools.Actor, gate.Proposal, error) {
	who, err := a.member(e)
	if err != nil {
		return who, gate.Proposal{}, err
	}
	p, err := a.gate.Proposal(e.Request.Context(), who, e.Request.PathValue("id"))
	if err != nil {
		return who, p, err
	}
	if err := mayConfirm(e); err != nil {
		first := tools.Invocation{Tool: p.Items[0].Tool, Args: p.Items[0].Args}
		return who, p, a.runner.Refuse(who, first, err)
	}
	return who, p, nil
}

// optionalBody reads a body that may be left out.
func optionalBody(e *core.RequestEvent, v any) error {
	body, err := jsonBody(e)
	if err != nil || len(body) == 0 {
		return err
	}
	return decode(body, v)
}

// standsAs is a refusal together with how the proposal stands by now.
type standsAs struct {
	error
	proposal gate.Proposal
}

// Unwrap gives the refusal itself.
func (s standsAs) Unwrap() error { return s.error }

// orStanding adds to a refusal what the person has to look at now: what became
// of the proposal or, where another one stands for it, that one.
func (a *App) orStanding(e *core.RequestEvent, who tools.Actor, id string, err error) error {
	switch tools.KindOf(err) {
	case tools.Stale, tools.Conflict, tools.Expired, tools.DigestRequired:
	default:
		return err
	}
	p, failed := a.gate.Proposal(e.Request.Context(), who, id)
	if failed == nil && p.State == gate.Stale && p.ReplacedBy != "" {
		p, failed = a.gate.Proposal(e.Request.Context(), who, p.ReplacedBy)
	}
	if failed != nil {
		return err // which says enough
	}
	return standsAs{err, p}
}
