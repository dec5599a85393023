package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type noticeGivenIn struct {
	ID      string `json:"id"`
	On      string `json:"on,omitzero" jsonschema:"the day it was given; today by default"`
	LastDay string `json:"last_day,omitzero" jsonschema:"as the provider says; by default as the terms do"`
}

// Noticed is a subscription for which notice was given.
type Noticed struct {
	Cancelled
	Missed *Missed `json:"missed,omitempty" jsonschema:"an earlier end that the notice came too late for"`

	on, by, terms tools.Date // when it was given; the last day for that end; the end that the terms have
}

// Missed is an end of a term, and the last day on which notice for it could
// have been given.
type Missed struct {
	NoticeBy tools.Date `json:"notice_by"`
	EndsOn   tools.Date `json:"ends_on"`
}

func noticeGivenTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_notice_given", Title: "household.title.notice_given", Effect: tools.EffectDestroy,
		Help: "Records that the provider was given notice: works out the last day from the terms, and whether it came in time for the nearest end. It tells nobody.",
	}, noticeGiven, tools.WithCard(noticeGivenCard))
}

func noticeGiven(c *tools.Call, in noticeGivenIn) (out Noticed, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Noticed{}, err
	}
	rec, s, err := load(&c.Reader, "id", in.ID)
	if err != nil {
		return Noticed{}, err
	}
	defer naming(&err, rec.GetString("name"))
	t, err := termsOf(rec)
	if err != nil {
		return Noticed{}, err
	}
	name, was := rec.GetString("name"), t.noticed
	out.on = h.today
	if in.On != "" {
		if out.on, err = parseDate("on", in.On); err == nil {
			err = between("on", name, out.on, s.since(t, h.today), h.today)
		}
		if err != nil {
			return Noticed{}, err
		}
	}
	if s.over(h.today) {
		return Noticed{}, tools.Fail(tools.Conflict, "household.error.ended", "last_day", name, s.ends)
	}
	last, err := in.lastDay(&c.Reader, rec, s, t, out.on)
	if err != nil {
		return Noticed{}, err
	}
	decided, _ := tools.ParseDate(rec.GetString("cancelled_on")) // validated when it was stored
	if decided.IsZero() || decided.After(out.on) {
		decided = out.on
	}
	if was == out.on && s.ends == last {
		return Noticed{}, tools.Fail(tools.Conflict, "household.error.noticed", name, was, last)
	}
	s.stop(rec, last, decided)
	t.noticed = out.on
	rec.Set("noticed_on", out.on.String())
	if err := s.save(c, rec); err != nil {
		return Noticed{}, err
	}
	out.compare(s.endless(), t, last)
	out.Cancelled, err = stopped(&c.Reader, h, rec, s, t, s.saving(rec, h.today))
	return out, err
}

// lastDay is the one that was named, or what the terms make of notice on a day.
// One that was decided before stays, where notice is in time for it.
func (in noticeGivenIn) lastDay(r *tools.Reader, rec *core.Record, s schedule, t terms, on tools.Date) (tools.Date, error) {
	if in.LastDay != "" {
		last, err := s.parseLastDay("last_day", in.LastDay)
		if err == nil && last.Before(on) {
			err = invalid("household.error.order", "last_day", last, "on", on)
		}
		return last, err
	}
	decided := rec.GetString("status") == cancelled
	near, err := chargesNear(r, on, tools.Date{}, []string{rec.Id})
	if err != nil {
		return tools.Date{}, err
	}
	last, ok := s.agreed(rec, on).lastDay(t, on, near[rec.Id])
	switch {
	case decided && t.noticed.IsZero() && (t.none() || !s.ends.Before(last)):
		return s.ends, nil
	case !ok:
		return last, invalid("household.error.not_begun", rec.GetString("name"), s.first)
	}
	return last, nil
}

// compare holds the last day against the terms.
func (out *Noticed) compare(s schedule, t terms, last tools.Date) {
	_, end, ok := t.ending(s, out.on)
	if !ok || s.trial.covers(last) {
		return
	}
	out.terms = end
	out.by = t.noticeBy(last)
	if by, nearest, ok := t.nearest(s, out.on); ok && by.Before(out.on) {
		out.Missed = &Missed{by, nearest}
	}
}

func noticeGivenCard(_ *tools.Reader, _ noticeGivenIn, out Noticed, _ []tools.Change) (tools.Card, error) {
	card := tools.Card{Title: tools.T("household.card.notice_given", out.Name, out.on, out.EndsOn, out.saved()), Lines: out.fixed}
	switch {
	case out.Trial != nil && !out.EndsOn.After(out.Trial.EndsOn):
		card.Lines = append(card.Lines, tools.T("household.card.trial_dropped"))
	case out.terms.IsZero():
	case out.EndsOn.Before(out.terms):
		card.Lines = append(card.Lines, tools.T("household.card.notice_sooner", out.terms))
	case out.Missed != nil:
		card.Lines = append(card.Lines, tools.T("household.card.notice_missed", out.Missed.NoticeBy, out.Missed.EndsOn, out.EndsOn))
	default:
		card.Lines = append(card.Lines, tools.T("household.card.notice_in_time", out.by))
	}
	return card, nil
}
