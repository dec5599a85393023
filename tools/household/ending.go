package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// begins is the field and the day with which all of a subscription begins: its
// first charge, or the trial before that; of a trial that says no day, that is
// the zero Date.
func (s schedule) begins() (string, tools.Date) {
	if !s.trial.ends.IsZero() && s.trial.from.Before(s.first) {
		return "trial_from", s.trial.from
	}
	return "first_date", s.first
}

// early says that a day lies before all that a subscription has.
func (s schedule) early(day tools.Date) bool {
	_, first := s.begins()
	return day.Before(first)
}

// parseLastDay reads a last day that a person names, and refuses one that lies
// before the beginning.
func (s schedule) parseLastDay(field, day string) (tools.Date, error) {
	last, err := parseDate(field, day)
	if err == nil && s.early(last) {
		begin, first := s.begins()
		err = invalid("household.error.order", field, last, begin, first)
	}
	return last, err
}

// lastDay is when it ends if it is ended on a day: with its trial while that
// runs, else with the first term that notice given on this day is in time for,
// and without terms with what is paid. It is false before anything is paid.
func (s schedule) lastDay(t terms, day tools.Date, near []charged) (tools.Date, bool) {
	last, ok := s.paidUntil(day, near)
	if _, end, found := t.ending(s, day); found {
		last, ok = end, true
	}
	if s.trial.covers(day) {
		last, ok = s.trial.ends, true
	}
	switch {
	case ok && s.over(last): // a fixed term that ends sooner
		last = s.ends
	case last.Before(day): // it rests, and nothing is paid
		last = day
	}
	return last, ok
}

// endless is the schedule without a last day.
func (s schedule) endless() schedule {
	s.ends = tools.Date{}
	return s
}

// agreed is the schedule without a cancellation: with the last day of a fixed
// term, unless that has passed, or lies before the beginning by now.
func (s schedule) agreed(rec *core.Record, today tools.Date) schedule {
	if rec.GetString("status") != cancelled {
		return s
	}
	s.ends, _ = tools.ParseDate(rec.GetString("agreed_ends_on")) // validated when it was stored
	if s.over(today) || s.early(s.ends) {
		s.ends = tools.Date{}
	}
	return s
}

// stop ends a subscription with a last day. Within a trial that is the
// decision about it. A fixed term that it had is kept for who takes it back.
func (s *schedule) stop(rec *core.Record, last, decided tools.Date) {
	if rec.GetString("status") != cancelled {
		rec.Set("agreed_ends_on", s.ends.String())
	}
	s.ends = last
	rec.Set("status", cancelled)
	rec.Set("cancelled_on", decided.String())
	switch {
	case s.trial.covers(last):
		s.trial.decided = lose
	case s.trial.decided == lose:
		s.trial.decided = keep
	}
}

// Cancelled is a subscription that ends, and what that saves.
type Cancelled struct {
	Subscription
	NoticeBy      tools.Date `json:"notice_by,omitzero" jsonschema:"the last day to give notice for ends_on; absent without terms, or once it was given"`
	Saves         string     `json:"saves" jsonschema:"what is not paid any more each cycle, a decimal in the currency"`
	SavesPerMonth string     `json:"saves_per_month" jsonschema:"the same scaled to a month, for comparing only"`

	fixed []tools.Text // when its fixed term ends; none where it has none
	turns []tools.Text // what it would cost later, where that is not what is saved
}

// beyond is the first charge after the end, if it went on.
func (s schedule) beyond() int64 {
	if d, ok := s.endless().next(s.ends.AddDays(1)); ok {
		return s.on(d)
	}
	return s.on(s.ends)
}

// turning says what it would cost from the first other price after that charge:
// an introductory price ends, say, and more is saved than the next charge tells.
func (s schedule) turning() []tools.Text {
	d, ok := s.endless().next(s.ends.AddDays(1))
	if !ok {
		return nil
	}
	day := s.after(d)
	if day.IsZero() || s.on(day) == s.on(d) {
		return nil
	}
	return []tools.Text{tools.T("household.card.would_cost", day, perCycle(s.money(s.on(day)), s.cycle))}
}

// saving is what is not paid any more because of the end: nothing where a fixed
// term would have ended by then.
func (s schedule) saving(rec *core.Record, today tools.Date) int64 {
	if rest, fixed := s.fixedTerm(rec, today); fixed {
		if _, charged := rest.next(s.ends.AddDays(1)); !charged {
			return 0
		}
	}
	return s.beyond()
}

// fixedTerm is the schedule without the end, and whether that has an end too: of
// a fixed term that was cancelled.
func (s schedule) fixedTerm(rec *core.Record, today tools.Date) (schedule, bool) {
	if rec.GetString("status") != cancelled {
		return s.endless(), false
	}
	rest := s.agreed(rec, today)
	return rest, !rest.ends.IsZero()
}

// beside says when a fixed term ends without the end that a subscription was
// given, and what a later one costs.
func (s schedule) beside(fixed tools.Date) tools.Text {
	if _, minor := s.worth(fixed.AddDays(1), s.ends, nil); minor > 0 {
		return tools.T("household.card.fixed_longer", fixed, s.money(minor))
	}
	return tools.T("household.card.fixed_term", fixed)
}

// unnoticed is the last day to give notice for the end; the zero Date where
// none is needed, or it was given.
func (s schedule) unnoticed(t terms) tools.Date {
	if !t.noticed.IsZero() || t.none() || s.trial.covers(s.ends) {
		return tools.Date{}
	}
	return t.noticeBy(s.ends)
}

// stopped shows a subscription that ends, and what is saved each cycle.
func stopped(r *tools.Reader, h home, rec *core.Record, s schedule, t terms, saved int64) (out Cancelled, err error) {
	if rest, ok := s.fixedTerm(rec, h.today); ok {
		out.fixed = []tools.Text{s.beside(rest.ends)}
	} else {
		out.turns = s.turning()
	}
	out.Saves, out.SavesPerMonth = s.money(saved).Decimal(), s.money(s.cycle.PerMonth(saved)).Decimal()
	out.NoticeBy = s.unnoticed(t)
	out.Subscription, err = showOne(r, h, rec, s)
	return out, err
}

// saved says what is saved each cycle.
func (out Cancelled) saved() tools.Text {
	cycle, _ := tools.ParseCycle(out.Cycle)
	return perCycle(moneyOf(out.Saves, out.Currency), cycle)
}
