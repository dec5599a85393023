package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

// perCycle says an amount with its cycle: "15.99 EUR a month".
func perCycle(m tools.Money, c tools.Cycle) tools.Text {
	switch c.Unit {
	case tools.Weeks:
		return tools.T("household.per.weeks", m, c.N)
	case tools.Months:
		return tools.T("household.per.months", m, c.N)
	}
	return tools.T("household.per.years", m, c.N)
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

// each is what a shown subscription costs per cycle.
func each(s Subscription) tools.Text {
	c, _ := tools.ParseCycle(s.Cycle)
	return perCycle(moneyOf(s.Amount, s.Currency), c)
}

// moneyOf reads back an amount that was shown.
func moneyOf(amount, currency string) tools.Money {
	m, _ := tools.ParseMoney(amount, currency)
	return m
}

// namesShown is how many names a card lists.
const namesShown = 5

// names lists some records by name: "Netflix, Spotify and 3 more".
func names(all []string) []tools.Text {
	var list []tools.Text
	for i, n := range all {
		if i == namesShown && len(all) > namesShown+1 {
			return append(list, tools.T("household.card.more", len(all)-i))
		}
		list = append(list, tools.T("household.card.name", n))
	}
	return list
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
