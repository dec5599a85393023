package tools

import (
	"context"

	"github.com/pocketbase/pocketbase/core"
)

// Weight is what a decision is made from: never a model's words.
type Weight struct {
	Tool   string // UndoTool for an undo
	Effect Effect
	Money  bool
}

// Decide says what becomes of a call. It is asked in the call's transaction, by
// which it sees what the actor may do now; of a read, on the pool. An error is
// why the call is refused.
type Decide func(ctx context.Context, app core.App, a Actor, w Weight) (Decision, error)

// Decision of the gate over a call.
type Decision string

// The decisions.
const (
	Run    Decision = "run"
	Ask    Decision = "ask" // a person must see the card first
	Refuse Decision = "refuse"
)

// DecidePerson is the row of the gate for the person's own click or command:
// what can be undone runs, what destroys or sends shows its card first. Agents
// have no row here and are refused.
func DecidePerson(_ context.Context, _ core.App, a Actor, w Weight) (Decision, error) {
	switch {
	case a.Agent != "":
		return Refuse, Fail(Forbidden, "error.refused", w.Tool)
	case w.Effect.Grave():
		return Ask, nil
	}
	return Run, nil
}
