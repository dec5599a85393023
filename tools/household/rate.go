package household

import (
	"encoding/json/v2"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// What one euro is worth of another currency has been between 0.4 and 1.8
// million. What is far outside, or longer than anybody writes it, is a mistake:
// a rate has at most rateWhole digits before the point and at most rateZeros
// zeros between the point and the first other digit.
const maxRate, rateWhole, rateZeros = 24, 8, 5

// parseRate reads how much of a currency one euro is worth, exactly.
func parseRate(s string) (*big.Rat, error) {
	plain, err := plainRate(s)
	if err != nil {
		return nil, err
	}
	r, ok := new(big.Rat).SetString(plain)
	if !ok {
		return nil, fmt.Errorf("%q is not a rate", short(s))
	}
	return r, nil
}

// plainRate is a rate as it is stored, since the ECB's files write 4.78 and
// 4.7800 for the same.
func plainRate(s string) (string, error) {
	whole, frac, point := strings.Cut(s, ".")
	if len(s) > maxRate || whole == "" || (point && frac == "") || strings.Trim(whole, "0123456789") != "" || strings.Trim(frac, "0123456789") != "" {
		return "", fmt.Errorf("%q is not a rate", short(s))
	}
	whole, frac = strings.TrimLeft(whole, "0"), strings.TrimRight(frac, "0")
	if len(whole) > rateWhole || (whole == "" && len(frac)-len(strings.TrimLeft(frac, "0")) > rateZeros) || whole+frac == "" {
		return "", fmt.Errorf("%q is not a rate", short(s))
	}
	if whole == "" {
		whole = "0"
	}
	if frac == "" {
		return whole, nil
	}
	return whole + "." + frac, nil
}

// sayRates is a stored table of rates as people read it: "161.64 JPY, 1.0812
// USD"; nil where it is none.
func sayRates(text string) any {
	var table map[string]string
	if json.Unmarshal([]byte(text), &table) != nil {
		return nil
	}
	var list []tools.Text
	for _, currency := range slices.Sorted(maps.Keys(table)) {
		list = append(list, tools.T("", tools.Decimal(table[currency]), currency))
	}
	return tools.T("", list)
}
