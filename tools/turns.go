package tools

import (
	"context"
	"slices"
	"sync"
)

// turns lets one run at a time to the database's one writer, and takes persons
// in turn: who asks for much at once waits for their own, others for one run.
type turns struct {
	mu      sync.Mutex
	busy    bool
	waiting map[string][]chan struct{} // by person, in order
	persons []string                   // who waits, whose turn is next first
}

// wait returns when it is this person's turn, or ctx is over.
func (t *turns) wait(ctx context.Context, person string) error {
	t.mu.Lock()
	if !t.busy {
		t.busy = true
		t.mu.Unlock()
		return nil
	}
	if t.waiting == nil {
		t.waiting = map[string][]chan struct{}{}
	}
	if len(t.waiting[person]) == 0 {
		t.persons = append(t.persons, person)
	}
	turn := make(chan struct{})
	t.waiting[person] = append(t.waiting[person], turn)
	t.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		t.leave(person, turn)
		return ctx.Err()
	}
}

// leave takes a waiter out; if its turn came meanwhile, the next one has it.
func (t *turns) leave(person string, turn chan struct{}) {
	t.mu.Lock()
	i := slices.Index(t.waiting[person], turn)
	if i >= 0 {
		t.remove(person, i)
	}
	t.mu.Unlock()
	if i < 0 {
		t.next()
	}
}

// next gives the turn to the person who has waited longest since their last.
func (t *turns) next() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.persons) == 0 {
		t.busy = false
		return
	}
	person := t.persons[0]
	turn := t.waiting[person][0]
	t.remove(person, 0)
	if i := slices.Index(t.persons, person); i >= 0 {
		t.persons = append(slices.Delete(t.persons, i, i+1), person)
	}
	close(turn)
}

func (t *turns) remove(person string, i int) {
	t.waiting[person] = slices.Delete(t.waiting[person], i, i+1)
	if len(t.waiting[person]) == 0 {
		delete(t.waiting, person)
		t.persons = slices.DeleteFunc(t.persons, func(p string) bool { return p == person })
	}
}
