package household

import (
	"github.com/pocketbase/pocketbase/core"
)

// exportTable is a collection as an export has it: a list of its records. All
// their fields leave, so that a new one is not forgotten.
type exportTable struct {
	key, collection string
	order           []string // the fields that records are sorted by, before their ids
	dated           string   // instead, of what grows with time: its date
	self            string   // the field that names another record of the table, which stands before
}

// exportTables are in the order in which they come back: what a record needs
// stands before it. What was said to whom is not among them: reminders are each
// person's own, and would be said in the new place as they were in the old.
func exportTables() []exportTable {
	return []exportTable{
		{key: "settings", collection: settings},
		{key: "categories", collection: categories, order: []string{"name"}},
		{key: "payment_methods", collection: methods, order: []string{"name"}},
		{key: "subscriptions", collection: subscriptions, order: []string{"name"}, self: "replaces"},
		{key: "prices", collection: prices, order: []string{"subscription", "from"}},
		{key: "pauses", collection: pauses, order: []string{"subscription", "from"}},
		{key: "shares", collection: shares, order: []string{"subscription", "position"}},
		{key: "charges", collection: charges, dated: "date"},
		{key: "rates", collection: rates, dated: "date"},
	}
}

// one says that a household has one record of the table, which needs no id.
func (t exportTable) one() bool { return t.collection == settings }

// accounts is the id of the collection of members.
const accounts = "_pb_users_auth_"

// exported are the fields of a collection that leave: all but the id, which
// stands beside them, and when a record was made and changed, which tells of
// the instance and not of the household. What a record was merged into has done
// its work: all that was of the one is of the other by then.
func exported(col *core.Collection) []core.Field {
	var fields []core.Field
	for _, f := range col.Fields {
		if f.GetName() != core.FieldNameId && f.Type() != core.FieldTypeAutodate && !f.GetHidden() && f.GetName() != "merged_into" {
			fields = append(fields, f)
		}
	}
	return fields
}

// isMoney says that a number is an amount in minor units.
func isMoney(field string) bool { return field == "amount" || field == "fixed" }
