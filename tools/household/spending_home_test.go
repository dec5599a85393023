package household

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// anyHome is a household that is made at random, beside what was stored.
type anyHome struct {
	members []string
	subs    []anySub
}

type anySub struct {
	id, name, owner, category, method string
	private                           bool
	tags                              []string
	schedule
	shares  []share
	dues    []tools.Date // until long after today
	charges []charged
	settled map[tools.Date]bool
}

// fill makes subscriptions of any kind, and charges around what is due.
func (h *anyHome) fill(t *testing.T, a *toolstest.App, rnd *rand.Rand, today tools.Date) {
	t.Helper()
	err := a.RunInTransaction(func(tx core.App) error {
		within := *a
		within.App = tx
		h.fillWith(t, &within, rnd, today)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (h *anyHome) fillWith(t *testing.T, a *toolstest.App, rnd *rand.Rand, today tools.Date) {
	t.Helper()
	h.members = []string{a.Member("ann").Id, a.Member("bob").Id}
	var groups [2][]string
	for i, collection := range []string{categories, methods} {
		for n := range 3 {
			rec := record(t, a.App, collection, map[string]any{"name": fmt.Sprint("Group ", n)})
			if err := a.Save(rec); err != nil {
				t.Fatal(err)
			}
			groups[i] = append(groups[i], rec.Id)
		}
	}
	for n := range 8 {
		s := anySub{schedule: anySchedule(rnd), name: fmt.Sprint("Sub ", n), owner: h.members[rnd.IntN(2)], private: rnd.IntN(4) == 0}
		s.first, s.ends = today.AddDays(-rnd.IntN(1500)), tools.Date{}
		if s.cycle.Unit != tools.Weeks && s.first.Day < 28 {
			s.anchor = 0
		}
		s.anchor = max(s.anchor, 0)
		s.currency, s.amount = []string{"EUR", "USD", "JPY"}[rnd.IntN(3)], rnd.Int64N(5000)
		s.pauses, s.trial = nil, trial{}
		if rnd.IntN(3) == 0 {
			from := s.first.AddDays(rnd.IntN(600))
			s.pauses = append(s.pauses, pause{from: from, until: from.AddDays(1 + rnd.IntN(100)), shift: rnd.IntN(2) == 0})
		}
		if rnd.IntN(4) == 0 {
			s.trial = trial{ends: s.first.AddDays(rnd.IntN(60))}
		}
		if rnd.IntN(3) == 0 {
			s.ends = s.first.AddDays(rnd.IntN(1500))
		}
		if rnd.IntN(3) == 0 {
			s.prices = []price{{from: s.first, amount: rnd.Int64N(5000)}, {from: s.first.AddDays(1 + rnd.IntN(800)), amount: s.amount}}
		}
		if rnd.IntN(3) > 0 {
			s.category = groups[0][rnd.IntN(3)]
		}
		if rnd.IntN(3) > 0 {
			s.method = groups[1][rnd.IntN(3)]
		}
		s.tags = []string{"home", "fun", "kids"}[:rnd.IntN(4)]
		if !s.private && rnd.IntN(5) == 0 {
			s.owner = ""
		}
		for range rnd.IntN(4) {
			sh := share{weight: 1 + rnd.IntN(3)}
			if rnd.IntN(3) == 0 {
				sh = share{fixed: rnd.Int64N(2000)}
			}
			switch rnd.IntN(3) {
			case 0:
				sh.person = []string{"Grandma", "Tom"}[rnd.IntN(2)]
			default:
				sh.member = h.members[rnd.IntN(2)]
			}
			if !slices.ContainsFunc(s.shares, sh.sameAs) && sh.weight+int(sh.fixed) > 0 { // one a person, and none of nothing
				s.shares = append(s.shares, sh)
			}
		}
		s.store(t, a)
		s.charge(t, a, rnd, today)
		h.subs = append(h.subs, s)
	}
}

func (s *anySub) store(t *testing.T, a *toolstest.App) {
	t.Helper()
	rec := record(t, a.App, subscriptions, map[string]any{
		"name": s.name, "owner": s.owner, "private": s.private, "category": s.category, "payment_method": s.method, "status": active, "tags": s.tags,
	})
	s.put(rec)
	if err := a.Save(rec); err != nil {
		t.Fatal(err)
	}
	s.id = rec.Id
	for _, p := range s.prices {
		store(t, a, prices, args{"subscription": s.id, "from": p.from.String(), "amount": p.amount, "currency": s.currency})
	}
	for _, p := range s.pauses {
		store(t, a, pauses, args{"subscription": s.id, "from": p.from.String(), "until": p.until.String(), "shift": p.shift})
	}
	for i, sh := range s.shares {
		store(t, a, shares, args{"subscription": s.id, "member": sh.member, "person": sh.person, "weight": sh.weight, "fixed": sh.fixed, "position": i, "currency": s.currency})
	}
}

// charge books some of what is due: on its day or near it, by name or not, of
// the amount or another, in the currency or another, or skips it; and some that
// nothing asked for.
func (s *anySub) charge(t *testing.T, a *toolstest.App, rnd *rand.Rand, today tools.Date) {
	t.Helper()
	s.dues = slowDues(s.schedule, today.AddDays(140))
	for _, due := range s.dues[max(0, len(s.dues)-60):] {
		if due.After(today.AddDays(60)) {
			break
		}
		c := charged{date: due.AddDays(rnd.IntN(11) - 5), amount: s.on(due), currency: s.currency}
		switch rnd.IntN(8) {
		case 0, 1:
			continue
		case 2:
			c.due, c.date = due, due.AddDays(rnd.IntN(90)-45)
		case 3:
			c.due, c.skipped, c.amount = due, true, 0
		case 4:
			c.amount = rnd.Int64N(5000)
		case 5:
			c.currency = "CHF"
		case 6:
			c.date = due.AddDays(rnd.IntN(20) + 8) // asked for by nothing, in short cycles perhaps
		}
		state := ""
		if c.skipped {
			state = skipped
		}
		c.id = charge(t, a, s.id, c.date.String(), int(c.amount), args{"due": c.due.String(), "state": state, "currency": c.currency})
		s.charges = append(s.charges, c)
	}
	s.settled = map[tools.Date]bool{}
	for _, due := range greedy(s.dues, s.charges, slackOf(s.cycle)) {
		s.settled[due] = true
	}
}

// wipe empties the household.
func wipe(t *testing.T, a *toolstest.App) {
	t.Helper()
	for _, name := range []string{charges, shares, pauses, prices, subscriptions, categories, methods} {
		if _, err := a.NonconcurrentDB().Delete(name, nil).Execute(); err != nil {
			t.Fatal(err)
		}
	}
}
