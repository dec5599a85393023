package household

import (
	"strconv"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// perCycle says an amount with its cycle: "15.99 EUR a month".
func perCycle(m tools.Money, c tools.Cycle) tools.Text { return per(m, c) }

// more says by how much something is dearer: "2.00 EUR more a month".
func more(m tools.Money, c tools.Cycle) tools.Text {
	return per(tools.T("household.card.dearer", m), c)
}

// less says by how much it is cheaper.
func less(m tools.Money, c tools.Cycle) tools.Text {
	return per(tools.T("household.card.cheaper", m), c)
}

func per(what any, c tools.Cycle) tools.Text {
	switch c.Unit {
	case tools.Weeks:
		return tools.T("household.per.weeks", what, c.N)
	case tools.Months:
		return tools.T("household.per.months", what, c.N)
	}
	return tools.T("household.per.years", what, c.N)
}

// every says a cycle alone: "every month".
func every(c tools.Cycle) tools.Text {
	switch c.Unit {
	case tools.Weeks:
		return tools.T("household.every.weeks", c.N)
	case tools.Months:
		return tools.T("household.every.months", c.N)
	}
	return tools.T("household.every.years", c.N)
}

// costs is what a subscription costs per cycle on a day.
func (s schedule) costs(day tools.Date) tools.Text { return perCycle(s.money(s.on(day)), s.cycle) }

// each is what a shown subscription costs per cycle.
func each(s Subscription) tools.Text {
	c, _ := tools.ParseCycle(s.Cycle)
	return perCycle(moneyOf(s.Amount, s.Currency), c)
}

// moneyOf reads back an amount that was shown. A sum may be larger than what is
// taken for one amount; it was written with all its decimal places.
func moneyOf(amount, currency string) tools.Money {
	m, err := tools.ParseMoney(amount, currency)
	if minor, bad := strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64); err != nil && bad == nil {
		return tools.Money{Minor: minor, Currency: currency}
	}
	return m
}

// namesShown is how many names a card lists.
const namesShown = 5

// names lists some records by name: "Netflix, Spotify and 3 more".
func names(all []string) tools.Text {
	return some(all, func(n string) tools.Text { return tools.T("household.card.name", n) })
}

// some lists the first of many.
func some[E any](all []E, say func(E) tools.Text) tools.Text {
	shown := all
	if len(all) > namesShown+1 {
		shown = all[:namesShown]
	}
	list := make([]tools.Text, len(shown))
	for i, e := range shown {
		list[i] = say(e)
	}
	if rest := len(all) - len(shown); rest > 0 {
		return tools.T("household.card.more", rest, list)
	}
	return tools.T("household.card.name", list)
}

// and joins a list: "35.99 EUR a month and 900 JPY a month".
func and(list []tools.Text) tools.Text {
	last := len(list) - 1
	if last < 1 {
		return tools.T("household.card.name", list)
	}
	return tools.T("household.card.and", list[:last], list[last])
}

// count says how many records of a collection were changed so.
func count(changes []tools.Change, op tools.Op, collection string) int {
	n := 0
	for _, c := range changes {
		if c.Op == op && c.Collection == collection {
			n++
		}
	}
	return n
}
