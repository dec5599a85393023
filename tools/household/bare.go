package household

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// bare is a text as it is searched: without case, accents and ligatures, so
// that "cafe" finds "Café" and "strasse" finds "Straße". What one looks for is
// seldom typed with care, and one hit too many costs less than none. Names and
// tags are the same only by fold: there, "año" and "ano" are two words.
func bare(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(s) {
		b.WriteString(bareRune(r))
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// bareRune is what a character comes to; nothing for an accent alone.
func bareRune(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'œ', 'Œ':
		return "oe"
	case 'ø', 'Ø':
		return "o"
	}
	if r < utf8.RuneSelf {
		return string(unicode.ToLower(r))
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r)) // a final sigma, a long s
	}, norm.NFKD.String(string(r))))
}

// How much of a text is shown before what was found, and how much in all.
const snippetBefore, snippetLength = 30, 90

// snippet is the part of a text around a word that is in it.
func snippet(text, word string) string {
	runes := []rune(norm.NFC.String(strings.Join(strings.Fields(text), " ")))
	var b strings.Builder
	var at []int // the character that each byte comes from
	for i, r := range runes {
		p := bareRune(r)
		b.WriteString(p)
		for range len(p) {
			at = append(at, i)
		}
	}
	found := 0
	if i := strings.Index(b.String(), word); i >= 0 && i < len(at) {
		found = at[i]
	}
	from := 0
	if found > snippetBefore {
		for from = found - snippetBefore; from < found && !unicode.IsSpace(runes[from-1]); {
			from++ // to the beginning of a word, or what was found
		}
	}
	to := min(len(runes), from+snippetLength)
	cut := string(runes[from:to])
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(runes) {
		cut += "…"
	}
	return cut
}
