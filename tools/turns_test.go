package tools_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// TestPersonsTakeTurns: one who asks for much at once holds up others for one
// run, not for all of theirs.
func TestPersonsTakeTurns(t *testing.T) {
	b := open(t, tools.Config{})
	const many = 20
	var done atomic.Int32
	slow := b.write(func(*tools.Call) error { time.Sleep(20 * time.Millisecond); done.Add(1); return nil })
	quick := b.write(add("lab_tags", nil, nil))
	ended := make(chan error, many)
	for range many {
		go func() {
			_, err := b.Runner.Preview(t.Context(), b.ann, slow)
			ended <- err
		}()
	}
	for done.Load() == 0 { // the rest waits by now
		time.Sleep(time.Millisecond)
	}
	before := done.Load()
	if _, err := b.Runner.Apply(t.Context(), b.bob, "", quick); err != nil {
		t.Fatal(err)
	}
	if ran := done.Load() - before; ran > many/2 {
		t.Errorf("%d of ann's %d runs came before bob's", ran, many)
	}
	for range many {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestWaitingEnds with the caller, and the turn goes on to the next.
func TestWaitingEnds(t *testing.T) {
	b := open(t, tools.Config{Limit: time.Minute})
	inside, release := make(chan bool), make(chan bool)
	first := make(chan error, 1)
	go func() {
		_, err := b.Runner.Preview(context.Background(), b.ann, b.write(func(*tools.Call) error {
			close(inside)
			<-release
			return nil
		}))
		first <- err
	}()
	<-inside
	for range 5 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := b.Runner.Preview(ctx, b.bob, b.write(add("lab_tags", nil, nil))); tools.KindOf(err) != tools.Unavailable {
			t.Error(err)
		}
		cancel()
	}
	close(release)
	if err := <-first; err != nil {
		t.Error(err)
	}
	b.do(add("lab_tags", nil, nil))
}
