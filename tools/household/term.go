package household

import (
	"sort"

	"github.com/nodkeep/nodkeep/tools"
)

// terms are when a contract can end: not before its first term is over, then
// at the end of each extension, and only if notice was given in time.
type terms struct {
	from                       tools.Date // when the contract began
	minimum, extension, notice period
	noticed                    tools.Date // the day on which notice was given
}

// Terms is how tools show them.
type Terms struct {
	From      tools.Date `json:"from,omitzero" jsonschema:"when the contract began"`
	MinTerm   string     `json:"min_term,omitzero" jsonschema:"how long it must be kept: P24M"`
	Extension string     `json:"extension,omitzero" jsonschema:"by how much it goes on by itself; absent for its cycle"`
	Notice    string     `json:"notice,omitzero" jsonschema:"how long before the end notice must be given: P1M"`
	NoticeBy  tools.Date `json:"notice_by,omitzero" jsonschema:"the last day to give notice for the end below"`
	EndsOn    tools.Date `json:"ends_on,omitzero" jsonschema:"the last day of the term that can still be ended"`
	NoticedOn tools.Date `json:"noticed_on,omitzero" jsonschema:"when notice was given"`
}

// termFields is what terms need of their subscription.
func termFields() []string {
	return []string{"term_from", "min_term", "extension", "notice", "noticed_on"}
}

func termsOf(v values) (terms, error) {
	var t terms
	var err error
	for _, f := range []struct {
		name string
		into *period
	}{{"min_term", &t.minimum}, {"extension", &t.extension}, {"notice", &t.notice}} {
		if *f.into, err = parsePeriod(f.name, v.GetString(f.name)); err != nil {
			return t, broken(v, f.name, err)
		}
	}
	for _, f := range []struct {
		name string
		into *tools.Date
	}{{"term_from", &t.from}, {"noticed_on", &t.noticed}} {
		if *f.into, err = tools.ParseDate(v.GetString(f.name)); err != nil {
			return t, broken(v, f.name, err)
		}
	}
	return t, nil
}

// none says that it can end whenever a period that was paid for does.
func (t terms) none() bool { return t.minimum.isZero() && t.notice.isZero() }

// ending is the first end of a term that notice given on a day is in time for,
// and the last day to give it; false where there are no terms.
func (t terms) ending(s schedule, day tools.Date) (by, end tools.Date, ok bool) {
	return t.first(s, func(by, _ tools.Date) bool { return !by.Before(day) })
}

// nearest is the first end of a term on or after a day, in time or not.
func (t terms) nearest(s schedule, day tools.Date) (by, end tools.Date, ok bool) {
	return t.first(s, func(_, end tools.Date) bool { return !end.Before(day) })
}

// first is the first end of a term, with the last day to give notice for it,
// of which something is true that is true of all later ones too.
func (t terms) first(s schedule, is func(by, end tools.Date) bool) (by, end tools.Date, ok bool) {
	if t.none() {
		return by, end, false
	}
	days, months := t.step(s).length()
	most := 2 + 12*lastYear/max(months, 1)
	if months == 0 {
		most = 2 + 366*lastYear/days
	}
	k := sort.Search(most, func(k int) bool { // a daily contract has ended very often
		end := t.end(s, k)
		return is(t.noticeBy(end), end)
	})
	if end = t.end(s, k); end.Year > lastYear {
		return tools.Date{}, tools.Date{}, false
	}
	return t.noticeBy(end), end, true
}

// end is the last day of the first term and k extensions. A pause that moves
// the charges moves it too: the contract stands still.
func (t terms) end(s schedule, k int) tools.Date {
	begun, next := t.begun(s), t.begins(s, k)
	for _, p := range s.pauses {
		if p.shift && !p.until.IsZero() && !p.from.Before(begun) && p.from.Before(next) {
			next = next.AddDays(p.until.DaysSince(p.from))
		}
	}
	return next.AddDays(-1)
}

// begins is the day after the first term and k extensions. Months are added up
// before they are counted, so that a month's end stays one; without a day of
// its own the contract has the one that charges are meant for.
func (t terms) begins(s schedule, k int) tools.Date {
	from, step, anchor := t.begun(s), t.step(s), 0
	if t.from.IsZero() {
		anchor = s.anchor
	}
	if t.minimum.isZero() {
		return step.counted(from, anchor, k+1)
	}
	_, first := t.minimum.length()
	_, more := step.length()
	if first > 0 && more > 0 {
		return period{first + k*more, 'M'}.counted(from, anchor, 1)
	}
	return step.after(t.minimum.counted(from, anchor, 1), k)
}

// noticeBy is the last day to give notice for an end: the whole notice lies
// between the two.
func (t terms) noticeBy(end tools.Date) tools.Date {
	if t.notice.isZero() {
		return end
	}
	return t.notice.after(end.AddDays(1), -1).AddDays(-1)
}

// shown shows them with the end that is nearest, or else the one that was
// decided and that nobody has given notice for.
func (t terms) shown(v values, s schedule, today tools.Date) *Terms {
	if t.none() && t.noticed.IsZero() {
		return nil
	}
	out := &Terms{From: t.from, MinTerm: t.minimum.String(), Extension: t.extension.String(), Notice: t.notice.String(), NoticedOn: t.noticed}
	switch {
	case s.ends.IsZero():
		out.NoticeBy, out.EndsOn, _ = t.ending(s, today)
	case v.GetString("status") == cancelled && t.noticed.IsZero():
		out.NoticeBy, out.EndsOn = t.noticeBy(s.ends), s.ends
	}
	return out
}

// longTerm is a term that it hurts to miss, in days and in months.
const longTermDays, longTermMonths = 60, 2

// long says that the contract goes on for long when nobody gives notice.
func (t terms) long(s schedule) bool {
	days, months := t.step(s).length()
	return days >= longTermDays || months >= longTermMonths
}

// firstEnd is the last day of the first term.
func (t terms) firstEnd(s schedule) tools.Date {
	return t.end(s, 0)
}

// begun is when the contract began.
func (t terms) begun(s schedule) tools.Date {
	if t.from.IsZero() {
		return s.first
	}
	return t.from
}

// step is by how much it goes on: its cycle unless something else was agreed.
func (t terms) step(s schedule) period {
	if t.extension.isZero() {
		return period{s.cycle.N, byte(s.cycle.Unit)}
	}
	return t.extension
}
