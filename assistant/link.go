package assistant

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// address is what a door or a preview of one might open: a model that was told to
// could carry out by it what it has read.
var address = regexp.MustCompile(`(?i)(?:[a-z][a-z0-9+.-]*:)?//[^\s<>"'\x60)\]}]+|\bwww\.[^\s<>"'\x60)\]}]+`)

// longestWord is how much of an answer is held back at most until it is known
// whether it is an address.
const longestWord = 2000

// links lets the addresses of an answer through that the model was given, letter
// by letter, and leaves out those that it made.
type links struct {
	given   []string // texts that it was given
	instead string   // what stands for one that is left out
	held    string
}

// give notes a text that the model is given.
func (l *links) give(text string) {
	if strings.Contains(text, "//") || strings.Contains(text, "www.") {
		l.given = append(l.given, text)
	}
}

// pass takes a piece of an answer, and gives what of it may be shown now: a word
// that is not over is held back.
func (l *links) pass(piece string) string {
	all := l.held + piece
	end := 0
	for i, r := range all {
		if r <= ' ' || r >= utf8.RuneSelf {
			end = i + utf8.RuneLen(r)
		}
	}
	if len(all)-end > longestWord {
		end = len(all)
	}
	l.held = all[end:]
	return l.checked(all[:end])
}

// rest is what was held back.
func (l *links) rest() string {
	all := l.held
	l.held = ""
	return l.checked(all)
}

func (l *links) checked(text string) string {
	if !strings.Contains(text, "//") && !strings.Contains(strings.ToLower(text), "www.") {
		return text
	}
	return address.ReplaceAllStringFunc(text, func(found string) string {
		bare := strings.TrimRight(found, ".,;:!?*_")
		for _, g := range l.given {
			if strings.Contains(g, bare) {
				return found
			}
		}
		return l.instead + found[len(bare):]
	})
}
