package gate

import (
	"encoding/json/jsontext"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// Did is what an agent has done without a nod, as a person is shown it: like a
// proposal that was applied, but that nothing waited for it, so that it has no
// id. Its receipt can be undone.
func Did(a Agent, inv tools.Invocation, r tools.Receipt, now time.Time) Proposal {
	it := Item{Tool: inv.Tool, Effect: tools.EffectWrite, Args: jsontext.Value(tools.KeptArgs(inv.Args)), Changes: r.Changes, Unseen: r.Unseen, Sends: []string{}}
	if len(r.Cards) > 0 {
		it.Card = r.Cards[0]
	}
	if taint := a.Taint(); len(taint) > 0 {
		it.Card.Taint = taint
	}
	return Proposal{State: Applied, Items: []Item{it}, Card: card([]Item{it}), Created: now, Decided: now, By: string(a.Door), Actor: a.Actor, Receipt: &r}
}
