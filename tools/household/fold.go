package household

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/nodkeep/nodkeep/tools"
)

// fold is a text as it is compared, everywhere: without case, and with
// accents, full-width letters and ligatures written in one way. Letters of
// another script that look alike stay others. SQLite's own comparison knows
// ASCII only, so names and tags are compared here and not in filters.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			least = min(least, o)
		}
		return least
	}, norm.NFKC.String(s))
}

func sameText(a, b string) bool { return a == b || fold(a) == fold(b) }

// unhidden drops what nobody sees and what turns the direction of text around:
// with those, one text would look like another.
func unhidden(s string) string {
	s = strings.Map(func(r rune) rune {
		if tools.Hides(r) {
			return -1
		}
		return r
	}, s)
	if !strings.ContainsAny(s, tools.Joiners) {
		return s
	}
	runes := []rune(s)
	kept := runes[:0]
	for i, r := range runes {
		if strings.ContainsRune(tools.Joiners, r) && (len(kept) == 0 || !joined(kept[len(kept)-1]) || i+1 == len(runes) || !joined(runes[i+1])) {
			continue
		}
		kept = append(kept, r)
	}
	return string(kept)
}

// joined is what a joiner may stand beside.
func joined(r rune) bool { return !unicode.IsSpace(r) && !strings.ContainsRune(tools.Joiners, r) }

// tidied is a text of one line out of a file: nobody can be asked to correct
// it, so what does not fit is dropped.
func tidied(s string, most int) string {
	s = strings.ToValidUTF8(s, "")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(unhidden(s)), " ")
	if runes := []rune(s); len(runes) > most {
		s = strings.TrimSpace(unhidden(string(runes[:most])))
	}
	return s
}
