package household

import (
	_ "embed"
	"errors"

	"github.com/pocketbase/pocketbase/core"
)

//go:embed collections.json
var collections []byte

// Migrations makes the collections. Later changes come as migrations of their
// own: an import overwrites rules that an operator has changed since.
func (Plugin) Migrations() core.MigrationsList {
	var list core.MigrationsList
	list.Register(
		func(app core.App) error { return app.ImportCollectionsByMarshaledJSON(collections, false) },
		func(app core.App) error {
			var failed []error
			for _, name := range []string{charges, prices, subscriptions, categories, settings} {
				if col, err := app.FindCollectionByNameOrId(name); err == nil {
					failed = append(failed, app.Delete(col))
				}
			}
			return errors.Join(failed...)
		},
		"1764400000_household_init.go",
	)
	return list
}
