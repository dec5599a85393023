package eval

import (
	"fmt"

	"github.com/nodkeep/nodkeep/assistant/budget"
)

// Most is what a run may use. Of a model whose price nobody knows tokens are
// counted, as its cost cannot be; on this machine nothing is.
type Most struct {
	Cost   int64 // millionths of the currency
	Tokens int64
	Free   bool
	Prices *budget.Prices
}

// Spent is what was used.
type Spent struct{ Cost, Tokens int64 }

// Left is the budget of the next question, as the tool takes it; nil is none.
func (m Most) Left(spent Spent) map[string]any {
	switch {
	case m.Free:
		return nil
	case m.Prices == nil:
		return map[string]any{"month_tokens": fmt.Sprint(max(0, m.Tokens-spent.Tokens))}
	}
	left := max(0, m.Cost-spent.Cost)
	return map[string]any{"month_cost": fmt.Sprintf("%d.%06d", left/1e6, left%1e6)}
}

// What a turn is likely to take, in tokens: three requests, each with what the
// one before had, and a little new.
const (
	likelyRequests = 3
	likelySame     = 7000
	likelyNew      = 2500
	likelyOutput   = 250
)

// Likely is about what questions cost, in millionths of the currency; ok is false
// where nobody knows.
func (m Most) Likely(all []Question) (micros int64, ok bool) {
	if m.Prices == nil {
		return 0, m.Free
	}
	p := m.Prices.Rates
	each := (likelySame*p.CacheRead + likelyNew*max(p.Input, p.CacheWrite) + likelyOutput*p.Output) / 1e6
	return int64(Turns(all)) * likelyRequests * each, true
}

// Turns counts the turns of questions.
func Turns(all []Question) (n int) {
	for _, q := range all {
		n += len(q.Turns)
	}
	return n
}
