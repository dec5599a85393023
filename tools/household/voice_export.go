package household

import (
	"maps"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// tell marks a run that hands out a part of an export.
func (x *exportView) tell(list []leaving) error {
	v := voicesIn(x.r)
	if v == nil {
		return nil
	}
	owners := map[string]string{} // of the subscriptions whose charges speak
	for _, l := range list {
		if id := l.rec.GetString("subscription"); l.table.collection == charges && l.rec.GetString("text") != "" {
			owners[id] = ""
		}
	}
	if len(owners) > 0 {
		rows, err := x.r.Rows(subscriptions, tools.Query{In: map[string][]string{"id": slices.Sorted(maps.Keys(owners))}}, "owner")
		if err != nil {
			return err
		}
		for _, row := range rows {
			owners[row.GetString("id")] = row.GetString("owner")
		}
	}
	for _, l := range list {
		switch l.table.collection {
		case subscriptions:
			v.whole(l.rec)
		case charges:
			v.booked(charged{text: l.rec.GetString("text"), byHand: l.rec.GetString("state") != ""}, owners[l.rec.GetString("subscription")])
		}
	}
	return v.tell()
}
