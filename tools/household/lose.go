package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// lost is a charge that another schedule would take its due day from: it would
// be counted, and beside it what is expected instead.
type lost struct {
	charged
	settled tools.Date // the day that it settles so far
	trial   bool       // a trial would cover that day
	last    tools.Date // the last day that a charge settles so far
}

// counted is the schedule without what only leaves some days out: an end, a
// trial, a pause that moves nothing. None of these gives a charge another day.
func (s schedule) counted() schedule {
	s.ends, s.trial = tools.Date{}, trial{}
	s.pauses = slices.DeleteFunc(slices.Clone(s.pauses), func(p pause) bool { return !p.shift })
	return s
}

// settles is the due day of each charge in a list, zero where it has none.
func (s schedule) settles(list []charged) []tools.Date {
	days := make([]tools.Date, len(list))
	for _, p := range s.settle(s.first, s.first, list) {
		if p.charge >= 0 {
			days[p.charge] = p.due
		}
	}
	return days
}

// before says that a day lies before all due days, too far to be one of them.
func (s schedule) before(day tools.Date) bool { return day.Before(s.first.AddDays(-slack)) }

// loses is the first charge in a list that settles a due day here, and none by
// another schedule though that has begun by then. What was paid before another
// beginning is history, and stays so: what names a day that it was confirmed for
// must find it again when the beginning moves back.
func (s schedule) loses(then schedule, list []charged) (first lost, is bool) {
	was, now := s.counted().settles(list), then.counted().settles(list)
	var last tools.Date
	for i, c := range list {
		day := was[i]
		if day.IsZero() && s.before(c.due) {
			day = c.due
		}
		last = later(last, day)
		if day.IsZero() || is {
			continue
		}
		old := then.before(day)
		tried := !c.skipped && then.trial.covers(day) && !s.trial.covers(day) && (!old || !day.Before(then.trial.from))
		if is = tried || (now[i].IsZero() && !old); is {
			first = lost{charged: c, settled: day, trial: tried}
		}
	}
	first.last = last
	return first, is
}

// refuse names the field of a change, the subscription and the charge.
func (l lost) refuse(field, name, paid string) error {
	switch {
	case l.trial:
		return tools.Fail(tools.Conflict, "household.error.trial_paid", name, l.date, l.money(), l.settled)
	case l.skipped:
		return tools.Fail(tools.Conflict, "household.error.skip_lost", field, name, l.settled, l.id)
	}
	return tools.Fail(tools.Conflict, paid, field, name, l.date, l.money(), l.last.AddDays(slack))
}

// keepsCharges refuses another schedule by which a charge loses its due day.
func (s schedule) keepsCharges(r *tools.Reader, rec *core.Record, then schedule, field, paid string) error {
	if s.countsAs(then) {
		return nil
	}
	near, err := chargesNear(r, tools.Date{}, tools.Date{}, []string{rec.Id})
	if err != nil {
		return err
	}
	if l, is := s.loses(then, near[rec.Id]); is {
		return l.refuse(field, rec.GetString("name"), paid)
	}
	return nil
}

// countsAs says that two schedules have the same due days, but for ends.
func (s schedule) countsAs(o schedule) bool {
	a, b := s.counted(), o.counted()
	return a.cycle == b.cycle && a.first == b.first && a.anchor == b.anchor && s.trial.ends == o.trial.ends &&
		slices.EqualFunc(a.pauses, b.pauses, func(p, q pause) bool { return p.from == q.from && p.until == q.until })
}
