package migrations

import (
	"errors"

	"github.com/pocketbase/pocketbase/core"
)

// activityIndexes are for what a list of activity is narrowed to: most entries
// were applied, so only the others are found by their state.
var activityIndexes = []struct{ collection, name, columns, where string }{
	{"nodkeep_audit", "idx_nodkeep_audit_at", "at", ""},
	{"nodkeep_audit", "idx_nodkeep_audit_tool", "tool, seq", ""},
	{"nodkeep_audit", "idx_nodkeep_audit_state", "state, seq", "state != 'applied'"},
	{"nodkeep_steps", "idx_nodkeep_steps_of", "record, entry", ""},
}

func activityUp(app core.App) error {
	for _, index := range activityIndexes {
		col, err := app.FindCollectionByNameOrId(index.collection)
		if err != nil {
			return err
		}
		col.AddIndex(index.name, false, index.columns, index.where)
		if err := app.Save(col); err != nil {
			return err
		}
	}
	return nil
}

func activityDown(app core.App) error {
	var failed []error
	for _, index := range activityIndexes {
		if col, err := app.FindCollectionByNameOrId(index.collection); err == nil {
			col.RemoveIndex(index.name)
			failed = append(failed, app.Save(col))
		}
	}
	return errors.Join(failed...)
}
