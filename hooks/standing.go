package hooks

import (
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// standing is what of an account only an operator changes, and the key that
// every token of it hangs on.
type standing struct {
	status   string
	operator bool
	key      string
}

// standingKey is where a record in memory keeps what was last stored from it.
// PocketBase's Original stays what was once loaded.
const standingKey = "@nodkeep_standing"

func standingOf(rec *core.Record) standing {
	return standing{rec.GetString("status"), rec.GetBool("operator"), rec.TokenKey()}
}

// bindStanding ends all tokens of an account in the save that takes its
// approval away, whoever saves.
func (a *App) bindStanding() {
	a.pb.OnRecordUpdateExecute(users).Bind(&hook.Handler[*core.RecordEvent]{Id: "nodkeepStanding", Func: keepStanding})
	stored := &hook.Handler[*core.RecordEvent]{Id: "nodkeepStanding", Func: func(e *core.RecordEvent) error {
		e.Record.SetRaw(standingKey, standingOf(e.Record))
		return e.Next()
	}}
	a.pb.OnRecordAfterCreateSuccess(users).Bind(stored)
	a.pb.OnRecordAfterUpdateSuccess(users).Bind(stored)
}

// keepStanding runs in the transaction of the write. A record is written whole,
// so one that was loaded before a suspension would bring back the approval and
// the old key: who sets a password at that moment, for example. What its
// writer did not change stays as it is stored.
func keepStanding(e *core.RecordEvent) error {
	was, err := e.App.FindRecordById(users, e.Record.Id)
	if err != nil {
		return err
	}
	is, now := standingOf(was), standingOf(e.Record)
	had, ok := e.Record.GetRaw(standingKey).(standing)
	if !ok {
		had = standingOf(e.Record.Original())
	}
	if now.status == had.status && now.status != is.status {
		now.status = is.status
		e.Record.Set("status", is.status)
	}
	if now.operator == had.operator && now.operator != is.operator {
		e.Record.Set("operator", is.operator)
	}
	if now.key == had.key && now.key != is.key {
		now.key = is.key
		e.Record.SetTokenKey(is.key)
	}
	if is.status != tools.Approved || now.status == tools.Approved {
		return e.Next()
	}
	if now.key == is.key {
		e.Record.RefreshTokenKey()
	}
	// Whoever has shown one of two factors begins again.
	if err := e.App.DeleteAllMFAsByRecord(e.Record); err != nil {
		return err
	}
	return e.Next()
}
