package reader

import (
	"cmp"
	"context"
	"iter"
	"slices"
)

// maxSeries of one merchant; more are chance among many purchases.
const maxSeries = 50

// splitByAmount tries the charges of each price apart: three policies of one
// insurer are three series. Prices that follow each other in the same rhythm
// are one series whose price changed.
func splitByAmount(ctx context.Context, charges []charge) (found []series) {
	for part := range pricesOf(charges) {
		if len(found) > maxSeries || ctx.Err() != nil {
			return nil
		}
		if len(bestFit(part)) > 0 {
			found = append(found, bestFit(slices.Clone(part))...)
		}
	}
	if len(found) == 0 || len(found) > maxSeries {
		return nil
	}
	slices.SortStableFunc(found, func(a, b series) int { return cmp.Compare(a.charges[0].row, b.charges[0].row) })
	found = joinPrices(found)
	if held := covered(found); len(charges)-held > 10*held {
		return found // among so many, the next charge of a series is chance
	}
	taken := map[int32]bool{}
	for _, s := range found {
		for _, c := range s.charges {
			taken[c.row] = true
		}
	}
	return extend(ctx, found, slices.DeleteFunc(slices.Clone(charges), func(c charge) bool { return taken[c.row] }))
}

// pricesOf gives the charges of each price, by day. Where equal charges share a
// day, the first of each day make one part, the second ones another. A part is
// valid until the next.
func pricesOf(charges []charge) iter.Seq[[]charge] {
	// Small things are sorted, and as much is compared as tells them apart.
	type priced struct {
		price   amount
		foreign uint32 // a code; arrays are slow to hand over
		twin    int32
		at      int32 // in charges
	}
	list := make([]priced, len(charges))
	for i, c := range charges {
		list[i] = priced{price: c.amount, foreign: uint32(c.foreign[0])<<16 | uint32(c.foreign[1])<<8 | uint32(c.foreign[2]), at: int32(i)}
		if c.original != 0 {
			list[i].price = c.original
		}
	}
	slices.SortFunc(list, func(a, b priced) int {
		switch {
		case a.price != b.price:
			return cmp.Compare(a.price, b.price)
		case a.foreign != b.foreign:
			return cmp.Compare(a.foreign, b.foreign)
		}
		return int(a.at - b.at)
	})
	same := func(a, b priced) bool { return a.price == b.price && a.foreign == b.foreign }
	var equal []charge
	return func(yield func([]charge) bool) {
		for from, to := 0, 1; from < len(list); from, to = to, to+1 {
			twins := false
			for ; to < len(list) && same(list[from], list[to]); to++ {
				if charges[list[to].at].day == charges[list[to-1].at].day {
					list[to].twin, twins = list[to-1].twin+1, true
				}
			}
			part := list[from:to]
			if twins {
				slices.SortFunc(part, func(a, b priced) int {
					if a.twin != b.twin {
						return int(a.twin - b.twin)
					}
					return int(a.at - b.at)
				})
			}
			for len(part) > 0 {
				n := 1
				for n < len(part) && part[n].twin == part[0].twin {
					n++
				}
				equal = equal[:0]
				for _, p := range part[:n] {
					equal = append(equal, charges[p.at])
				}
				if part = part[n:]; !yield(equal) {
					return
				}
			}
		}
	}
}

// joinPrices makes one series of those that follow each other.
func joinPrices(list []series) (joined []series) {
	for _, s := range list {
		together := false
		for i := range joined {
			if joined[i].rhythm.cycle == s.rhythm.cycle && joined[i].goOn(s.charges) {
				together = true
				break
			}
		}
		if !together {
			joined = append(joined, s)
		}
	}
	return joined
}

// extend adds single charges to the end of series: the first at a new price.
func extend(ctx context.Context, list []series, left []charge) []series {
	for _, c := range left {
		if ctx.Err() != nil {
			break
		}
		for i := range list {
			last := list[i].last().amount
			if c.amount < 2*last && last < 2*c.amount && list[i].goOn([]charge{c}) {
				break
			}
		}
	}
	return list
}

// goOn adds charges to the end of a series where they follow it, keep to its day
// and leave its amounts steady.
func (s *series) goOn(next []charge) bool {
	k := s.rhythm.steps(int(next[0].day - s.last().day))
	if k < 1 || k > maxMissed {
		return false
	}
	all := series{rhythm: s.rhythm, charges: slices.Concat(s.charges, next)}
	for i := 1; i < len(all.charges); i++ {
		if s.rhythm.steps(int(all.charges[i].day-all.charges[i-1].day)) == 1 {
			all.single++
		} else {
			all.longer++
		}
	}
	if all.steady = steadiness(all.charges, s.rhythm); all.steady == 0 || !all.keepsTime() {
		return false
	}
	*s = all
	return true
}
