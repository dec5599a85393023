package tools

import (
	"errors"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
)

// writerKey carries who wrote a record through PocketBase's own endpoints to
// the hook that journals it. It is no field: it is neither stored nor shown.
const writerKey = "@nodkeepWriter"

// Writer notes who is about to write rec past the tools (an account, by a
// command), so that the audit can tell.
func Writer(rec *core.Record, a Actor) { rec.SetRaw(writerKey, a) }

// bindWriters notes who writes past our doors, and keeps everybody from
// writing to our own books.
func (r *Runner) bindWriters() {
	note := &hook.Handler[*core.RecordRequestEvent]{Id: "nodkeepWriter", Priority: -100, Func: func(e *core.RecordRequestEvent) error {
		a := Actor{Door: DoorWeb}
		if e.Auth != nil {
			a.Person = e.Auth.Id
			if e.Auth.IsSuperuser() {
				a.Door = DoorDashboard
			}
		}
		Writer(e.Record, a)
		return e.Next()
	}}
	app := r.app
	app.OnRecordCreateRequest().Bind(note)
	app.OnRecordUpdateRequest().Bind(note)
	app.OnRecordDeleteRequest().Bind(note)

	own := &hook.Handler[*core.RecordEvent]{Id: "nodkeepBooks", Priority: -1000, Func: func(*core.RecordEvent) error {
		return Fail(Forbidden, "error.books")
	}}
	books := Books()
	app.OnRecordCreate(books...).Bind(own)
	app.OnRecordUpdate(books...).Bind(own)
	app.OnRecordDelete(books...).Bind(own)
}

// journal audits a write that no tool made, in the same transaction.
func (r *Runner) journal(e *core.RecordEvent, op Op) error {
	a, ok := e.Record.GetRaw(writerKey).(Actor)
	if !ok {
		a = Actor{Door: DoorHook}
	}
	app := e.App
	defer func() { e.App = app }()
	return inSavepoint(app, func(tx core.App) error {
		x := newRecorder(r.names(newNonce()))
		x.foreign = true
		r.recorders.Store(tx, x)
		defer r.recorders.Delete(tx)
		e.App = tx
		key := tokenKey(tx, e.Record)
		err := x.collect(e, op)
		if err == nil {
			err = x.swallowed()
		}
		if err != nil {
			return err
		}
		nets, err := netChanges(tx, x.steps)
		if err != nil {
			return err
		}
		if len(nets) == 0 && key == tokenKey(tx, e.Record) {
			return nil
		}
		if err := noteDropped(tx, r.c.Now(), x.steps); err != nil {
			return err
		}
		effect := EffectWrite
		for _, s := range nets {
			if s.Op == OpDelete {
				effect = EffectDestroy
			}
		}
		return r.append(tx, &entry{Kind: kindWrite, State: stateApplied, Actor: a, Effect: effect, At: r.c.Now()}, x.steps)
	})
}

// tokenKey is the stored token key of an account. It changes with the
// password: that much is noted, without any value.
func tokenKey(app core.App, rec *core.Record) string {
	if !rec.Collection().IsAuth() {
		return ""
	}
	stored, err := app.FindRecordById(rec.Collection(), rec.Id)
	if err != nil {
		return ""
	}
	return stored.TokenKey()
}

// inSavepoint runs f in a transaction of its own. Inside another's transaction
// that is a savepoint: what f leaves half done goes, even if the other goes on.
func inSavepoint(app core.App, f func(tx core.App) error) error {
	if !app.IsTransactional() {
		return app.RunInTransaction(f)
	}
	exec := func(sql string) error {
		_, err := app.NonconcurrentDB().NewQuery(sql).Execute()
		return err
	}
	if err := exec("SAVEPOINT nodkeep"); err != nil {
		return err
	}
	if err := f(app); err != nil {
		return errors.Join(err, exec("ROLLBACK TO nodkeep"), exec("RELEASE nodkeep"))
	}
	return exec("RELEASE nodkeep")
}
