package budget

import "github.com/nodkeep/nodkeep/assistant/gateway"

// Trial counts the attempts of a test of an assistant, for the operator who makes
// it, or for nobody. It needs neither a grant nor an agreement, and no prices, but
// passes no limit: an operator's own and the instance's hold, and for nobody the
// instance's alone.
func (l *Ledger) Trial(person string, a Assistant, r gateway.Request) gateway.Meter {
	m := &meter{l: l, person: person, a: a, may: func(s state, _ Assistant, n need, day string) error {
		var limits []Limit
		if person != "" {
			limits = s.limits(day)
		}
		return first(l.capped(limits, s, day), n, l.c.Currency)
	}}
	m.prompt, m.output = worst(r)
	return m
}
