package hooks

import (
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// operates says that an account looks after the instance.
func operates(rec *core.Record) bool {
	return approved(rec) && rec.GetBool("operator")
}

func approved(rec *core.Record) bool {
	return rec.Collection().Name == users && rec.GetString("status") == tools.Approved
}

// pending says that an account was never let in: only then a pass may delete it.
func pending(account *core.Record) bool {
	return !approved(account) && account.GetDateTime("approved").IsZero()
}

// standing is what of an account only operators and the core change, as text.
// The last is the key that every token of it hangs on.
type standing [5]string

func standingFields() [len(standing{})]string {
	return [...]string{"status", "operator", "approved", "words", core.FieldNameTokenKey}
}

func standingOf(rec *core.Record) (s standing) {
	for n, name := range standingFields() {
		s[n] = rec.GetString(name)
	}
	return s
}

// standingKey is where a record in memory keeps what was last stored from it.
// PocketBase's Original stays what was once loaded.
const standingKey = "@nodkeep_standing"

// rekeyedKey is where a record in memory keeps that a save gave it another key.
const rekeyedKey = "@nodkeep_rekeyed"

// bindStanding ends all tokens of an account in the save that takes its approval
// away, whoever saves.
func (a *App) bindStanding() {
	a.pb.OnRecordUpdateExecute(users).Bind(&hook.Handler[*core.RecordEvent]{Id: "nodkeepStanding", Priority: -1, Func: keepStanding})
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
	for n, name := range standingFields() {
		if now[n] == had[n] && now[n] != is[n] {
			e.Record.Set(name, was.Get(name))
		}
	}
	if was.GetString("status") == tools.Approved && e.Record.GetString("status") != tools.Approved {
		if e.Record.TokenKey() == was.TokenKey() {
			e.Record.RefreshTokenKey()
		}
		// Whoever has shown one of two factors begins again.
		if err := e.App.DeleteAllMFAsByRecord(e.Record); err != nil {
			return err
		}
	}
	if err := e.Next(); err != nil { // PocketBase makes the key of a new password as the last of all
		return err
	}
	if e.Record.TokenKey() != was.TokenKey() {
		e.Record.SetRaw(rekeyedKey, true)
	}
	return nil
}
