package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

func subscriptionUpdateCard(_ *tools.Reader, in subscriptionUpdateIn, out Updated, _ []tools.Change) (tools.Card, error) {
	card := tools.Card{Title: tools.T("household.card.update", out.Name)}
	switch {
	case slices.Contains(in.Clear, "ends_on"):
		card.Title = tools.T("household.card.keep", out.Name)
		card.Lines = append(out.goesOn(), out.lastDay()...)
	case in.PriceFrom != nil:
		from, _ := tools.ParseDate(*in.PriceFrom)
		if after := moneyOf(or(in.Amount), out.Currency); after != out.was.price {
			change := Repriced{Subscription: out.Subscription, day: from, until: out.until}
			card = change.card(out.was.price, after)
		}
	case in.Amount != nil:
		card.Title = tools.T("household.card.amount", out.Name, each(out.Subscription))
	case in.Name != nil && out.before != out.Name:
		card.Title = tools.T("household.card.rename", out.before, out.Name)
	}
	if t := out.Trial; t != nil && (in.TrialEndsOn != nil || in.DecideBy != nil) {
		card.Lines = append(card.Lines, tools.T("household.card.trial", t.EndsOn, t.DecideBy))
		if out.NextCharge != nil {
			card.Lines = append(card.Lines, tools.T("household.card.next", out.NextCharge.Date))
		}
	}
	card.Lines = append(card.Lines, in.rhythm(out)...)
	card.Lines = append(card.Lines, introLines(out.Subscription, or(in.IntroUntil))...)
	if in.Private != nil && *in.Private {
		card.Lines = append(card.Lines, tools.T("household.card.private"))
	}
	if n := len(out.Similar); n > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.similar", n, out.Name))
	}
	return card, nil
}

// goesOn says what a subscription costs that is kept, and from when.
func (out Subscription) goesOn() []tools.Text {
	next := out.NextCharge
	if next == nil {
		return nil
	}
	cycle, _ := tools.ParseCycle(out.Cycle)
	return []tools.Text{
		tools.T("household.card.they_cost", 1, perCycle(moneyOf(next.Amount, out.Currency), cycle)),
		tools.T("household.card.next", next.Date),
	}
}

// lastDay says how long a subscription goes on that is kept.
func (out Subscription) lastDay() []tools.Text {
	if out.EndsOn.IsZero() {
		return nil
	}
	return []tools.Text{tools.T("household.card.last_day", out.EndsOn)}
}

// rhythm says what is paid when, where that changes; the change of a cycle in
// months, which both cycles can be compared in.
func (in subscriptionUpdateIn) rhythm(out Updated) (lines []tools.Text) {
	if in.Cycle == nil && in.FirstDate == nil && in.AnchorDay == nil {
		return nil
	}
	if in.Cycle != nil && out.was.cycle.String() != out.Cycle {
		lines = append(lines, tools.T("household.card.cycle", each(out.Subscription)))
		if now := moneyOf(out.PerMonth, out.Currency); now.Currency == out.was.month.Currency && now != out.was.month {
			lines = append(lines, tools.T("household.card.month_instead", now, out.was.month))
		}
	}
	if n := out.NextCharge; n != nil && in.TrialEndsOn == nil && in.DecideBy == nil { // those say it themselves
		lines = append(lines, tools.T("household.card.next", n.Date))
	}
	return lines
}
