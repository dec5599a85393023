package hooks

import (
	"context"
	"strings"
)

// weakPrices are assistants whose prices are from the table, where nobody has
// looked for long whether their hosts charge them still.
func (a *App) weakPrices() (found []check, err error) {
	all, err := a.roster.All(context.Background())
	if err != nil {
		return nil, err
	}
	for _, is := range all {
		row, stale := a.ledger.Stale(is.Budgeted())
		if !stale {
			continue
		}
		found = append(found, weak("prices", "of "+is.ID+" were last checked on "+row.Checked,
			"Compare them with "+row.Source+", or give them as ASSISTANT_"+strings.ToUpper(strings.ReplaceAll(is.ID, "-", "_"))+"_PRICE_INPUT and the like."))
	}
	return found, nil
}
