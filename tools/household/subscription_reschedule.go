package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// schedule checks the arguments of an update that are about dates and money
// and puts them into the record's schedule, which was another before.
func (in subscriptionUpdateIn) schedule(c *tools.Call, rec *core.Record, was schedule, s *schedule, h home) (err error) {
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
	if err := in.days(rec.GetString("name"), s, h); err != nil {
		return err
	}
	if err := was.keepsCharges(&c.Reader, rec, *s, in.counts(), "household.error.schedule_paid"); err != nil {
		return err
	}
	if err := in.exchange(c, rec, s); err != nil {
		return err
	}
	return in.price(c, rec, s, h)
}

// counts is the argument that changes from where and how due days are counted.
func (in subscriptionUpdateIn) counts() string {
	switch {
	case in.Cycle != nil:
		return "cycle"
	case in.FirstDate != nil:
		return "first_date"
	case in.TrialEndsOn != nil: // the first date goes with it
		return "trial_ends_on"
	}
	return "anchor_day"
}

// days changes the trial and the first date. While a trial is running, a first
// charge on the day after it stays there.
func (in subscriptionUpdateIn) days(name string, s *schedule, h home) error {
	was := s.trial
	if err := s.try(name, trialDays{or(in.TrialFrom), or(in.TrialEndsOn), or(in.DecideBy)}); err != nil {
		return err
	}
	first := s.first
	switch {
	case in.FirstDate != nil:
		var err error
		if first, err = parseDate("first_date", *in.FirstDate); err != nil {
			return err
		}
	case was.covers(h.today) && s.first == was.ends.AddDays(1) && !s.trial.ends.IsZero():
		first = s.trial.ends.AddDays(1)
	}
	if first != s.first {
		if err := s.move(first); err != nil {
			return err
		}
	}
	if !s.ends.IsZero() && s.early(s.ends) {
		return invalid("household.error.order", "ends_on", s.ends, "first_date", first)
	}
	return nil
}

// or is an argument, "" where it is not given.
func or(s *string) string {
	if s == nil {
		return ""
	}
	return *s
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

// price changes what is paid: from a day on, or by correcting what holds today.
func (in subscriptionUpdateIn) price(c *tools.Call, rec *core.Record, s *schedule, h home) error {
	var from tools.Date
	intro := in.IntroAmount != nil || in.IntroUntil != nil
	if in.PriceFrom != nil {
		if in.Amount == nil {
			return invalid("household.error.price_from_amount")
		}
		if intro {
			return invalid("household.error.price_from_intro", rec.GetString("name"))
		}
		var err error
		if from, err = parseDate("price_from", *in.PriceFrom); err != nil {
			return err
		}
	}
	amount := s.amount
	if in.Amount != nil {
		var err error
		if amount, err = parseAmount("amount", *in.Amount, s.currency); err != nil {
			return err
		}
	}
	switch {
	case intro:
		return in.introduce(c, rec, s, amount)
	case in.Amount == nil:
		return nil
	case from.IsZero():
		return s.correct(&c.Reader, rec, amount, h.today)
	}
	return s.repriceOn(&c.Reader, rec, "price_from", amount, from, h.today)
}

// introduce gives it an introductory price; amount is what holds after it.
func (in subscriptionUpdateIn) introduce(c *tools.Call, rec *core.Record, s *schedule, amount int64) error {
	s.amount = amount
	if err := s.introduce(rec.GetString("name"), or(in.IntroAmount), or(in.IntroUntil)); err != nil {
		return err
	}
	for _, p := range s.prices {
		if err := s.uncontradicted(&c.Reader, rec, "intro_until", p.from); err != nil {
			return err
		}
	}
	return nil
}
