package hooks

import (
	"context"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// standingProposal is a proposal with what is known of it only now.
type standingProposal struct {
	gate.Proposal
	Mode   gate.Mode `json:"mode,omitzero"`   // while it waits: what the agent may do without a nod, or modeGone
	Undone bool      `json:"undone,omitzero"` // all that was applied was taken back since
}

// modeGone stands for the mode of an agent that may not act any more: what it
// asked for cannot be confirmed.
const modeGone gate.Mode = "gone"

// standing adds to a proposal what a person wants to know before a nod and
// after it.
func (a *App) standing(ctx context.Context, p gate.Proposal) (standingProposal, error) {
	s := standingProposal{Proposal: p}
	switch {
	case p.State == gate.Pending:
		s.Mode = modeGone
		if mode, err := a.gate.Mode(ctx, p); err == nil {
			s.Mode = mode
		}
	case p.State == gate.Applied && p.Receipt != nil:
		var err error
		if s.Undone, err = a.runner.Undone(ctx, p.Receipt.Audit); err != nil {
			return s, err
		}
	}
	return s, nil
}

// countProposals says how many wait: a number for a corner of every page, which
// is no reason to read all of them.
func (a *App) countProposals(e *core.RequestEvent) (any, error) {
	who, err := a.member(e)
	if err != nil {
		return nil, err
	}
	n, err := a.gate.Waiting(e.Request.Context(), who)
	return map[string]int{"waiting": n}, err
}

// briefItem is an item without what only its card is read for.
type briefItem struct {
	Tool   string       `json:"tool"`
	Effect tools.Effect `json:"effect"`
	Money  bool         `json:"money"`
	Card   briefCard    `json:"card"`
}

type briefCard struct {
	Title tools.Text `json:"title"`
	Grave bool       `json:"grave"`
}

// briefProposal is one line of a list. Hundreds of changes are hundreds of kB.
type briefProposal struct {
	gate.Proposal
	Items   []briefItem `json:"items"`
	Card    briefCard   `json:"card"`
	Receipt bool        `json:"receipt"` // whether there is one
}

// briefly leaves out of a page what its lines do not say.
func (a *App) briefly(page gate.Page) any {
	out := struct {
		Items []briefProposal `json:"items"`
		Next  string          `json:"next"`
	}{[]briefProposal{}, page.Next}
	for _, p := range page.Items {
		b := briefProposal{Proposal: p, Items: []briefItem{}, Card: briefCard{p.Card.Title, p.Card.Grave}, Receipt: p.Receipt != nil}
		for _, it := range p.Items {
			b.Items = append(b.Items, briefItem{it.Tool, it.Effect, it.Money, briefCard{it.Card.Title, it.Card.Grave}})
		}
		out.Items = append(out.Items, b)
	}
	return out
}
