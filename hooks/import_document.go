package hooks

import (
	"context"
	"net/http"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/assistant/document"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

const (
	// documentTime is for an assistant to read a document: a long one is a long
	// answer.
	documentTime = 150 * time.Second
	// Documents that are under way, of a person and of all: they are in memory.
	ownDocuments, allDocuments = 2, 10
)

// documentReview is a review that an assistant made.
type documentReview struct {
	tools.Review
	Assistant assistant.Asked `json:"assistant"`
}

// showDocument has an assistant read a file. That the person names it is their
// tick; whether they may ask it, have agreed to its host and have something to
// spend is asked as for any question.
func (a *App) showDocument(e *core.RequestEvent, by tools.Actor, st statement) (any, error) {
	if _, err := a.whoAsks(e); err != nil {
		return nil, err
	}
	if err := document.Fit(1, len(st.data)); err != nil {
		return nil, err
	}
	if !a.documents.enter(by.Person, allDocuments, ownDocuments) {
		return nil, tools.Fail(tools.Limit, "ask.carrying").In(askAlive)
	}
	defer a.documents.leave(by.Person)
	asked, err := a.roster.For(e.Request.Context(), by.Person, st.Assistant)
	if err != nil {
		return nil, err
	}
	_ = http.NewResponseController(e.Response).SetWriteDeadline(time.Time{}) // not every connection has one
	ctx, cancel := context.WithTimeout(e.Request.Context(), documentTime)
	defer cancel()
	var tally budget.Tally
	begun := time.Now()
	review, used, err := document.Read(budget.WithTally(ctx, &tally), a.desk, by, document.Asked{Assistant: asked.Assistant, Provider: asked}, tools.Upload{Name: st.Name, Data: st.data})
	is := asked.Assistant
	a.documentRead(context.WithoutCancel(ctx), by.Person, is, tally.Sums(), time.Since(begun), err)
	if err != nil {
		return nil, roster.Problem(is, err)
	}
	return documentReview{review, assistant.Asked{ID: is.ID, Name: is.Name, Model: used.Model, Local: is.Local}}, nil
}

// documentRead notes in the activity list that a document was shown, and what that
// took, as for any question; where nothing left there is nothing to note.
func (a *App) documentRead(ctx context.Context, person string, is roster.Assistant, s budget.Sums, took time.Duration, err error) {
	if s.Requests == 0 {
		return
	}
	facts := assistant.Facts{Model: is.Model, Finish: assistant.Answered, Took: took, Usage: assistant.Usage{
		Person: person, Assistant: is.ID, Counts: assistant.CountsOf(s, a.settings.models.Currency),
	}}
	if err != nil {
		facts.Finish = assistant.Broken
		if k := roster.Problem(is, err).Kind; k == tools.Limit || k == tools.TooLarge {
			facts.Finish = assistant.Limited
		}
	}
	a.wasAsked(ctx, tools.Actor{Person: person, Door: tools.DoorAssistant, Agent: is.ID, AgentName: is.Name, Model: is.Model}, facts)
}
