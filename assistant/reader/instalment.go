package reader

import "strings"

// instalments are words in front of the number of a part, of a purchase that is
// paid in a fixed number of them.
//
//nolint:misspell // words of other languages
func instalments() *phrases {
	return newPhrases("parcela", "parc", "rate", "rata", "cuota", "instalment", "installment", "plazo", "termijn", "echeance", "teilzahlung", "ratenzahlung", "avbetalning")
}

// countedOf reads " 3 6", " 3 de 6", " 3 von 12": number k of n, k not above n.
func countedOf(s string) bool {
	k, rest := leadingNumber(s)
	if k == 0 {
		return false
	}
	for _, of := range [...]string{" de", " von", " of", " van", " di", " av", " sur"} {
		if len(rest) > len(of) && rest[:len(of)] == of {
			rest = rest[len(of):]
			break
		}
	}
	n, _ := leadingNumber(rest)
	return n > 1 && n <= 120 && k <= n
}

func leadingNumber(s string) (n int, rest string) {
	i := 0
	for i < len(s) && s[i] == ' ' {
		i++
	}
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 10000; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n, s[i:]
}

// countsUp says that the texts of a series number its charges, 3/6 then 4/6,
// without a word for it. A date such as 09/08 counts its months up as well, but
// then the number is the month's.
func (st *statement) countsUp(s *series) bool {
	last, of, isMonth := 0, 0, true
	for i, c := range s.charges {
		k, n := fraction(st.rows[c.row].text)
		if n < 2 || k > n || i > 0 && (n != of || k != last+1) {
			return false
		}
		last, of = k, n
		month := int(c.day.date().Month)
		isMonth = isMonth && (k == month || k == (month+10)%12+1)
	}
	return !isMonth
}

// fraction is the last k/n of a text that is not a part of a longer number.
func fraction(text string) (k, n int) {
	i := strings.LastIndexByte(text, '/')
	if i < 1 {
		return 0, 0
	}
	start := i
	for start > 0 && text[start-1] >= '0' && text[start-1] <= '9' {
		start--
	}
	n, rest := leadingNumber(text[i+1:])
	if start == i || i-start > 3 || start > 0 && strings.IndexByte(" -(", text[start-1]) < 0 || rest != "" && rest[0] != ' ' && rest[0] != ')' {
		return 0, 0
	}
	k, _ = leadingNumber(text[start:i])
	return k, n
}
