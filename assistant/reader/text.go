package reader

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cleanText makes a cell fit to be shown: one line, no control characters, none
// that turn the direction of writing or hide, not longer than maxText bytes.
// What it says is left alone, formulas and tags too: it is data.
func cleanText(cell []byte) string {
	if len(cell) <= maxText && plain(cell) {
		return string(cell)
	}
	return string(appendClean(nil, cell))
}

// appendClean adds what cleanText makes of a cell.
func appendClean(b, cell []byte) []byte {
	if len(cell) <= maxText && plain(cell) {
		return append(b, cell...)
	}
	start, last := len(b), ' '
	for len(cell) > 0 && len(b)-start < maxText {
		r, size := utf8.DecodeRune(cell)
		cell = cell[size:]
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r) || isFiller(r):
			r = ' '
			if len(b) == start {
				continue
			}
		case r == joiner && isPicture(last):
			if next, _ := utf8.DecodeRune(cell); !isPicture(next) {
				continue
			}
		case unicode.Is(unicode.Cf, r) || r == '\u034f':
			continue
		}
		b, last = utf8.AppendRune(b, r), r
	}
	return b[:start+len(bytes.TrimRight(b[start:], " "))]
}

// joiner makes one picture of several; in other places it only hides.
const joiner = '\u200d'

// isPicture knows emoji, the shades of their skin, and what makes a character one.
func isPicture(r rune) bool {
	return r != utf8.RuneError && (unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) || r == '\ufe0f')
}

// isFiller knows letters and signs that show nothing.
func isFiller(r rune) bool {
	return r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0' || r == '\u2800'
}

// isNamed says that a clean text holds something to call a thing by: a letter,
// a number or a picture, not marks alone.
func isNamed(text []byte) bool {
	for i, size := 0, 1; i < len(text); i += size {
		if size = 1; text[i] < utf8.RuneSelf {
			if ascii[text[i]] != ' ' {
				return true
			}
			continue
		}
		var r rune
		r, size = utf8.DecodeRune(text[i:])
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), isPicture(r) && r != '\ufe0f':
			return true
		}
	}
	return false
}

// plain says that a cell is printable ASCII.
func plain(cell []byte) bool {
	for _, c := range cell {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// latin holds the letters U+00C0 to U+017F without their accents.
const latin = "aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo*ouuuuyty" +
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll" +
	"lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"

// foldRune makes a letter lower case without accent; everything that is
// neither letter nor digit becomes a space, a combining accent becomes 0.
func foldRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return r
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r < 0xc0:
		return ' '
	case r <= 0x17f:
		if c := rune(latin[r-0xc0]); c != '*' {
			return c
		}
		return ' '
	case r >= 0x300 && r < 0x370:
		return 0
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return unicode.ToLower(r)
	}
	return ' '
}

// ascii holds foldRune of the first 128 characters.
const ascii = "                                                0123456789      " +
	" abcdefghijklmnopqrstuvwxyz      abcdefghijklmnopqrstuvwxyz     "

// fold makes words that can be compared: lower case, no accents, one space
// between words.
func fold(s string) string {
	var short [128]byte
	return string(appendFold(short[:0], s))
}

// appendFold is fold into a buffer, which is empty.
func appendFold[T []byte | string](b []byte, s T) []byte {
	space := false
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			i++
			if c = ascii[c]; c == ' ' {
				space = len(b) > 0
				continue
			}
			if space {
				b, space = append(b, ' '), false
			}
			b = append(b, c)
			continue
		}
		r, size := utf8.DecodeRuneInString(string(s[i:min(len(s), i+4)]))
		r = foldRune(r)
		i += size
		switch {
		case r == 0:
		case r == ' ':
			space = len(b) > 0
		case space:
			b, space = utf8.AppendRune(append(b, ' '), r), false
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// foldCell folds a short cell; a long one is no status and no label.
func foldCell(cell []byte) string {
	return fold(string(cell[:min(len(cell), 80)]))
}

// hasWord says that folded text holds a folded word or phrase as a whole.
func hasWord(text, word string) bool { return indexWord(text, word) >= 0 }

// indexWord is where the word or phrase begins; -1 if it is not there.
func indexWord(text, word string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(word)
		if (i == 0 || text[i-1] == ' ') && (end == len(text) || text[end] == ' ') {
			return i
		}
		from = i + 1
	}
}

// hasAny says that folded text holds one of the phrases.
func hasAny(text string, phrases ...string) bool {
	for _, p := range phrases {
		if hasWord(text, p) {
			return true
		}
	}
	return false
}

// startsAny says that folded text begins with one of the phrases.
func startsAny(text string, phrases ...string) bool {
	for _, p := range phrases {
		if strings.HasPrefix(text, p) && (len(text) == len(p) || text[len(p)] == ' ') {
			return true
		}
	}
	return false
}

func isBlank(cells [][]byte) bool {
	for _, c := range cells {
		if len(c) > 0 {
			return false
		}
	}
	return true
}

// cell gives column i of a record, nothing where the record is shorter or the
// table has no such column.
func cell(cells [][]byte, i int) []byte {
	if i < 0 || i >= len(cells) {
		return nil
	}
	return cells[i]
}

func equalFold(cell []byte, s string) bool { return bytes.EqualFold(cell, []byte(s)) }
