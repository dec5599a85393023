package household

import "github.com/nodkeep/nodkeep/tools"

func subscriptionAddCard(_ *tools.Reader, in subscriptionAddIn, out Added, _ []tools.Change) (tools.Card, error) {
	card := tools.Card{Title: tools.T("household.card.add", out.Name, each(out.Subscription))}
	if t := out.Trial; t != nil {
		card.Lines = append(card.Lines, tools.T("household.card.trial", t.EndsOn, t.DecideBy))
	}
	if out.NextCharge != nil {
		card.Lines = append(card.Lines, tools.T("household.card.next", out.NextCharge.Date))
	}
	card.Lines = append(card.Lines, introLines(out.Subscription, in.IntroUntil)...)
	if out.Private {
		card.Lines = append(card.Lines, tools.T("household.card.private"))
	}
	if n := len(out.Similar); n > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.similar", n, out.Name))
	}
	return card, nil
}

// introLines says what an introductory price becomes.
func introLines(s Subscription, until string) []tools.Text {
	if until == "" || len(s.Prices) < 2 {
		return nil
	}
	day, _ := tools.ParseDate(until) // checked when it was stored
	cycle, _ := tools.ParseCycle(s.Cycle)
	first, then := s.Prices[0], s.Prices[1]
	return []tools.Text{tools.T("household.card.intro", moneyOf(first.Amount, s.Currency), day, perCycle(moneyOf(then.Amount, s.Currency), cycle))}
}
