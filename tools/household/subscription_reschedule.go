package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// schedule checks the arguments of an update that are about dates and money
// and puts them into the record's schedule.
func (in subscriptionUpdateIn) schedule(c *tools.Call, rec *core.Record, s *schedule, h home) (err error) {
	if in.Cycle != nil {
		if s.cycle, err = parseCycle("cycle", *in.Cycle); err != nil {
			return err
		}
	}
	if in.AnchorDay != nil {
		s.anchor = *in.AnchorDay
	}
	if _, err := parseAnchor(s.anchor, s.cycle); err != nil {
		return err
	}
	if in.FirstDate != nil {
		first, err := parseDate("first_date", *in.FirstDate)
		if err != nil {
			return err
		}
		if !s.ends.IsZero() && s.ends.Before(first) {
			return invalid("household.error.order", "ends_on", s.ends, "first_date", first)
		}
		if err := s.move(first); err != nil {
			return err
		}
	}
	if err := in.exchange(c, rec, s); err != nil {
		return err
	}
	return in.price(s, h)
}

// exchange changes the currency, which is possible only while nothing has been
// paid in it.
func (in subscriptionUpdateIn) exchange(c *tools.Call, rec *core.Record, s *schedule) error {
	if in.Currency == nil {
		return nil
	}
	currency, err := parseCurrency("currency", *in.Currency)
	if err != nil || currency == s.currency {
		return err
	}
	if in.Amount == nil {
		return invalid("household.error.currency_amount", currency)
	}
	fixed := len(s.prices)
	for _, collection := range []string{charges, shares} {
		recs, err := c.List(collection, tools.Query{Filter: "subscription = {:id}", Params: map[string]any{"id": rec.Id}, Limit: 1})
		if err != nil {
			return err
		}
		fixed += len(recs)
	}
	if fixed > 0 {
		return invalid("household.error.currency_fixed", rec.GetString("name"), s.currency)
	}
	s.currency = currency
	return nil
}

func (in subscriptionUpdateIn) price(s *schedule, h home) error {
	var from tools.Date
	if in.PriceFrom != nil {
		if in.Amount == nil {
			return invalid("household.error.price_from_amount")
		}
		var err error
		if from, err = parseDate("price_from", *in.PriceFrom); err != nil {
			return err
		}
	}
	if in.Amount == nil {
		return nil
	}
	amount, err := parseAmount("amount", *in.Amount, s.currency)
	if err != nil {
		return err
	}
	return s.reprice(amount, from, h.today)
}
