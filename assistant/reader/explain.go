package reader

import (
	"cmp"
	"context"
	"slices"
)

// explain finds the series in the charges of one merchant. One series that
// holds them all is best; else they are taken apart by amount or by the day of
// the month, whichever explains most.
func explain(ctx context.Context, charges []charge) []series {
	if len(charges) < 2 {
		return nil
	}
	best := bestFit(charges)
	for _, other := range []func(context.Context, []charge) []series{splitByAmount, splitByDay} {
		if covered(best) == len(charges) {
			break
		}
		if found := other(ctx, charges); covered(found) > covered(best) {
			best = found
		}
	}
	// A few charges among many others are chance.
	held := covered(best)
	others := len(charges) - held
	return slices.DeleteFunc(best, func(s series) bool {
		n := len(s.charges)
		return n == 2 && others > held || n < 6 && others > 2*n
	})
}

func covered(list []series) (n int) {
	for _, s := range list {
		n += len(s.charges)
	}
	return n
}

// bestFit tries each rhythm on charges and keeps the one that holds most of
// them, then the one with fewest missed charges, then the longer.
func bestFit(charges []charge) (best []series) {
	if len(charges) < 2 {
		return nil
	}
	for _, r := range rhythms() {
		found := fit(charges, r)
		if len(found) == 0 {
			continue
		}
		if len(best) == 0 || cmp.Or(cmp.Compare(covered(found), covered(best)), cmp.Compare(score(found), score(best))) >= 0 {
			best = found
		}
	}
	return best
}

func score(list []series) (sum float64) {
	for _, s := range list {
		sum += s.share()
		if s.steady == 1 {
			sum += 0.2
		}
	}
	return sum / float64(len(list))
}
