package assistant

import "context"

// question is what a client calls a question by.
type question struct{ person, client string }

// alone lets the requests of one question begin one after the other: a client that
// asks again before it heard anything is given the same turn, and counts once.
func (l *Loop) alone(ctx context.Context, person, client string) (leave func(), err error) {
	q := question{person, client}
	for {
		l.mu.Lock()
		before, waits := l.asking[q]
		if !waits {
			done := make(chan struct{})
			l.asking[q] = done
			l.mu.Unlock()
			return func() {
				l.mu.Lock()
				defer l.mu.Unlock()
				delete(l.asking, q)
				close(done)
			}, nil
		}
		l.mu.Unlock()
		select {
		case <-before:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
