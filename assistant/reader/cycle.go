package reader

import (
	"math"

	"github.com/nodkeep/nodkeep/tools"
)

// rhythm is a cycle that is looked for, with what its gaps may differ: banks
// book on working days and months have 28 to 31 days. Whether the charges keep to
// one day of the month is looked at apart.
type rhythm struct {
	cycle   tools.Cycle
	days    float64
	within  float64
	atLeast int // charges
}

// rhythms are tried shortest first; of equals the longer one wins. Four weeks
// are told from a month only by gaps that are 28 days each time.
func rhythms() [8]rhythm {
	return [8]rhythm{
		{tools.Cycle{N: 1, Unit: tools.Weeks}, 7, 1, 4},
		{tools.Cycle{N: 2, Unit: tools.Weeks}, 14, 2, 4},
		{tools.Cycle{N: 1, Unit: tools.Months}, 30.44, 6, 3},
		{tools.Cycle{N: 4, Unit: tools.Weeks}, 28, 0, 3},
		{tools.Cycle{N: 2, Unit: tools.Months}, 60.9, 5, 3},
		{tools.Cycle{N: 3, Unit: tools.Months}, 91.3, 6, 3},
		{tools.Cycle{N: 6, Unit: tools.Months}, 182.6, 8, 2},
		{tools.Cycle{N: 1, Unit: tools.Years}, 365.25, 10, 2},
	}
}

// maxMissed is how many cycles a gap may hold; a longer one ends a series.
const maxMissed = 3

// steps counts the cycles in a gap; 0 if it does not fit, a number above
// maxMissed if the series has ended.
func (r *rhythm) steps(gap int) int {
	k := math.Round(float64(gap) / r.days)
	if k < 1 {
		return 0
	}
	if k > maxMissed {
		return maxMissed + 1
	}
	within := r.within
	if k > 1 && within > 0 {
		within++
	}
	if math.Abs(float64(gap)-k*r.days) > within {
		return 0
	}
	return int(k)
}

// weekly says that the rhythm is one of habits, so that amounts must be steady.
func (r *rhythm) weekly() bool { return r.cycle.Unit == tools.Weeks && r.cycle.N < 4 }
