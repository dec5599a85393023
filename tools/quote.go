package tools

import (
	"strings"
	"unicode"
)

// clip shortens s to n bytes of whole characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// Quoted is what a caller wrote, for a message: at most n bytes of it, and
// without what a terminal would act on or what would hide or turn the rest.
func Quoted(s string, n int) string {
	return clip(strings.Map(func(r rune) rune {
		if Unseen(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s), n)
}

// Unseen says that a character is none that people see: it controls, hides, ends
// a line or a paragraph, or means something only to whoever made it up.
func Unseen(r rune) bool {
	return unicode.IsControl(r) || Hides(r) || unicode.In(r, unicode.Co, unicode.Zl, unicode.Zp)
}

// Joiners are part of emoji and of some scripts, but only inside a word.
const Joiners = "\u200c\u200d"

// Hides says that nobody sees a character, or that it turns the direction of
// text around: with it, one text would look like another.
func Hides(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0', '\u034f': // letters that are blank
		return true
	}
	return unicode.Is(unicode.Cf, r) && !strings.ContainsRune(Joiners, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}
