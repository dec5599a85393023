package assistant

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/tools"
)

// What people and files wrote is data: it is handed to a model between marks that
// it cannot close, without what nobody sees and without addresses of people.
const (
	dataBegin = "<data source="
	dataEnd   = "</data>"
)

// mail is an address of e-mail, as far as texts have it.
var mail = regexp.MustCompile(`[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`)

// marks are how text in data is written, so that it ends no block and begins none.
var marks = strings.NewReplacer("<", "‹", ">", "›")

// data puts text between marks that say where it is from. Source is ours.
func data(source, text string) string {
	return dataBegin + `"` + marks.Replace(source) + `">` + "\n" + clean(text) + "\n" + dataEnd
}

// clean is text that somebody else wrote, as a model is given it.
func clean(text string) string {
	text = joined(strings.Map(shown, strings.ToValidUTF8(text, "\uFFFD")))
	return mail.ReplaceAllString(marks.Replace(text), "[e-mail address]")
}

// shown drops what does not show: control characters, marks of direction, tags,
// characters without width. What is read must be what a person would see.
func shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), tools.Hides(r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r), unicode.Is(unicode.Variation_Selector, r):
		return -1
	}
	return r
}

// typed is what a person wrote, as they saw it: what was pasted with it and does
// not show is no word of theirs.
func typed(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Variation_Selector, r) {
			return r // of an emoji
		}
		return shown(r)
	}, text))
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

// line is text in one line of at most n characters.
func line(text string, n int) string {
	text = strings.Join(strings.Fields(clean(text)), " ")
	if utf8.RuneCountInString(text) > n {
		text = string([]rune(text)[:n-1]) + "…"
	}
	return text
}

// cut is the beginning of a text, at most n bytes of it, that says so.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + " …"
}

// closed ends the block of data that a text was cut in.
func closed(text string) string {
	if strings.Count(text, dataBegin) > strings.Count(text, dataEnd) {
		text += "\n" + dataEnd
	}
	return text
}
