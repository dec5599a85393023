package assistant

import (
	"cmp"
	"context"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// choose finds the assistant, and who it is for the gate.
func (w *turn) choose(ctx context.Context, person string, row conversationRow) (err error) {
	id := cmp.Or(w.q.Assistant, row.Assistant)
	if id == "" {
		if id, err = w.l.c.Choose(ctx, person); err != nil {
			return err
		}
	}
	if w.is, w.provider, err = w.l.c.For(ctx, person, id); err != nil {
		return err
	}
	taint, err := w.said.taint()
	if err != nil {
		return err
	}
	w.read = gate.NewTurn(taint...)
	w.agent, err = w.l.c.Gate.Assistant(ctx, tools.Actor{
		Person: person, Door: w.q.Door, Agent: w.is.ID, AgentName: w.is.Name, Model: w.is.Model,
	}, w.read)
	if err != nil {
		return err
	}
	w.agent.Language = w.q.Language
	return w.narrow(ctx)
}

// narrow makes the scope of the question that of all that the agent reads.
func (w *turn) narrow(ctx context.Context) error {
	s := w.q.Scope
	if s.Private && (s.Of == All || s.Of == "") {
		return nil // all that the person sees
	}
	scope, err := w.l.c.Runner.Scope(ctx, w.agent.Actor, string(cmp.Or(s.Of, All)), s.Records, s.Private)
	if err != nil {
		return err
	}
	w.agent.Scope = &scope
	return nil
}

// warning says to whom private records go.
func (w *turn) warning() *tools.Text {
	if !w.q.Scope.Private || w.is.Local {
		return nil
	}
	t := tools.T("assistant.warning.private", w.is.Name, w.is.Host)
	return &t
}

func (w *turn) shownAs() Asked {
	return Asked{ID: w.is.ID, Name: w.is.Name, Model: w.is.Model, Local: w.is.Local, Scripted: w.is.Scripted()}
}
