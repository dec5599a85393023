package gateway

import (
	"bytes"
	"cmp"
	"maps"
)

// aim is who is asked, with what was learned so far.
func (p *provider) aim() target {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.target
	t.Learned = p.learned
	return t
}

// repair learns from what a host refused of a request that was made for t, and
// says whether it is now another. What was learned holds for the process; a
// field is changed at most twice for one request.
func (p *provider) repair(r Request, t target, e *Error, done map[string]int) bool {
	if e.Repair == nil {
		return false
	}
	for _, field := range e.Repair.Remove {
		if done[field]++; done[field] > 2 {
			return false
		}
	}
	before, err := p.speech.encode(r, t)
	if err != nil {
		return false
	}
	for _, lesson := range lessons(t, e.Repair) {
		now := t
		now.Learned = lesson
		after, err := p.speech.encode(r, now)
		if err != nil || bytes.Equal(before, after) {
			continue
		}
		p.mu.Lock()
		known := maps.Clone(p.learned) // others learn meanwhile
		if known == nil {
			known = map[string]string{}
		}
		for _, field := range e.Repair.Remove {
			known[field] = lesson[field]
		}
		p.learned = known
		p.mu.Unlock()
		return true
	}
	return false
}

// lessons are what there is to learn, the mildest first: to think less is tried
// before leaving the effort to the host.
func lessons(t target, by *Repair) (all []map[string]string) {
	learn := func(effort Effort) {
		l := maps.Clone(t.Learned)
		if l == nil {
			l = map[string]string{}
		}
		for n, field := range by.Remove {
			to := by.Set[field]
			if n < len(by.Add) {
				to = by.Add[n]
			}
			if _, tried := l[field]; !tried && isEffort(field) {
				to = cmp.Or(to, string(effort))
			}
			l[field] = to
		}
		all = append(all, l)
	}
	learn(High)
	learn("")
	return all
}

// isEffort says that a field on the wire tells how much to think.
func isEffort(field string) bool {
	return field == "reasoning_effort" || field == "reasoning" || field == "output_config"
}
