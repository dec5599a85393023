package household

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// spent is what was spent on one group.
type spent struct {
	id               string
	name             tools.Words
	none             bool
	month            tools.Date // its first day
	booked, expected sums
}

func (g *spent) add(o outlay) {
	m := tools.Money{Minor: o.minor, Currency: o.currency}
	if o.booked {
		g.booked.add(m)
	} else {
		g.expected.add(m)
	}
}

func (g *spent) totals() sums { return g.booked.with(g.expected) }

func (g *spent) shown() []SpendingSum {
	list := []SpendingSum{}
	for _, all := range g.totals() {
		b, e := g.booked.of(all.Currency), g.expected.of(all.Currency)
		list = append(list, SpendingSum{all.Currency, b.Decimal(), e.Decimal(), all.Decimal(), b.count, e.count})
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

// order puts what cost most first: in the household's currency, then in the
// others. Amounts of several currencies are never compared.
func (s *spender) order(first string) []*spent {
	if s.by == groupMonth {
		return s.months
	}
	currencies := []string{first}
	for _, sum := range s.all.totals() {
		if sum.Currency != first {
			currencies = append(currencies, sum.Currency)
		}
	}
	costs := make(map[*spent]sums, len(s.groups))
	for _, g := range s.groups {
		costs[g] = g.totals()
	}
	slices.SortFunc(s.groups, func(a, b *spent) int {
		for _, currency := range currencies {
			x, y := costs[a].of(currency), costs[b].of(currency)
			// Nothing at all is less than what is free.
			if c := cmp.Or(cmp.Compare(y.Minor, x.Minor), cmp.Compare(min(y.count, 1), min(x.count, 1))); c != 0 {
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
	to, err := h.target(asked, s.all.totals())
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
	total := c.convert(s.all.totals().money()...)
	out.Converted = &total
	for i, g := range groups {
		if s.by != groupMonth {
			row := c.convert(g.totals().money()...)
			out.Items[i].Converted = &SpendingConverted{Amount: row.Amount, On: row.On, Missing: row.Missing}
			continue
		}
		row := rated[i].convert(g.totals().money()...)
		out.Items[i].Converted = &SpendingConverted{row.Amount, row.On, row.Rates, row.Missing}
	}
	return nil
}
