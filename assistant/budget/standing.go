package budget

import (
	"context"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Standing is what a person has spent, and how far they are from their limits.
type Standing struct {
	Currency string  `json:"currency"`
	Day      Sum     `json:"day"`
	Month    Sum     `json:"month"`
	Limits   []Limit `json:"limits"`
}

// Sum is what was spent in a day or month, without what is held.
type Sum struct {
	Cost   int64 `json:"cost_micros"`
	Tokens int64 `json:"tokens"`
}

// Standing gives that of a person now.
func (l *Ledger) Standing(ctx context.Context, person string) (Standing, error) {
	day := dayOf(l.now())
	s, err := l.read(ctx, l.app, person, "", day)
	if err != nil {
		return Standing{}, err
	}
	limits := s.limits(day)
	if limits == nil {
		limits = []Limit{}
	}
	return Standing{l.c.Currency, Sum{s.DayCost, s.DayTokens}, Sum{s.MonthCost, s.MonthTokens}, limits}, nil
}

// Notice says that four fifths of a limit are spent.
type Notice struct {
	Limit
	Text tools.Text `json:"text"` // for the person
}

// notices are of the limits that this attempt brought there: once for each, as
// sums only grow until it is new again.
func (l *Ledger) notices(tx core.App, h held, x spent) (all []Notice, err error) {
	if h.Person == "" {
		return nil, nil
	}
	s, err := l.read(context.Background(), tx, h.Person, h.Assistant, h.Day)
	if err != nil {
		return nil, err
	}
	for _, lim := range s.limits(h.Day) {
		more := x.tokens()
		if lim.money() {
			more = x.cost
		}
		if lim.money() && h.Currency != l.c.Currency || !lim.Near() || lim.Used-more >= lim.near() || !l.now().Before(lim.Resets) {
			continue
		}
		show := lim.show(l.c.Currency)
		all = append(all, Notice{lim, tools.T("budget.notice."+string(lim.Which), show(lim.Limit), show(lim.Used), tools.DateOf(lim.Resets))})
	}
	return all, nil
}
