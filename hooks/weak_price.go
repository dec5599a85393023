package hooks

import "context"

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
			"Compare them with "+row.Source+", or set your own: "+a.saying(is, `"price_input":"…","price_output":"…"`, "price_input", "price_output")+"."))
	}
	return found, nil
}
