package hooks

import (
	"context"
	"sync"

	"github.com/nodkeep/nodkeep/tools"
)

// queue lets a number do at once what costs the machine much, such as hashing
// a password, and a number more wait for that. Who comes then is refused at
// once: a longer queue would only answer later.
type queue struct {
	inside chan struct{} // who is at it or waits
	places chan struct{} // who is at it
}

func newQueue(places, waiting int) *queue {
	return &queue{make(chan struct{}, places+waiting), make(chan struct{}, places)}
}

// enter waits for a place until ctx is over. Who has entered must leave; doing
// it twice does nothing more.
func (q *queue) enter(ctx context.Context) (leave func(), err error) {
	select {
	case q.inside <- struct{}{}:
	default:
		return nil, tools.Fail(tools.Unavailable, "limit.busy")
	}
	select {
	case q.places <- struct{}{}:
		return sync.OnceFunc(func() { <-q.places; <-q.inside }), nil
	case <-ctx.Done():
		<-q.inside
		return nil, tools.Fail(tools.Unavailable, "limit.busy").Because(ctx.Err())
	}
}
