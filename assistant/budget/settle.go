package budget

import (
	"database/sql"
	"errors"
	"slices"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// settlement is what one attempt came to.
type settlement struct {
	hold string
	a    Assistant
	s    gateway.Spent

	tally *Tally // may be nil
}

// held is a row of the holds.
type held struct {
	Person    string `db:"person"`
	Assistant string `db:"assistant"`
	Day       string `db:"day"`
	Currency  string `db:"currency"`
	Cost      int64  `db:"cost"`
	Priced    bool   `db:"priced"`
	Uncached  int64  `db:"uncached"`
	Output    int64  `db:"output"`
}

// spent is what goes into the books for one attempt.
type spent struct {
	u      gateway.Usage
	cost   int64
	priced bool
}

func (s spent) tokens() int64 { return s.u.Uncached + s.u.CacheRead + s.u.CacheWrite + s.u.Output }

// settled puts what was used in the place of the hold. What the database does
// not take stays held, and is tried again with the next one.
func (l *Ledger) settled(now ...settlement) {
	l.mu.Lock()
	todo := append(l.late, now...)
	l.late = nil
	l.mu.Unlock()
	for _, s := range todo {
		if err := l.settle(s); err != nil {
			l.c.Log.Error("what a model used could not be written down, and stays held", "assistant", s.a.ID, "error", err)
			l.mu.Lock()
			l.late = append(l.late, s)
			l.mu.Unlock()
		}
	}
}

func (l *Ledger) settle(s settlement) error {
	var notices []Notice
	var person string
	var counted *spent
	err := l.app.RunInTransaction(func(tx core.App) error {
		var h held
		err := tx.NonconcurrentDB().NewQuery("DELETE FROM {{" + tools.HoldsTable + "}} WHERE [[id]] = {:id} RETURNING *").Bind(dbx.Params{"id": s.hold}).One(&h)
		if errors.Is(err, sql.ErrNoRows) {
			return nil // settled in full by another start, or nobody's any more
		}
		if err != nil || s.s.Unbilled {
			return err
		}
		x := l.spent(h, s)
		counted = &x
		if err := add(tx, h, x); err != nil {
			return err
		}
		person = h.Person
		notices, err = l.notices(tx, h, x)
		return err
	})
	if err != nil {
		return err
	}
	s.tally.add(counted)
	for _, n := range notices {
		l.c.Told(person, n)
	}
	return nil
}

// add counts one attempt in the row of its person, day and assistant.
func add(tx core.App, h held, x spent) error {
	unpriced := 1
	if x.priced {
		unpriced = 0
	}
	_, err := tx.NonconcurrentDB().NewQuery(`INSERT INTO nodkeep_usage (person, day, assistant, currency, requests, unpriced, input_uncached, cache_read, cache_write, output, cost)
VALUES ({:person}, {:day}, {:assistant}, {:currency}, 1, {:unpriced}, {:uncached}, {:read}, {:write}, {:output}, {:cost})` + addSQL).Bind(dbx.Params{
		"person": h.Person, "day": h.Day, "assistant": h.Assistant, "currency": h.Currency, "unpriced": unpriced,
		"uncached": x.u.Uncached, "read": x.u.CacheRead, "write": x.u.CacheWrite, "output": x.u.Output, "cost": x.cost, "most": int64(mostCost),
	}).Execute()
	return err
}

// addSQL adds to a row that is there already, and keeps it from what could make
// a sum overflow.
const addSQL = `
ON CONFLICT (person, day, assistant, currency) DO UPDATE SET
 requests = requests + excluded.requests, unpriced = unpriced + excluded.unpriced,
 input_uncached = min(input_uncached + excluded.input_uncached, {:most}), cache_read = min(cache_read + excluded.cache_read, {:most}),
 cache_write = min(cache_write + excluded.cache_write, {:most}), output = min(output + excluded.output, {:most}), cost = min(cost + excluded.cost, {:most})`

// whole is the hold as if all of it had been used.
func (h held) whole() spent {
	return spent{gateway.Usage{Uncached: h.Uncached, Output: h.Output}, h.Cost, h.Priced}
}

// spent is what an attempt used. What its host does not say, or cannot be, is
// all that was held.
func (l *Ledger) spent(h held, s settlement) spent {
	whole := h.whole()
	if s.s.Cut {
		s.s = goneOn(s.s, h.Output)
	}
	x, known := whole, s.s.Usage != nil || len(s.s.Billed) > 0
	if known {
		x.u = used(s.s)
	}
	if known && x.u.Output > 0 && x.u.Uncached == 0 && x.u.CacheRead == 0 && x.u.CacheWrite == 0 {
		// A prompt of nothing was not counted, and is no smaller for that.
		if x.u.Uncached = h.Uncached; len(s.s.Billed) > 0 {
			return whole
		}
		s.s.Usage = &x.u
	}
	if !sane(x.u) || x.tokens() == 0 || x.tokens() > whole.tokens() {
		l.c.Log.Warn("a host says that a call used what it cannot have used; all that was held is counted", "assistant", s.a.ID, "host", s.a.Host, "usage", s.s.Usage, "held", whole.tokens())
		return whole
	}
	if c := s.s.Cost; c != nil && h.Currency == dollars {
		if *c >= 0 && *c <= most(h) {
			x.cost, x.priced = *c, true
			return x
		}
		l.c.Log.Warn("a host says that a call cost what it cannot have cost; all that was held is counted", "assistant", s.a.ID, "host", s.a.Host, "cost", *c, "held", h.Cost)
		return x // with what was held as its cost
	}
	if !h.Priced || !known {
		return x
	}
	cost, ok := l.cost(h, s)
	if !ok || cost > h.Cost {
		l.c.Log.Warn("a call may have cost more than was held; all that was held is counted", "assistant", s.a.ID, "host", s.a.Host, "cost", cost, "held", h.Cost)
		return x
	}
	x.cost = cost
	return x
}

// goneOn is what an answer used that broke off here, as if it had gone on to its
// limit at the host: what the host said last of its length was the least.
func goneOn(s gateway.Spent, output int64) gateway.Spent {
	s.Cost = nil
	if n := len(s.Billed); n > 0 {
		s.Billed = slices.Clone(s.Billed)
		for _, b := range s.Billed[:n-1] {
			output -= b.Usage.Output
		}
		s.Billed[n-1].Usage.Output = max(s.Billed[n-1].Usage.Output, output)
	} else if s.Usage != nil {
		u := *s.Usage
		u.Output = max(u.Output, output)
		s.Usage = &u
	}
	return s
}

// most is what a host may say at most that a call cost. Where nothing is known
// of prices, a thousand dollars for a million tokens are beyond belief.
func most(h held) int64 {
	if h.Priced {
		return h.Cost
	}
	return min((h.Uncached+h.Output)*1000, mostCost)
}

// used sums what each model used.
func used(s gateway.Spent) (u gateway.Usage) {
	if len(s.Billed) == 0 {
		return *s.Usage
	}
	for _, b := range s.Billed {
		if !sane(b.Usage) {
			return b.Usage
		}
		u.Uncached, u.CacheRead, u.CacheWrite, u.Output = u.Uncached+b.Usage.Uncached, u.CacheRead+b.Usage.CacheRead, u.CacheWrite+b.Usage.CacheWrite, u.Output+b.Usage.Output
		if !sane(u) {
			return u
		}
	}
	return u
}

// sane says that counts can be added without overflowing.
func sane(u gateway.Usage) bool {
	for _, n := range []int64{u.Uncached, u.CacheRead, u.CacheWrite, u.Output} {
		if n < 0 || n > 2*mostTokens {
			return false
		}
	}
	return true
}

// cost is what the models that answered cost, by the prices of the day on which
// it was held; ok is false where one of them has none.
func (l *Ledger) cost(h held, s settlement) (micros int64, ok bool) {
	billed := s.s.Billed
	if len(billed) == 0 {
		billed = []gateway.Billed{{Model: s.a.Model, Usage: *s.s.Usage}}
	}
	var sum product
	for _, b := range billed {
		p := l.prices(s.a, b.Model, h.Day)
		if p == nil {
			return 0, false
		}
		r := p.at(b.Usage.Uncached + b.Usage.CacheRead + b.Usage.CacheWrite)
		sum.add(b.Usage.Uncached, r.Input)
		sum.add(b.Usage.CacheRead, r.CacheRead)
		sum.add(b.Usage.CacheWrite, r.CacheWrite)
		sum.add(b.Usage.Output, r.Output)
	}
	return sum.micros(false), true
}
