package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gate"
)

const (
	// lookTime is how long a call waits for a decision on our own card.
	lookTime = 20 * time.Second
	// pollTime is how often a waiting call looks again by itself.
	pollTime = 2 * time.Second
)

// waits are calls that wait for a decision, by proposal.
type waits struct {
	mu sync.Mutex
	of map[string]chan struct{} // closed once it changes
}

func (w *waits) on(proposal string) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of = map[string]chan struct{}{}
	}
	c := w.of[proposal]
	if c == nil {
		c = make(chan struct{})
		w.of[proposal] = c
	}
	return c
}

// Told wakes who waits for a proposal, which has changed.
func (d *Door) Told(proposal string) {
	d.waits.mu.Lock()
	defer d.waits.mu.Unlock()
	if c := d.waits.of[proposal]; c != nil {
		close(c)
		delete(d.waits.of, proposal)
	}
}

// decided is a proposal of the agent's own, once it is decided or the time is
// over.
func (d *Door) decided(ctx context.Context, a gate.Agent, id string, wait time.Duration) (gate.Proposal, error) {
	until := time.Now().Add(wait)
	p, err := d.c.Gate.Status(ctx, a, id)
	for err == nil && p.State == gate.Pending {
		changed := d.waits.on(id) // before it is looked at, so that no change is missed
		p, err = d.c.Gate.Status(ctx, a, id)
		left := time.Until(until)
		if err != nil || p.State != gate.Pending || left <= 0 {
			return p, err
		}
		again := time.NewTimer(min(left, pollTime))
		select {
		case <-ctx.Done():
			again.Stop()
			return p, ctx.Err()
		case <-changed:
		case <-again.C:
		}
		again.Stop()
	}
	return p, err
}
