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
// id: the order of the list says nothing. A charge that names a day which is not
// due, since it has ended or the cycle has changed, goes by that day, and else by
// its date, after all that name none: it takes the day of no other. The answer has
// every due day and every charge once.
func settle(dues []tools.Date, list []charged, cycle tools.Cycle) []settled {
	out := make([]settled, len(dues), len(dues)+4) // hardly a charge is left over
	for i, d := range dues {
		out[i] = settled{d, -1}
	}
	booked, named := func(c int) tools.Date { return list[c].date }, func(c int) tools.Date { return list[c].due }
	var adrift []int // that name a day which is not due, or which another has named
	unnamed := slices.DeleteFunc(byDay(list, indexes(list), booked), func(c int) bool {
		if list[c].due.IsZero() {
			return false
		}
		i, ok := slices.BinarySearchFunc(dues, list[c].due, tools.Date.Compare)
		if ok = ok && out[i].charge < 0; ok {
			out[i].charge = c
		} else {
			adrift = append(adrift, c)
		}
		return true
	})
	most := slackOf(cycle)
	left := settleByDay(out, unnamed, booked, most)
	if len(adrift) > 0 {
		adrift = settleByDay(out, byDay(list, adrift, named), named, most)
		left = append(left, settleByDay(out, byDay(list, adrift, booked), booked, most)...)
	}
	for _, c := range left {
		out = append(out, settled{charge: c})
	}
	return out
}

func indexes(list []charged) []int {
	order := make([]int, len(list))
	for c := range list {
		order[c] = c
	}
	return order
}

// byDay orders charges, which mostly are in order, by a day of each.
func byDay(list []charged, order []int, of func(int) tools.Date) []int {
	compare := func(a, b int) int {
		return cmp.Or(of(a).Compare(of(b)), cmp.Compare(list[a].id, list[b].id))
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

// settleByDay gives the free due days of out their charges by a day of each, in
// whose order those come, and returns the charges that are left over. Both are
// walked along side by side, once for each distance.
func settleByDay(out []settled, left []int, of func(int) tools.Date, most int) []int {
	if len(out) == 0 || len(left) == 0 {
		return left
	}
	zero := out[0].due
	due, at := make([]int, len(out)), make([]int, len(left))
	for i := range out {
		due[i] = out[i].due.DaysSince(zero)
	}
	for i, c := range left {
		at[i] = of(c).DaysSince(zero)
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
