package budget

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

const (
	dollars = "USD"
	million = 1_000_000

	// What is more than anybody could use is cut here, so that no sum of what is
	// in the books ever overflows: a million million tokens, a thousand million
	// of the currency for a call or a row.
	mostTokens = 1_000_000_000_000
	mostCost   = 1_000_000_000 * million
	mostPrice  = mostCost
)

// product sums counts of tokens times prices, without losing a digit.
type product struct{ hi, lo uint64 }

func (p *product) add(tokens, price int64) {
	hi, lo := bits.Mul64(uint64(max(tokens, 0)), uint64(max(price, 0)))
	var carry uint64
	p.lo, carry = bits.Add64(p.lo, lo, 0)
	p.hi, _ = bits.Add64(p.hi, hi, carry)
}

// micros divides by the million tokens that a price is for. Half is rounded up,
// or all that is left over.
func (p product) micros(up bool) int64 {
	over := uint64(million / 2)
	if up {
		over = million - 1
	}
	lo, carry := bits.Add64(p.lo, over, 0)
	hi := p.hi + carry
	if hi >= million {
		return mostCost
	}
	q, _ := bits.Div64(hi, lo, million)
	return int64(min(q, mostCost))
}

// plus adds what may be more than fits.
func plus(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// money is an amount for a sentence. Below a whole unit all digits are shown:
// a call may cost less than a cent.
func money(micros int64, currency string) any {
	digits, _ := tools.CurrencyDigits(currency)
	unit := int64(million)
	for range digits {
		unit /= 10
	}
	if micros%unit == 0 || micros >= million {
		return tools.Money{Minor: micros/unit + (micros%unit+unit/2)/unit, Currency: currency}
	}
	s := strconv.FormatInt(million+micros, 10) // six digits after a 1
	return tools.Text{Args: []any{tools.Decimal("0." + strings.TrimRight(s[1:], "0")), currency}}
}
