package accounts

import (
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

var _ tools.Hooker = Plugin{}

// Hooks lets the passes go with their account, whoever deletes it. Those of
// somebody who was refused stay: they are what says so. A link for a new
// password goes once the account has a new key: with a password that was set,
// whoever still has one must not set another.
func (Plugin) Hooks(app core.App) error {
	tokenHooks(app)
	first := &hook.Handler[*core.RecordEvent]{Id: "nodkeepApproved", Func: letIn}
	app.OnRecordCreateExecute(tools.Members).Bind(first)
	app.OnRecordUpdateExecute(tools.Members).Bind(first)
	app.OnRecordDeleteExecute(tools.Members).Bind(&hook.Handler[*core.RecordEvent]{Id: "nodkeepPassesGo", Func: func(e *core.RecordEvent) error {
		if err := deleteAll(e, Passes, dbx.HashExp{"account": e.Record.Id, "outcome": ""}); err != nil {
			return err
		}
		return e.Next()
	}})
	app.OnRecordUpdateExecute(tools.Members).Bind(&hook.Handler[*core.RecordEvent]{Id: "nodkeepResetsGo", Func: func(e *core.RecordEvent) error {
		was, err := e.App.FindRecordById(tools.Members, e.Record.Id)
		if err != nil {
			return err
		}
		// PocketBase makes the new key as the last of all.
		if err := e.Next(); err != nil || e.Record.TokenKey() == was.TokenKey() {
			return err
		}
		return deleteAll(e, Links, dbx.HashExp{"account": e.Record.Id, "kind": Reset})
	}})
	return nil
}

// letIn notes when an account was first approved, whoever approves, and forgets
// the words of who waits no more.
func letIn(e *core.RecordEvent) error {
	if e.Record.GetString("status") == tools.Approved {
		e.Record.Set("words", "")
		if e.Record.GetDateTime("approved").IsZero() {
			e.Record.Set("approved", time.Now().UTC())
		}
	}
	return e.Next()
}

// deleteAll deletes what is kept of an account, in the same write.
func deleteAll(e *core.RecordEvent, collection string, of dbx.HashExp) error {
	recs, err := e.App.FindAllRecords(collection, of)
	if err != nil {
		return err
	}
	for _, rec := range recs {
		if err := e.App.DeleteWithContext(e.Context, rec); err != nil {
			return err
		}
	}
	return nil
}
