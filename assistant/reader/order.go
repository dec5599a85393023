package reader

import "slices"

// dates gathers what a whole column says about the order of its dates. It is
// decided once for the file, never row by row.
type dates struct {
	today  day // 0: not known
	total  int // dates that can be read in more than one order
	fixed  int // dates that cannot
	dotted int
	words  int    // of those fixed, how many begin with the month's name
	runs   [3]run // by orders
}

// run is the column read in one order.
type run struct {
	valid    int
	steps    int // changes of date from one line to the next
	up, down bool
	last     day
	min, max day
}

func (r *run) see(d day) {
	if r.valid++; r.valid == 1 {
		r.last, r.min, r.max = d, d, d
	}
	if d != r.last {
		r.steps++
		r.up, r.down = r.up || d > r.last, r.down || d < r.last
	}
	r.last, r.min, r.max = d, min(r.min, d), max(r.max, d)
}

// sorted says that the column stands in the sequence of its days.
func (r *run) sorted() bool { return r.steps >= 2 && r.up != r.down }

// years that a statement may span before another reading is preferred.
const maxYears = 12

// orders are tried in this sequence. Year first is tried for two-digit years
// only.
func orders() [3]order { return [3]order{orderDMY, orderMDY, orderYMD} }

func (c *dates) see(p parts) {
	if p.fixed {
		c.fixed++
		if p.word {
			c.words++
		}
		return
	}
	c.total++
	if p.dots {
		c.dotted++
	}
	for i, o := range orders() {
		d, ok := p.in(o)
		if !ok || p.width[2] <= 2 && c.today != 0 && d > c.today+7 {
			continue // a two-digit year is not in the future
		}
		c.runs[i].see(d)
	}
}

// possible gives the orders that fit most dates: one where a number above 12
// (or a day that a month does not have) decides, else several.
func (c *dates) possible() []order {
	best := 0
	for _, r := range c.runs {
		best = max(best, r.valid)
	}
	var fit, short []order
	for i, o := range orders() {
		if r := c.runs[i]; best > 0 && r.valid == best {
			fit = append(fit, o)
			if r.max-r.min < 366*maxYears {
				short = append(short, o)
			}
		}
	}
	if len(short) > 0 {
		return short
	}
	return fit
}

// decide gives the order of the column, or what it may be. Statements are
// sorted, so an order in which the file is and the others are not is meant.
func (c *dates) decide() []order {
	fit := c.possible()
	switch {
	case c.total == 0 && c.words > 0:
		return []order{orderMDY}
	case len(fit) < 2:
		return fit
	}
	if c.dotted*2 > c.total && slices.Contains(fit, orderDMY) {
		return []order{orderDMY} // nobody writes months first with dots
	}
	var sorted []order
	for i, o := range orders() {
		if slices.Contains(fit, o) && c.runs[i].sorted() {
			sorted = append(sorted, o)
		}
	}
	if len(sorted) == 1 {
		return sorted
	}
	return fit
}
