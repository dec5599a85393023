package reader

import "github.com/nodkeep/nodkeep/tools"

// amount is money in ten-thousandths of its currency's unit, the finest that
// any currency needs, so that a file can be read before its currency is known.
type amount int64

// decimal writes an amount with as many places as its currency has. Money that
// a currency cannot express is rounded half away from zero.
func (a amount) decimal(currency string) string {
	digits, ok := tools.CurrencyDigits(currency)
	if !ok {
		currency, digits = "EUR", 2 // not known yet: as most of them
	}
	step := amount(1)
	for range 4 - digits {
		step *= 10
	}
	half := step / 2
	if a < 0 {
		half = -half
	}
	return tools.Money{Minor: int64((a + half) / step), Currency: currency}.Decimal()
}

func (a amount) abs() amount {
	if a < 0 {
		return -a
	}
	return a
}
