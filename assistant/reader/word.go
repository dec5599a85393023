package reader

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// word walks over the runs of letters and digits of a text. It is made for each
// row of a file, so that its folded form takes no memory of its own.
type word struct {
	start, end int
	raw        string
	buf        [48]byte
	n          int
}

// folded is the word as fold makes it, cut where it is longer than any name.
func (w *word) folded() []byte { return w.buf[:w.n] }

func (w *word) next(s string) bool {
	start := -1
	for i, size := w.end, 0; i < len(s); i += size {
		r := rune(s[i])
		if size = 1; r < utf8.RuneSelf {
			r = rune(ascii[r])
		} else {
			r, size = utf8.DecodeRuneInString(s[i:])
			r = foldRune(r)
		}
		switch in := r != ' '; {
		case in && start < 0:
			start = i
		case !in && start >= 0:
			w.set(s, start, i)
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
	w.n = copy(w.buf[:], appendFold(w.buf[:0], w.raw))
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
	for _, c := range w.folded() {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case strings.IndexByte("aeiouy", c) >= 0:
			vowels++
		}
	}
	n := w.n
	switch {
	case n == 0, bytes.HasPrefix(w.folded(), []byte("xxx")):
		return noiseWord
	case digits == n && n == 1:
		return digitWord
	case digits == n:
		return noiseWord
	case digits > 0:
		// Office365 is a name, P34TNPLQB is a code.
		letters := len(bytes.TrimRight(w.folded(), "0123456789"))
		if n >= 4 && (letters < 4 || letters+digits != n || digits > 3) {
			return noiseWord
		}
	case n >= 8 && vowels*6 < n && w.raw == strings.ToUpper(w.raw):
		return codeWord
	}
	return plainWord
}
