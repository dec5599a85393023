package reader

import "strings"

// word walks over the runs of letters and digits of a text.
type word struct {
	start, end int
	raw        string
	folded     string
}

func (w *word) next(s string) bool {
	start := -1
	for i, r := range s[w.end:] {
		in := foldRune(r) != ' '
		switch {
		case in && start < 0:
			start = w.end + i
		case !in && start >= 0:
			w.set(s, start, w.end+i)
			return true
		}
	}
	if start < 0 {
		return false
	}
	w.set(s, start, len(s))
	return true
}

func (w *word) set(s string, start, end int) {
	w.start, w.end, w.raw = start, end, s[start:end]
	w.folded = fold(w.raw)
}

type wordClass int

const (
	plainWord wordClass = iota
	digitWord           // one digit: may belong to a name, tells nothing
	codeWord            // capitals that nobody could say: a code, unless it comes first
	noiseWord           // a number, a date, a masked card, a code
)

func (w *word) class() wordClass {
	digits, vowels := 0, 0
	for i := 0; i < len(w.folded); i++ {
		switch c := w.folded[i]; {
		case c >= '0' && c <= '9':
			digits++
		case strings.IndexByte("aeiouy", c) >= 0:
			vowels++
		}
	}
	n := len(w.folded)
	switch {
	case n == 0, strings.HasPrefix(w.folded, "xxx"):
		return noiseWord
	case digits == n && n == 1:
		return digitWord
	case digits == n:
		return noiseWord
	case digits > 0:
		// Office365 is a name, P34TNPLQB is a code.
		letters := len(strings.TrimRight(w.folded, "0123456789"))
		if n >= 4 && (letters < 4 || letters+digits != n || digits > 3) {
			return noiseWord
		}
	case n >= 8 && vowels*6 < n && w.raw == strings.ToUpper(w.raw):
		return codeWord
	}
	return plainWord
}
