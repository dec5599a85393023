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
	var b strings.Builder
	for len(cell) > 0 && b.Len() < maxText {
		r, size := utf8.DecodeRune(cell)
		cell = cell[size:]
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			b.WriteByte(' ')
		case !unicode.Is(unicode.Cf, r):
			b.WriteRune(r)
		}
	}
	return strings.TrimSpace(b.String())
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

// fold makes words that can be compared: lower case, no accents, one space
// between words.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch r = foldRune(r); {
		case r == 0:
		case r == ' ':
			space = b.Len() > 0
		default:
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
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
