package household

import (
	"fmt"

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

func termsOf(v values) (terms, error) {
	var t terms
	var err error
	for field, into := range map[string]*period{"min_term": &t.minimum, "extension": &t.extension, "notice": &t.notice} {
		if *into, err = parsePeriod(field, v.GetString(field)); err != nil {
			return t, fmt.Errorf("subscription %s: %w", v.GetString("id"), err)
		}
	}
	for field, into := range map[string]*tools.Date{"term_from": &t.from, "noticed_on": &t.noticed} {
		if *into, err = tools.ParseDate(v.GetString(field)); err != nil {
			return t, fmt.Errorf("subscription %s: %s: %w", v.GetString("id"), field, err)
		}
	}
	return t, nil
}

// none says that it can end whenever a period that was paid for does.
func (t terms) none() bool { return t.minimum.isZero() && t.notice.isZero() }

// ending is the first end of a term that notice given on a day is in time for,
// and the last day to give it; false where there are no terms.
func (t terms) ending(s schedule, day tools.Date) (by, end tools.Date, ok bool) {
	if t.none() {
		return by, end, false
	}
	from, step := t.begun(s), t.step(s)
	for k := range maxTerms {
		end = t.begins(from, step, k).AddDays(-1)
		by = t.noticeBy(end)
		if end.Year > lastYear {
			break
		}
		if !by.Before(day) && !end.Before(day) {
			return by, end, true
		}
	}
	return tools.Date{}, tools.Date{}, false
}

// begins is the day after the first term and k extensions. Months are added up
// before they are counted, so that a month's end stays one.
func (t terms) begins(from tools.Date, step period, k int) tools.Date {
	if t.minimum.isZero() {
		return step.after(from, k+1)
	}
	_, first := t.minimum.length()
	_, more := step.length()
	if first > 0 && more > 0 {
		return period{first + k*more, 'M'}.after(from, 1)
	}
	return step.after(t.minimum.after(from, 1), k)
}

// maxTerms is more terms than there are weeks in any calendar here.
const maxTerms = 20_000

// noticeBy is the last day to give notice for an end: the whole notice lies
// between the two.
func (t terms) noticeBy(end tools.Date) tools.Date {
	if t.notice.isZero() {
		return end
	}
	return t.notice.after(end.AddDays(1), -1).AddDays(-1)
}

func (t terms) shown(s schedule, today tools.Date) *Terms {
	if t.none() && t.noticed.IsZero() {
		return nil
	}
	out := &Terms{From: t.from, MinTerm: t.minimum.String(), Extension: t.extension.String(), Notice: t.notice.String(), NoticedOn: t.noticed}
	if s.ends.IsZero() {
		out.NoticeBy, out.EndsOn, _ = t.ending(s, today)
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
	return t.begins(t.begun(s), t.step(s), 0).AddDays(-1)
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
