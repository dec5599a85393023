package household

import (
	"slices"
	"strconv"

	"github.com/nodkeep/nodkeep/tools"
)

// charged is a charge as it is stored.
type charged struct {
	id, sub   string
	due, date tools.Date // due is zero where only the date tells
	amount    int64
	currency  string
	skipped   bool
	byHand    bool // somebody has confirmed, added or skipped it; else a statement brought it
	text      string
}

func chargedOf(v values) (charged, error) {
	c, err := chargedOn(v.GetString("date"), v.GetString("due"), v.GetString("state"))
	c.id, c.sub, c.text = v.GetString("id"), v.GetString("subscription"), v.GetString("text")
	c.amount, c.currency = amountOf(v), v.GetString("currency")
	return c, err
}

func chargedOn(date, due, state string) (c charged, err error) {
	c.skipped, c.byHand = state == skipped, state != ""
	if c.date, err = tools.ParseDate(date); err != nil {
		return c, err
	}
	c.due, err = tools.ParseDate(due)
	return c, err
}

// chargesOf reads charges in the order that a query names, without text.
func chargesOf(r *tools.Reader, query tools.Query, more ...string) ([]charged, error) {
	rows, err := r.Rows(charges, query, append([]string{"subscription", "date", "due", "state", "amount", "currency"}, more...)...)
	if err != nil {
		return nil, err
	}
	list := make([]charged, len(rows))
	for i, row := range rows {
		if list[i], err = chargedOf(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// chargesNear reads the charges that can matter to what is due from one day to
// another, by subscription: of some subscriptions, or of all where ids
// is nil. The zero Date leaves that side open.
func chargesNear(r *tools.Reader, from, to tools.Date, ids []string) (map[string][]charged, error) {
	by := map[string][]charged{}
	if ids != nil && len(ids) == 0 {
		return by, nil
	}
	dated, far := around(from, to)
	dated.Sort = "date"
	queries := []tools.Query{dated, far}
	if ids != nil { // each side of it has an index below the subscription
		dated.Filter = "(" + dated.Filter + ") || (due != '' && due >= {:lo} && due <= {:hi})"
		dated.In = map[string][]string{"subscription": ids}
		queries = []tools.Query{dated}
	}
	for _, query := range queries {
		list, err := chargesOf(r, query)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			by[c.sub] = append(by[c.sub], c)
		}
		if from.IsZero() && to.IsZero() {
			break // these are all
		}
	}
	return by, nil
}

// allNear is chargesNear where nobody needs to know which charge is which: of
// all subscriptions, most come without id and state. What was skipped is a
// charge of nothing. It is for sums over very many.
func allNear(r *tools.Reader, from, to tools.Date, ids []string) (map[string][]charged, error) {
	if ids != nil {
		return chargesNear(r, from, to, ids)
	}
	dated, far := around(from, to)
	by, err := chargesOfAll(r, dated)
	if err != nil {
		return nil, err
	}
	list, err := chargesOf(r, far) // few: hardly anything is paid long before it is due
	for _, c := range list {
		by[c.sub] = append(by[c.sub], c)
		sortByDate(by[c.sub])
	}
	return by, err
}

// around finds the charges that were booked around some days, and those that
// were booked far from them but name one. Days are compared as text, which is
// right within the years of four digits: beyond those of tools, all is near.
func around(from, to tools.Date) (dated, far tools.Query) {
	lo, hi := "0000-00-00", "9999-99-99"
	if from.Year >= firstYear {
		lo = from.AddDays(-reach).String()
	}
	if !to.IsZero() && to.Year <= lastYear {
		hi = to.AddDays(reach).String()
	}
	params := map[string]any{"lo": lo, "hi": hi}
	dated = tools.Query{Filter: "date >= {:lo} && date <= {:hi}", Params: params}
	far = tools.Query{Filter: "due >= {:lo} && due <= {:hi} && (date < {:lo} || date > {:hi})", Params: params, Sort: "due"}
	return dated, far
}

func sortByDate(list []charged) {
	slices.SortStableFunc(list, func(a, b charged) int { return a.date.Compare(b.date) })
}

// chargesOfAll reads the charges of all subscriptions, each as one row: there
// may be very many. Their ids would be looked up one by one.
func chargesOfAll(r *tools.Reader, query tools.Query) (map[string][]charged, error) {
	fields := [...]string{"list(date)", "list(due)", "list(amount)", "list(currency)"} // each costs a tenth of the time
	rows, err := r.Sum(charges, query, []string{"subscription"}, fields[:]...)
	if err != nil {
		return nil, err
	}
	by := make(map[string][]charged, len(rows))
	for _, row := range rows {
		var columns [len(fields)][]string
		for i, f := range fields {
			columns[i], _ = row[f].([]string)
		}
		id := row.GetString("subscription")
		list := make([]charged, len(columns[0]))
		for i := range list {
			c, err := chargedOn(columns[0][i], columns[1][i], "")
			if err == nil {
				c.amount, err = strconv.ParseInt(columns[2][i], 10, 64)
			}
			if err != nil {
				return nil, err
			}
			c.sub, c.currency = id, columns[3][i]
			list[i] = c
		}
		sortByDate(list)
		by[id] = list
	}
	return by, nil
}
