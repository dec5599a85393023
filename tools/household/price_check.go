package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// uncontradicted refuses a price that was changed for days that are paid for
// already with another amount: what was paid is history. It looks at the price
// that holds from a day on, up to the next one.
func (s schedule) uncontradicted(r *tools.Reader, rec *core.Record, field string, from tools.Date) error {
	near, err := chargesNear(r, from, tools.Date{}, []string{rec.Id})
	if err != nil {
		return err
	}
	list, amount, until := near[rec.Id], s.on(from), s.after(from)
	for _, p := range s.settle(from, from, list) {
		if p.charge < 0 || p.due.Before(from) || (!until.IsZero() && !p.due.Before(until)) {
			continue
		}
		if c := list[p.charge]; !c.skipped && c.currency == s.currency && c.amount != amount {
			return tools.Fail(tools.Conflict, "household.error.price_paid", field, rec.GetString("name"), s.money(amount), s.money(c.amount), c.date)
		}
	}
	return nil
}

// correct is reprice without a day: it says that the price which holds today
// was wrong ever since. That is refused where exactly that price was paid and
// the new one was not: what has risen has a day from which it did. A bill that
// varies was never paid with the amount that is expected, and can be corrected.
func (s *schedule) correct(r *tools.Reader, rec *core.Record, amount int64, today tools.Date) error {
	old, from, until := s.amount, tools.Date{}, tools.Date{}
	if n := len(s.prices); n > 0 {
		at := s.place(tools.Date{}, today)
		if old = s.prices[at].amount; at > 0 {
			from = s.prices[at].from
		}
		if at+1 < n {
			until = s.prices[at+1].from
		}
	}
	if amount == old {
		return nil
	}
	near, err := chargesNear(r, tools.Date{}, tools.Date{}, []string{rec.Id})
	if err != nil {
		return err
	}
	list := near[rec.Id]
	for _, p := range s.settle(s.first, s.first, list) {
		if p.charge < 0 || p.due.IsZero() || p.due.Before(from) || (!until.IsZero() && !p.due.Before(until)) {
			continue
		}
		if c := list[p.charge]; !c.skipped && c.currency == s.currency && c.amount == old {
			return tools.Fail(tools.Conflict, "household.error.price_correct", "amount", rec.GetString("name"), s.money(old), c.date, s.money(amount))
		}
	}
	return s.reprice(amount, tools.Date{}, today)
}

// after is the day from which the price after a day's holds; zero for none.
func (s schedule) after(day tools.Date) tools.Date {
	for _, p := range s.prices {
		if p.from.After(day) {
			return p.from
		}
	}
	return tools.Date{}
}
