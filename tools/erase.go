package tools

import (
	"context"
	"encoding/json/v2"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// reasonGone is why something was erased because an account went, and what of
// that is left where somebody else deleted it.
const reasonGone = "an account was deleted"

// ErasePerson empties the payloads of a member's entries, and of those that
// changed their account. The chain stays verifiable: an entry names what was
// erased. That an operator or a superuser deleted the account is noted anew,
// without whose it was.
func (r *Runner) ErasePerson(ctx context.Context, person string) (int, error) {
	about := dbx.NewExp("id IN (SELECT [[entry]] FROM {{"+stepsTable+"}} WHERE [[collection]] = {:members} AND [[record]] = {:person})",
		dbx.Params{"members": Members, "person": person})
	return r.erase(ctx, dbx.Or(dbx.HashExp{"person": person}, about), reasonGone)
}

// EraseGone empties what is left of persons whose account is gone, however it
// went: one that was deleted past the hooks would otherwise stay for good.
func (r *Runner) EraseGone(ctx context.Context) (int, error) {
	gone := dbx.NewExp("person != '' AND person NOT IN (SELECT [[id]] FROM {{" + Members + "}}) AND person NOT IN (SELECT [[id]] FROM {{" + core.CollectionNameSuperusers + "}})")
	about := dbx.NewExp("id IN (SELECT [[entry]] FROM {{"+stepsTable+"}} WHERE [[collection]] = {:members} AND [[record]] NOT IN (SELECT [[id]] FROM {{"+Members+"}}))",
		dbx.Params{"members": Members})
	return r.erase(ctx, dbx.Or(gone, about), reasonGone)
}

// EraseBefore empties the payloads of entries older than t: retention passed.
func (r *Runner) EraseBefore(ctx context.Context, t time.Time) (int, error) {
	return r.erase(ctx, dbx.NewExp("at < {:t}", dbx.Params{"t": Stamp(t)}), "retention")
}

// DropBooks deletes what the gate and the doors keep of a member: proposals, what
// was said to assistants, and uploads, whose ids it answers so that the files go
// too; and what models cost them, but for what must still count today.
func (r *Runner) DropBooks(ctx context.Context, person string) (uploads []string, err error) {
	return r.dropBooks(ctx, "person = {:person}", dbx.Params{"person": person})
}

// DropGoneBooks does the same for all whose account is gone.
func (r *Runner) DropGoneBooks(ctx context.Context) (uploads []string, err error) {
	return r.dropBooks(ctx, "person NOT IN (SELECT [[id]] FROM {{"+Members+"}})", dbx.Params{})
}

func (r *Runner) dropBooks(ctx context.Context, whose string, params dbx.Params) (uploads []string, err error) {
	err = r.app.RunInTransaction(func(tx core.App) error {
		err := tx.DB().Select("id").From(UploadsTable).Where(dbx.NewExp(whose, params)).WithContext(ctx).Column(&uploads)
		for _, book := range []string{UploadsTable, ProposalsTable, TurnsTable, ConversationsTable} {
			if err == nil {
				_, err = tx.NonconcurrentDB().Delete(book, dbx.NewExp(whose, params)).WithContext(ctx).Execute()
			}
		}
		if err != nil {
			return err
		}
		return r.dropUsage(ctx, tx, whose, params)
	})
	return uploads, err
}

// eraseBatch bounds one erasure entry, and how long it holds the writer.
const eraseBatch = 500

func (r *Runner) erase(ctx context.Context, which dbx.Expression, reason string) (int, error) {
	total := 0
	for {
		n := 0
		err := r.app.RunInTransaction(func(tx core.App) error {
			var ids []string
			// Erasures stay: they say why the others are empty.
			err := tx.DB().Select("id").From(auditTable).Where(dbx.And(which, dbx.NewExp("salt != ''"), dbx.NewExp("kind != 'erasure'"))).
				OrderBy("seq").Limit(eraseBatch).WithContext(ctx).Column(&ids)
			if err != nil || len(ids) == 0 {
				return err
			}
			n = len(ids)
			return r.eraseEntries(tx, ids, reason)
		})
		if total += n; err != nil || n < eraseBatch {
			return total, err
		}
	}
}

func (r *Runner) eraseEntries(tx core.App, ids []string, reason string) error {
	list := make([]any, len(ids))
	for i, id := range ids {
		list[i] = id
	}
	var deleted []entry
	if reason == reasonGone {
		var err error
		if deleted, err = deletedByOthers(tx, list); err != nil {
			return err
		}
	}
	blank := dbx.Params{"salt": ""}
	for _, column := range payloadColumns {
		blank[column] = ""
	}
	if _, err := tx.NonconcurrentDB().Update(auditTable, blank, dbx.In("id", list...)).Execute(); err != nil {
		return err
	}
	if _, err := tx.NonconcurrentDB().Delete(stepsTable, dbx.In("entry", list...)).Execute(); err != nil {
		return err
	}
	args, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	e := entry{Kind: kindErasure, State: stateApplied, Args: string(args), Reason: reason, At: r.c.Now()}
	if err := r.append(tx, &e, nil); err != nil {
		return err
	}
	for i := range deleted {
		deleted[i].At = r.c.Now()
		if err := r.append(tx, &deleted[i], nil); err != nil {
			return err
		}
	}
	return nil
}

// deletedByOthers gives, for the entries that deleted somebody else's account,
// what may be kept of them: who did it, by which tool. It becomes an entry of
// its own and not part of the erasure: that is never erased, while this goes
// with whoever did it.
func deletedByOthers(tx core.App, ids []any) ([]entry, error) {
	var rows []auditRow
	err := tx.DB().Select("a.*").Distinct(true).From(auditTable+" a").InnerJoin(stepsTable+" s", dbx.NewExp("s.entry = a.id")).
		Where(dbx.And(dbx.In("a.id", ids...), dbx.HashExp{"s.collection": Members, "s.op": string(OpDelete)}, dbx.NewExp("s.record != a.person"))).
		OrderBy("a.seq").All(&rows)
	if err != nil {
		return nil, err
	}
	var kept []entry
	for _, w := range rows {
		if w.Tool == "" && w.Person == "" {
			continue // a job's doing, or that of whoever held the waiting pass
		}
		kept = append(kept, entry{
			Kind: entryKind(w.Kind), State: w.State, Tool: w.Tool, Effect: Effect(w.Effect), Reason: reasonGone,
			Actor: Actor{Person: w.Person, Door: Door(w.Door), Agent: w.Agent, AgentName: w.AgentName, Model: w.Model, Token: w.Token},
		})
	}
	return kept, nil
}

// Forget drops what has no use any more: digests that have expired.
func (r *Runner) Forget(ctx context.Context) error {
	_, err := r.app.NonconcurrentDB().Delete(noncesTable, dbx.NewExp("expires < {:t}", dbx.Params{"t": Stamp(r.c.Now().Add(-time.Hour))})).WithContext(ctx).Execute()
	return err
}
