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

// after is the day from which the price after a day's holds; zero for none.
func (s schedule) after(day tools.Date) tools.Date {
	for _, p := range s.prices {
		if p.from.After(day) {
			return p.from
		}
	}
	return tools.Date{}
}
