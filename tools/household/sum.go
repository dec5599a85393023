package household

import (
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// sums are amounts added up by currency, in the order of those: amounts of
// several are never added.
type sums []sum

type sum struct {
	tools.Money
	count int // how many amounts it is of
}

// add counts one more.
func (s *sums) add(m tools.Money) { s.put(sum{m, 1}) }

func (s *sums) put(o sum) {
	at, found := slices.BinarySearchFunc(*s, o.Currency, func(one sum, c string) int { return strings.Compare(one.Currency, c) })
	if !found {
		*s = slices.Insert(*s, at, o)
		return
	}
	one := &(*s)[at]
	one.Minor, one.count = plus(one.Minor, o.Minor), one.count+o.count
}

// of is the sum in a currency, which may be nothing.
func (s sums) of(currency string) sum {
	for _, one := range s {
		if one.Currency == currency {
			return one
		}
	}
	return sum{Money: tools.Money{Currency: currency}}
}

// with are these sums and others in one.
func (s sums) with(others sums) sums {
	s = slices.Clone(s)
	for _, o := range others {
		s.put(o)
	}
	return s
}

func (s sums) money() []tools.Money {
	list := make([]tools.Money, len(s))
	for i, one := range s {
		list[i] = one.Money
	}
	return list
}

// totals are the sums as tools show them.
func (s sums) totals() []Total {
	list := make([]Total, len(s))
	for i, one := range s {
		list[i] = Total{one.Currency, one.Decimal(), one.count}
	}
	return list
}

// said are the sums for a sentence.
func (s sums) said() tools.Text {
	list := make([]tools.Text, len(s))
	for i, one := range s {
		list[i] = tools.T("household.card.name", one.Money)
	}
	return and(list)
}

// monthly says the sums of what is paid a month.
func (s sums) monthly() tools.Text {
	list := make([]tools.Text, len(s))
	for i, one := range s {
		list[i] = perCycle(one.Money, tools.Cycle{N: 1, Unit: tools.Months})
	}
	return and(list)
}
