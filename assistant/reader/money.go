package reader

// money is what a cell says: an amount, its sign as written, and the currency
// where the cell names one.
type money struct {
	amount   amount
	unit     unit
	explicit bool // a sign, brackets or a word such as CR was written
}

// maxDigits in front of the decimal mark: more is no amount of a household, and
// in every currency below what tools.Money holds.
const maxDigits = 11

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
			if ended || !fraction && digits == maxDigits {
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
