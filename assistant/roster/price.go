package roster

import "github.com/nodkeep/nodkeep/assistant/budget"

// prices are the operator's. With but one of input and output nobody could tell
// what a call costs.
func prices(get func(field string) string, lacks func(field string)) *budget.Prices {
	input, output := get(fieldInput), get(fieldOutput)
	p, err := budget.ReadPrices(input, output, get(fieldCacheRead), get(fieldCacheWrite))
	if err == nil {
		return p
	}
	if input == "" {
		lacks(fieldInput)
	}
	if output == "" {
		lacks(fieldOutput)
	}
	return nil
}
