package reader

import (
	"cmp"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// charge is a payment to one merchant.
type charge struct {
	row      int32 // in the statement
	day      day
	amount   amount // positive
	original amount // before conversion, positive; 0 where there was none
	foreign  code   // of original
}

func byRow(a, b charge) int { return cmp.Compare(a.row, b.row) }

// series is charges that follow each other in a rhythm.
type series struct {
	rhythm  rhythm
	charges []charge
	single  int // gaps of one cycle
	longer  int // gaps with missed charges
	steady  float64
}

// share of gaps that are of one cycle.
func (s *series) share() float64 {
	if s.single+s.longer == 0 {
		return 0
	}
	return float64(s.single) / float64(s.single+s.longer)
}

func (s *series) last() charge { return s.charges[len(s.charges)-1] }

// fit cuts charges, sorted by day, into series of a rhythm. Every gap must fit;
// a very long one ends a series and starts another. Parts that are no series
// are left out.
func fit(charges []charge, r rhythm) (found []series) {
	s := series{rhythm: r, charges: charges[:min(1, len(charges))]}
	start := 0
	for i := 1; i < len(charges); i++ {
		switch k := r.steps(int(charges[i].day - charges[i-1].day)); {
		case k == 0:
			return nil
		case k > maxMissed:
			if s.holds() {
				found = append(found, s)
			}
			s, start = series{rhythm: r}, i
		case k == 1:
			s.single++
		default:
			s.longer++
		}
		s.charges = charges[start : i+1]
	}
	if s.holds() {
		found = append(found, s)
	}
	return found
}

// holds says that a series is more than chance.
func (s *series) holds() bool {
	n := len(s.charges)
	if n < s.rhythm.atLeast || s.single == 0 || s.single < 2*s.longer {
		return false
	}
	s.steady = steadiness(s.charges, s.rhythm)
	if n == 2 && (s.steady == 0 || !sameDay(s.charges[0].day, s.charges[1].day)) {
		return false
	}
	return s.steady > 0 && (n == 2 || s.keepsTime())
}

// longSeries is the number of charges from which a rhythm proves more than the
// days.
const longSeries = 12

// keepsTime says that a series keeps to its day of the week or month, and that a
// short one misses next to none. A habit drifts: each time it is so long after
// the last.
func (s *series) keepsTime() bool {
	n := len(s.charges)
	switch {
	case s.longer > 0 && n < 6:
		return false
	case s.rhythm.cycle.Unit != tools.Weeks:
		return n >= 6 && s.isEven() || drift(s.charges, anchorOf(s.charges, s.rhythm.cycle)) <= float64(n)
	case n >= longSeries:
		return true
	}
	least, period := n, 7*s.rhythm.cycle.N
	for _, a := range s.charges {
		off := 0
		for _, c := range s.charges {
			d := int(abs(c.day-a.day)) % period
			off += min(d, period-d)
		}
		least = min(least, off)
	}
	return 4*least <= n
}

// sameDay says that two dates, months apart, mean the same day of the month.
// Two charges are little proof, so the rhythm's own tolerance is too wide.
func sameDay(a, b day) bool {
	x, y := a.date().Day, b.date().Day
	d := max(x-y, y-x)
	return min(d, 31-d) <= 4
}

// isEven says that the same number of days lies between almost any two charges,
// as where 30 days are sold for a month: no habit is like that.
func (s *series) isEven() bool {
	gaps := make([]int, len(s.charges)-1)
	for i := range gaps {
		gaps[i] = int(s.charges[i+1].day - s.charges[i].day)
	}
	slices.Sort(gaps)
	off, middle := 0, gaps[len(gaps)/2]
	for _, g := range gaps {
		off += max(g-middle, middle-g)
	}
	return 4*off <= len(gaps)
}

// steadiness is 1 for amounts that are all equal, in the currency of the
// merchant at least, less for a price that changed or wavers, 0 for amounts
// that are no price at all.
func steadiness(charges []charge, r rhythm) float64 {
	n := len(charges)
	changes, foreignChanges := 0, 0
	for i := 1; i < n; i++ {
		if charges[i].amount != charges[i-1].amount {
			changes++
		}
		if charges[i].original == 0 || charges[i].original != charges[i-1].original || charges[i].foreign != charges[i-1].foreign {
			foreignChanges++
		}
	}
	changes = min(changes, foreignChanges)
	switch {
	case changes == 0:
		return 1
	case n == 2:
		a, b := charges[0].amount, charges[1].amount
		if max(a, b)*100 <= min(a, b)*115 {
			return 0.6
		}
		return 0
	case changes == 1, changes <= n/4 && !r.weekly():
		return 0.9
	case r.weekly():
		return 0
	}
	amounts := make([]amount, n)
	for i, c := range charges {
		amounts[i] = c.amount
	}
	slices.Sort(amounts)
	middle := amounts[n/2]
	if 100*(middle-amounts[0]) <= 6*middle && 100*(amounts[n-1]-middle) <= 6*middle {
		return 0.7
	}
	return 0
}
