package assistant

import (
	"strings"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/assistant/document"
	"github.com/nodkeep/nodkeep/tools"
)

// data puts text between marks that say where it is from. Source is ours.
func data(source, text string) string { return document.Block(source, text) }

// typed is what a person wrote, as they saw it: what was pasted with it and does
// not show is no word of theirs.
func typed(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && tools.Unseen(r) {
			return -1
		}
		return r
	}, text))
}

// line is text in one line of at most n characters.
func line(text string, n int) string {
	text = strings.Join(strings.Fields(document.Clean(text)), " ")
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
