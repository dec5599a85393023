package accounts

import (
	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

var _ tools.Hooker = Plugin{}

// Hooks lets the passes go with their account, whoever deletes it. Those of
// somebody who was refused stay: they are what says so.
func (Plugin) Hooks(app core.App) error {
	app.OnRecordDeleteExecute(tools.Members).Bind(&hook.Handler[*core.RecordEvent]{Id: "nodkeepPassesGo", Func: func(e *core.RecordEvent) error {
		passes, err := e.App.FindAllRecords(Passes, dbx.HashExp{"account": e.Record.Id, "outcome": ""})
		if err != nil {
			return err
		}
		for _, pass := range passes {
			if err := e.App.DeleteWithContext(e.Context, pass); err != nil {
				return err
			}
		}
		return e.Next()
	}})
	return nil
}
