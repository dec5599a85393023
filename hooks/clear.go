package hooks

import (
	"errors"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/nodkeep/nodkeep/tools/accounts"
)

// waitingTime is how long an account may wait before it is deleted.
const waitingTime = 14 * 24 * time.Hour

// clear deletes accounts that nobody let in for too long, those too that a
// superuser refused past the tools, and passes and links that have expired.
func (a *App) clear(now time.Time) error {
	return a.pb.RunInTransaction(func(tx core.App) error {
		waiting, err := older(tx, users, "(status = '"+accounts.Waiting+"' || status = '"+accounts.Refused+"') && created < {:t}", now.Add(-waitingTime))
		if err != nil {
			return err
		}
		for _, account := range waiting {
			if pending(account) {
				err = errors.Join(err, drop(tx, account))
			}
		}
		for _, books := range []string{accounts.Passes, accounts.Links} {
			expired, failed := older(tx, books, "expires < {:t}", now)
			err = errors.Join(err, failed)
			for _, rec := range expired {
				err = errors.Join(err, tx.Delete(rec))
			}
		}
		return err
	})
}

func older(app core.App, collection, filter string, t time.Time) ([]*core.Record, error) {
	return app.FindRecordsByFilter(collection, filter, "", 0, 0, dbx.Params{"t": t.UTC().Format(types.DefaultDateLayout)})
}
