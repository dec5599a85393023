package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionResumeIn struct {
	ID string `json:"id"`
	On string `json:"on,omitzero" jsonschema:"the day it goes on; today by default"`
}

// Resumed is a subscription that goes on.
type Resumed struct {
	Subscription
	Removed bool `json:"removed,omitzero" jsonschema:"the pause had not begun by then, and is gone"`
	rest    pause
	costs   tools.Text // each cycle, once it goes on
}

// A pause that never took place has no days and is deleted. The engine weighs
// that as what it is, so that it is shown before; ending a pause is a write.
func subscriptionResumeTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_resume", Title: "household.title.subscription_resume", Effect: tools.EffectWrite,
		Help: "Lets a paused subscription go on from a day, which may also be later than planned. A pause that has not begun by then is deleted.",
	}, subscriptionResume, tools.WithCard(func(_ *tools.Reader, _ subscriptionResumeIn, out Resumed, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.resume", out.Name, out.rest.until, out.costs)}
		if out.Removed {
			card.Title = tools.T("household.card.resume_removed", out.Name, out.rest.from, out.costs)
		}
		if out.NextCharge != nil {
			card.Lines = append(card.Lines, tools.T("household.card.next", out.NextCharge.Date))
		} else {
			card.Lines = append(card.Lines, tools.T("household.card.no_more"))
		}
		if !out.EndsOn.IsZero() {
			card.Lines = append(card.Lines, tools.T("household.card.last_day", out.EndsOn))
		}
		return card, nil
	}))
}

func subscriptionResume(c *tools.Call, in subscriptionResumeIn) (out Resumed, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Resumed{}, err
	}
	rec, s, err := load(&c.Reader, "id", in.ID)
	if err != nil {
		return Resumed{}, err
	}
	defer naming(&err, rec.GetString("name"))
	on, err := parseResume(h, in.On)
	if err != nil {
		return Resumed{}, err
	}
	if out.rest, out.Removed, err = s.resume(c, rec, on, h.today); err != nil {
		return Resumed{}, err
	}
	out.costs = s.costs(later(on, out.rest.from))
	out.Subscription, err = showOne(&c.Reader, h, rec, s)
	return out, err
}

func parseResume(h home, on string) (tools.Date, error) {
	if on == "" {
		return h.today, nil
	}
	return parseDate("on", on)
}

// resume ends the pause that covers a day, or else the present or next one, on
// that day, and gives it; removed says that it was deleted, as it had not begun.
func (s *schedule) resume(c *tools.Call, sub *core.Record, on, today tools.Date) (p pause, removed bool, err error) {
	name := sub.GetString("name")
	if s.over(today) {
		return p, false, tools.Fail(tools.Conflict, "household.error.ended", "on", name, s.ends)
	}
	if s.over(on) {
		return p, false, invalid("household.error.resume_after", name, s.ends)
	}
	p, found := s.pausedOn(on)
	if !found && !on.Before(today) {
		p, found = s.currentPause(today)
	}
	switch {
	case !found:
		return p, false, tools.Fail(tools.Conflict, "household.error.not_paused", name, on, tools.T("household.status."+s.state(sub, on)))
	case p.until == on:
		return p, false, tools.Fail(tools.Conflict, "household.error.resumes", name, on)
	}
	was := *s
	s.pauses = slices.Clone(s.pauses)
	at := slices.IndexFunc(s.pauses, func(o pause) bool { return o.rec == p.rec })
	if !on.After(p.from) {
		s.pauses = slices.Delete(s.pauses, at, at+1)
		if err := was.keepsCharges(&c.Reader, sub, *s, "on", "household.error.resume_paid"); err != nil {
			return p, false, err
		}
		return p, true, c.Delete(p.rec)
	}
	p.until = on
	if err := s.clash(p, "on", name); err != nil {
		return p, false, err
	}
	s.pauses[at] = p
	if err := was.keepsCharges(&c.Reader, sub, *s, "on", "household.error.resume_paid"); err != nil {
		return p, false, err
	}
	p.rec.Set("until", on.String())
	return p, false, c.Save(p.rec)
}
