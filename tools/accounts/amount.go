package accounts

import (
	"math"
	"strconv"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// The bounds of what is counted: below a thousand million of a currency, in
// millionths, and as many millions of tokens. All readers of JSON can hold both
// exactly.
const (
	maxMicros  = 1_000_000_000_000_000
	maxCounted = 1_000_000_000_000_000
	places     = 6 // after the point of a decimal
)

// amountFields are what can be limited.
func amountFields() []string { return []string{"day_cost", "month_cost", "day_tokens", "month_tokens"} }

// isCost tells money from tokens.
func isCost(field string) bool { return strings.HasSuffix(field, "_cost") }

// Amounts are limits: costs as decimals of the instance's currency, tokens as
// whole numbers. What is null is not limited, and 0 is a limit.
type Amounts struct {
	DayCost     *string `json:"day_cost"`
	MonthCost   *string `json:"month_cost"`
	DayTokens   *int64  `json:"day_tokens"`
	MonthTokens *int64  `json:"month_tokens"`
}

// amountsIn are limits to set: what is not given stays, and "" is no limit.
type amountsIn struct {
	DayCost     *string `json:"day_cost,omitempty"`
	MonthCost   *string `json:"month_cost,omitempty"`
	DayTokens   *string `json:"day_tokens,omitempty"`
	MonthTokens *string `json:"month_tokens,omitempty"`
}

func (in amountsIn) of(field string) *string {
	switch field {
	case "day_cost":
		return in.DayCost
	case "month_cost":
		return in.MonthCost
	case "day_tokens":
		return in.DayTokens
	}
	return in.MonthTokens
}

// none says that nothing was given.
func (in amountsIn) none() bool { return in == amountsIn{} }

// set puts the given limits into a record, or says which is wrong.
func (in amountsIn) set(rec *core.Record, currency string) error {
	for _, field := range amountFields() {
		if v := in.of(field); v != nil {
			stored, err := amount(field, *v, currency)
			if err != nil {
				return err
			}
			rec.Set(field, stored)
		}
	}
	return nil
}

// amount reads a limit as it is stored: whole millionths, or tokens.
func amount(field, said, currency string) (string, error) {
	said = strings.TrimSpace(said)
	if said == "" {
		return "", nil
	}
	if isCost(field) {
		n, ok := decimal(said, maxMicros)
		if !ok {
			return "", invalid("nodkeep.error.amount_cost", field, tools.Quoted(said, 40), currency)
		}
		return strconv.FormatInt(n, 10), nil
	}
	n, err := strconv.ParseInt(said, 10, 64)
	if err != nil || n < 0 || n > maxCounted || said[0] == '+' {
		return "", invalid("nodkeep.error.amount_tokens", field, tools.Quoted(said, 40))
	}
	return strconv.FormatInt(n, 10), nil
}

// decimal reads a decimal that is not negative as whole millionths; nothing is
// ever rounded.
func decimal(s string, most int64) (int64, bool) {
	whole, frac, point := strings.Cut(s, ".")
	if whole == "" || point && frac == "" || len(frac) > places || len(whole) > 9 || strings.Trim(whole+frac, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+frac+strings.Repeat("0", places-len(frac)), 10, 64)
	return n, err == nil && n <= most
}

// Decimal writes millionths with at least two places after the point.
func Decimal(micros int64) string {
	sign := ""
	if micros < 0 {
		sign, micros = "-", -micros
	}
	frac := strings.TrimRight(strconv.FormatInt(1_000_000+micros%1_000_000, 10)[1:], "0")
	for len(frac) < 2 {
		frac += "0"
	}
	return sign + strconv.FormatInt(micros/1_000_000, 10) + "." + frac
}

// limited reads a stored limit; ok is false where there is none.
func limited(rec *core.Record, field string) (n int64, ok bool) {
	s := rec.GetString(field)
	if s == "" {
		return 0, false
	}
	return whole64(s), true
}

// whole64 is a stored amount; what is none is 0, and so lets nothing through.
func whole64(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func amountsOf(rec *core.Record) (out Amounts) {
	cost := func(field string) *string {
		n, ok := limited(rec, field)
		if !ok {
			return nil
		}
		return new(Decimal(n))
	}
	tokens := func(field string) *int64 {
		n, ok := limited(rec, field)
		if !ok {
			return nil
		}
		return &n
	}
	return Amounts{cost("day_cost"), cost("month_cost"), tokens("day_tokens"), tokens("month_tokens")}
}

// copyAmounts gives a record the limits of another.
func copyAmounts(to, from *core.Record) {
	for _, field := range amountFields() {
		to.Set(field, from.GetString(field))
	}
}

// said is a limit in a sentence.
func (p Plugin) said(key, field string, n int64) tools.Text {
	if isCost(field) {
		return tools.T(key+"."+field, tools.Decimal(Decimal(n)), p.Currency)
	}
	return tools.T(key+"."+field, tools.Decimal(strconv.FormatInt(n, 10)))
}

// amountLines say what limits a record has.
func (p Plugin) amountLines(rec *core.Record) (lines []tools.Text) {
	for _, field := range amountFields() {
		if n, ok := limited(rec, field); ok {
			lines = append(lines, p.said("nodkeep.card.amount", field, n))
		}
	}
	if len(lines) == 0 {
		return []tools.Text{tools.T("nodkeep.card.amount.none")}
	}
	return lines
}

// twice is double an amount, as far as it may go.
func twice(field string, n int64) int64 {
	most := int64(maxCounted)
	if isCost(field) {
		most = maxMicros
	}
	if n > math.MaxInt64/2 {
		return most
	}
	return min(2*n, most)
}
