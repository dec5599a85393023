package gateway

import (
	"context"
	"time"
)

// Observer sees requests from outside: how many, how long, how much; never what
// was said.
type Observer interface {
	// Begin is called before a request; what it returns, once it is over.
	Begin(context.Context, Info) (context.Context, func(Outcome))
}

// Info is what is known of a request before it is made.
type Info struct {
	Protocol  Protocol
	Host      string // with its port
	Model     string
	MaxOutput int
	Effort    Effort
	Stream    bool
}

// Outcome is what became of a request, all attempts together.
type Outcome struct {
	Result Result
	Err    error
	Took   time.Duration
	Gaps   []time.Duration // between the pieces of the answer, as far as they are kept
}

// pace is how the pieces of an answer come.
type pace struct {
	watched     bool
	first, last time.Duration // since the request
	gaps        []time.Duration
}

// mostGaps bounds what is kept of one answer.
const mostGaps = 10_000

func (p *pace) step(since time.Duration) {
	if p.first == 0 {
		p.first = max(1, since)
	} else if p.watched && len(p.gaps) < mostGaps {
		p.gaps = append(p.gaps, since-p.last)
	}
	p.last = since
}
