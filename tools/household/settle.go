package household

import (
	"cmp"
	"iter"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// slack is how many days a bank books off the day that a charge is due on:
// weekends and holidays. reach is how far around some days charges can matter
// to them, with all who compete.
const slack, reach = 4, 14

// The states of a charge. Expected and changed are never stored: the one is a
// due day without a charge, the other a charge of another amount than was due.
const (
	expected  = "expected"
	confirmed = "confirmed"
	skipped   = "skipped"
	differs   = "changed"
)

// settled is a due day and the charge that settles it, if there is one. One
// charge settles one day at most, so that nothing is counted twice.
type settled struct {
	due    tools.Date // zero for a charge that no due day asked for
	charge int        // its index; -1 for none
}

// settle matches due days, which are in order, with charges: first those that
// name their day, then by date within the slack, the nearest first. Of two as
// near, the one that is booked late wins, as banks mostly are, then the smaller
// id: the order of the list says nothing. A charge that names a day which is
// not due, since the cycle has changed, goes by its date. The answer has every
// due day and every charge once.
func settle(dues []tools.Date, list []charged, cycle tools.Cycle) []settled {
	out := make([]settled, len(dues), len(dues)+4) // hardly a charge is left over
	for i, d := range dues {
		out[i] = settled{d, -1}
	}
	left := byDate(list) // the charges that name no day
	left = slices.DeleteFunc(left, func(c int) bool {
		if list[c].due.IsZero() {
			return false
		}
		i, ok := slices.BinarySearchFunc(dues, list[c].due, tools.Date.Compare)
		if ok = ok && out[i].charge < 0; ok {
			out[i].charge = c
		}
		return ok
	})
	for _, c := range settleByDate(out, list, left, slackOf(cycle)) {
		out = append(out, settled{charge: c})
	}
	return out
}

// byDate orders charges, which mostly are in order.
func byDate(list []charged) []int {
	order := make([]int, len(list))
	for c := range list {
		order[c] = c
	}
	compare := func(a, b int) int {
		return cmp.Or(list[a].date.Compare(list[b].date), cmp.Compare(list[a].id, list[b].id))
	}
	if !slices.IsSortedFunc(order, compare) {
		slices.SortStableFunc(order, compare)
	}
	return order
}

// slackOf is the slack of a cycle: half a week where two due days would reach
// for one charge.
func slackOf(c tools.Cycle) int {
	if c.Unit == tools.Weeks && c.N == 1 {
		return 3
	}
	return slack
}

// settleByDate gives the free due days of out their charges, and returns those
// that are left over. Both are walked along side by side, once for each
// distance.
func settleByDate(out []settled, list []charged, left []int, most int) []int {
	if len(out) == 0 || len(left) == 0 {
		return left
	}
	zero := out[0].due
	due, at := make([]int, len(out)), make([]int, len(left))
	for i := range out {
		due[i] = out[i].due.DaysSince(zero)
	}
	for i, c := range left {
		at[i] = list[c].date.DaysSince(zero)
	}
	taken := make([]bool, len(left))
	for n := range 2*most + 1 {
		off := (n + 1) / 2 // booked so many days late, then as many early
		if n%2 == 0 {
			off = -off
		}
		i := 0
		for k, day := range at {
			for i < len(due) && due[i] < day-off {
				i++
			}
			if i < len(due) && due[i] == day-off && out[i].charge < 0 && !taken[k] {
				out[i].charge, taken[k] = left[k], true
			}
		}
	}
	var rest []int
	for k, c := range left {
		if !taken[k] {
			rest = append(rest, c)
		}
	}
	return rest
}

// settle says of each due day of a time which charge settles it, and of each
// charge in the list which day it settles, in the order of days. The list must
// have the charges near the time (chargesNear); more of them change nothing.
func (s schedule) settle(from, to tools.Date, list []charged) []settled {
	lo, hi := from, to
	for _, c := range list {
		lo, hi = earlier(lo, c.date), later(hi, c.date)
	}
	lo, hi = lo.AddDays(-slack), hi.AddDays(slack)
	dues := make([]tools.Date, 0, len(list)+2)
	for d := range s.dues(lo) {
		if d.After(hi) {
			break
		}
		dues = append(dues, d)
	}
	n := len(dues)
	for _, c := range list { // what is paid long before or after it is due
		if !c.due.IsZero() && (c.due.Before(lo) || c.due.After(hi)) && s.isDue(c.due) {
			dues = append(dues, c.due)
		}
	}
	if len(dues) > n {
		slices.SortFunc(dues, tools.Date.Compare)
		dues = slices.Compact(dues)
	}
	out := slices.DeleteFunc(settle(dues, list, s.cycle), func(p settled) bool {
		return p.charge < 0 && (p.due.Before(from) || p.due.After(to))
	})
	slices.SortStableFunc(out, func(a, b settled) int { return a.day(list).Compare(b.day(list)) })
	return out
}

// day is when it is due, or else booked.
func (p settled) day(list []charged) tools.Date {
	if p.due.IsZero() {
		return list[p.charge].date
	}
	return p.due
}

// isDue says that it is charged on a day.
func (s schedule) isDue(day tools.Date) bool {
	d, ok := s.next(day)
	return ok && d == day
}

// open are the due days from a day on that no charge settles yet, where list
// has the charges near and after that day.
func (s schedule) open(from tools.Date, list []charged) iter.Seq[tools.Date] {
	done := map[tools.Date]bool{}
	for _, p := range s.settle(from, from, list) {
		if p.charge >= 0 {
			done[p.due] = true
		}
	}
	return func(yield func(tools.Date) bool) {
		for d := range s.dues(from) {
			if !done[d] && !yield(d) {
				return
			}
		}
	}
}

// nextOpen is the first of them; false when there is none.
func (s schedule) nextOpen(from tools.Date, near []charged) (tools.Date, bool) {
	for d := range s.open(from, near) {
		return d, true
	}
	return tools.Date{}, false
}
