package reader

import (
	"context"
	"slices"
)

// spreadDays is how far apart in a month the charges of one series may be, and
// how far those of two must be.
const spreadDays = 5

// splitByDay tries charges apart that come at different times of the month: two
// contracts at one price. It is for charges that fall into clear bunches only;
// a habit has no free days between.
func splitByDay(_ context.Context, charges []charge) (found []series) {
	n := len(charges)
	if n < 2*3 {
		return nil
	}
	var held [32]int // charges on each day of the month
	for _, c := range charges {
		held[c.day.date().Day]++
	}
	if !hasGap(&held) {
		return nil
	}
	var days [32][]charge
	for _, c := range charges {
		d := c.day.date().Day
		days[d] = append(days[d], c)
	}
	sorted := slices.Concat(days[:]...)
	dayAt := func(i int) int { return sorted[i%n].day.date().Day + 31*(i/n) }
	start := 1
	for dayAt(start)-dayAt(start-1) <= spreadDays {
		start++
	}
	for from := start; from < start+n; {
		to := from + 1
		for to < start+n && dayAt(to)-dayAt(to-1) <= spreadDays {
			to++
		}
		if dayAt(to-1)-dayAt(from) > spreadDays {
			return nil
		}
		bunch := make([]charge, 0, to-from)
		for i := from; i < to; i++ {
			bunch = append(bunch, sorted[i%n])
		}
		slices.SortFunc(bunch, byRow)
		series := fit(bunch, rhythms()[2])
		if len(series) == 0 && len(bunch) > 1 {
			return nil
		}
		found = append(found, series...)
		from = to
	}
	return found
}

// hasGap says that the days of the month leave a gap between two bunches, maybe
// over the month's end.
func hasGap(held *[32]int) bool {
	free := 0
	for i := range 31 + spreadDays + 1 {
		if free++; held[i%31+1] > 0 {
			free = 0
		}
		if free >= spreadDays {
			return true
		}
	}
	return false
}
