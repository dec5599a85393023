package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// belowOf reads what belongs to the schedules of subscriptions, by
// subscription: their dated prices and their pauses.
func belowOf(r *tools.Reader, recs []*core.Record) (map[string]below, error) {
	by := make(map[string]below, len(recs))
	if len(recs) == 0 {
		return by, nil
	}
	dated, err := pricesOf(r, recs)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(recs))
	for i, rec := range recs {
		ids[i] = rec.Id
	}
	paused, err := pausesOf(r, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		by[id] = below{dated[id], paused[id]}
	}
	return by, nil
}
