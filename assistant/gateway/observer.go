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
}
