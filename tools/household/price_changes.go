package household

import (
	"cmp"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// priceMonths is how far back price changes are told by default.
const priceMonths = 12

type priceChangesIn struct {
	Since        string `json:"since,omitzero" jsonschema:"12 months ago by default"`
	Subscription string `json:"subscription,omitzero" jsonschema:"id"`
	pageIn
}

// PriceChange is a price that has changed, or will.
type PriceChange struct {
	Subscription string     `json:"subscription"`
	Name         string     `json:"name"`
	Kind         string     `json:"kind" jsonschema:"rise or fall"`
	From         tools.Date `json:"from" jsonschema:"the first day of the new amount; of unrecorded ones, when the first such charge was due"`
	Before       string     `json:"before"`
	After        string     `json:"after"`
	Currency     string     `json:"currency"`
	Percent      string     `json:"percent,omitzero" jsonschema:"with one decimal; absent where it cost nothing before"`
	PerYear      string     `json:"per_year" jsonschema:"the difference scaled to a year, for comparing only"`
	Upcoming     bool       `json:"upcoming,omitzero"`
	Introductory bool       `json:"introductory,omitzero" jsonschema:"an introductory price ended, as was known from the beginning"`
	Unrecorded   int        `json:"unrecorded,omitzero" jsonschema:"no price says so: how many charges had another amount than was due, the last of them after"`
	tenths       int64
	difference   int64 // per year
}

type priceChangesOut struct {
	Since tools.Date    `json:"since"`
	Items []PriceChange `json:"items" jsonschema:"latest first"`
	Next  string        `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func priceChangesTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_price_changes", Title: "household.title.price_changes",
		Help: "Lists prices that rose or fell, those to come, and what charges show that no price says yet, with percent and difference a year.",
	}, priceChanges)
}

func priceChanges(r *tools.Reader, in priceChangesIn) (priceChangesOut, error) {
	p, err := in.page()
	if err != nil {
		return priceChangesOut{}, err
	}
	h, err := homeOf(r)
	if err != nil {
		return priceChangesOut{}, err
	}
	out := priceChangesOut{Since: monthsBack(h.today, priceMonths)}
	if in.Since != "" {
		if out.Since, err = parseDate("since", in.Since); err != nil {
			return priceChangesOut{}, err
		}
	}
	query, err := only(r, in.Subscription)
	if err != nil {
		return priceChangesOut{}, err
	}
	all, err := leanBook(r, query)
	if err != nil {
		return priceChangesOut{}, err
	}
	near, err := allNear(r, out.Since, h.today, query.In["id"])
	if err != nil {
		return priceChangesOut{}, err
	}
	var list []PriceChange
	for i := range all {
		e := &all[i]
		list = append(list, e.priceChanges(out.Since, h.today)...)
		if c, ok := e.unrecorded(near[e.id()], out.Since, h.today); ok {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b PriceChange) int {
		return cmp.Or(b.From.Compare(a.From), cmp.Compare(a.Unrecorded, b.Unrecorded))
	})
	out.Items, out.Next = cut(p, append([]PriceChange{}, list[min(p.offset, len(list)):]...))
	return out, nil
}

// priceChanges are those of the dated prices from a day on.
func (e *entry) priceChanges(since, today tools.Date) []PriceChange {
	var list []PriceChange
	for i, p := range e.prices {
		if i == 0 || p.from.Before(since) || e.over(p.from) || p.amount == e.prices[i-1].amount {
			continue
		}
		c := e.priceChange(p.from, e.prices[i-1].amount, p.amount)
		c.Upcoming, c.Introductory = p.from.After(today), e.prices[i-1].intro
		list = append(list, c)
	}
	return list
}

func (e *entry) priceChange(from tools.Date, before, after int64) PriceChange {
	c := PriceChange{
		Subscription: e.id(), Name: e.name(), Kind: "rise", From: from, Currency: e.currency,
		Before: e.money(before).Decimal(), After: e.money(after).Decimal(), difference: perYear(after-before, e.cycle),
	}
	if after < before {
		c.Kind = "fall"
	}
	c.PerYear = e.money(c.difference).Decimal()
	if n, ok := percent(before, after); ok {
		c.tenths, c.Percent = n, tenths(n)
	}
	return c
}

// unrecorded is the amount that charges show and no price says: the last
// differed from what was due. One that was as due again says that the others
// were none of a new price.
func (e *entry) unrecorded(list []charged, since, today tools.Date) (PriceChange, bool) {
	var last, first line
	differed, latest := 0, false
	for l := range e.lines(list, since, today, today) {
		if l.open || l.amount == 0 || l.settles.IsZero() || l.currency != e.currency {
			continue
		}
		before := latest
		if latest = l.amount != e.on(l.settles); !latest {
			continue
		}
		differed++
		if !before || l.amount != last.amount {
			first = l
		}
		last = l
	}
	if e.over(today) || !latest {
		return PriceChange{}, false
	}
	c := e.priceChange(first.settles, e.on(last.settles), last.amount)
	c.Unrecorded = differed
	return c, true
}

// monthsBack is the day so many months before a day.
func monthsBack(day tools.Date, n int) tools.Date {
	return tools.Cycle{N: 1, Unit: tools.Months}.Nth(day, 0, -n)
}
