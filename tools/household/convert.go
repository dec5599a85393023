package household

import (
	"encoding/json/v2"
	"fmt"
	"math"
	"math/big"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// euro is what rates are given for: one of it is worth so much of another.
const euro = "EUR"

// maxRateAge is how many days before the day of a conversion its rates may be.
// The ECB publishes on its working days and closes for four in a row at most,
// at Easter or Christmas: until the afternoon of the next, the newest are five
// days old. What is older than a week says that somebody stopped importing.
const maxRateAge = 7

// converter turns amounts into one currency with the rates that held on a day.
// Without a rate it gives no figure: never one to one, never a rate from after
// the day or from more than maxRateAge days before it.
type converter struct {
	to     string
	day    tools.Date
	on     tools.Date // of the newest rates on or before day; zero for none
	source string
	quoted map[string]string   // per euro; nil where on is none or too old
	rates  map[string]*big.Rat // quoted, read
}

// converterOf reads the newest rates on or before a day: one record, so that a
// figure never mixes days. It asks the database once however much is converted.
func converterOf(r *tools.Reader, to string, day tools.Date) (converter, error) {
	c := converter{to: to, day: day}
	recs, err := r.List(rates, tools.Query{
		Filter: "date <= {:day}", Params: map[string]any{"day": day.String()}, Sort: "-date", Limit: 1,
	})
	if err != nil || len(recs) == 0 {
		return c, err
	}
	return c, c.take(recs[0])
}

// take reads the rates of a record, unless they are too old.
func (c *converter) take(rec *core.Record) (err error) {
	if c.on, err = tools.ParseDate(rec.GetString("date")); err != nil {
		return fmt.Errorf("rates %s: %w", rec.Id, err)
	}
	c.source = rec.GetString("source")
	if c.on.IsZero() || c.on.After(c.day) || c.day.DaysSince(c.on) > maxRateAge {
		return nil
	}
	if err := json.Unmarshal([]byte(rec.GetString("rates")), &c.quoted); err != nil {
		return fmt.Errorf("rates of %s: %w", c.on, err)
	}
	c.rates = make(map[string]*big.Rat, len(c.quoted))
	for currency, quoted := range c.quoted {
		if c.rates[currency], err = parseRate(quoted); err != nil {
			return fmt.Errorf("rates of %s: %s: %w", c.on, currency, err)
		}
	}
	return nil
}

// rate is how much of a currency one euro was worth; nil where nobody said.
func (c converter) rate(currency string) *big.Rat {
	if currency == euro {
		return big.NewRat(1, 1)
	}
	return c.rates[currency]
}

// sum adds up amounts in the converter's currency: exactly, over the euro, and
// rounded once at the end, half away from zero. It is false, and the sum zero,
// where a rate is missing. What is in the currency already needs none.
func (c converter) sum(amounts ...tools.Money) (tools.Money, bool) {
	total := new(big.Rat)
	for _, m := range amounts {
		exact := new(big.Rat).SetInt64(m.Minor)
		if m.Currency != c.to {
			from, to := c.rate(m.Currency), c.rate(c.to)
			if from == nil || to == nil {
				return tools.Money{Currency: c.to}, false
			}
			exact.Quo(exact.Mul(exact, to), from)
			exact.Quo(exact.Mul(exact, minorUnits(c.to)), minorUnits(m.Currency))
		}
		total.Add(total, exact)
	}
	return tools.Money{Minor: round(total), Currency: c.to}, true
}

// minorUnits is how many minor units one of a currency has.
func minorUnits(currency string) *big.Rat {
	digits, _ := tools.CurrencyDigits(currency)
	return new(big.Rat).SetInt64(int64(math.Pow10(digits)))
}

// round gives the nearest whole number, the half away from zero; one that does
// not fit stays at the largest.
func round(r *big.Rat) int64 {
	twice := new(big.Int).Lsh(r.Num(), 1)
	half := new(big.Int).Set(r.Denom())
	if r.Sign() < 0 {
		half.Neg(half)
	}
	whole := twice.Quo(twice.Add(twice, half), new(big.Int).Lsh(r.Denom(), 1)) // Quo cuts towards zero
	switch {
	case whole.IsInt64():
		return whole.Int64()
	case whole.Sign() < 0:
		return -math.MaxInt64
	}
	return math.MaxInt64
}
