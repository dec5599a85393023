package tools

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxMinor is the largest amount, in minor units, that every reader of JSON
// can hold exactly (2^53-1).
const MaxMinor = 1<<53 - 1

// Money is an amount in minor units of a currency (1599 EUR cents).
type Money struct {
	Minor    int64
	Currency string // ISO 4217, upper case
}

// currencies lists ISO 4217 (list one, active codes, with BGN kept for old
// records) by the number of decimal places of the minor unit.
var currencies = [...]string{
	0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
	2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
	3: "BHD IQD JOD KWD LYD OMR TND",
	4: "CLF UYW",
}

// CurrencyDigits is the number of decimal places of a currency by ISO 4217;
// ok is false for a code that is none.
func CurrencyDigits(code string) (digits int, ok bool) {
	if len(code) != 3 || strings.ToUpper(code) != code {
		return 0, false
	}
	for digits, codes := range currencies {
		if i := strings.Index(codes, code); i >= 0 && i%4 == 0 {
			return digits, true
		}
	}
	return 0, false
}

// ParseMoney reads a decimal string ("15.99") in a currency. More decimal
// places than the currency has are an error, and so is an amount beyond
// MaxMinor; nothing is ever rounded.
func ParseMoney(amount, currency string) (Money, error) {
	digits, ok := CurrencyDigits(currency)
	if !ok {
		return Money{}, fmt.Errorf("%q is not an ISO 4217 currency code such as EUR", Quoted(currency, maxQuoted))
	}
	shown := Quoted(amount, maxQuoted)
	bad := fmt.Errorf("%q is not an amount; write it as a decimal such as \"15.99\"", shown)
	s, negative := strings.CutPrefix(amount, "-")
	whole, frac, point := strings.Cut(s, ".")
	if whole == "" || (point && frac == "") || strings.Trim(whole+frac, "0123456789") != "" {
		return Money{}, bad
	}
	if len(frac) > digits {
		if strings.Trim(frac[digits:], "0") != "" {
			return Money{}, fmt.Errorf("%q has more decimal places than %s has (%d)", shown, currency, digits)
		}
		frac = frac[:digits]
	}
	minor, err := strconv.ParseInt(whole+frac+strings.Repeat("0", digits-len(frac)), 10, 64)
	if err != nil || minor > MaxMinor {
		return Money{}, fmt.Errorf("%q %s is larger than can be kept exactly", shown, currency)
	}
	if negative {
		minor = -minor
	}
	return Money{minor, currency}, nil
}

// Decimal writes the amount with the currency's decimal places ("15.99").
func (m Money) Decimal() string {
	digits, _ := CurrencyDigits(m.Currency)
	sign, u := "", uint64(m.Minor)
	if m.Minor < 0 {
		sign, u = "-", -u
	}
	s := strconv.FormatUint(u, 10)
	if digits == 0 {
		return sign + s
	}
	if len(s) <= digits {
		s = strings.Repeat("0", digits-len(s)+1) + s
	}
	return sign + s[:len(s)-digits] + "." + s[len(s)-digits:]
}

// String writes amount and currency ("15.99 EUR").
func (m Money) String() string { return m.Decimal() + " " + m.Currency }
