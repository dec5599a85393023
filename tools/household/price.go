package household

import (
	"strconv"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// askAtOnce is how many subscriptions one query names: PocketBase takes 200
// expressions in a filter.
const askAtOnce = 200

// pricesOf reads the dated prices of subscriptions, by subscription and date.
func pricesOf(r *tools.Reader, recs []*core.Record) (map[string][]price, error) {
	query := tools.Query{Sort: "from"}
	if len(recs) <= askAtOnce {
		ids := make([]string, len(recs))
		for i, rec := range recs {
			ids[i] = rec.Id
		}
		query.Filter, query.Params = anyOf("subscription", ids)
	}
	by := make(map[string][]price, len(recs))
	if len(recs) == 0 {
		return by, nil
	}
	found, err := r.List(prices, query)
	if err != nil {
		return nil, err
	}
	for _, rec := range found {
		from, err := tools.ParseDate(rec.GetString("from"))
		if err != nil {
			return nil, err
		}
		id := rec.GetString("subscription")
		by[id] = append(by[id], price{from, amountOf(rec), rec})
	}
	return by, nil
}

// anyOf is a filter for the records whose field is one of ids.
func anyOf(field string, ids []string) (string, map[string]any) {
	var filter strings.Builder
	params := make(map[string]any, len(ids))
	for i, id := range ids {
		if i > 0 {
			filter.WriteString(" || ")
		}
		name := "r" + strconv.Itoa(i)
		filter.WriteString(field + " = {:" + name + "}")
		params[name] = id
	}
	return filter.String(), params
}

// reprice sets the amount of a subscription from a day on, or corrects the
// amount that holds today where from is the zero Date. It saves dated prices
// and sets the record's own amount, which the caller saves.
func reprice(c *tools.Call, rec *core.Record, s *schedule, amount int64, from, today tools.Date) error {
	if len(s.prices) == 0 && (from.IsZero() || from == s.first) {
		s.amount = amount
		rec.Set("amount", amount)
		return nil
	}
	if !from.IsZero() && from.Before(s.first) {
		return invalid("household.error.price_early", from, s.first)
	}
	if len(s.prices) == 0 {
		if amount == s.amount {
			return nil
		}
		s.prices = []price{{from: s.first, amount: s.amount}}
		if err := savePrice(c, rec, &s.prices[0]); err != nil {
			return err
		}
	}
	at := s.place(from, today)
	if at < len(s.prices) && (from.IsZero() || s.prices[at].from == from) {
		s.prices[at].amount = amount
	} else {
		if s.on(from) == amount {
			return nil
		}
		s.prices = append(s.prices[:at:at], append([]price{{from: from, amount: amount}}, s.prices[at:]...)...)
	}
	s.amount = s.prices[len(s.prices)-1].amount
	rec.Set("amount", s.amount)
	return savePrice(c, rec, &s.prices[at])
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

// savePrice stores a dated price of a subscription, which must be stored.
func savePrice(c *tools.Call, sub *core.Record, p *price) error {
	if p.rec == nil {
		p.rec = c.New(prices)
		p.rec.Set("subscription", sub.Id)
		p.rec.Set("currency", sub.GetString("currency"))
	}
	p.rec.Set("from", p.from.String())
	p.rec.Set("amount", p.amount)
	return c.Save(p.rec)
}

// move takes the first dated price along when the first date changes.
func move(c *tools.Call, sub *core.Record, s *schedule, first tools.Date) error {
	old := s.first
	s.first = first
	if len(s.prices) == 0 || s.prices[0].from != old {
		return nil
	}
	if len(s.prices) > 1 && !first.Before(s.prices[1].from) {
		return invalid("household.error.first_after_price", first, s.prices[1].from)
	}
	s.prices[0].from = first
	return savePrice(c, sub, &s.prices[0])
}
