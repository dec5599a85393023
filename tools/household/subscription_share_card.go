package household

import "github.com/nodkeep/nodkeep/tools"

func subscriptionShareCard(_ *tools.Reader, in subscriptionShareIn, out Divided, _ []tools.Change) (tools.Card, error) {
	card := tools.Card{Title: tools.T("household.card.share", out.Name, each(out.Subscription), out.bear())}
	if in.Clear {
		card.Title = tools.T("household.card.share_clear", out.Name, each(out.Subscription))
	}
	cycle, _ := tools.ParseCycle(out.Cycle)
	card.Lines = []tools.Text{tools.T("household.card.you_bear", perCycle(moneyOf(out.YouBear, out.Currency), cycle))}
	if len(out.dropped) > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.share_dropped", out.dropped))
	}
	return card, nil
}

// bear says who bears what, the first ones by name.
func (s Subscription) bear() tools.Text {
	return some(s.Shares, func(sh Share) tools.Text {
		return tools.T("household.card.bears", sh.Handle+sh.Person, moneyOf(sh.Amount, s.Currency))
	})
}
