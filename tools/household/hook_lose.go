package household

import (
	"slices"

	"github.com/pocketbase/dbx"
	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"

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

// checkRest refuses a pause that moves what was paid.
func checkRest(e *core.RecordEvent, problems validation.Errors, p pause) error {
	id := e.Record.GetString("subscription")
	sub, err := e.App.FindRecordById(subscriptions, id)
	if err != nil {
		return nil // the relation says so
	}
	others, err := storedPauses(e.App, id, e.Record.Id)
	if err != nil {
		return err
	}
	rests := func(p pause) below {
		list := append(slices.Clone(others), p)
		slices.SortFunc(list, func(a, b pause) int { return a.from.Compare(b.from) })
		return below{pauses: list}
	}
	was := below{pauses: others}
	if !e.Record.IsNew() {
		if old, err := pauseOf(e.Record.Original()); err == nil {
			was = rests(old)
		}
	}
	before, err := scheduleOf(sub, was)
	if err != nil {
		return nil
	}
	after := before
	after.pauses = rests(p).pauses
	if before.countsAs(after) {
		return nil
	}
	list, err := storedCharges(e.App, id, false)
	if err != nil {
		return err
	}
	if l, is := before.loses(after, list); is {
		problems["from"] = bad("must leave the charge of %s its due day", l.date)
	}
	return nil
}

// storedPauses are the pauses of a subscription but one, by date.
func storedPauses(app core.App, id, but string) (list []pause, err error) {
	recs, err := app.FindAllRecords(pauses, dbx.HashExp{"subscription": id}, dbx.Not(dbx.HashExp{"id": but}))
	for _, rec := range recs {
		if p, err := pauseOf(rec); err == nil {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b pause) int { return a.from.Compare(b.from) })
	return list, err
}

// storedCharges are the charges of a subscription; for an undo only those that
// name their due day: others may have had none before what it takes back.
func storedCharges(app core.App, id string, named bool) (list []charged, err error) {
	recs, err := app.FindAllRecords(charges, dbx.HashExp{"subscription": id})
	for _, rec := range recs {
		if c, err := chargedOf(rec); err == nil && (!named || !c.due.IsZero()) {
			list = append(list, c)
		}
	}
	return list, err
}
