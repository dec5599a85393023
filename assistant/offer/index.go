package offer

import (
	"math"
	"sort"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// index finds tools by words: of their names, titles, other words of people in
// each language, help and arguments. It scores as BM25 does, over words of
// which some weigh more, and takes a word for another that begins like it.
type index struct {
	names  []string // of tools, sorted
	length []float64
	mean   float64
	words  []string // all that there are, sorted
	posted [][]posting
	idle   map[string]bool // words that are not looked for
}

// posting is how much a word is in a tool.
type posting struct {
	tool   int
	weight float64
}

// What a word weighs by where it stands.
const (
	inTitle = 4.0
	inAsked = 3.5
	inName  = 3.0
	inHelp  = 1.0
	inArgs  = 0.4
)

// The constants of BM25: how soon more of a word tells no more, and how much
// less it tells in a longer text.
const (
	soon   = 1.5
	longer = 0.35
)

func newIndex(r *tools.Registry, c *i18n.Catalogue, all map[string]shown) *index {
	x := &index{idle: map[string]bool{}}
	for _, w := range wordsOf(idle) {
		x.idle[w] = true
	}
	at := map[string]map[int]float64{}
	for name := range all {
		x.names = append(x.names, name)
	}
	sort.Strings(x.names)
	for i, name := range x.names {
		t := all[name]
		length := 0.0
		add := func(weight float64, texts ...string) {
			seen := map[string]bool{} // what two languages share counts once
			for _, text := range texts {
				for _, w := range wordsOf(text) {
					if seen[w] {
						continue
					}
					seen[w] = true
					if at[w] == nil {
						at[w] = map[int]float64{}
					}
					at[w][i] += weight
					if weight != inAsked { // many ways to ask for it make no tool less meant
						length += weight
					}
				}
			}
		}
		// The name of the plugin is in all names alike, and tells nothing.
		add(inName, strings.TrimPrefix(name, r.Owner(name)+"_"))
		add(inTitle, said(c, t.Title)...)
		if key := r.Asked(name); key != "" {
			add(inAsked, said(c, key)...)
		}
		add(inHelp, t.Help)
		add(inArgs, arguments(t.input)...)
		x.length = append(x.length, length)
		x.mean += length / float64(len(x.names))
	}
	for w := range at {
		x.words = append(x.words, w)
	}
	sort.Strings(x.words)
	for _, w := range x.words {
		var of []posting
		for tool, weight := range at[w] {
			of = append(of, posting{tool, weight})
		}
		sort.Slice(of, func(i, j int) bool { return of[i].tool < of[j].tool })
		x.posted = append(x.posted, of)
	}
	return x
}

// said is a text of the catalogue in each language.
func said(c *i18n.Catalogue, key string) (all []string) {
	for _, lang := range i18n.Languages() {
		all = append(all, c.Say(lang, tools.T(key)))
	}
	return all
}

// arguments are the names and descriptions of what a tool takes.
func arguments(s *jsonschema.Schema) (all []string) {
	if s == nil {
		return nil
	}
	for name, p := range s.Properties {
		all = append(append(all, name, p.Description), arguments(p)...)
	}
	return append(all, arguments(s.Items)...)
}

// find are the tools in which some of the words are, the best first.
func (x *index) find(words string) []string {
	score := make([]float64, len(x.names))
	for _, q := range asked(words, x.idle) {
		in := map[int]float64{} // how much the word is in each tool
		for i, w := range x.words {
			if like := alike(q, w); like > 0 {
				for _, p := range x.posted[i] {
					in[p.tool] += like * p.weight
				}
			}
		}
		n := float64(len(in))
		rare := math.Log(1 + (float64(len(x.names))-n+0.5)/(n+0.5))
		for tool, weight := range in {
			size := soon * (1 - longer + longer*x.length[tool]/x.mean)
			score[tool] += rare * weight * (soon + 1) / (weight + size)
		}
	}
	var order []int
	for i, s := range score {
		if s > 0 {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return score[order[i]] > score[order[j]] })
	names := make([]string, len(order))
	for i, o := range order {
		names[i] = x.names[o]
	}
	return names
}

// alike is how much two words are one: 1 the same, less where one begins as the
// other does, 0 where they are different.
func alike(a, b string) float64 {
	if a == b {
		return 1
	}
	common := 0
	for common < min(len(a), len(b)) && a[common] == b[common] {
		common++
	}
	share := float64(common) / float64(max(len(a), len(b)))
	switch {
	case common >= 3 && common == len(a): // what was asked for begins the word
		return max(0.5, share)
	case common >= 4 && share >= 0.6:
		return 0.8 * share
	}
	return 0
}
