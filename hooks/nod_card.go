package hooks

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// nodCard shows a proposal: its card while it waits, and then what became of
// it. One that another stands for leads there.
func (a *App) nodCard(e *core.RequestEvent, v viewer) error {
	p, err := a.gate.Proposal(e.Request.Context(), v.actor, e.Request.PathValue("id"))
	switch {
	case err != nil:
		return a.noCard(e, v, err)
	case p.State == gate.Pending:
		return a.showCard(e, v, card{of: p, shown: p})
	case p.ReplacedBy != "":
		return leadTo(e, nodPath+"/"+p.ReplacedBy, insteadOf(p.State))
	}
	return a.showDecided(e, v, p, nil)
}

// insteadOf says why one stands for another.
func insteadOf(s gate.State) string {
	if s == gate.Stale {
		return "changed"
	}
	return "replaced"
}

// noCard is one page for what is not there and for what is somebody else's.
func (a *App) noCard(e *core.RequestEvent, v viewer, err error) error {
	if tools.KindOf(err) != tools.NotFound {
		return a.show(e, refusedFormPage(err))
	}
	view := decidedView{readerView: v.saying(e), Says: []tools.Text{tools.T("nod.gone.what"), tools.T("nod.gone.other")}}
	return a.show(e, plain{name: "decided", status: http.StatusNotFound, title: tools.T("nod.gone.title"), form: true, view: view})
}

// card is a proposal and what of it is shown: all, or what a choice would do.
type card struct {
	of, shown gate.Proposal
	said      string // a key
	wrong     error
	reason    string // as it was typed
}

// showCard shows what waits for a nod.
func (a *App) showCard(e *core.RequestEvent, v viewer, c card) error {
	kept := c.shown.Keep
	if kept == nil {
		kept = allOf(c.of)
	}
	mode, good := a.modeOf(e.Request.Context(), c.of)
	now := time.Now()
	view := cardView{
		readerView: v.saying(e), Asks: tools.T("nod.asks", agentOf(c.of), v.ago(now, c.of.Created)), Left: v.left(now, c.of.Expires), Mode: mode, Good: good,
		Taint: c.of.Card.Taint, Ticks: len(c.of.Items) > 1, Grave: c.shown.Card.Grave, Digest: c.shown.Digest, Shown: places(kept), Reason: c.reason,
		Others: a.othersOf(e, v, c.of),
	}
	if c.said != "" {
		t := tools.T(c.said)
		view.Said = &t
	}
	for n, item := range c.of.Items {
		at := slices.Index(kept, n)
		if at >= 0 {
			item = c.shown.Items[at]
		}
		iv := itemView{
			N: n, Kept: at >= 0, Title: item.Card.Title, Lines: item.Card.Lines, Changes: changesView(item.Changes), Open: len(item.Changes) > maxFolded,
			Warns: warns(item.Effect, item.Card.Sends), Money: item.Money,
		}
		view.Items = append(view.Items, iv)
		if !view.Ticks {
			view.Warns, view.Lines, view.Money = iv.Warns, iv.Lines, iv.Money
		}
	}
	return a.show(e, plain{name: "card", title: c.of.Card.Title, wrong: c.wrong, form: true, view: view})
}

// modeOf says what the agent may do alone, as its person has set it by now. Of
// one that may do nothing any more no wish can be confirmed.
func (a *App) modeOf(ctx context.Context, p gate.Proposal) (says tools.Text, good bool) {
	mode, err := a.gate.Mode(ctx, p)
	if err != nil {
		return tools.T("nod.mode.gone"), false
	}
	return tools.T("nod.mode." + string(mode)), true
}

// othersOf counts what waits from the same agent, where this is not all.
func (a *App) othersOf(e *core.RequestEvent, v viewer, p gate.Proposal) *agentView {
	page, err := a.gate.Proposals(e.Request.Context(), v.actor, gate.Query{State: string(gate.Pending), Agent: p.Actor.Agent, Limit: maxWaiting})
	if err != nil || p.Actor.Agent == "" {
		return nil // the card says enough without it
	}
	if several := severalOf(page.Items); len(several) == 1 {
		return &several[0]
	}
	return nil
}

func allOf(p gate.Proposal) []int {
	all := make([]int, len(p.Items))
	for n := range all {
		all[n] = n
	}
	return all
}

// places writes which items are meant, to be compared.
func places(keep []int) string {
	words := make([]string, len(keep))
	for i, n := range keep {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}
