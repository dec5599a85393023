package household

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// byteOrderMark begins a file so that Excel reads it as UTF-8.
const byteOrderMark = "\ufeff"

// writeCSV writes rows as RFC 4180 has them.
func writeCSV(rows [][]string) string {
	var b strings.Builder
	b.WriteString(byteOrderMark)
	for _, row := range rows {
		for i, c := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			// What begins or ends with a space is lost by some readers without quotes.
			if strings.ContainsAny(c, "\",;\t\r\n") || strings.TrimSpace(c) != c {
				c = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
			}
			b.WriteString(c)
		}
		b.WriteString("\r\n")
	}
	return b.String()
}

const apostrophe = '\''

// text is what somebody wrote as a cell that no spreadsheet runs: a ' is put
// where a formula could begin, and where a ' stands already. That is at the
// beginning of the cell and after each line break, tab and semicolon, at which
// a spreadsheet with other settings cuts it. Who takes one ' away at each of
// these places has what was written.
// A number below zero is none of these: it stays one.
func text(s string) string {
	if belowZero.MatchString(s) {
		return s
	}
	var b strings.Builder
	begins := true
	for i, r := range s {
		if begins && (r == apostrophe || runs(s[i:]) || (i == 0 && cuts(r))) {
			b.WriteRune(apostrophe)
		}
		b.WriteRune(r)
		begins = cuts(r)
	}
	return b.String()
}

// belowZero is a number that a text may hold.
var belowZero = regexp.MustCompile(`^-[0-9]+(\.[0-9]+)?$`)

// cuts says that a cell may be cut after a rune.
func cuts(r rune) bool { return strings.ContainsRune("\n\r\t;", r) }

// runs says that a spreadsheet may take a text for a formula: after what is not
// seen, and after quotes, comes an operator, of half or full width.
func runs(s string) bool {
	s = strings.TrimLeftFunc(s, func(r rune) bool {
		return !cuts(r) && (unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc, unicode.Pi, unicode.Pf) || strings.ContainsRune("\"'`´", r))
	})
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("=+-@＝＋－＠﹢﹣﹦﹫−", r)
}
