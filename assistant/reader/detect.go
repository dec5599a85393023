package reader

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// detect finds the payments of a statement that recur. While a question is open
// nothing is found: dates or amounts may be other than they seem.
func detect(ctx context.Context, st *statement) ([]tools.Recurring, error) {
	if len(st.questions) > 0 || len(st.rows) == 0 {
		return nil, nil
	}
	groups, err := groupRows(ctx, st.rows)
	if err != nil {
		return nil, err
	}
	asOf := st.rows[len(st.rows)-1].day
	var found []tools.Recurring
	for _, g := range groups {
		list, charges := g.explain(st.rows)
		for i := range list {
			if !st.countsUp(&list[i]) {
				found = append(found, st.recurring(g, &list[i], asOf))
			}
		}
		if len(list) == 0 {
			if s, ok := maybe(g, charges, asOf); ok {
				found = append(found, st.recurring(g, &s, asOf))
			}
		}
	}
	if days := int(asOf - st.rows[0].day); len(found) == 0 && days < shortPeriod {
		st.skip(0, "short", days+1)
	}
	slices.SortStableFunc(found, func(a, b tools.Recurring) int {
		return cmp.Or(-cmp.Compare(a.Confidence, b.Confidence), strings.Compare(strings.ToLower(a.Merchant), strings.ToLower(b.Merchant)), a.FirstDate.Compare(b.FirstDate), strings.Compare(a.Amount, b.Amount))
	})
	return found, nil
}

// shortPeriod is the days below which a monthly series cannot show.
const shortPeriod = 60

// maybe proposes a service that is only sold by the month and was charged so
// lately that a series cannot show yet. A person decides.
func maybe(g *group, charges []charge, asOf day) (series, bool) {
	s := series{rhythm: rhythms()[2], charges: charges}
	n := len(charges)
	if n == 0 || n > 2 || !g.known || asOf-charges[0].day > day(n)*35 {
		return s, false
	}
	if n == 2 {
		if charges[0].amount != charges[1].amount || s.rhythm.steps(int(charges[1].day-charges[0].day)) != 1 {
			return s, false
		}
		s.single, s.steady = 1, 1
	}
	return s, true
}

// recurring describes a series for people.
func (st *statement) recurring(g *group, s *series, asOf day) tools.Recurring {
	n := len(s.charges)
	currency := g.currency.String()
	first, last := s.charges[0], s.last()
	r := tools.Recurring{
		Merchant: tidy(merchantOf(&st.rows[last.row]).name), Cycle: s.rhythm.cycle, Currency: currency,
		Amount: last.amount.decimal(currency), AnchorDay: anchorOf(s.charges, s.rhythm.cycle),
		FirstDate: first.day.date(), LastDate: last.day.date(), Occurrences: n,
		Active:     float64(asOf-last.day) <= 1.5*s.rhythm.days+7,
		Confidence: s.confidence(g), Prices: s.prices(currency), Status: tools.StatusNew,
	}
	if r.Active {
		r.NextDate = nextOf(s, r.AnchorDay, asOf)
	}
	for _, c := range s.charges {
		row := &st.rows[c.row]
		r.Evidence = append(r.Evidence, tools.Evidence{Line: int(row.line), Date: c.day.date(), Amount: c.amount.decimal(currency), Text: row.text})
	}
	return r
}

// unsure is below the confidence from which a row is ticked.
const unsure = 0.7

func (s *series) confidence(g *group) float64 {
	n := len(s.charges)
	c := 0.4*s.share() + 0.3*s.steady + 0.2*min(float64(n)/6, 1)
	if g.mandate || g.known {
		c += 0.1
	}
	switch {
	case s.single == 0 || n == 2 && s.rhythm.atLeast > 2:
		c = 0.5
	case s.rhythm.within == 0 && n < 6:
		c = min(c, unsure) // five gaps tell four weeks from a month
	}
	return math.Round(c*100) / 100
}

// prices are the runs of one amount. Where the merchant's price is in another
// currency, or wavers with one that the bank does not name, it has not changed.
func (s *series) prices(currency string) []tools.Price {
	var list []tools.Price
	last := amount(-1)
	for _, c := range s.charges {
		price := c.amount
		if c.original != 0 {
			price = c.original
		}
		if price == last || s.steady < 0.9 && len(list) > 0 && len(s.charges) > 2 {
			continue
		}
		last = price
		list = append(list, tools.Price{From: c.day.date(), Amount: c.amount.decimal(currency)})
	}
	if s.steady < 0.9 && len(s.charges) > 2 || s.last().original != 0 {
		list[len(list)-1].Amount = s.last().amount.decimal(currency)
	}
	return list
}
