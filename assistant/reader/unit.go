package reader

import (
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// symbolSize is the length of the character at the start of b.
func symbolSize(b []byte) int {
	n := 1
	for n < len(b) && n < 4 && b[n]&0xc0 == 0x80 {
		n++
	}
	return n
}

// unit is a currency as a cell names it, or "$", "kr" and the like, which
// several currencies share.
type unit string

// unitOf knows the words that stand beside an amount. The sign is -1 for a word
// that says "out", such as DR or Soll, and +1 for its opposite.
func unitOf(word []byte) (u unit, sign int, ok bool) {
	s := strings.ToUpper(strings.Trim(string(word), "."))
	switch s {
	case "CR", "H":
		return "", 1, true
	case "DR", "S":
		return "", -1, true
	case "€", "¤", "EURO":
		return "EUR", 0, true
	case "£":
		return "GBP", 0, true
	case "US$":
		return "USD", 0, true
	case "R$":
		return "BRL", 0, true
	case "ZŁ":
		return "PLN", 0, true
	case "KČ":
		return "CZK", 0, true
	case "₹":
		return "INR", 0, true
	case "FR", "SFR":
		return "CHF", 0, true
	case "$", "KR", "¥":
		return unit(strings.ToLower(s)), 0, true
	case ":-", ",-", "%":
		return "", 0, s != "%"
	}
	if len(s) == 5 { // EURCR, CHFDR
		if _, ok := tools.CurrencyDigits(s[:3]); ok && s[3:] == "CR" {
			return unit(s[:3]), 1, true
		} else if ok && s[3:] == "DR" {
			return unit(s[:3]), -1, true
		}
	}
	if _, ok := tools.CurrencyDigits(s); ok {
		return unit(s), 0, true
	}
	return "", 0, false
}
