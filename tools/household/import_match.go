package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// tolerance is how far, in percent, an amount may be off for a payment to be
// the same subscription at another price.
const tolerance = 15

// candidate is a subscription that rows are held against.
type candidate struct {
	rec *core.Record
	schedule
	keys  []string
	taken bool
}

// match finds for each row the subscription that it is, among those that the
// person may see; nil for a new one. Each is taken once, the surest first.
func match(r *tools.Reader, rows []row) ([]*candidate, error) {
	all, err := candidates(r)
	if err != nil {
		return nil, err
	}
	found := make([]*candidate, len(rows))
	for _, fits := range []func(*candidate, row) bool{exact, alikeExact, sameKey, alikeKey} {
		for i, row := range rows {
			if found[i] == nil {
				found[i] = take(all, row, fits)
			}
		}
	}
	for i, row := range rows {
		if found[i] == nil && len(row.evidence) > 0 {
			if found[i], err = paidAlready(r, all, row); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// candidates reads every subscription that the person may see.
func candidates(r *tools.Reader) ([]*candidate, error) {
	recs, err := r.List(subscriptions, tools.Query{})
	if err != nil {
		return nil, err
	}
	by, err := pricesOf(r, recs)
	if err != nil {
		return nil, err
	}
	all := make([]*candidate, len(recs))
	for i, rec := range recs {
		s, err := scheduleOf(rec, by[rec.Id])
		if err != nil {
			return nil, err
		}
		all[i] = &candidate{rec: rec, schedule: s, keys: []string{merchantKey(rec.GetString("name")), merchantKey(rec.GetString("merchant"))}}
	}
	return all, nil
}

// take marks the first free candidate that fits, the nearest amount first.
func take(all []*candidate, r row, fits func(*candidate, row) bool) *candidate {
	var best *candidate
	for _, c := range all {
		if !c.taken && c.cycle == r.Cycle && c.currency == r.Currency && fits(c, r) &&
			(best == nil || c.off(r) < best.off(r)) {
			best = c
		}
	}
	if best != nil {
		best.taken = true
	}
	return best
}

// off is how far a row's amount is from what was due on its last day.
func (c *candidate) off(r row) int64 {
	return max(c.on(r.LastDate)-r.amount, r.amount-c.on(r.LastDate))
}

func exact(c *candidate, r row) bool {
	return slices.Contains(c.keys, r.key) && c.off(r) == 0
}

func alikeExact(c *candidate, r row) bool { return alike(c, r) && c.off(r) == 0 }

func sameKey(c *candidate, r row) bool { return slices.Contains(c.keys, r.key) && near(c, r) }

func alikeKey(c *candidate, r row) bool { return alike(c, r) && near(c, r) }

func alike(c *candidate, r row) bool {
	return slices.ContainsFunc(c.keys, func(k string) bool { return alikeMerchant(k, r.key) })
}

// near says that the amount is the same subscription's: within the tolerance,
// or one that the row's own price history had before.
func near(c *candidate, r row) bool {
	due := c.on(r.LastDate)
	return c.off(r)*100 <= due*tolerance ||
		slices.ContainsFunc(r.prices, func(p price) bool { return p.amount == due })
}

// paidAlready finds a free candidate that has the row's last charge: the file
// was imported before and the subscription renamed since.
func paidAlready(r *tools.Reader, all []*candidate, row row) (*candidate, error) {
	last := slices.MaxFunc(row.evidence, func(a, b paid) int { return a.date.Compare(b.date) })
	recs, err := r.List(charges, tools.Query{
		Filter: "date = {:date} && amount = {:amount} && currency = {:currency} && text = {:text}", Limit: 10,
		Params: map[string]any{"date": last.date.String(), "amount": last.amount, "currency": row.Currency, "text": last.text},
	})
	if err != nil {
		return nil, err
	}
	for _, rec := range recs {
		for _, c := range all {
			if c.rec.Id == rec.GetString("subscription") && !c.taken && c.cycle == row.Cycle {
				c.taken = true
				return c, nil
			}
		}
	}
	return nil, nil
}

// status says how a row stands to the subscription that it is.
func (c *candidate) status(r row) tools.Status {
	switch {
	case c == nil:
		return tools.StatusNew
	case r.LastDate.Before(c.first), c.off(r) == 0: // older than what is known, or the same
		return tools.StatusKnown
	}
	return tools.StatusPriceChanged
}

func importMatchTool() tools.Tool {
	return with(tools.NewRead(tools.Def{
		Name: "household_import_match", Title: "household.title.import_match",
		Help:   "Compares recurring payments that were found in a file with the subscriptions that you see, and gives them back with status (new, known, price_changed) and known (the id) set.",
		Hidden: "It is a step of reading a file: the import shows its result, and household_import_apply does it again.",
	}, func(r *tools.Reader, in tools.ImportRows) (tools.ImportRows, error) {
		rows, err := parseRows(in)
		if err != nil {
			return in, err
		}
		found, err := match(r, rows)
		if err != nil {
			return in, err
		}
		in.Subscriptions = slices.Clone(in.Subscriptions)
		for i, c := range found {
			in.Subscriptions[i].Status, in.Subscriptions[i].Known = c.status(rows[i]), ""
			if c != nil {
				in.Subscriptions[i].Known = c.rec.Id
			}
		}
		return in, nil
	}), most("subscriptions", maxRows))
}
