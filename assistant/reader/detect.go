package reader

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// The most that one import takes: household_import_apply refuses more.
const (
	maxFound    = 500
	maxEvidence = 5000
)

// candidate is a series of a merchant that may be proposed.
type candidate struct {
	group      *group
	series     series
	confidence float64
}

// detect finds the payments of a statement that recur. While a question is open
// nothing is found: dates or amounts may be other than they seem.
func detect(ctx context.Context, st *statement) ([]tools.Recurring, error) {
	if len(st.questions) > 0 || len(st.rows) == 0 {
		return nil, ctx.Err()
	}
	groups, err := groupRows(ctx, st.rows)
	if err != nil {
		return nil, err
	}
	asOf := st.rows[len(st.rows)-1].day
	var found []candidate
	for _, g := range groups {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		list, charges := g.explain(ctx, st.rows)
		for _, s := range list {
			if !st.countsUp(&s) {
				found = append(found, candidate{g, s, s.confidence(g)})
			}
		}
		if len(list) == 0 {
			if s, ok := maybe(g, charges, asOf); ok {
				found = append(found, candidate{g, s, s.confidence(g)})
			}
		}
	}
	if days := int(asOf - st.rows[0].day); len(found) == 0 && days < shortPeriod {
		st.note("short", days+1)
	}
	return st.propose(ctx, found, asOf)
}

// propose describes the series that are most certain, as many as one import
// takes, and says how many are left out.
func (st *statement) propose(ctx context.Context, found []candidate, asOf day) ([]tools.Recurring, error) {
	slices.SortFunc(found, func(a, b candidate) int {
		if a.confidence != b.confidence {
			return -cmp.Compare(a.confidence, b.confidence)
		}
		return cmp.Or(cmp.Compare(len(b.series.charges), len(a.series.charges)), strings.Compare(a.group.key, b.group.key), byRow(a.series.charges[0], b.series.charges[0]))
	})
	if n := len(found) - maxFound; n > 0 {
		st.note("series", n, maxFound)
		found = found[:maxFound]
	}
	shown := 0
	for i := range found {
		shown += len(found[i].series.charges)
	}
	each := shown
	if shown > maxEvidence {
		each = maxEvidence / len(found)
	}
	list := make([]tools.Recurring, len(found))
	for i := range found {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		list[i] = st.recurring(&found[i], asOf, each)
	}
	slices.SortStableFunc(list, func(a, b tools.Recurring) int {
		return cmp.Or(-cmp.Compare(a.Confidence, b.Confidence), strings.Compare(strings.ToLower(a.Merchant), strings.ToLower(b.Merchant)), a.FirstDate.Compare(b.FirstDate), strings.Compare(a.Amount, b.Amount))
	})
	return list, nil
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

// recurring describes a series for people, with the latest of its charges.
func (st *statement) recurring(c *candidate, asOf day, evidence int) tools.Recurring {
	g, s := c.group, &c.series
	n := len(s.charges)
	currency := g.currency.String()
	first, last := s.charges[0], s.last()
	r := tools.Recurring{
		Merchant: st.title(g, s), Cycle: s.rhythm.cycle, Currency: currency,
		Amount: last.amount.decimal(currency), AnchorDay: anchorOf(s.charges, s.rhythm.cycle),
		FirstDate: first.day.date(), LastDate: last.day.date(), Occurrences: n,
		Active:     float64(asOf-last.day) <= 1.5*s.rhythm.days+7,
		Confidence: c.confidence, Prices: s.prices(currency), Status: tools.StatusNew,
	}
	if r.Active {
		r.NextDate = nextOf(s, r.AnchorDay, asOf)
	}
	latest := s.charges[max(0, n-evidence):]
	r.Evidence = make([]tools.Evidence, len(latest))
	for i, c := range latest {
		row := &st.rows[c.row]
		// A copy, so that the texts of all the other rows can be let go.
		r.Evidence[i] = tools.Evidence{Line: int(row.line), Date: c.day.date(), Amount: c.amount.decimal(currency), Text: strings.Clone(row.text)}
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
	case s.rhythm.cycle.Unit != tools.Weeks && n > 2 && n < 6 && 4*drift(s.charges, anchorOf(s.charges, s.rhythm.cycle)) > 3*float64(n):
		c = min(c, unsure) // a habit drifts, too
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
