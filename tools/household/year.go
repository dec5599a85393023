package household

import (
	"math/big"
	"strconv"

	"github.com/nodkeep/nodkeep/tools"
)

// perYear scales an amount of each charge to a year of 365.2425 days, for
// comparing only.
func perYear(minor int64, c tools.Cycle) int64 {
	exact := new(big.Rat).SetInt64(minor)
	switch c.Unit {
	case tools.Weeks:
		exact.Mul(exact, big.NewRat(3652425, int64(70000*c.N)))
	case tools.Months:
		exact.Mul(exact, big.NewRat(12, int64(c.N)))
	default:
		exact.Mul(exact, big.NewRat(1, int64(c.N)))
	}
	return round(exact)
}

// percent is by how much an amount has changed, in tenths, rounded half away
// from zero; false where it was nothing before.
func percent(before, after int64) (tenths int64, ok bool) {
	if before == 0 {
		return 0, false
	}
	change := new(big.Rat).SetFrac(big.NewInt(after-before), big.NewInt(before))
	return round(change.Mul(change, big.NewRat(1000, 1))), true
}

// tenths writes tenths with one decimal.
func tenths(n int64) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return sign + strconv.FormatInt(n/10, 10) + "." + strconv.FormatInt(n%10, 10)
}
