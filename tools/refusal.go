package tools

import (
	"sync"
	"time"
)

// maxRefusals is how many refusals of an agent the audit lists in an hour: more
// than one that means well ever has, and too few to fill a disk with.
const maxRefusals = 200

// refusals count what agents were refused in the present hour. Its zero value is
// ready.
type refusals struct {
	mu   sync.Mutex
	hour time.Time
	of   map[agentOf]int
}

// agentOf is an agent and whom it acts for: an assistant acts for many.
type agentOf struct{ agent, person string }

// note counts a refusal. It says whether the audit lists it, and whether it is
// the last that is listed in this hour.
func (r *refusals) note(a Actor, now time.Time) (listed, last bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if hour := now.Truncate(time.Hour); r.of == nil || !hour.Equal(r.hour) {
		r.hour, r.of = hour, map[agentOf]int{}
	}
	is := agentOf{a.Agent, a.Person}
	r.of[is]++
	return r.of[is] <= maxRefusals, r.of[is] == maxRefusals
}
