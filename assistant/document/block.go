package document

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/nodkeep/nodkeep/tools"
)

// Block puts text that somebody else wrote between marks that say where it is from
// and that it cannot close: without what nobody sees, and without addresses of
// e-mail.
func Block(source, text string) string {
	return `<data source="` + strings.ReplaceAll(clean(source), `"`, "'") + `">` + "\n" + clean(text) + "\n</data>"
}

var mail = regexp.MustCompile(`[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`)

func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '<':
			return '‹'
		case r == '>':
			return '›'
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), tools.Hides(r), unicode.In(r, unicode.Co, unicode.Zl, unicode.Zp, unicode.Variation_Selector):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return mail.ReplaceAllString(text, "[e-mail address]")
}
