package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionCancelIn struct {
	ID          string `json:"id"`
	LastDay     string `json:"last_day,omitzero" jsonschema:"by default as trial, terms or what is paid allow"`
	CancelledOn string `json:"cancelled_on,omitzero" jsonschema:"the day it was decided; today by default"`
}

func subscriptionCancelTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_cancel", Title: "household.title.subscription_cancel", Effect: tools.EffectDestroy, Core: true,
		Help: "Records that a subscription ends with last_day; it does not tell the provider. Gives the last day to give notice, and what it saves. household_subscription_update with clear ends_on takes it back.",
	}, subscriptionCancel, tools.WithCard(func(r *tools.Reader, _ subscriptionCancelIn, out Cancelled, _ []tools.Change) (tools.Card, error) {
		h, err := homeOf(r)
		return tools.Card{Title: tools.T("household.card.cancel", out.Name, out.EndsOn, out.saved()), Lines: append(out.lines(h), out.turns...)}, err
	}))
}

// lines say what else matters about an end: a trial, or notice to be given.
func (out Cancelled) lines(h home) []tools.Text {
	switch {
	case out.Trial != nil && !out.EndsOn.After(out.Trial.EndsOn):
		return append(out.fixed, tools.T("household.card.trial_dropped"))
	case out.NoticeBy.IsZero():
		return out.fixed
	case out.NoticeBy.Before(h.today):
		return append(out.fixed, tools.T("household.card.notice_late", out.NoticeBy, out.EndsOn))
	}
	return append(out.fixed, tools.T("household.card.notice_by", out.NoticeBy))
}

func subscriptionCancel(c *tools.Call, in subscriptionCancelIn) (out Cancelled, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Cancelled{}, err
	}
	rec, s, err := load(&c.Reader, "id", in.ID)
	if err != nil {
		return Cancelled{}, err
	}
	defer naming(&err, rec.GetString("name"))
	t, err := s.cancel(c, h, rec, in.LastDay, in.CancelledOn)
	if err != nil {
		return Cancelled{}, err
	}
	return stopped(&c.Reader, h, rec, s, t, s.saving(rec, h.today))
}

// cancel ends a subscription with a last day, by default when trial, terms and
// what is paid allow, decided on a day, by default today.
func (s *schedule) cancel(c *tools.Call, h home, rec *core.Record, lastDay, decidedOn string) (terms, error) {
	t, err := termsOf(rec)
	if err != nil {
		return t, err
	}
	name := rec.GetString("name")
	if s.over(h.today) {
		return t, tools.Fail(tools.Conflict, "household.error.ended", "last_day", name, s.ends)
	}
	if rec.GetString("status") == cancelled && (lastDay == "" || lastDay == s.ends.String()) {
		return t, tools.Fail(tools.Conflict, "household.error.cancelled", name, s.ends)
	}
	decided := h.today
	if decidedOn != "" {
		if decided, err = parseDate("cancelled_on", decidedOn); err == nil {
			err = between("cancelled_on", name, decided, s.since(t, h.today), h.today)
		}
		if err != nil {
			return t, err
		}
	}
	near, err := chargesNear(&c.Reader, h.today, tools.Date{}, []string{rec.Id})
	if err != nil {
		return t, err
	}
	last, ok := s.lastDay(t, h.today, near[rec.Id])
	switch {
	case lastDay != "":
		if last, err = s.parseLastDay("last_day", lastDay); err != nil {
			return t, err
		}
	case !ok:
		return t, invalid("household.error.not_begun", name, s.first)
	}
	s.stop(rec, last, decided)
	return t, s.save(c, rec)
}
