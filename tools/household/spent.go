package household

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// spent is what was spent on one group.
type spent struct {
	id    string
	name  tools.Words
	none  bool
	month tools.Date // its first day
	sums  []spentSum // by currency
}

type spentSum struct {
	currency         string
	booked, expected int64
	charges, open    int
}

func (s spentSum) total() int64 { return plus(s.booked, s.expected) }

func (g *spent) add(o outlay) {
	s := g.in(o.currency)
	if o.booked {
		s.booked = plus(s.booked, o.minor)
		s.charges++
		return
	}
	s.expected = plus(s.expected, o.minor)
	s.open++
}

// in is the sum in a currency; there are few.
func (g *spent) in(currency string) *spentSum {
	at := 0
	for ; at < len(g.sums); at++ {
		if g.sums[at].currency == currency {
			return &g.sums[at]
		}
		if g.sums[at].currency > currency {
			break
		}
	}
	g.sums = slices.Insert(g.sums, at, spentSum{currency: currency})
	return &g.sums[at]
}

func (g *spent) shown() []SpendingSum {
	list := make([]SpendingSum, len(g.sums))
	for i, s := range g.sums {
		show := func(minor int64) string { return tools.Money{Minor: minor, Currency: s.currency}.Decimal() }
		list[i] = SpendingSum{s.currency, show(s.booked), show(s.expected), show(s.total()), s.charges, s.open}
	}
	return list
}

func (g *spent) row() SpendingRow {
	row := SpendingRow{ID: g.id, Name: g.name, None: g.none, Sums: g.shown()}
	if !g.month.IsZero() {
		row.Month = g.month.String()[:len("2026-11")]
	}
	return row
}

func (g *spent) totals() []tools.Money {
	list := make([]tools.Money, len(g.sums))
	for i, s := range g.sums {
		list[i] = tools.Money{Minor: s.total(), Currency: s.currency}
	}
	return list
}

// order puts what cost most first: in the household's currency, then in the
// others. Amounts of several currencies are never compared.
func (s *spender) order(first string) []*spent {
	if s.by == groupMonth {
		return s.months
	}
	currencies := []string{first}
	for _, sum := range s.all.sums {
		if sum.currency != first {
			currencies = append(currencies, sum.currency)
		}
	}
	cost := func(g *spent, currency string) int64 {
		if i := slices.IndexFunc(g.sums, func(s spentSum) bool { return s.currency == currency }); i >= 0 {
			return g.sums[i].total()
		}
		return -1
	}
	slices.SortFunc(s.groups, func(a, b *spent) int {
		for _, currency := range currencies {
			if c := cmp.Compare(cost(b, currency), cost(a, currency)); c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(len(a.id), len(b.id)), strings.Compare(a.id, b.id), strings.Compare(a.said(), b.said()))
	})
	return s.groups
}

// said is the name where it needs no translation.
func (g *spent) said() string {
	if len(g.name.Args) == 0 {
		return ""
	}
	name, _ := g.name.Args[0].(string)
	return name
}

// convert adds what the totals and the shown groups come to in one currency, at
// the rates of each one's last day that has passed.
func (s *spender) convert(r *tools.Reader, h home, asked string, groups []*spent, out *Spending) error {
	var currencies []string
	for _, sum := range s.all.sums {
		currencies = append(currencies, sum.currency)
	}
	to, err := h.target(asked, currencies)
	if err != nil || to == "" {
		return err
	}
	end := earlier(s.to, h.today)
	days := []tools.Date{end}
	if s.by == groupMonth {
		days = nil
		for _, g := range groups {
			days = append(days, earlier(monthStart(g.month, 1).AddDays(-1), end))
		}
		days = append(days, end)
	}
	rated, err := convertersOf(r, to, days)
	if err != nil {
		return err
	}
	c := rated[len(rated)-1]
	total := c.convert(s.all.totals()...)
	out.Converted = &total
	for i, g := range groups {
		if s.by != groupMonth {
			row := c.convert(g.totals()...)
			out.Items[i].Converted = &SpendingConverted{Amount: row.Amount, On: row.On, Missing: row.Missing}
			continue
		}
		row := rated[i].convert(g.totals()...)
		out.Items[i].Converted = &SpendingConverted{row.Amount, row.On, row.Rates, row.Missing}
	}
	return nil
}

func earlier(a, b tools.Date) tools.Date {
	if a.Before(b) {
		return a
	}
	return b
}
