package household

import (
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
	pauses   []pause // by date, none overlapping
	trial    trial
}

// price is an amount that holds from a day on.
type price struct {
	from   tools.Date
	amount int64
	intro  bool // it was to end from the beginning

	rec     *core.Record // nil before it is stored
	changed bool         // it differs from what is stored
}

// values is what a record and a row of one have in common.
type values interface {
	GetString(field string) string
	GetFloat(field string) float64
	GetInt(field string) int
	GetBool(field string) bool
}

// below is what stands in the collections below a subscription and belongs to
// its schedule.
type below struct {
	prices []price
	pauses []pause
}

func scheduleOf(v values, b below) (schedule, error) {
	s := schedule{
		anchor: v.GetInt("anchor_day"), amount: amountOf(v),
		currency: v.GetString("currency"), prices: b.prices, pauses: b.pauses,
	}
	var err error
	if s.cycle, err = tools.ParseCycle(v.GetString("cycle")); err != nil {
		return s, broken(v, "cycle", err)
	}
	for _, f := range []struct {
		name string
		into *tools.Date
	}{
		{"first_date", &s.first},
		{"ends_on", &s.ends},
		{"trial_from", &s.trial.from},
		{"trial_ends_on", &s.trial.ends},
		{"decide_by", &s.trial.decideBy},
	} {
		if *f.into, err = tools.ParseDate(v.GetString(f.name)); err != nil {
			return s, broken(v, f.name, err)
		}
	}
	if s.first.IsZero() {
		return s, broken(v, "first_date", nil)
	}
	s.trial.decided = v.GetString("trial_decided")
	return s, nil
}

// broken says which field of a stored subscription is none that tools could
// have stored, so that somebody can correct it: nothing can be reckoned with it.
func broken(v values, field string, err error) error {
	return tools.Fail(tools.Conflict, "household.error.broken", v.GetString("name"), field, short(v.GetString(field))).Because(err)
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
	s.trial.put(rec)
}

// amountOf reads the minor units of a record.
func amountOf(v values) int64 { return int64(v.GetFloat("amount")) }

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

// over says that the last day lies before day.
func (s schedule) over(day tools.Date) bool { return !s.ends.IsZero() && s.ends.Before(day) }

// paidUntil is the last day of the period that day lies in, a charge due on
// the day itself being paid, and what was booked or skipped ahead until then;
// false when no period has begun or is paid. near has the charges from that day
// on.
func (s schedule) paidUntil(day tools.Date, near []charged) (tools.Date, bool) {
	open := s
	open.ends = tools.Date{}
	near = slices.DeleteFunc(slices.Clone(near), func(c charged) bool { return c.date.After(day) && !c.skipped })
	next, ok := open.nextOpen(day.AddDays(1), near)
	if p, open := s.currentPause(day); !ok && open { // without an end: it is paid until the pause begins
		next = p.from
	} else if !ok {
		next = lastDate().AddDays(1)
	}
	first, begun := open.next(s.first)
	return next.AddDays(-1), begun && (!first.After(day) || next.After(first))
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
