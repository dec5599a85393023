package reader

import (
	"bytes"
	"strings"
)

// phrases finds any of many phrases in one walk over the words of a text: by
// the first word of each. Most words are dismissed by their first two letters.
type phrases struct {
	words map[string][]string
	pairs [1 << 10]bool
}

func newPhrases(list ...string) *phrases {
	p := &phrases{words: map[string][]string{}}
	for _, s := range list {
		first, _, _ := strings.Cut(s, " ")
		p.words[first] = append(p.words[first], s)
		p.pairs[pairOf([]byte(first))] = true
	}
	return p
}

// pairOf makes a number of the first two letters of a word.
func pairOf(word []byte) int {
	if len(word) < 2 {
		return 0
	}
	return int(word[0]&31)<<5 | int(word[1]&31)
}

// in says that folded text holds one of the phrases.
func (p *phrases) in(text []byte) bool {
	for len(text) > 0 {
		word, rest := text, []byte(nil)
		if i := bytes.IndexByte(text, ' '); i >= 0 {
			word, rest = text[:i], text[i+1:]
		}
		if p.start(word, text) {
			return true
		}
		text = rest
	}
	return false
}

// start says that folded text, whose first word this is, begins with one of the
// phrases.
func (p *phrases) start(word, text []byte) bool {
	if !p.pairs[pairOf(word)] {
		return false
	}
	for _, phrase := range p.words[string(word)] {
		if n := len(phrase); len(text) >= n && string(text[:n]) == phrase && (len(text) == n || text[n] == ' ') {
			return true
		}
	}
	return false
}
