package household

import (
	_ "embed"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"

	"github.com/pocketbase/pocketbase/core"
)

//go:embed collections.json
var collections []byte

// What the second migration adds: collections, and fields of those that were
// there.
var (
	//go:embed collections_complete.json
	moreCollections []byte
	//go:embed fields_complete.json
	moreFields []byte
)

// Migrations makes the collections. Later changes come as migrations of their
// own: an import overwrites rules that an operator has changed since.
func (Plugin) Migrations() core.MigrationsList {
	var list core.MigrationsList
	list.Register(
		func(app core.App) error { return app.ImportCollectionsByMarshaledJSON(collections, false) },
		func(app core.App) error { return drop(app, charges, prices, subscriptions, categories, settings) },
		"1764400000_household_init.go",
	)
	list.Register(completeUp, completeDown, "1764500000_household_complete.go")
	list.Register(agreedUp, agreedDown, "1764600000_household_agreed.go")
	return list
}

// chargesIndex covers what sums over many charges read; dueIndex lets a due day
// be settled once, whoever writes; farIndex finds what was booked far from its day.
const (
	chargesIndex = "idx_household_charges_subscription"
	dueIndex     = "idx_household_charges_due"
	farIndex     = "idx_household_charges_far"
)

func completeUp(app core.App) error {
	if err := app.ImportCollectionsByMarshaledJSON(moreCollections, false); err != nil {
		return err
	}
	return eachAddition(app, func(col *core.Collection, fields jsontext.Value) error {
		if err := col.Fields.AddMarshaledJSON(fields); err != nil {
			return err
		}
		if col.Name == charges {
			col.RemoveIndex(chargesIndex)
			col.AddIndex(chargesIndex, false, "`subscription`, `date`, `due`, `state`, `amount`, `currency`", "")
			col.AddIndex(dueIndex, true, "`subscription`, `due`", "`due` IS NOT ''") // as filters are written
			col.AddIndex(farIndex, false, "`due`, `date`", "")
		}
		return app.Save(col)
	})
}

func completeDown(app core.App) error {
	err := eachAddition(app, func(col *core.Collection, fields jsontext.Value) error {
		var named []struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(fields, &named); err != nil {
			return err
		}
		if col.Name == charges {
			col.RemoveIndex(chargesIndex)
			col.RemoveIndex(dueIndex)
			col.RemoveIndex(farIndex)
			col.AddIndex(chargesIndex, false, "`subscription`, `date`", "")
		}
		for _, f := range named {
			col.Fields.RemoveById(f.ID)
		}
		return app.Save(col)
	})
	return errors.Join(err, drop(app, reminders, rates, shares, pauses, methods))
}

// eachAddition goes through the collections that get more fields.
func eachAddition(app core.App, do func(*core.Collection, jsontext.Value) error) error {
	var additions map[string]jsontext.Value
	if err := json.Unmarshal(moreFields, &additions); err != nil {
		return err
	}
	for _, name := range []string{categories, subscriptions, prices, charges, settings} {
		col, err := app.FindCollectionByNameOrId(name)
		if err != nil {
			return err
		}
		if err := do(col, additions[name]); err != nil {
			return err
		}
	}
	return nil
}

func drop(app core.App, names ...string) error {
	var failed []error
	for _, name := range names {
		if col, err := app.FindCollectionByNameOrId(name); err == nil {
			failed = append(failed, app.Delete(col))
		}
	}
	return errors.Join(failed...)
}
