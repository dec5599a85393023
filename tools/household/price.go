package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// pricesOf reads the dated prices of subscriptions, by subscription and date.
// Most have none, and say so: they cost nothing.
func pricesOf(r *tools.Reader, recs []*core.Record) (map[string][]price, error) {
	var ids []string
	for _, rec := range recs {
		if rec.GetBool("repriced") {
			ids = append(ids, rec.Id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := r.List(prices, tools.Query{Sort: "from", In: map[string][]string{"subscription": ids}})
	if err != nil {
		return nil, err
	}
	return bySubscription(found, priceOf)
}

func priceOf(v values) (price, error) {
	rec, _ := v.(*core.Record)
	from, err := tools.ParseDate(v.GetString("from"))
	return price{from: from, amount: amountOf(v), intro: v.GetBool("intro"), rec: rec}, err
}

// reprice sets the amount of a subscription from a day on, or corrects the
// amount that holds today where from is the zero Date.
func (s *schedule) reprice(amount int64, from, today tools.Date) error {
	if len(s.prices) == 0 && (from.IsZero() || from == s.first) {
		s.amount = amount
		return nil
	}
	if !from.IsZero() && s.on(from) == amount {
		return nil
	}
	if len(s.prices) == 0 {
		s.prices = []price{{from: s.first, amount: s.amount, changed: true}}
	}
	at := s.place(from, today)
	if at == len(s.prices) || (!from.IsZero() && s.prices[at].from != from) {
		s.prices = slices.Insert(s.prices, at, price{from: from})
	}
	s.prices[at].amount, s.prices[at].changed = amount, true
	s.amount = s.prices[len(s.prices)-1].amount
	return nil
}

// repriceOn is reprice for what a person says, in an argument: a new price
// begins with the first date at the earliest, and changes nothing that is paid.
func (s *schedule) repriceOn(r *tools.Reader, rec *core.Record, field string, amount int64, from, today tools.Date) error {
	if from.Before(s.first) {
		return invalid("household.error.price_early", field, from, rec.GetString("name"), s.first)
	}
	if s.on(from) == amount {
		return nil
	}
	if err := s.reprice(amount, from, today); err != nil {
		return err
	}
	return s.uncontradicted(r, rec, field, from)
}

// place is the index where a price from a day on stands or belongs; without a
// day it is that of the price that holds today.
func (s *schedule) place(from, today tools.Date) int {
	at := 0
	if from.IsZero() {
		for at+1 < len(s.prices) && !s.prices[at+1].from.After(today) {
			at++
		}
		return at
	}
	for at < len(s.prices) && s.prices[at].from.Before(from) {
		at++
	}
	return at
}

// move takes the first dated price along when the first date changes.
func (s *schedule) move(first tools.Date) error {
	old := s.first
	s.first = first
	if len(s.prices) == 0 || s.prices[0].from != old {
		return nil
	}
	if len(s.prices) > 1 && !first.Before(s.prices[1].from) {
		return invalid("household.error.first_after_price", first, s.prices[1].from)
	}
	s.prices[0].from, s.prices[0].changed = first, true
	return nil
}

// save stores a subscription with its schedule, then the dated prices that
// have changed.
func (s *schedule) save(c *tools.Call, sub *core.Record) error {
	s.put(sub)
	if err := c.Save(sub); err != nil {
		return err
	}
	for i := range s.prices {
		p := &s.prices[i]
		if !p.changed {
			continue
		}
		if p.rec == nil {
			p.rec = c.New(prices)
			p.rec.Set("subscription", sub.Id)
			p.rec.Set("currency", s.currency)
		}
		p.rec.Set("from", p.from.String())
		p.rec.Set("amount", p.amount)
		p.rec.Set("intro", p.intro)
		if err := c.Save(p.rec); err != nil {
			return err
		}
		p.changed = false
	}
	return nil
}
