package gateway

import (
	"bytes"
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

// repair learns from what a host refused, and says whether the request is now
// another: each field is changed at most twice, to a lower value and away.
func (p *provider) repair(r Request, e *Error, done map[string]int) bool {
	before, err := p.speech.encode(r, p.aim())
	if err != nil {
		return false
	}
	p.mu.Lock()
	learned := maps.Clone(p.learned)
	p.mu.Unlock()
	if learned == nil {
		learned = map[string]string{}
	}
	for n, field := range e.Repair.Remove {
		if done[field]++; done[field] > 2 {
			return false
		}
		to := ""
		if n < len(e.Repair.Add) {
			to = e.Repair.Add[n]
		} else if _, known := learned[field]; !known && isEffort(field) && r.Effort > "" {
			to = string(High)
		}
		learned[field] = to
	}
	t := p.target
	t.Learned = learned
	after, err := p.speech.encode(r, t)
	if err != nil || bytes.Equal(before, after) {
		// A lower value may be what it was already.
		for _, field := range e.Repair.Remove {
			if isEffort(field) && learned[field] != "" {
				learned[field] = ""
			}
		}
		if after, err = p.speech.encode(r, t); err != nil || bytes.Equal(before, after) {
			return false
		}
	}
	p.mu.Lock()
	p.learned = learned
	p.mu.Unlock()
	return true
}

// isEffort says that a field on the wire tells how much to think.
func isEffort(field string) bool {
	return field == "reasoning_effort" || field == "reasoning" || field == "output_config"
}
