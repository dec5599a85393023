package household

import (
	"fmt"
	"math"
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// schedule is when a subscription is charged, and how much.
type schedule struct {
	cycle    tools.Cycle
	first    tools.Date
	anchor   int
	ends     tools.Date // the last day; zero while none is known
	amount   int64      // minor units; the newest price
	currency string
	prices   []price // by date; none while the amount has never changed
}

// price is an amount that holds from a day on.
type price struct {
	from   tools.Date
	amount int64

	rec     *core.Record // nil before it is stored
	changed bool         // it differs from what is stored
}

func scheduleOf(rec *core.Record, prices []price) (schedule, error) {
	s := schedule{
		anchor: rec.GetInt("anchor_day"), amount: amountOf(rec),
		currency: rec.GetString("currency"), prices: prices,
	}
	var err error
	if s.cycle, err = tools.ParseCycle(rec.GetString("cycle")); err != nil {
		return s, fmt.Errorf("subscription %s: %w", rec.Id, err)
	}
	if s.first, err = tools.ParseDate(rec.GetString("first_date")); err != nil || s.first.IsZero() {
		return s, fmt.Errorf("subscription %s: first date %q: %w", rec.Id, rec.GetString("first_date"), err)
	}
	if s.ends, err = tools.ParseDate(rec.GetString("ends_on")); err != nil {
		return s, fmt.Errorf("subscription %s: %w", rec.Id, err)
	}
	return s, nil
}

// put writes the schedule into a subscription.
func (s schedule) put(rec *core.Record) {
	rec.Set("currency", s.currency)
	rec.Set("amount", s.amount)
	rec.Set("repriced", len(s.prices) > 0)
	rec.Set("cycle", s.cycle.String())
	rec.Set("first_date", s.first.String())
	rec.Set("anchor_day", s.anchor)
	rec.Set("ends_on", s.ends.String())
}

// amountOf reads the minor units of a record.
func amountOf(rec *core.Record) int64 { return int64(rec.GetFloat("amount")) }

// on is the amount that holds on a day; before the first dated price it is
// that one's.
func (s schedule) on(day tools.Date) int64 {
	i, found := slices.BinarySearchFunc(s.prices, day, func(p price, d tools.Date) int { return p.from.Compare(d) })
	switch {
	case len(s.prices) == 0:
		return s.amount
	case found || i == 0:
		return s.prices[i].amount
	}
	return s.prices[i-1].amount
}

func (s schedule) money(minor int64) tools.Money {
	return tools.Money{Minor: minor, Currency: s.currency}
}

// next is the first charge on or after a day; false when it has ended by then.
func (s schedule) next(day tools.Date) (tools.Date, bool) {
	_, d := s.cycle.Next(s.first, s.anchor, day)
	return d, !s.over(d)
}

// between lists the charges of the days from until to, at most limit.
func (s schedule) between(from, to tools.Date, limit int) []tools.Date {
	var days []tools.Date
	for k, d := s.cycle.Next(s.first, s.anchor, from); len(days) < limit && !d.After(to) && !s.over(d); {
		days = append(days, d)
		k++
		d = s.cycle.Nth(s.first, s.anchor, k)
	}
	return days
}

// over says that the last day lies before day.
func (s schedule) over(day tools.Date) bool { return !s.ends.IsZero() && s.ends.Before(day) }

// paidUntil is the last day of the period that day lies in, a charge due on
// the day itself being paid; false when no period has begun.
func (s schedule) paidUntil(day tools.Date) (tools.Date, bool) {
	k, d := s.cycle.Next(s.first, s.anchor, day.AddDays(1))
	return d.AddDays(-1), k > 0
}

// lasts is the last day of the period that a charge booked on day paid for:
// banks book a few days off, so it is the period of the nearest due date.
func (s schedule) lasts(day tools.Date) tools.Date {
	k, d := s.cycle.Next(s.first, s.anchor, day)
	if k > 0 {
		if before := s.cycle.Nth(s.first, s.anchor, k-1); day.DaysSince(before) <= d.DaysSince(day) {
			k--
		}
	}
	return s.cycle.Nth(s.first, s.anchor, k+1).AddDays(-1)
}

// plus adds amounts and stays at the largest number where they do not fit.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
