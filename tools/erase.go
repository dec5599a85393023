package tools

import (
	"context"
	"encoding/json/v2"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// ErasePerson empties the payloads of a member's entries, and of those that
// changed their account. The chain stays verifiable: an entry names what was
// erased.
func (r *Runner) ErasePerson(ctx context.Context, person string) (int, error) {
	about := dbx.NewExp("id IN (SELECT [[entry]] FROM {{"+stepsTable+"}} WHERE [[collection]] = {:members} AND [[record]] = {:person})",
		dbx.Params{"members": Members, "person": person})
	return r.erase(ctx, dbx.Or(dbx.HashExp{"person": person}, about), "an account was deleted")
}

// EraseGone empties what is left of persons whose account is gone, however it
// went: one that was deleted past the hooks would otherwise stay for good.
func (r *Runner) EraseGone(ctx context.Context) (int, error) {
	gone := dbx.NewExp("person != '' AND person NOT IN (SELECT [[id]] FROM {{" + Members + "}}) AND person NOT IN (SELECT [[id]] FROM {{" + core.CollectionNameSuperusers + "}})")
	about := dbx.NewExp("id IN (SELECT [[entry]] FROM {{"+stepsTable+"}} WHERE [[collection]] = {:members} AND [[record]] NOT IN (SELECT [[id]] FROM {{"+Members+"}}))",
		dbx.Params{"members": Members})
	return r.erase(ctx, dbx.Or(gone, about), "an account was deleted")
}

// EraseBefore empties the payloads of entries older than t: retention passed.
func (r *Runner) EraseBefore(ctx context.Context, t time.Time) (int, error) {
	return r.erase(ctx, dbx.NewExp("at < {:t}", dbx.Params{"t": stamp(t)}), "retention")
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
	return r.append(tx, &e, nil)
}

// Forget drops what has no use any more: digests that have expired.
func (r *Runner) Forget(ctx context.Context) error {
	_, err := r.app.NonconcurrentDB().Delete(noncesTable, dbx.NewExp("expires < {:t}", dbx.Params{"t": stamp(r.c.Now().Add(-time.Hour))})).WithContext(ctx).Execute()
	return err
}
