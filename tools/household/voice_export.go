package household

import (
	"maps"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// tell marks a run that hands out a part of an export. Files of tables name the
// subscriptions that their lines belong to.
func (x *exportView) tell(list []leaving, files bool) error {
	v := voicesIn(x.r)
	if v == nil {
		return nil
	}
	of := map[string]bool{} // subscriptions whose words stand below them
	for _, l := range list {
		id := l.rec.GetString("subscription")
		switch l.table.collection {
		case subscriptions:
			v.whole(l.rec)
		case charges:
			text := l.rec.GetString("text")
			v.booked(charged{text: text, byHand: l.rec.GetString("state") != ""})
			of[id] = of[id] || text != "" || files
		case shares:
			of[id] = of[id] || l.rec.GetString("person") != "" || files
		case prices, pauses:
			of[id] = of[id] || files
		}
	}
	maps.DeleteFunc(of, func(_ string, said bool) bool { return !said })
	if len(of) > 0 {
		rows, err := x.r.Rows(subscriptions, tools.Query{In: map[string][]string{"id": slices.Sorted(maps.Keys(of))}}, "name", "owner", "merchant")
		if err != nil {
			return err
		}
		for _, row := range rows {
			if v.owner(row); files {
				v.name(row)
			}
		}
	}
	return v.tell()
}
