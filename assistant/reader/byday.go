package reader

import (
	"cmp"
	"slices"
)

// spreadDays is how far apart in a month the charges of one series may be, and
// how far those of two must be.
const spreadDays = 5

// splitByDay tries charges apart that come at different times of the month: two
// contracts at one price. It is for charges that fall into clear bunches only;
// a habit has no free days between.
func splitByDay(charges []charge) (found []series) {
	sorted := slices.Clone(charges)
	slices.SortFunc(sorted, func(a, b charge) int { return cmp.Compare(a.day.date().Day, b.day.date().Day) })
	n := len(sorted)
	dayAt := func(i int) int { return sorted[i%n].day.date().Day + 31*(i/n) }
	start := -1
	for i := 1; i <= n && start < 0; i++ {
		if dayAt(i)-dayAt(i-1) > spreadDays {
			start = i
		}
	}
	if n < 2*3 || start < 0 {
		return nil
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
