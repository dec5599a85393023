package tools

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"time"

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

// PastQuestion is what the audit keeps of a question to an assistant, without who asked.
type PastQuestion struct {
	At     time.Time
	Failed bool
	Facts  jsontext.Value // as Asked was given them; nil where they were erased
}

// Questions are those since a time, newest first and at most n.
func (r *Runner) Questions(ctx context.Context, since time.Time, n int) ([]PastQuestion, error) {
	rows, err := r.page(ctx, ActivityQuery{Tool: AskTool, Since: since}, 1<<62, n)
	if err != nil {
		return nil, err
	}
	var all []PastQuestion
	for _, row := range rows {
		if row.Kind != string(kindQuestion) {
			continue
		}
		q := PastQuestion{At: ParseStamp(row.At), Failed: row.State == stateFailed}
		if facts := jsontext.Value(row.Args); facts.IsValid() {
			q.Facts = facts
		}
		all = append(all, q)
	}
	return all, nil
}
