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
	case in.PriceFrom != nil:
		from, _ := tools.ParseDate(*in.PriceFrom)
		i := slices.IndexFunc(out.Prices, func(p tools.Price) bool { return p.From == from })
		if i > 0 {
			card.Title = tools.T("household.card.price", out.Name,
				moneyOf(out.Prices[i].Amount, out.Currency), moneyOf(out.Prices[i-1].Amount, out.Currency), from)
			if out.later { // the amount that is stored is the newest: nobody should read it as today's
				card.Lines = append(card.Lines, tools.T("household.card.price_later", from, moneyOf(out.Prices[i-1].Amount, out.Currency)))
			}
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
	card.Lines = append(card.Lines, introLines(out.Subscription, or(in.IntroUntil))...)
	if in.Private != nil && *in.Private {
		card.Lines = append(card.Lines, tools.T("household.card.private"))
	}
	if n := len(out.Similar); n > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.similar", n, out.Name))
	}
	return card, nil
}
