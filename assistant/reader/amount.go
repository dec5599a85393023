package reader

import (
	"bytes"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// amount is money in ten-thousandths of its currency's unit, the finest that
// any currency needs, so that a file can be read before its currency is known.
type amount int64

const scale = 10_000

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

// money is what a cell says: an amount, its sign as written, and the currency
// where the cell names one.
type money struct {
	amount   amount
	unit     unit
	explicit bool // a sign, brackets or a word such as CR was written
}

// readMoney reads a cell whose decimal mark is known. A cell that holds
// anything besides one number, its sign and its unit is no amount.
func readMoney(cell []byte, mark byte) (m money, ok bool) {
	var (
		digits, places  int
		fraction, ended bool
		negative        bool
		word            [8]byte
		letters         int
		group           = -1 // digits since a mark that groups thousands
	)
	for i := 0; i < len(cell); i++ {
		c := cell[i]
		switch {
		case c >= '0' && c <= '9':
			if ended || digits-places > 14 {
				return m, false
			}
			digits++
			if group >= 0 {
				group++
			}
			if fraction {
				if places++; places > 4 {
					if c != '0' {
						return m, false
					}
					continue
				}
			}
			m.amount = m.amount*10 + amount(c-'0')
		case c == '.' || c == ',':
			if ended || fraction || c != mark && digits == 0 || group >= 0 && group != 3 && group != 2 {
				return m, false
			}
			if c == mark {
				fraction = true
				if group == 2 {
					return m, false
				}
				group = -1
			} else {
				group = 0
			}
		case c == '\'' || c == ' ' || c == '+' || c == '"':
			if c == '+' {
				m.explicit = true
			}
			// A space after digits may group them or end the number: both are
			// read, and letters after it can only be the unit.
		case c == '-' || c == '(':
			negative, m.explicit = true, true
			ended = ended || digits > 0
		case c == ')':
			ended = true
		default:
			size := symbolSize(cell[i:])
			switch s := string(cell[i : i+size]); s {
			case "\u00a0", "\u202f", "\u2009", "\u2019":
			case "\u2212", "\u2013":
				negative, m.explicit = true, true
				ended = ended || digits > 0
			default:
				if letters+size > len(word) {
					return m, false
				}
				letters += copy(word[letters:], s)
				ended = ended || digits > 0
			}
			i += size - 1
		}
	}
	if digits == 0 || group >= 0 && group != 3 {
		return m, false // 110.7 in a column of 1.107,00 is an error, not 1107
	}
	for ; places < 4; places++ {
		m.amount *= 10
	}
	if letters > 0 {
		sign := 0
		if m.unit, sign, ok = unitOf(word[:letters]); !ok {
			return m, false
		}
		m.explicit = m.explicit || sign != 0
		negative = negative != (sign < 0)
	}
	if negative {
		m.amount = -m.amount
	}
	return m, true
}

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

// marks counts what the numbers of a file prove about its decimal mark, and the
// marks that stand alone before three digits and prove nothing.
type marks struct{ dot, comma, loneDot, loneComma int }

// see looks at one cell: the last of two different marks, or a mark before one
// or two digits, is the decimal mark; a mark that is repeated groups thousands,
// so the other is. A lone mark before three digits proves nothing.
func (m *marks) see(cell []byte) {
	dot, comma := bytes.LastIndexByte(cell, '.'), bytes.LastIndexByte(cell, ',')
	last := max(dot, comma)
	if last < 0 {
		return
	}
	after := 0
	for _, c := range cell[last+1:] {
		if c >= '0' && c <= '9' {
			after++
		}
	}
	decimal := cell[last]
	switch repeated := bytes.Count(cell, cell[last:last+1]) > 1; {
	case dot >= 0 && comma >= 0 && !repeated:
	case repeated:
		decimal = '.' + ',' - decimal
	case after == 0:
		return
	case after == 3 && decimal == '.':
		m.loneDot++
		return
	case after == 3:
		m.loneComma++
		return
	}
	if decimal == '.' {
		m.dot++
	} else {
		m.comma++
	}
}

// mark is the decimal mark of the column. Without any proof a lone mark before
// three digits groups thousands, because hardly any currency has three places.
func (m *marks) mark() byte {
	if m.comma > m.dot || m.comma == m.dot && m.loneDot > m.loneComma {
		return ','
	}
	return '.'
}
