package hooks

import (
	"errors"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// decidedView is what became of a proposal, and the way to take it back.
type decidedView struct {
	readerView
	Says      []tools.Text
	Cards     []tools.Card
	Reason    string
	After     []tools.Text
	Conflicts []tools.Text
	Undo      *tools.Text // until when it can be taken back
	Digest    string      // of what taking back would do
	Grave     bool
	Waits     int // others
}

// showDecided tells what became of a proposal, where it was decided and when.
func (a *App) showDecided(e *core.RequestEvent, v viewer, p gate.Proposal, wrong error) error {
	now := time.Now()
	view := decidedView{readerView: v.saying(e)}
	title, where, when := tools.T(titleOf(p.State)), tools.T("nod.by."+bySurface(p.By)), v.ago(now, p.Decided)
	switch {
	case p.State == gate.Applied:
		undone, err := a.runner.Undone(e.Request.Context(), p.Receipt.Audit)
		if err != nil {
			return a.show(e, refusedFormPage(err))
		}
		view.Cards = p.Receipt.Cards
		if undone {
			title = tools.T("nod.undone.title")
			view.Says = append(view.Says, tools.T("nod.undone.what", where, when))
			break
		}
		view.Says = append(view.Says, tools.T("nod.applied.what", where, when))
		view.takesBack(v, p.Receipt.UndoUntil)
	case p.State == gate.Discarded && p.By == "": // by nobody: it went with its token
		view.Says = append(view.Says, tools.T("nod.revoked.what", when))
	case p.State == gate.Discarded:
		view.Says, view.Reason = append(view.Says, tools.T("nod.discarded.what", where, when)), p.Reason
	case p.State == gate.Expired:
		view.Says = append(view.Says, tools.T("nod.expired.what", v.ago(now, p.Expires)))
		view.After = append(view.After, tools.T("nod.ask_again"))
	default: // stale or failed, and nothing stands for it
		view.Says, view.Reason = append(view.Says, tools.T("nod.failed.what", when)), p.Reason
		view.After = append(view.After, tools.T("nod.ask_again"))
	}
	if page, err := a.gate.Proposals(e.Request.Context(), v.actor, gate.Query{State: string(gate.Pending), Limit: maxWaiting}); err == nil {
		view.Waits = len(page.Items)
	}
	if p.State != gate.Applied {
		view.Cards = []tools.Card{p.Card}
	}
	return a.show(e, plain{name: "decided", title: title, wrong: wrong, form: true, view: view})
}

func titleOf(s gate.State) string {
	switch s {
	case gate.Applied:
		return "nod.applied.title"
	case gate.Discarded:
		return "nod.discarded.title"
	case gate.Expired:
		return "nod.expired.title"
	}
	return "nod.failed.title"
}

// bySurface is where a decision was made, as there is a word for it.
func bySurface(by string) string {
	switch by {
	case gate.ByClient, string(tools.DoorCLI), string(tools.DoorTelegram), string(tools.DoorSlack):
		return by
	}
	return string(tools.DoorWeb)
}

// takesBack says whether what was applied can be taken back, and until when.
func (view *decidedView) takesBack(v viewer, until time.Time) {
	switch {
	case until.IsZero():
		view.After = append(view.After, tools.T("nod.no_undo"))
	case time.Now().Before(until):
		t := tools.T("nod.undo.until", v.dayOf(until))
		view.Undo = &t
	}
}

// showUndo shows what taking back would do.
func (a *App) showUndo(e *core.RequestEvent, v viewer, p gate.Proposal, wrong error) error {
	view := decidedView{readerView: v.saying(e)}
	pre, err := a.runner.PreviewUndo(e.Request.Context(), v.actor, tools.UndoSpec{Audit: p.Receipt.Audit})
	if err != nil {
		wrong = err
		if own, ok := errors.AsType[*tools.Error](err); ok {
			for _, c := range own.Conflicts {
				view.Conflicts = append(view.Conflicts, c.Reason)
			}
		}
		return a.show(e, plain{name: "decided", title: tools.T("nod.undo.title"), wrong: wrong, form: true, view: view})
	}
	for _, item := range pre.Items {
		view.Cards, view.Grave = append(view.Cards, item.Card), view.Grave || item.Card.Grave
	}
	view.Digest = pre.Digest
	return a.show(e, plain{name: "decided", title: tools.T("nod.undo.title"), wrong: wrong, form: true, view: view})
}

// undoCard takes back what was applied, as it was shown.
func (a *App) undoCard(e *core.RequestEvent, v viewer, p gate.Proposal) error {
	undone, err := a.runner.Undone(e.Request.Context(), p.Receipt.Audit)
	switch {
	case err != nil:
		return a.show(e, refusedFormPage(err))
	case undone: // sent twice, or taken back elsewhere
		return leadTo(e, nodHere(e), "")
	case v.values["digest"] == "":
		return a.showUndo(e, v, p, nil)
	}
	if _, err := a.runner.Undo(e.Request.Context(), v.actor, v.values["digest"], tools.UndoSpec{Audit: p.Receipt.Audit}); err != nil {
		return a.showUndo(e, v, p, err)
	}
	return leadTo(e, nodHere(e), "")
}
