package tools

import (
	"context"
	"encoding/json/v2"
	"fmt"

	"github.com/pocketbase/pocketbase/core"
)

// AskTool is the tool that the entry of a question names. Nobody calls it: what an
// answer changed has entries of its own.
const AskTool = "ask"

// Asked notes that a person asked an assistant, and what it took to answer. The
// facts hold no word of either, so that operators can be shown them; the actor is
// the person by way of the assistant. Of somebody whose account went meanwhile
// there is nothing to note.
func (r *Runner) Asked(ctx context.Context, a Actor, facts any, failed bool) error {
	args, err := json.Marshal(facts, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("the facts of a question: %w", err)
	}
	e := entry{Kind: kindQuestion, State: stateApplied, Actor: a, Tool: AskTool, Effect: EffectRead, Args: KeptArgs(args), At: r.c.Now()}
	if failed {
		e.State = stateFailed
	}
	return r.app.RunInTransaction(func(tx core.App) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := find(tx, Members, a.Person); err != nil {
			if KindOf(err) == Unauthorized {
				return nil
			}
			return err
		}
		return r.append(tx, &e, nil)
	})
}
