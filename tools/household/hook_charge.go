package household

import (
	"github.com/pocketbase/dbx"
	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"
)

func checkCharge(e *core.RecordEvent, problems validation.Errors) error {
	days := dates(e.Record, problems, "date", "due")
	checkMoney(e.Record, problems)
	legible(e.Record, problems, true, "text")
	if e.Record.GetString("state") == skipped {
		if e.Record.GetFloat("amount") != 0 {
			problems["amount"] = bad("must be 0 where it is skipped")
		}
		if e.Record.GetString("due") == "" {
			problems["due"] = bad("must be set where it is skipped")
		}
	}
	if days["due"].IsZero() || !changed(e.Record, "due") {
		return nil
	}
	return onlyOne(e, problems, "due", "is settled by another charge already", dbx.HashExp{
		"subscription": e.Record.GetString("subscription"), "due": e.Record.GetString("due"),
	})
}

// onlyOne notes a problem where another record of the collection is alike.
func onlyOne(e *core.RecordEvent, problems validation.Errors, field, problem string, alike dbx.HashExp) error {
	n, err := e.App.CountRecords(e.Record.Collection(), alike, dbx.Not(dbx.HashExp{"id": e.Record.Id}))
	if n > 0 {
		problems[field] = bad("%s", problem)
	}
	return err
}
