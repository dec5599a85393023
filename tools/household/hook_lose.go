package household

import (
	"slices"

	"github.com/pocketbase/dbx"
	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// checkKept refuses a change of dates by which a charge loses its due day.
func checkKept(e *core.RecordEvent, problems validation.Errors, was *core.Record) error {
	rec, field := e.Record, ""
	for _, f := range []string{"trial_ends_on", "anchor_day", "first_date", "cycle"} {
		if rec.GetString(f) != was.GetString(f) {
			field = f
		}
	}
	if len(problems) > 0 || field == "" {
		return nil
	}
	rests, err := storedPauses(e.App, rec.Id, "")
	if err != nil {
		return err
	}
	before, err := scheduleOf(was, below{pauses: rests})
	if err != nil {
		return nil // nothing could be reckoned with what was there
	}
	after, err := scheduleOf(rec, below{pauses: rests})
	if err != nil {
		return nil // a problem says so
	}
	list, err := storedCharges(e.App, rec.Id, tools.Restoring(e))
	if err != nil {
		return err
	}
	switch l, is := before.loses(after, list); {
	case is && l.trial:
		problems["trial_ends_on"] = bad("must be before %s, which was paid", l.settled)
	case is:
		problems[field] = bad("must leave the charge of %s its due day, or first_date be after %s", l.date, l.last.AddDays(slack))
	}
	return nil
}

// bindRests holds an undo of pauses, which does not validate, and their deletion
// to what checkRests refuses.
func bindRests(app core.App) {
	undone := func(e *core.RecordEvent) error {
		if !tools.Restoring(e) {
			return e.Next()
		}
		return keptRests(e, e.Record)
	}
	const id = "household.rests"
	app.OnRecordCreate(pauses).Bind(&hook.Handler[*core.RecordEvent]{Id: id, Func: undone})
	app.OnRecordUpdate(pauses).Bind(&hook.Handler[*core.RecordEvent]{Id: id, Func: undone})
	app.OnRecordDelete(pauses).Bind(&hook.Handler[*core.RecordEvent]{Id: id, Func: func(e *core.RecordEvent) error {
		return keptRests(e, nil)
	}})
}

// keptRests goes on where checkRests finds nothing.
func keptRests(e *core.RecordEvent, then *core.Record) error {
	problems := validation.Errors{}
	others, err := storedPauses(e.App, e.Record.GetString("subscription"), e.Record.Id)
	if err != nil {
		return err
	}
	if err := checkRests(e, problems, others, then); err != nil {
		return err
	}
	if len(problems) > 0 {
		return problems
	}
	return e.Next()
}

// checkRests refuses that a pause beside others becomes another, or none, where
// that moves what was paid.
func checkRests(e *core.RecordEvent, problems validation.Errors, others []pause, then *core.Record) error {
	id := e.Record.GetString("subscription")
	sub, err := e.App.FindRecordById(subscriptions, id)
	if err != nil {
		return nil // it goes as well, or the relation says so
	}
	before, err := scheduleOf(sub, below{pauses: others})
	if err != nil {
		return nil // nothing can be reckoned with it
	}
	after := before
	if then != nil {
		after.pauses = withPause(others, then)
	}
	if !e.Record.IsNew() {
		before.pauses = withPause(others, e.Record.Original())
	}
	if before.countsAs(after) {
		return nil
	}
	list, err := storedCharges(e.App, id, tools.Restoring(e))
	if err != nil {
		return err
	}
	if l, is := before.loses(after, list); is {
		problems["from"] = bad("must leave the charge of %s its due day", l.date)
	}
	return nil
}

// withPause is pauses and one more, by date.
func withPause(list []pause, rec *core.Record) []pause {
	p, err := pauseOf(rec)
	if err != nil {
		return list
	}
	return inOrder(append(slices.Clone(list), p))
}

// storedPauses are the pauses of a subscription but one, by date.
func storedPauses(app core.App, id, but string) (list []pause, err error) {
	recs, err := app.FindAllRecords(pauses, dbx.HashExp{"subscription": id}, dbx.Not(dbx.HashExp{"id": but}))
	for _, rec := range recs {
		if p, err := pauseOf(rec); err == nil {
			list = append(list, p)
		}
	}
	return inOrder(list), err
}

// storedCharges are the charges of a subscription; for an undo only those that
// name their due day: others may have had none before what it takes back.
func storedCharges(app core.App, id string, named bool) ([]charged, error) {
	var rows []struct{ ID, Date, Due, State string }
	err := app.DB().Select("id", "date", "due", "state").From(charges).Where(dbx.HashExp{"subscription": id}).All(&rows)
	var list []charged
	for _, row := range rows {
		c, err := chargedOn(row.Date, row.Due, row.State)
		if c.id = row.ID; err == nil && (!named || !c.due.IsZero()) {
			list = append(list, c)
		}
	}
	return list, err
}
