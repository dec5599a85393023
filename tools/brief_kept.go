package tools

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	// briefFor is how long a briefing is good: to the end of a quarter of an hour,
	// since in every zone a day ends with one.
	briefFor = 15 * time.Minute
	// mostBriefs bounds how many are kept.
	mostBriefs = 1000
)

// briefs are briefings that were made a moment ago. Every question begins with
// one, and to make one takes longer than all else before the question is asked.
// Whatever changes a record forgets them all. The zero value is ready.
type briefs struct {
	mu      sync.Mutex
	of      map[briefKey]brief
	changes int // how often they were forgotten
}

// briefKey is for whom a briefing is, and of what.
type briefKey struct {
	person string
	shared bool // without what only the person sees
}

// briefOf is what a briefing is kept by; keeps is false for one of some records
// alone, which nobody asks for twice.
func briefOf(ctx context.Context, a Actor) (k briefKey, keeps bool) {
	k.person = a.Person
	if s := scopeOf(ctx); s != nil {
		k.shared = !s.Private
		return k, s.Only == nil
	}
	return k, true
}

type brief struct {
	said    []Text
	foreign []Text
	until   time.Time
}

func (b *briefs) get(k briefKey, now time.Time) (brief, int, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	is, ok := b.of[k]
	return is, b.changes, ok && now.Before(is.until) && is.until.Sub(now) <= briefFor // also where the clock was set back
}

// put keeps one, unless something changed while it was made.
func (b *briefs) put(k briefKey, is brief, changes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changes != changes {
		return
	}
	if b.of == nil || len(b.of) >= mostBriefs {
		b.of = map[briefKey]brief{}
	}
	is.said, is.foreign = slices.Clip(is.said), slices.Clip(is.foreign)
	b.of[k] = is
}

// changed is told of each entry that changed records, once it is committed.
func (r *Runner) changed(entry string) {
	r.briefs.forget()
	if r.c.Committed != nil {
		r.c.Committed(entry)
	}
}

func (b *briefs) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes++
	b.of = nil
}
