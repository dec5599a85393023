package household

import "github.com/pocketbase/pocketbase/core"

// agreedField keeps the last day of a fixed term while a cancellation has put
// another in its place.
const agreedField = `{
	"id": "household_sub_agreed", "name": "agreed_ends_on", "type": "text", "pattern": "^\\d{4}-\\d{2}-\\d{2}$",
	"help": "Of a cancelled one: the last day of the fixed term that it had; it comes back when the cancellation is taken back."
}`

func agreedUp(app core.App) error {
	col, err := app.FindCollectionByNameOrId(subscriptions)
	if err != nil {
		return err
	}
	if err := col.Fields.AddMarshaledJSON([]byte(agreedField)); err != nil {
		return err
	}
	return app.Save(col)
}

func agreedDown(app core.App) error {
	col, err := app.FindCollectionByNameOrId(subscriptions)
	if err != nil {
		return err
	}
	col.Fields.RemoveByName("agreed_ends_on")
	return app.Save(col)
}
