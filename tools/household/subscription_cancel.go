package household

import "github.com/nodkeep/nodkeep/tools"

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
		card := tools.Card{Title: tools.T("household.card.cancel", out.Name, out.EndsOn, out.saved())}
		switch {
		case out.Trial != nil && !out.EndsOn.After(out.Trial.EndsOn):
			card.Lines = append(card.Lines, tools.T("household.card.trial_dropped"))
		case out.NoticeBy.IsZero():
		case out.NoticeBy.Before(h.today):
			card.Lines = append(card.Lines, tools.T("household.card.notice_late", out.NoticeBy, out.EndsOn))
		default:
			card.Lines = append(card.Lines, tools.T("household.card.notice_by", out.NoticeBy))
		}
		return card, err
	}))
}

func subscriptionCancel(c *tools.Call, in subscriptionCancelIn) (Cancelled, error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Cancelled{}, err
	}
	rec, s, err := load(&c.Reader, in.ID)
	if err != nil {
		return Cancelled{}, err
	}
	t, err := termsOf(rec)
	if err != nil {
		return Cancelled{}, err
	}
	name := rec.GetString("name")
	if s.over(h.today) {
		return Cancelled{}, invalid("household.error.ended", name, s.ends)
	}
	if rec.GetString("status") == cancelled && (in.LastDay == "" || in.LastDay == s.ends.String()) {
		return Cancelled{}, tools.Fail(tools.Conflict, "household.error.cancelled", name, s.ends)
	}
	decided := h.today
	if in.CancelledOn != "" {
		if decided, err = parseDate("cancelled_on", in.CancelledOn); err != nil {
			return Cancelled{}, err
		}
	}
	last, ok := s.lastDay(t, h.today)
	switch {
	case in.LastDay != "":
		if last, err = s.parseLastDay("last_day", in.LastDay); err != nil {
			return Cancelled{}, err
		}
	case !ok:
		return Cancelled{}, invalid("household.error.not_begun", name, s.first)
	}
	s.stop(rec, last, decided)
	if err := s.save(c, rec); err != nil {
		return Cancelled{}, err
	}
	return stopped(&c.Reader, h, rec, s, t)
}
