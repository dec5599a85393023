package reader

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
)

// maxSeries of one merchant; more are chance among many purchases.
const maxSeries = 50

// splitByAmount tries the charges of each price apart: three policies of one
// insurer are three series. Prices that follow each other in the same rhythm
// are one series whose price changed.
func splitByAmount(charges []charge) (found []series) {
	var left []charge
	for part := range pricesOf(charges) {
		series := bestFit(part)
		found = append(found, series...)
		if len(series) == 0 {
			left = append(left, part...)
		}
	}
	if len(found) == 0 || len(found) > maxSeries {
		return nil
	}
	slices.SortStableFunc(found, func(a, b series) int { return cmp.Compare(a.charges[0].row, b.charges[0].row) })
	found = joinPrices(found)
	if len(left) > 10*covered(found) {
		return found // among so many, the next charge of a series is chance
	}
	return extend(found, left)
}

// pricesOf gives the charges of each price, by day. Where equal charges share a
// day, the first of each day make one part, the second ones another.
func pricesOf(charges []charge) iter.Seq[[]charge] {
	type priced struct {
		charge
		price amount
		twin  int
	}
	list := make([]priced, len(charges))
	twins := map[amount]int{} // of one day
	for i, c := range charges {
		p := priced{charge: c, price: c.amount}
		if c.original != 0 {
			p.price = c.original
		}
		if i > 0 && charges[i-1].day != c.day {
			clear(twins)
		}
		p.twin = twins[p.price]
		twins[p.price]++
		list[i] = p
	}
	same := func(a, b priced) int {
		return cmp.Or(cmp.Compare(a.price, b.price), bytes.Compare(a.foreign[:], b.foreign[:]), cmp.Compare(a.twin, b.twin))
	}
	slices.SortFunc(list, func(a, b priced) int { return cmp.Or(same(a, b), byRow(a.charge, b.charge)) })
	sorted := make([]charge, len(list))
	for i, p := range list {
		sorted[i] = p.charge
	}
	return func(yield func([]charge) bool) {
		for from, to := 0, 1; from < len(list); from, to = to, to+1 {
			for to < len(list) && same(list[from], list[to]) == 0 {
				to++
			}
			if !yield(sorted[from:to:to]) {
				return
			}
		}
	}
}

// joinPrices makes one series of those that follow each other.
func joinPrices(list []series) (joined []series) {
	for _, s := range list {
		i := slices.IndexFunc(joined, func(p series) bool { return p.rhythm.cycle == s.rhythm.cycle && p.meets(s.charges) })
		if i < 0 {
			joined = append(joined, s)
			continue
		}
		joined[i].add(s.charges)
	}
	return joined
}

// extend adds single charges to the end of series: the first at a new price.
func extend(list []series, left []charge) []series {
	slices.SortFunc(left, byRow)
	for _, c := range left {
		for i := range list {
			last := list[i].last().amount
			if c.amount < 2*last && last < 2*c.amount && list[i].meets([]charge{c}) {
				list[i].add([]charge{c})
				break
			}
		}
	}
	return list
}

// meets says that charges go on where a series ends, without making its amounts
// unsteady.
func (s *series) meets(next []charge) bool {
	k := s.rhythm.steps(int(next[0].day - s.last().day))
	return k >= 1 && k <= maxMissed && steadiness(slices.Concat(s.charges, next), s.rhythm) > 0
}

func (s *series) add(next []charge) {
	all := slices.Concat(s.charges, next)
	s.charges, s.single, s.longer = all, 0, 0
	for i := 1; i < len(all); i++ {
		if s.rhythm.steps(int(all[i].day-all[i-1].day)) == 1 {
			s.single++
		} else {
			s.longer++
		}
	}
	s.steady = steadiness(all, s.rhythm)
}
