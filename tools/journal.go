package tools

import (
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
	books := []string{auditTable, stepsTable, noncesTable, outboxTable, filesTable}
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
	return app.RunInTransaction(func(tx core.App) error {
		x := newRecorder(r.names(newNonce()))
		x.foreign = true
		r.recorders.Store(tx, x)
		defer r.recorders.Delete(tx)
		e.App = tx
		if err := x.collect(e, op); err != nil {
			return err
		}
		nets, err := netChanges(tx, x.steps)
		if err != nil || len(nets) == 0 {
			return err
		}
		if err := noteDropped(tx, r.Now(), x.steps); err != nil {
			return err
		}
		effect := EffectWrite
		for _, s := range nets {
			if s.Op == OpDelete {
				effect = EffectDestroy
			}
		}
		return r.chain.append(tx, &entry{Kind: kindWrite, State: stateApplied, Actor: a, Effect: effect, At: r.Now()}, x.steps)
	})
}
