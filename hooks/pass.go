package hooks

import (
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// How long a waiting pass is good for, and how many an account may have.
const (
	passTime  = 30 * 24 * time.Hour
	maxPasses = 5
)

// issue gives an account that waits a pass: a secret that is worth no session,
// kept as a hash. Of more than it may have, the oldest go.
func (a *App) issue(tx core.App, account *core.Record) (*pass, error) {
	col, err := tx.FindCachedCollectionByNameOrId(accounts.Passes)
	if err != nil {
		return nil, err
	}
	old, err := tx.FindRecordsByFilter(accounts.Passes, "account = {:account}", "created,id", 0, 0, dbx.Params{"account": account.Id})
	if err != nil {
		return nil, err
	}
	for _, p := range old[:max(0, len(old)-maxPasses+1)] {
		if err := drop(tx, p); err != nil {
			return nil, err
		}
	}
	secret := tools.NewSecret()
	rec := core.NewRecord(col)
	rec.Set("hash", tools.Hash(secret))
	rec.Set("account", account.Id)
	rec.Set("expires", time.Now().UTC().Add(passTime))
	tools.Writer(rec, tools.Actor{Door: tools.DoorWeb})
	return &pass{secret, a.words(account)}, tx.Save(rec)
}

// drop deletes what somebody without an account may.
func drop(tx core.App, rec *core.Record) error {
	tools.Writer(rec, tools.Actor{Door: tools.DoorWeb})
	return tx.Delete(rec)
}

// expired says that a pass or a link is good for nothing any more.
func expired(rec *core.Record) bool { return rec.GetDateTime("expires").Time().Before(time.Now()) }
