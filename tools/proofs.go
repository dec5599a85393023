package tools

import (
	"sync"
	"time"
)

// proofTime is how long wrong proofs count.
const proofTime = 10 * time.Minute

// proofs counts wrong proofs by account, so that a token alone does not serve
// to guess the password behind it. It forgets with the process, as a guess of
// a few a start gains nothing.
type proofs struct {
	mu    sync.Mutex
	wrong map[string][]time.Time
}

func (p *proofs) may(person string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.recent(person, now)) < maxProofs
}

func (p *proofs) failed(person string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wrong == nil {
		p.wrong = map[string][]time.Time{}
	}
	p.wrong[person] = append(p.recent(person, now), now)
}

// recent drops what does not count any more.
func (p *proofs) recent(person string, now time.Time) []time.Time {
	all := p.wrong[person]
	for len(all) > 0 && now.Sub(all[0]) >= proofTime {
		all = all[1:]
	}
	if len(all) == 0 {
		delete(p.wrong, person)
	}
	return all
}
