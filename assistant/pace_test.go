package assistant

import (
	"fmt"
	"testing"
	"time"
)

// TestPaceOfQuestions: a burst, then one after each interval; who is refused waits no
// longer for having asked, and nobody waits for another.
func TestPaceOfQuestions(t *testing.T) {
	l := Limits{Burst: 3, Every: 10 * time.Second}
	var p pace
	now := time.Date(2027, 3, 10, 9, 0, 0, 0, time.UTC)
	ask := func(who string, after time.Duration, want int, wait time.Duration) {
		t.Helper()
		now = now.Add(after)
		for n := range want {
			if w, ok := p.try(who, now, l); !ok {
				t.Errorf("%s: question %d of %d has to wait %s", who, n+1, want, w)
			}
		}
		for range 3 {
			if w, ok := p.try(who, now, l); ok || w != wait {
				t.Errorf("%s: one more: %t, to wait %s, want %s", who, ok, w, wait)
			}
		}
	}
	ask("ann", 0, 3, 10*time.Second)
	ask("bob", 0, 3, 10*time.Second)
	ask("ann", 9*time.Second, 0, time.Second)
	ask("ann", time.Second, 1, 10*time.Second)
	ask("ann", 25*time.Second, 2, 5*time.Second)
	ask("ann", 24*time.Hour, 3, 10*time.Second)
	for n := range mostPaced + 10 {
		p.try(fmt.Sprint(n), now, l)
	}
	ask("ann", time.Second, 0, 9*time.Second) // what is owed outlives a crowd
	now = now.Add(time.Hour)
	for n := range 3 {
		p.try(fmt.Sprint("later", n), now, l)
	}
	if len(p.of) > 10 {
		t.Errorf("%d are remembered who owe nothing", len(p.of))
	}
}
