package document

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/tools"
)

// The marks that a block stands between.
const (
	begins = "<data source="
	ends   = "</data>"
)

// Block puts text that somebody else wrote between marks that say where it is from
// and that it cannot close: without what nobody sees, and without addresses of
// e-mail.
func Block(source, text string) string {
	return begins + `"` + strings.ReplaceAll(Clean(source), `"`, "'") + `">` + "\n" + Clean(text) + "\n" + ends
}

// Closed ends the block that a text was cut in.
func Closed(text string) string {
	if strings.Count(text, begins) > strings.Count(text, ends) {
		text += "\n" + ends
	}
	return text
}

var mail = regexp.MustCompile(`[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`)

// Clean is text that somebody else wrote, as a model is given it: what is read is
// what a person would see, without marks that could end its block, and without
// addresses of people.
func Clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '<':
			return '‹'
		case r == '>':
			return '›'
		case r == '\n' || r == '\t':
			return r
		case tools.Unseen(r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	text = joined(text)
	return mail.ReplaceAllString(text, "[e-mail address]")
}

// joined is text without joiners that join nothing: they show only between two
// letters of a script that has them, or two pictures.
func joined(text string) string {
	if !strings.ContainsAny(text, tools.Joiners) {
		return text
	}
	all := []rune(text)
	joins := func(i int) bool {
		return i >= 0 && i < len(all) && all[i] >= utf8.RuneSelf && !strings.ContainsRune(tools.Joiners, all[i])
	}
	out := all[:0:0]
	for i, r := range all {
		if !strings.ContainsRune(tools.Joiners, r) || joins(i-1) && joins(i+1) {
			out = append(out, r)
		}
	}
	return string(out)
}
