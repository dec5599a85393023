package household

import (
	"fmt"
	"slices"

	"github.com/pocketbase/dbx"
	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// Hooks binds what holds for every writer, the dashboard and an undo included.
func (Plugin) Hooks(app core.App) error {
	for collection, check := range map[string]func(*core.RecordEvent, validation.Errors) error{
		subscriptions: checkSubscription, prices: checkPrice, charges: checkCharge, settings: checkSettings,
		categories: checkNamed, methods: checkNamed,
		pauses: checkPause, shares: checkShare, rates: checkRate, reminders: checkReminder,
	} {
		app.OnRecordValidate(collection).Bind(&hook.Handler[*core.RecordEvent]{
			Id: "household.check." + collection,
			Func: func(e *core.RecordEvent) error {
				problems := validation.Errors{}
				if err := check(e, problems); err != nil {
					return err
				}
				if len(problems) > 0 {
					return problems
				}
				return e.Next()
			},
		})
	}
	app.OnRecordUpdate(subscriptions).Bind(&hook.Handler[*core.RecordEvent]{Id: "household.restored", Func: checkRestored})
	bindNamed(app)
	bindRests(app)
	// Within the transaction of the deletion, and after what journals it.
	app.OnRecordDeleteExecute(tools.Members).Bind(&hook.Handler[*core.RecordEvent]{Id: "household.private", Func: deletePrivate})
	return nil
}

// deletePrivate deletes with an account what only it could see: nobody else
// could ever find it. What is shared stays, without an owner.
func deletePrivate(e *core.RecordEvent) error {
	recs, err := e.App.FindAllRecords(subscriptions, dbx.HashExp{"owner": e.Record.Id, "private": true})
	if err != nil {
		return err
	}
	for _, rec := range recs {
		if err := e.App.DeleteWithContext(e.Context, rec); err != nil {
			return err
		}
	}
	return e.Next()
}

// visible notes a name in which there is nothing to see, or something hidden
// that was not there before.
func visible(rec *core.Record, problems validation.Errors, field string) {
	switch name := rec.GetString(field); {
	case blank(name):
		problems[field] = bad("must not be empty")
	case unhidden(name) != name && changed(rec, field):
		problems[field] = bad("must be without invisible characters")
	}
}

// legible notes texts that tools would not take, since they hold what nobody
// sees, turn the direction of text around or would break a line, unless they
// were so before. Several lines are for those fields that tools read so.
func legible(rec *core.Record, problems validation.Errors, lines bool, fields ...string) {
	for _, f := range fields {
		s := rec.GetString(f)
		if _, err := checkText(f, s, len(s), lines); err == nil && unhidden(s) == s {
			continue
		}
		if problems[f] == nil && changed(rec, f) {
			problems[f] = bad("must be without control or invisible characters")
		}
	}
}

// changed says that a field is new or another than what is stored: what was
// stored by other rules must not bar a change of something else. PocketBase
// makes a whole record to answer it, so it is asked last.
func changed(rec *core.Record, field string) bool {
	return rec.IsNew() || rec.GetString(field) != rec.Original().GetString(field)
}

// anyChanged is changed for a rule about several fields.
func anyChanged(rec *core.Record, fields ...string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return changed(rec, f) })
}

// bad is a problem of one field, in the words of PocketBase's own.
func bad(format string, args ...any) error {
	return validation.NewError("validation_household", fmt.Sprintf(format, args...))
}

// dates reads date fields and notes those that are none, or lie in no year
// that tools know, unless they were so before.
func dates(rec *core.Record, problems validation.Errors, fields ...string) map[string]tools.Date {
	days := make(map[string]tools.Date, len(fields))
	for _, f := range fields {
		d, err := tools.ParseDate(rec.GetString(f))
		if err == nil && !d.IsZero() && (d.Year < firstYear || d.Year > lastYear) {
			err = fmt.Errorf("must be a day of the years %d to %d", firstYear, lastYear)
		}
		if err != nil && changed(rec, f) {
			problems[f] = bad("%v", err)
		}
		days[f] = d
	}
	return days
}

func checkMoney(rec *core.Record, problems validation.Errors) {
	if amount := rec.GetFloat("amount"); (amount < 0 || amount > tools.MaxMinor || amount != float64(int64(amount))) && changed(rec, "amount") {
		problems["amount"] = bad("must be whole minor units from 0 to %d", int64(tools.MaxMinor))
	}
	if _, ok := tools.CurrencyDigits(rec.GetString("currency")); !ok && changed(rec, "currency") {
		problems["currency"] = bad("must be an ISO 4217 code such as EUR")
	}
}

func checkPrice(e *core.RecordEvent, problems validation.Errors) error {
	dates(e.Record, problems, "from")
	checkMoney(e.Record, problems)
	sub, err := e.App.FindRecordById(subscriptions, e.Record.GetString("subscription"))
	if err != nil {
		return nil // the relation says so
	}
	if sub.GetString("currency") != e.Record.GetString("currency") {
		problems["currency"] = bad("must be the subscription's, %s", sub.GetString("currency"))
	}
	if !sub.GetBool("repriced") {
		problems["subscription"] = bad("must be repriced first")
	}
	return nil
}

func checkSettings(e *core.RecordEvent, problems validation.Errors) error {
	if _, ok := tools.CurrencyDigits(e.Record.GetString("currency")); !ok && changed(e.Record, "currency") {
		problems["currency"] = bad("must be an ISO 4217 code such as EUR")
	}
	if _, err := parseZone("time_zone", e.Record.GetString("time_zone")); err != nil && changed(e.Record, "time_zone") {
		problems["time_zone"] = bad("must be an IANA name such as Europe/Berlin")
	}
	if !e.Record.IsNew() {
		return nil
	}
	n, err := e.App.CountRecords(settings)
	if n > 0 {
		problems["currency"] = bad("the household has its settings already: change those")
	}
	return err
}
