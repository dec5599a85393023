package hooks

import (
	"fmt"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// What the forms of a card send as do.
const (
	doConfirm = "confirm"
	doLook    = "look" // at what the ticks would do
	doDiscard = "discard"
	doUndo    = "undo"   // shows what taking back would do
	doUndone  = "undone" // does it
)

// sendCard does what a card's buttons say.
func (a *App) sendCard(e *core.RequestEvent, v viewer) error {
	p, err := a.gate.Proposal(e.Request.Context(), v.actor, e.Request.PathValue("id"))
	if err != nil {
		return a.noCard(e, v, err)
	}
	switch do := v.values["do"]; {
	case do == doUndo && p.State == gate.Applied:
		return a.showUndo(e, v, p, nil)
	case do == doUndone && p.State == gate.Applied:
		return a.undoCard(e, v, p)
	case do == doDiscardAll:
		return a.discardAll(e, v, p.Actor.Agent)
	case p.State != gate.Pending: // decided meanwhile, which its page tells
		return leadTo(e, nodHere(e), "")
	case do == doConfirm || do == doLook:
		return a.confirmCard(e, v, p)
	case do == doDiscard:
		_, err := a.gate.Discard(e.Request.Context(), v.actor, p.ID, v.values["reason"])
		if err != nil {
			return a.again(e, v, p, err)
		}
	}
	return leadTo(e, nodHere(e), "")
}

// confirmCard applies what was shown. Another choice is shown first: it has
// another digest.
func (a *App) confirmCard(e *core.RequestEvent, v viewer, p gate.Proposal) error {
	ctx, keep := e.Request.Context(), allOf(p)
	if len(keep) > 1 {
		keep = nil
		for n := range p.Items {
			if v.values[fmt.Sprintf("keep_%d", n)] != "" {
				keep = append(keep, n)
			}
		}
	}
	if len(keep) == 0 {
		return a.showCard(e, v, card{of: p, shown: p, wrong: tools.Fail(tools.Invalid, "nod.none_ticked")})
	}
	if v.values["do"] == doLook || places(keep) != v.values["shown"] {
		choice, err := a.gate.Preview(ctx, v.actor, p.ID, keep)
		if err != nil {
			return a.again(e, v, p, err)
		}
		said := "nod.said.chosen"
		if choice.Keep == nil {
			said = "nod.said.all"
		}
		return a.showCard(e, v, card{of: p, shown: choice, said: said})
	}
	if _, err := a.gate.Confirm(ctx, v.actor, p.ID, v.values["digest"], keep); err != nil {
		return a.again(e, v, p, err)
	}
	return leadTo(e, nodHere(e), "")
}

// again shows where a proposal stands after something was refused: what became
// of it, or the card with the reason.
func (a *App) again(e *core.RequestEvent, v viewer, was gate.Proposal, why error) error {
	p, err := a.gate.Proposal(e.Request.Context(), v.actor, was.ID)
	switch {
	case err != nil:
		return a.noCard(e, v, err)
	case p.State == gate.Pending:
		return a.showCard(e, v, card{of: p, shown: p, wrong: why, reason: v.values["reason"]})
	case p.ReplacedBy != "":
		return leadTo(e, nodPath+"/"+p.ReplacedBy, insteadOf(p.State))
	}
	return leadTo(e, nodHere(e), "")
}
