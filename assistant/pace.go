package assistant

import (
	"sync"
	"time"
)

// pace lets somebody ask a number of questions at once, and then one after each
// interval. Its zero value is ready; it forgets with the process.
type pace struct {
	mu sync.Mutex
	of map[string]time.Time // by person: when all that was asked has been made up for
}

// mostPaced bounds how many persons are remembered before those are forgotten who
// have made up for all.
const mostPaced = 1000

// try counts a question. Where it comes too soon it is not counted, and wait is
// how long it should have waited.
func (p *pace) try(person string, now time.Time, l Limits) (wait time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of = map[string]time.Time{}
	}
	if len(p.of) > mostPaced {
		for who, until := range p.of {
			if !until.After(now) {
				delete(p.of, who)
			}
		}
	}
	until := p.of[person]
	if until.Before(now) {
		until = now
	}
	// Nobody owes more than a burst: the clock was set back, or the setting.
	if most := now.Add(time.Duration(l.Burst) * l.Every); until.After(most) {
		until, p.of[person] = most, most
	}
	// Each question costs an interval; a burst of them may be owed.
	until = until.Add(l.Every)
	if owed := until.Sub(now) - time.Duration(l.Burst)*l.Every; owed > 0 {
		return owed, false
	}
	p.of[person] = until
	return 0, true
}
