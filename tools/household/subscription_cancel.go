package household

import "github.com/nodkeep/nodkeep/tools"

type subscriptionCancelIn struct {
	ID          string `json:"id"`
	LastDay     string `json:"last_day,omitzero" jsonschema:"the last day, YYYY-MM-DD; by default the day before the next charge"`
	CancelledOn string `json:"cancelled_on,omitzero" jsonschema:"the day it was decided, YYYY-MM-DD; today by default"`
}

// Cancelled is a subscription that ends, and what that saves.
type Cancelled struct {
	Subscription
	Saves         string `json:"saves" jsonschema:"what is not paid any more each cycle, a decimal in the currency"`
	SavesPerMonth string `json:"saves_per_month" jsonschema:"the same scaled to a month, for comparing only"`
}

func subscriptionCancelTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_cancel", Title: "household.title.subscription_cancel", Effect: tools.EffectDestroy, Core: true,
		Help: "Records that a subscription was cancelled: it runs until last_day and is charged no more after it. One that is cancelled already can be given another last_day. It keeps its history and can be taken up again with household_subscription_update, clear ends_on. It does not tell the provider.",
	}, subscriptionCancel, tools.WithCard(func(_ *tools.Reader, _ subscriptionCancelIn, out Cancelled, _ []tools.Change) (tools.Card, error) {
		cycle, _ := tools.ParseCycle(out.Cycle)
		return tools.Card{Title: tools.T("household.card.cancel", out.Name, out.EndsOn, perCycle(moneyOf(out.Saves, out.Currency), cycle))}, nil
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
	last, begun := s.paidUntil(h.today)
	switch {
	case in.LastDay != "":
		if last, err = parseDate("last_day", in.LastDay); err != nil {
			return Cancelled{}, err
		}
		if last.Before(s.first) {
			return Cancelled{}, invalid("household.error.order", "last_day", last, "first_date", s.first)
		}
	case !begun:
		return Cancelled{}, invalid("household.error.not_begun", name, s.first)
	case s.over(last): // a fixed term that ends sooner
		last = s.ends
	}
	saved := s.on(last)
	s.ends = last
	rec.Set("status", cancelled)
	rec.Set("cancelled_on", decided.String())
	if err := s.save(c, rec); err != nil {
		return Cancelled{}, err
	}
	out := Cancelled{Saves: s.money(saved).Decimal(), SavesPerMonth: s.money(s.cycle.PerMonth(saved)).Decimal()}
	out.Subscription, err = showOne(&c.Reader, h, rec, s)
	return out, err
}
