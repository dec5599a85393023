package household

import (
	"slices"
	"strings"

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
	paid  []charged // its charges by date, once they are asked for
	asked bool
}

// match finds for each row the subscription that it is, among those that the
// person may see; nil for a new one, and for a nil row. Each is taken once,
// the surest first.
func match(r *tools.Reader, rows []*row) ([]*candidate, error) {
	all, err := candidates(r)
	if err != nil {
		return nil, err
	}
	by := byFirstWord(all)
	found := make([]*candidate, len(rows))
	for _, fits := range []func(*candidate, *row) bool{exact, alikeExact, sameKey, alikeKey} {
		for i, row := range rows {
			if found[i] == nil && row != nil {
				if found[i], err = take(r, by[firstWord(row.key)], row, fits); err != nil {
					return nil, err
				}
			}
		}
	}
	for i, row := range rows {
		if found[i] == nil && row != nil && len(row.evidence) > 0 {
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
	by, err := belowOf(r, recs)
	if err != nil {
		return nil, err
	}
	all := make([]*candidate, len(recs))
	for i, rec := range recs {
		s, err := scheduleOf(rec, by[rec.Id])
		if err != nil {
			return nil, err
		}
		all[i] = &candidate{rec: rec, schedule: s, keys: []string{keyOf(rec.GetString("name"))}}
		if merchant := rec.GetString("merchant"); merchant != "" {
			all[i].keys = append(all[i].keys, keyOf(merchant))
		}
	}
	return all, nil
}

// byFirstWord lists the candidates by the first word of their keys, which keys
// that are alike share.
func byFirstWord(all []*candidate) map[string][]*candidate {
	by := map[string][]*candidate{}
	for _, c := range all {
		for i, key := range c.keys {
			word := firstWord(key)
			if i == 0 || word != firstWord(c.keys[0]) {
				by[word] = append(by[word], c)
			}
		}
	}
	return by
}

func firstWord(key string) string {
	word, _, _ := strings.Cut(key, " ")
	return word
}

// take marks the free candidate that fits, the nearest amount first.
func take(r *tools.Reader, all []*candidate, row *row, fits func(*candidate, *row) bool) (*candidate, error) {
	var fit []*candidate
	for _, c := range all {
		if !c.taken && c.cycle == row.Cycle && c.currency == row.Currency && fits(c, row) {
			fit = append(fit, c)
		}
	}
	slices.SortStableFunc(fit, func(a, b *candidate) int { return int(min(max(a.off(row)-b.off(row), -1), 1)) })
	for _, c := range fit {
		beside, err := c.beside(r, row)
		if err != nil {
			return nil, err
		}
		if !beside {
			c.taken = true
			return c, nil
		}
	}
	return nil, nil
}

// off is how far a row's amount is from what was due on its last day.
func (c *candidate) off(r *row) int64 {
	return max(c.on(r.LastDate)-r.amount, r.amount-c.on(r.LastDate))
}

func exact(c *candidate, r *row) bool {
	return slices.Contains(c.keys, r.key) && c.off(r) == 0
}

func alikeExact(c *candidate, r *row) bool { return alike(c, r) && c.off(r) == 0 }

func sameKey(c *candidate, r *row) bool { return slices.Contains(c.keys, r.key) && near(c, r) }

func alikeKey(c *candidate, r *row) bool { return alike(c, r) && near(c, r) }

func alike(c *candidate, r *row) bool {
	return slices.ContainsFunc(c.keys, func(k string) bool { return alikeMerchant(k, r.key) })
}

// near says that the amount is the same subscription's: within the tolerance,
// or one that the row's own price history had before.
func near(c *candidate, r *row) bool {
	due := c.on(r.LastDate)
	return c.off(r)*100 <= due*tolerance ||
		slices.ContainsFunc(r.prices, func(p price) bool { return p.amount == due })
}

// paidAlready finds a free candidate that has the row's last charge: the file
// was imported before and the subscription renamed since.
func paidAlready(r *tools.Reader, all []*candidate, row *row) (*candidate, error) {
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

func importMatchTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_import_match", Title: "household.title.import_match",
		Help:   "Compares recurring payments that were found in a file with the subscriptions that you see, and gives them back with status (new, known, price_changed) and known (the id) set. What it cannot judge is new.",
		Hidden: "It is a step of reading a file: the import shows its result, and household_import_apply does it again.",
	}, importMatch, most("subscriptions", maxMatched))
}

func importMatch(r *tools.Reader, in tools.ImportRows) (tools.ImportRows, error) {
	rows := make([]*row, len(in.Subscriptions))
	for i, s := range in.Subscriptions {
		// A row that cannot be judged must not keep a person from the others:
		// it is refused once it is to be stored.
		if row, err := parseRow(i, s); err == nil {
			rows[i] = &row
		}
	}
	h, err := homeOf(r)
	if err != nil {
		return in, err
	}
	found, err := match(r, rows)
	if err != nil {
		return in, err
	}
	in.Subscriptions = slices.Clone(in.Subscriptions)
	for i, c := range found {
		s := &in.Subscriptions[i]
		s.Status, s.Known = tools.StatusNew, ""
		if c == nil {
			continue
		}
		if s.Status, err = c.status(r, rows[i], h.today); err != nil {
			return in, err
		}
		s.Known = c.rec.Id
	}
	return in, nil
}
