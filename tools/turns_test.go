package tools_test

import (
	"context"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// TestPersonsTakeTurns: one who asks for much at once holds up others for one
// run, not for all of theirs.
func TestPersonsTakeTurns(t *testing.T) {
	const each = 60 * time.Millisecond
	b := open(t, tools.Config{})
	slow := b.write(func(*tools.Call) error { time.Sleep(each); return nil })
	quick := b.write(add("lab_tags", nil, nil))
	const many = 20
	done := make(chan error, many)
	for range many {
		go func() {
			_, err := b.Runner.Preview(t.Context(), b.ann, slow)
			done <- err
		}()
	}
	time.Sleep(each)
	start := time.Now()
	if _, err := b.Runner.Apply(t.Context(), b.bob, "", quick); err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(start); waited > many*each/3 {
		t.Errorf("bob waited %v behind ann's queue of %v", waited, many*each)
	}
	for range many {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// TestWaitingEnds with the caller, and the turn goes on to the next.
func TestWaitingEnds(t *testing.T) {
	b := open(t, tools.Config{})
	slow := b.write(func(*tools.Call) error { time.Sleep(150 * time.Millisecond); return nil })
	go func() { _, _ = b.Runner.Preview(context.Background(), b.ann, slow) }()
	time.Sleep(30 * time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := b.Runner.Preview(ctx, b.ann, slow); tools.KindOf(err) != tools.Unavailable {
		t.Error(err)
	}
	b.do(add("lab_tags", nil, nil))
}
