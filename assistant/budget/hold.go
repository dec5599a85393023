package budget

import (
	"context"
	"sync"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// need is what a call may use at most.
type need struct {
	prompt, output, cost int64
	priced               bool
}

func (n need) tokens() int64 { return n.prompt + n.output }

// need puts a price on the worst case of a request.
func (l *Ledger) need(a Assistant, prompt, output int64, day string) need {
	n := need{prompt: prompt, output: output}
	if p := l.prices(a, a.Model, day); p != nil {
		n.cost, n.priced = p.worst(prompt, output), true
	}
	return n
}

// Meter counts the attempts of one request of a person.
func (l *Ledger) Meter(person string, a Assistant, r gateway.Request) gateway.Meter {
	m := &meter{l: l, person: person, a: a, may: l.may}
	m.prompt, m.output = worst(r)
	return m
}

type meter struct {
	l              *Ledger
	person         string
	a              Assistant
	prompt, output int64
	may            func(state, Assistant, need, string) error

	mu    sync.Mutex
	open  []string // holds; of one request they are alike
	tally *Tally   // may be nil
}

// Hold sets the worst case of an attempt aside. It gives *Reached where a limit
// would be passed, and a tools.Error where the person may not use the assistant.
func (m *meter) Hold(ctx context.Context) error {
	id, err := m.l.hold(ctx, m.person, m.a, m.prompt, m.output, m.may)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open, m.tally = append(m.open, id), tallyIn(ctx)
	return nil
}

// Settle counts what the attempt used in place of what was held. It does so
// also for a request that was given up, and so has no context.
func (m *meter) Settle(s gateway.Spent) {
	m.mu.Lock()
	var id string
	tally := m.tally
	if n := len(m.open) - 1; n >= 0 {
		id, m.open = m.open[n], m.open[:n]
	}
	m.mu.Unlock()
	if id != "" {
		m.l.settled(settlement{id, m.a, s, tally})
	}
}

// hold writes and looks in one transaction: what calls side by side see is never
// older than what the others hold. It writes first, and so waits for whoever else
// writes, and takes it back where it may not. A request that was given up
// meanwhile holds nothing; in the middle it stops nothing, as SQLite would end the
// whole transaction for that.
func (l *Ledger) hold(ctx context.Context, person string, a Assistant, prompt, output int64, may func(state, Assistant, need, string) error) (id string, err error) {
	whole := context.WithoutCancel(ctx)
	err = l.app.RunInTransaction(func(tx core.App) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		now := l.now()
		day := dayOf(now)
		n := l.need(a, prompt, output, day)
		id = core.GenerateDefaultRandomId()
		_, err := tx.NonconcurrentDB().Insert(tools.HoldsTable, dbx.Params{
			"id": id, "person": person, "assistant": a.ID, "model": a.Model, "day": day, "created": tools.Stamp(now), "currency": l.c.Currency,
			"cost": n.cost, "priced": n.priced, "uncached": n.prompt, "output": n.output,
		}).WithContext(whole).Execute()
		if err != nil {
			return err
		}
		s, err := l.read(whole, tx, person, a.ID, day)
		if err != nil {
			return err
		}
		if err := may(s.without(n), a, n, day); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	})
	return id, err
}

// Allows says why a person may not ask an assistant, whatever is left to spend:
// nil where they may.
func (l *Ledger) Allows(ctx context.Context, person string, a Assistant) error {
	var s state
	err := l.app.DB().NewQuery(allowedSQL).WithContext(ctx).Bind(dbx.Params{"person": person, "assistant": a.ID}).One(&s)
	if err != nil {
		return err
	}
	return s.allows(a)
}

// allows is what a person must have been given, and have agreed to.
func (s state) allows(a Assistant) error {
	switch {
	case s.Status != tools.Approved:
		return tools.Fail(tools.Forbidden, "budget.error.person")
	case !s.Granted:
		return tools.Fail(tools.Forbidden, "budget.error.grant", a.ID)
	case !s.agreed(a):
		return tools.Fail(tools.Forbidden, "budget.error.consent", a.ID, a.Host)
	}
	return nil
}

// may decides.
func (l *Ledger) may(s state, a Assistant, n need, day string) error {
	if err := s.allows(a); err != nil {
		return err
	}
	limits := l.capped(s.limits(day), s, day)
	if !n.priced {
		if err := unpriced(limits, a); err != nil {
			return err
		}
	}
	return first(limits, n, l.c.Currency)
}

// capped adds what all may spend together.
func (l *Ledger) capped(limits []Limit, s state, day string) []Limit {
	if most, ok := l.c.Cap(); ok {
		limits = append(limits, Limit{Which: AllCost, Limit: max(most, 0), Used: s.AllCost, Held: s.HeldAllCost, Resets: resets(AllCost, day)})
	}
	return limits
}

// unpriced refuses an assistant whose prices nobody knows under a limit in
// money, unless one in tokens stands beside it. A person's own does for their
// own limit only: else they could lift an operator's by it.
func unpriced(limits []Limit, a Assistant) error {
	var money, tokens [2]bool // an operator's, the person's
	for _, lim := range limits {
		who := 0
		if lim.Own {
			who = 1
		}
		money[who] = money[who] || lim.money()
		tokens[who] = tokens[who] || !lim.money()
	}
	if money[0] && !tokens[0] || money[1] && !tokens[0] && !tokens[1] {
		return tools.Fail(tools.Forbidden, "budget.error.unpriced", a.ID)
	}
	return nil
}

// first is the limit to tell of where one would be passed: that which lasts
// longest, since the others are new again before it.
func first(limits []Limit, n need, currency string) error {
	var worst *Reached
	for _, lim := range limits {
		need := n.tokens()
		if lim.money() {
			need = n.cost
		}
		if !lim.passed(need) {
			continue
		}
		r := lim.reached(need, currency)
		if worst == nil || r.Never && !worst.Never || r.Never == worst.Never && r.Until.After(worst.Until) {
			worst = r
		}
	}
	if worst == nil {
		return nil
	}
	return worst
}
