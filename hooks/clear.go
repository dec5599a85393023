package hooks

import (
	"errors"
	"slices"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// waitingTime is how long an account may wait before it is deleted.
const waitingTime = 14 * 24 * time.Hour

// tokenTime is how long a token that is good for nothing any more is still
// listed.
const tokenTime = 90 * 24 * time.Hour

// clearedAtOnce are deleted in one transaction. A thousand in one would hold the
// database for as long as a member's call may last.
const clearedAtOnce = 20

// clear deletes accounts that nobody let in for too long, those too that a
// superuser refused past the tools, passes and links that have expired, and
// tokens that have been good for nothing for long.
func (a *App) clear(now time.Time) error {
	waiting, err := older(a.pb, users, "(status = '"+accounts.Waiting+"' || status = '"+accounts.Refused+"') && created < {:t}", now.Add(-waitingTime))
	err = errors.Join(err, a.inParts(waiting, func(tx core.App, account *core.Record) error {
		if !pending(account) {
			return nil
		}
		return drop(tx, account)
	}))
	for _, books := range []string{accounts.Passes, accounts.Links} {
		expired, failed := older(a.pb, books, "expires < {:t}", now)
		err = errors.Join(err, failed, a.inParts(expired, func(tx core.App, rec *core.Record) error { return tx.Delete(rec) }))
	}
	over, failed := older(a.pb, accounts.Tokens, "(revoked != '' && revoked < {:t}) || (expires != '' && expires < {:t})", now.Add(-tokenTime))
	return errors.Join(err, failed, a.inParts(over, func(tx core.App, rec *core.Record) error { return tx.Delete(rec) }))
}

// inParts does something with each record as it is by then, and goes on after a
// part that failed. Those that are gone meanwhile are left out.
func (a *App) inParts(recs []*core.Record, do func(tx core.App, rec *core.Record) error) (err error) {
	for part := range slices.Chunk(recs, clearedAtOnce) {
		err = errors.Join(err, a.pb.RunInTransaction(func(tx core.App) error {
			for _, rec := range part {
				now, err := ifThere(tx.FindRecordById(rec.Collection(), rec.Id))
				if err == nil && now != nil {
					err = do(tx, now)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}
	return err
}

func older(app core.App, collection, filter string, t time.Time) ([]*core.Record, error) {
	return app.FindRecordsByFilter(collection, filter, "", 0, 0, dbx.Params{"t": tools.Stamp(t)})
}
