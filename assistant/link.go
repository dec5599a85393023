package assistant

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// address is where something begins that a door, or a preview of one, might open:
// a model that was told to could carry out by it what it has read. Chats make a
// link of a host alone; one with a path, or in front of another, can carry words.
var address = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:[a-z][a-z0-9+.-]*:)?//[^\s]` +
		`|\bwww\.` +
		`|\b(?:mailto|tel|sms|javascript|vbscript|tg|magnet|xmpp|sip|skype|whatsapp):[^\s]|\bdata:[a-z]+/` +
		`|(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+\p{L}{2,}(?::[0-9]+)?[/?#]` +
		`|(?:[\p{L}\p{N}_][\p{L}\p{N}_-]*\.){2,}\p{L}{2,}` +
		`|\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}[:/]`)
})

// closers are what may stand right after an address and is none of it.
const closers = ".,;:!?*_~|)]}>\"'`…”“»«›’"

// closing is what ends an address that begins after a mark, with spaces or not.
var closing = map[string]string{"<": ">", `"`: `"`, "'": "'"}

const (
	// longestWord is how much of an answer is held back at most until it is known
	// whether it is an address.
	longestWord = 2000
	// longestPlain is how much of one in which no address begins, and longestHost
	// what is kept of it even then: one may be about to.
	longestPlain, longestHost = 512, 256
)

// links lets the addresses of an answer through that the model was given, letter
// by letter, and leaves out those that it made. One that goes on where a given
// one ends is made, whatever stands between.
type links struct {
	given   []string // texts that it was given
	made    []string // addresses that it wrote into calls, and that answers may say again
	instead string   // what stands for one that is left out
	held    string
	skips   bool // the rest of a word that is left out
}

// give notes a text that the model is given.
func (l *links) give(text string) { l.given = append(l.given, text) }

// called notes the arguments of a call: an address in them that the model was not
// given stays its own, whatever a tool says of it.
func (l *links) called(args string) {
	for _, w := range strings.FieldsFunc(args, func(r rune) bool { return blank(r) || r == '"' || r == '\\' }) {
		if !strings.ContainsAny(w, ".:/") {
			continue // an address would have one: looking for it takes long
		}
		if at := address().FindStringIndex(w); at != nil {
			if bare := strings.TrimRight(w[at[0]:], closers); bare != "" && !l.has(bare) {
				l.made = append(l.made, bare)
			}
		}
	}
}

// has says that the model was given an address.
func (l *links) has(bare string) bool {
	return slices.ContainsFunc(l.given, func(g string) bool { return strings.Contains(g, bare) }) &&
		!slices.ContainsFunc(l.made, func(m string) bool { return strings.Contains(m, bare) || strings.Contains(bare, m) })
}

// pass takes a piece of an answer, and gives what of it may be shown now: a word
// that is not over is held back, as far as it may be an address.
func (l *links) pass(piece string) string {
	all := l.held + piece
	end := strings.LastIndexFunc(all, blank) + 1
	if last := all[end:]; !l.skips || end > 0 {
		switch at := address().FindStringIndex(last); {
		case at == nil:
			if n := strings.LastIndexFunc(last, foreign); n >= 0 {
				_, size := utf8.DecodeRuneInString(last[n:])
				end += n + size
			} else if len(last) > longestPlain {
				end += len(last) - longestHost
			}
		case len(last) > longestWord:
			l.held = ""
			shown := l.checked(all[:end]) + last[:at[0]] + l.instead
			l.skips = true
			return shown
		}
	}
	l.held = all[end:]
	return l.checked(all[:end])
}

// rest is what was held back.
func (l *links) rest() string {
	all := l.checked(l.held)
	l.held, l.skips = "", false
	return all
}

// checked is a text of the model without the addresses that it made.
func (l *links) checked(text string) string {
	if l.skips {
		n := strings.IndexFunc(text, blank)
		if n < 0 {
			return ""
		}
		l.skips, text = false, text[n:]
	}
	if !strings.ContainsAny(text, ".:/") {
		return text
	}
	var b strings.Builder
	for text != "" {
		n := strings.IndexFunc(text, blank)
		if n < 0 {
			n = len(text)
		}
		b.WriteString(l.word(text[:n]))
		if n < len(text) {
			n++
			b.WriteByte(text[n-1])
		}
		text = text[n:]
	}
	return b.String()
}

// word is one without the address in it, unless it was given.
func (l *links) word(w string) string {
	at := address().FindStringIndex(w)
	if at == nil {
		return w
	}
	before, bare := w[:at[0]], strings.TrimRight(w[at[0]:], closers)
	after := w[len(before)+len(bare):]
	if _, size := utf8.DecodeLastRuneInString(before); size > 0 {
		if end := closing[before[len(before)-size:]]; !strings.Contains(after, end) {
			return before + l.instead + after // it goes on with the next word
		}
	}
	if l.has(bare) {
		return w
	}
	return before + l.instead + after
}

// blank ends a word in what makes links of text: no other space does in all of it.
func blank(r rune) bool { return r <= ' ' }

func foreign(r rune) bool { return r >= utf8.RuneSelf }
