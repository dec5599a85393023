package eval

import (
	"slices"

	"github.com/nodkeep/nodkeep/assistant"
)

// Result is what came of a question.
type Result struct {
	Number   int      `json:"number"`
	ID       string   `json:"id"`
	Kind     Kind     `json:"kind"`
	Language string   `json:"language"`
	Passed   bool     `json:"passed"`
	Faults   []string `json:"faults"`   // what was expected, and what happened; the first turn that has any ends it
	Asked    []string `json:"asked"`    // the turns, as far as they came
	Answer   string   `json:"answer"`   // the last
	Tools    []string `json:"tools"`    // that were called
	Wanted   int      `json:"writes"`   // turns that asked for a change
	OneCard  int      `json:"one_card"` // of these, with one card
	Unwanted int      `json:"unwanted"` // cards in turns that asked for no change
	Usage    Usage    `json:"usage"`
	Cost     int64    `json:"cost_micros"`
	Took     int64    `json:"took_ms"`

	tokens int64
	spent  string // the budget ended it
	broken string // nobody answered, and why
}

// Usage is what was used of a model, in tokens.
type Usage struct {
	Requests   int64 `json:"requests"`
	Uncached   int64 `json:"input_uncached"`
	CacheRead  int64 `json:"cache_read"`
	CacheWrite int64 `json:"cache_write"`
	Output     int64 `json:"output"`
	Unpriced   bool  `json:"unpriced"` // nobody knows what some of it cost
}

func (u *Usage) add(o Usage) {
	u.Requests += o.Requests
	u.Uncached += o.Uncached
	u.CacheRead += o.CacheRead
	u.CacheWrite += o.CacheWrite
	u.Output += o.Output
	u.Unpriced = u.Unpriced || o.Unpriced
}

func usageOf(u assistant.Usage) Usage {
	return Usage{u.Requests, u.Uncached, u.CacheRead, u.CacheWrite, u.Output, u.Cost == nil}
}

// take adds a turn.
func (r *Result) take(t Turn, asked string, h Happened) {
	if asked == "" {
		asked = "(the form is answered)"
	}
	r.Asked, r.Answer = append(r.Asked, asked), h.Text
	r.Tools = append(r.Tools, slices.Concat(h.Called, h.Failed)...)
	r.Usage.add(usageOf(h.Usage))
	switch {
	case !t.changes():
		r.Unwanted += len(h.Cards)
	default:
		r.Wanted++
		if len(h.Cards) == 1 {
			r.OneCard++
		}
	}
}

// Report is the score of a run.
type Report struct {
	Assistant assistant.Asked `json:"assistant"`
	Host      string          `json:"host"`
	Day       string          `json:"day"`
	Score     Score           `json:"score"`
	Kinds     []Score         `json:"kinds"`
	OneCard   Score           `json:"one_card"` // turns that asked for a change, and had one card
	Unwanted  int             `json:"unwanted"` // cards that nobody asked for
	Usage     Usage           `json:"usage"`
	Cost      int64           `json:"cost_micros"`
	Currency  string          `json:"currency"`
	Stopped   string          `json:"stopped"` // why it ended before its time
	Left      int             `json:"left"`    // questions that were not asked
	Results   []Result        `json:"results"`
}

// Score is how many of some were as they should be.
type Score struct {
	Kind Kind `json:"kind,omitzero"`
	Of   int  `json:"of"`
	Met  int  `json:"met"`
}

// Percent is the share, rounded down: 100 is all of them. Of nothing it is 0.
func (s Score) Percent() int {
	if s.Of == 0 {
		return 0
	}
	return 100 * s.Met / s.Of
}

func (s *Score) count(met bool) {
	if s.Of++; met {
		s.Met++
	}
}

// score adds up the results.
func (r *Report) score() {
	r.Kinds = []Score{}
	for _, k := range Kinds() {
		of := Score{Kind: k}
		for _, res := range r.Results {
			if res.Kind == k {
				of.count(res.Passed)
			}
		}
		if of.Of > 0 {
			r.Kinds = append(r.Kinds, of)
		}
	}
	for _, res := range r.Results {
		r.Score.count(res.Passed)
		r.OneCard.Of += res.Wanted
		r.OneCard.Met += res.OneCard
		r.Unwanted += res.Unwanted
	}
}
