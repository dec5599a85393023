package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// charges reads what a candidate was charged so far, by date.
func (c *candidate) charges(r *tools.Reader) ([]charged, error) {
	if c.asked {
		return c.paid, nil
	}
	list, err := chargesOf(r, tools.Query{Filter: "subscription = {:id}", Params: map[string]any{"id": c.rec.Id}, Sort: "date"})
	if err != nil {
		return nil, err
	}
	c.paid, c.asked = list, true
	return list, nil
}

// booked is what a candidate was charged so far, as the row's statement has it
// where somebody has confirmed it by hand. What was skipped says nothing here.
func (c *candidate) booked(r *tools.Reader, row *row) ([]charged, error) {
	list, err := c.charges(r)
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	for e, i := range row.recognise(list, c.schedule) {
		if i >= 0 {
			list[i].date, list[i].amount, list[i].skipped = row.evidence[e].date, row.evidence[e].amount, false
		}
	}
	return slices.DeleteFunc(list, func(b charged) bool { return b.skipped }), nil
}

// beside says that a row of another amount is another subscription of the same
// merchant, as two people may have one each: in the time of the row the
// candidate was charged too, and on days of its own. Where the price has
// changed, the old series stops when the new one begins.
func (c *candidate) beside(r *tools.Reader, row *row) (bool, error) {
	if c.off(row) == 0 {
		return false, nil
	}
	list, err := c.booked(r, row)
	if err != nil {
		return false, err
	}
	days := []tools.Date{row.FirstDate, row.LastDate}
	for _, p := range row.prices {
		days = append(days, p.from)
	}
	first := nominal(row.FirstDate, row.AnchorDay)
	var apart []int // days between what was charged and when the row is due
	for _, b := range list {
		if b.date.Before(row.FirstDate) || b.date.After(row.LastDate) {
			continue
		}
		if slices.Contains(days, b.date) {
			return false, nil
		}
		apart = append(apart, distance(row.Cycle, first, row.AnchorDay, b.date))
	}
	if len(apart) == 0 {
		return false, nil
	}
	slices.Sort(apart)
	return apart[(len(apart)-1)/2] > 0, nil // banks slip now and then, not mostly
}

// distance is how many days a day is from the nearest due date.
func distance(c tools.Cycle, first tools.Date, anchor int, day tools.Date) int {
	k, next := c.Next(first, anchor, day)
	n := max(next.DaysSince(day), day.DaysSince(next))
	if k > 0 {
		n = min(n, day.DaysSince(c.Nth(first, anchor, k-1)))
	}
	return n
}

// later is the first day after the row of which something is known: a charge,
// or a dated price that holds by today. What a statement says about the time
// before it is past.
func (c *candidate) later(r *tools.Reader, row *row, today tools.Date) (tools.Date, bool, error) {
	list, err := c.booked(r, row)
	if err != nil {
		return tools.Date{}, false, err
	}
	var days []tools.Date
	for _, b := range list {
		days = append(days, b.date)
	}
	for _, p := range c.prices {
		days = append(days, p.from)
	}
	days = slices.DeleteFunc(days, func(d tools.Date) bool { return !d.After(row.LastDate) || d.After(today) })
	if len(days) == 0 {
		return tools.Date{}, false, nil
	}
	return slices.MinFunc(days, tools.Date.Compare), true, nil
}

// status says how a row stands to the subscription that it is. A row that ends
// before what is known, or says the same, changes no price of today.
func (c *candidate) status(r *tools.Reader, row *row, today tools.Date) (tools.Status, error) {
	if row.LastDate.Before(c.first) || c.off(row) == 0 {
		return tools.StatusKnown, nil
	}
	if _, past, err := c.later(r, row, today); err != nil || past {
		return tools.StatusKnown, err
	}
	return tools.StatusPriceChanged, nil
}

// repriced is what a row changed about prices: nothing where from is zero.
type repriced struct {
	from, to tools.Date // to is zero where the price still holds
	old      int64
}

// reprices puts what a row says about prices into the candidate's schedule.
func (c *candidate) reprices(r *tools.Reader, row *row, today tools.Date) (repriced, error) {
	if row.LastDate.Before(c.first) || c.off(row) == 0 {
		return repriced{}, nil
	}
	until, past, err := c.later(r, row, today)
	if err != nil {
		return repriced{}, err
	}
	if past {
		return c.backdate(r, row, until)
	}
	done := repriced{from: row.LastDate, old: c.on(row.LastDate)}
	if list := row.history(c.first); len(row.prices) > 0 {
		done.from = list[len(list)-1].from
	}
	if err := c.reprice(row.amount, done.from, today); err != nil || c.off(row) == 0 {
		return done, err
	}
	done.from = row.LastDate // a dated price between the two says otherwise
	return done, c.reprice(row.amount, done.from, today)
}

// backdate gives the time of an old statement the prices that it shows, up to
// where something later is known. It leaves alone what is known of that time
// already: a dated price, or a charge that the statement does not have.
func (c *candidate) backdate(r *tools.Reader, row *row, until tools.Date) (repriced, error) {
	list := row.history(c.first)
	done := repriced{from: list[0].from, to: until.AddDays(-1), old: c.on(list[0].from)}
	if slices.ContainsFunc(c.prices, func(p price) bool { return p.from.After(done.from) && p.from.Before(until) }) {
		return repriced{}, nil
	}
	booked, err := c.booked(r, row)
	if err != nil {
		return repriced{}, err
	}
	for _, b := range booked {
		same := func(e paid) bool { return e.date == b.date && e.amount == b.amount }
		if !b.date.Before(done.from) && b.date.Before(until) && !slices.ContainsFunc(row.evidence, same) {
			return repriced{}, nil
		}
	}
	after := c.on(until)
	if len(c.prices) == 0 {
		c.prices = []price{{from: c.first, amount: c.amount, changed: true}}
	}
	for _, p := range list {
		c.begin(p.from, p.amount)
	}
	c.begin(until, after)
	c.amount = c.prices[len(c.prices)-1].amount
	return done, nil
}

// begin lets a price hold from a day on.
func (s *schedule) begin(from tools.Date, amount int64) {
	i, found := slices.BinarySearchFunc(s.prices, from, func(p price, d tools.Date) int { return p.from.Compare(d) })
	if !found {
		s.prices = slices.Insert(s.prices, i, price{from: from})
	}
	if p := &s.prices[i]; !found || p.amount != amount {
		p.amount, p.changed = amount, true
	}
}
