package household

import (
	"fmt"
	"time"

	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// Hooks binds what holds for every writer, the dashboard included. They only
// refuse and have no effects of their own, so an undo needs no exception but
// for what must not change: taking a change back changes it.
func (Plugin) Hooks(app core.App) error {
	for collection, check := range map[string]func(*core.RecordEvent, validation.Errors) error{
		subscriptions: checkSubscription, prices: checkPrice, charges: checkCharge, categories: checkCategory, settings: checkSettings,
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
	return nil
}

// bad is a problem of one field, in the words of PocketBase's own.
func bad(format string, args ...any) error {
	return validation.NewError("validation_household", fmt.Sprintf(format, args...))
}

// dates reads date fields and notes those that are none.
func dates(rec *core.Record, problems validation.Errors, fields ...string) map[string]tools.Date {
	days := make(map[string]tools.Date, len(fields))
	for _, f := range fields {
		d, err := tools.ParseDate(rec.GetString(f))
		if err != nil {
			problems[f] = bad("%v", err)
		}
		days[f] = d
	}
	return days
}

func checkMoney(rec *core.Record, problems validation.Errors) {
	if amount := rec.GetFloat("amount"); amount < 0 || amount > tools.MaxMinor || amount != float64(int64(amount)) {
		problems["amount"] = bad("must be whole minor units from 0 to %d", int64(tools.MaxMinor))
	}
	if _, ok := tools.CurrencyDigits(rec.GetString("currency")); !ok {
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

func checkCharge(e *core.RecordEvent, problems validation.Errors) error {
	dates(e.Record, problems, "date")
	checkMoney(e.Record, problems)
	return nil
}

func checkCategory(e *core.RecordEvent, problems validation.Errors) error {
	if _, err := parseName("name", e.Record.GetString("name"), 60); err != nil {
		problems["name"] = bad("must be a line of text, not empty")
	}
	return nil
}

func checkSettings(e *core.RecordEvent, problems validation.Errors) error {
	if _, ok := tools.CurrencyDigits(e.Record.GetString("currency")); !ok {
		problems["currency"] = bad("must be an ISO 4217 code such as EUR")
	}
	if zone := e.Record.GetString("time_zone"); zone == "Local" {
		problems["time_zone"] = bad("must be an IANA name such as Europe/Berlin")
	} else if _, err := time.LoadLocation(zone); err != nil {
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
