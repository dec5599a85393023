package demo

import (
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/offer"
)

// knows says whether words fit a pattern: each of its groups, which stand apart,
// has an alternative among them. A star stands for any ending.
func knows(words []string, pattern string) bool {
	for group := range strings.FieldsSeq(pattern) {
		if !slices.ContainsFunc(strings.Split(group, "|"), func(alternative string) bool { return has(words, alternative) }) {
			return false
		}
	}
	return true
}

func has(words []string, like string) bool {
	beginning, open := strings.CutSuffix(like, "*")
	return slices.ContainsFunc(words, func(w string) bool { return w == like || open && strings.HasPrefix(w, beginning) })
}

// names says whether a name occurs in words, as it stands or as its first word.
func names(words []string, name string) bool {
	parts := offer.Plain(name)
	if len(parts) == 0 {
		return false
	}
	for n := range words {
		if n+len(parts) <= len(words) && slices.Equal(words[n:n+len(parts)], parts) {
			return true
		}
	}
	return len(parts[0]) > 3 && slices.Contains(words, parts[0])
}

// number is the first one among words; without one it is what is given.
func number(words []string, without int) int {
	said := map[string]int{
		"one": 1, "two": 2, "three": 3, "four": 4, "six": 6, "ein": 1, "einen": 1, "zwei": 2, "drei": 3, "vier": 4, "sechs": 6,
		"un": 1, "dos": 2, "tres": 3, "cuatro": 4, "seis": 6,
	}
	for _, w := range words {
		if n, ok := said[w]; ok {
			return n
		}
		if len(w) == 1 && w[0] >= '1' && w[0] <= '9' {
			return int(w[0] - '0')
		}
		if w == "12" || w == "11" || w == "10" {
			return 10 + int(w[1]-'0')
		}
	}
	return without
}
