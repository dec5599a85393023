package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// find reads a record that an argument names by its id, and says which argument
// where there is none that the person sees.
func find(r *tools.Reader, collection, field, id string) (*core.Record, error) {
	rec, err := r.Find(collection, id)
	if tools.KindOf(err) != tools.NotFound {
		return rec, err
	}
	key := "household.error.no_subscription"
	if collection == charges {
		key = "household.error.no_charge"
	}
	return nil, tools.Fail(tools.NotFound, key, field, short(id))
}
