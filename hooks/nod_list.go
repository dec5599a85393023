package hooks

import (
	"net/http"
	"net/url"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// doDiscardAll is a no to all that waits from one agent.
const doDiscardAll = "discard-all"

// maxWaiting is how many are listed at a time.
const maxWaiting = 50

// saidAfter are the sentences by which a page begins that somebody was led to,
// by what the address says: nothing else can be put there.
func saidAfter() map[string]string {
	return map[string]string{
		"discarded": "nod.said.discarded", "changed": "nod.said.changed", "replaced": "nod.said.replaced",
	}
}

// leadTo shows another of these pages, after something was done.
func leadTo(e *core.RequestEvent, path, said string) error {
	if said != "" {
		path += "?" + url.Values{"said": {said}}.Encode()
	}
	return e.Redirect(http.StatusSeeOther, path)
}

// saying is what every page of these shows first.
func (v viewer) saying(e *core.RequestEvent) readerView {
	out := readerView{Who: v.handle()}
	if key := saidAfter()[e.Request.URL.Query().Get("said")]; key != "" && v.values == nil {
		t := tools.T(key)
		out.Said = &t
	}
	return out
}

// nodList shows what waits.
func (a *App) nodList(e *core.RequestEvent, v viewer) error { return a.listPage(e, v, nil) }

// sendNodList does what its buttons say.
func (a *App) sendNodList(e *core.RequestEvent, v viewer) error {
	if v.values["do"] != doDiscardAll {
		return leadTo(e, nodPath, "")
	}
	return a.discardAll(e, v, v.values["agent"])
}

func (a *App) discardAll(e *core.RequestEvent, v viewer, agent string) error {
	if _, err := a.gate.DiscardAll(e.Request.Context(), v.actor, agent); err != nil {
		return a.listPage(e, v, err)
	}
	return leadTo(e, nodPath, "discarded")
}

func (a *App) listPage(e *core.RequestEvent, v viewer, wrong error) error {
	page, err := a.gate.Proposals(e.Request.Context(), v.actor, gate.Query{State: string(gate.Pending), Limit: maxWaiting})
	if err != nil {
		return a.show(e, refusedFormPage(err))
	}
	view := nodListView{readerView: v.saying(e), More: page.Next != ""}
	now := time.Now()
	for _, p := range page.Items {
		w := waitingCard{ID: p.ID, Title: p.Card.Title, Agent: agentOf(p), Left: v.left(now, p.Expires), Grave: p.Card.Grave}
		if len(p.Items) > 1 {
			w.Parts = p.Card.Lines
		}
		view.Items = append(view.Items, w)
	}
	view.Agents = severalOf(page.Items)
	return a.show(e, plain{name: "nod", title: tools.T("nod.list"), wrong: wrong, form: true, view: view})
}

// severalOf are the agents of which more than one waits.
func severalOf(waiting []gate.Proposal) (agents []agentView) {
	at := map[string]int{}
	var all []agentView
	for _, p := range waiting {
		n, known := at[p.Actor.Agent]
		if !known {
			n, at[p.Actor.Agent] = len(all), len(all)
			all = append(all, agentView{p.Actor.Agent, agentOf(p), 0})
		}
		all[n].Count++
	}
	for _, v := range all {
		if v.Count > 1 && v.ID != "" {
			agents = append(agents, v)
		}
	}
	return agents
}

// agentOf is how a page calls whoever asks.
func agentOf(p gate.Proposal) tools.Text {
	if p.Actor.AgentName == "" {
		return tools.T("nod.someone")
	}
	return tools.T("", p.Actor.AgentName)
}
