package household

import (
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// place is a field that is searched: a text, or an amount.
type place struct {
	field, text string
	money       tools.Money
}

// has says that a word is in a place.
func (p place) has(word string) bool {
	if p.money.Currency != "" {
		return isAmount(word, p.money)
	}
	return strings.Contains(bare(p.text), word)
}

// around shows where in a place the word is.
func (p place) around(word string) string {
	if p.money.Currency != "" {
		return p.money.String()
	}
	return snippet(p.text, word)
}

// isAmount says that a word is an amount as a person may write it.
func isAmount(word string, m tools.Money) bool {
	read, err := tools.ParseMoney(strings.Replace(word, ",", ".", 1), m.Currency)
	return err == nil && read.Minor == m.Minor
}

// look notes a hit if every word is in its name or in one of its places.
func (s *finding) look(h Hit, places []place) {
	name := bare(h.Name)
	h.Field, h.rank = "name", nameRank(name, s.words)
	for _, word := range s.words {
		if strings.Contains(name, word) {
			continue
		}
		i := slices.IndexFunc(places, func(p place) bool { return p.has(word) })
		if i < 0 {
			return
		}
		if h.Field == "name" {
			h.Field, h.Snippet = places[i].field, places[i].around(word)
		}
	}
	s.hits = append(s.hits, h)
}

// nameRank is how well words fit a name, 0 the best: it begins with them, its
// words do, they are in it, or some are elsewhere.
func nameRank(name string, words []string) int {
	if strings.HasPrefix(name, strings.Join(words, " ")) {
		return 0
	}
	rank := 1
	for _, word := range words {
		switch {
		case strings.HasPrefix(name, word), strings.Contains(name, " "+word):
		case strings.Contains(name, word):
			rank = 2
		default:
			return 3
		}
	}
	return rank
}
