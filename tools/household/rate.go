package household

import (
	"fmt"
	"math/big"
	"strings"
)

// maxRate is the longest decimal that is read as a rate.
const maxRate = 24

// parseRate reads how much of a currency one euro is worth, exactly.
func parseRate(s string) (*big.Rat, error) {
	whole, frac, point := strings.Cut(s, ".")
	if len(s) > maxRate || whole == "" || (point && frac == "") || strings.Trim(whole+frac, "0123456789") != "" {
		return nil, fmt.Errorf("%q is not a rate", short(s))
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || r.Sign() <= 0 {
		return nil, fmt.Errorf("%q is not a rate", short(s))
	}
	return r, nil
}
