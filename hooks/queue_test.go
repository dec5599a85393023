package hooks

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

func TestQueue(t *testing.T) {
	q := newQueue(2, 3)
	ctx := t.Context()
	enter := func(ctx context.Context) func() {
		t.Helper()
		leave, err := q.enter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	first, second := enter(ctx), enter(ctx)
	impatient, giveUp := context.WithCancel(ctx)
	came := make(chan func(), 3)
	gone := make(chan error)
	for range 2 {
		go func() {
			leave, err := q.enter(ctx)
			if err != nil {
				t.Error(err)
			}
			came <- leave
		}()
	}
	go func() {
		_, err := q.enter(impatient)
		gone <- err
	}()
	for len(q.inside) < 5 {
		time.Sleep(time.Millisecond)
	}
	if _, err := q.enter(ctx); tools.KindOf(err) != tools.Unavailable {
		t.Errorf("one too many is told %v", err)
	}
	giveUp()
	if err := <-gone; tools.KindOf(err) != tools.Unavailable {
		t.Errorf("who gives up is told %v", err)
	}
	select {
	case <-came:
		t.Error("a third has a place")
	default:
	}
	first()
	first() // leaves no other's place
	(<-came)()
	(<-came)()
	if len(q.inside) != 1 || len(q.places) != 1 {
		t.Errorf("%d are inside and %d at it, want the second", len(q.inside), len(q.places))
	}
	second()
	if len(q.inside) != 0 || len(q.places) != 0 {
		t.Error("places are lost")
	}
}

func TestQueueUnderLoad(t *testing.T) {
	q := newQueue(4, 16)
	var at, most, did, refused atomic.Int64
	var all sync.WaitGroup
	for range 10_000 {
		all.Go(func() {
			leave, err := q.enter(t.Context())
			if err != nil {
				refused.Add(1)
				return
			}
			defer leave()
			n := at.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			did.Add(1)
			at.Add(-1)
		})
	}
	all.Wait()
	if most.Load() > 4 || did.Load()+refused.Load() != 10_000 || did.Load() == 0 || len(q.inside)+len(q.places) != 0 {
		t.Errorf("%d at once, %d did, %d were refused", most.Load(), did.Load(), refused.Load())
	}
}
