package hooks

import (
	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

func countMembers(app core.App) (int64, error) {
	return app.CountRecords(users, dbx.HashExp{"status": tools.Approved})
}

func countOperators(app core.App) (int64, error) {
	return app.CountRecords(users, dbx.HashExp{"status": tools.Approved, "operator": true})
}

// countWaiting counts who was never let in.
func countWaiting(app core.App) (int64, error) {
	return app.CountRecords(users, dbx.In("status", accounts.Waiting, ""))
}
