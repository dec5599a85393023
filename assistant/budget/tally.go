package budget

import (
	"context"
	"sync"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// Tally adds up what the requests under one context used, as it went into the
// books. Its zero value is ready.
type Tally struct {
	mu  sync.Mutex
	sum Sums
}

// Sums are what requests used together. Cost is in millionths of the currency;
// Unpriced counts those of which nobody knows what they cost.
type Sums struct {
	Requests, Unpriced int64
	Usage              gateway.Usage
	Cost               int64
}

type tallyKey struct{}

// WithTally is a context whose requests add to a tally.
func WithTally(ctx context.Context, t *Tally) context.Context {
	return context.WithValue(ctx, tallyKey{}, t)
}

func tallyIn(ctx context.Context) *Tally {
	t, _ := ctx.Value(tallyKey{}).(*Tally)
	return t
}

// Sums gives what was used so far.
func (t *Tally) Sums() Sums {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sum
}

func (t *Tally) add(x *spent) {
	if t == nil || x == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &t.sum
	s.Requests++
	if !x.priced {
		s.Unpriced++
	}
	s.Cost += x.cost
	s.Usage.Uncached += x.u.Uncached
	s.Usage.CacheRead += x.u.CacheRead
	s.Usage.CacheWrite += x.u.CacheWrite
	s.Usage.Output += x.u.Output
	s.Usage.Reasoning += x.u.Reasoning
}
