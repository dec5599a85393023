package household

import "github.com/nodkeep/nodkeep/tools"

// SubscriptionTotals is what all subscriptions of a list cost.
type SubscriptionTotals struct {
	Count     int                    `json:"count" jsonschema:"all that match"`
	Sums      []SubscriptionSum      `json:"sums" jsonschema:"by currency, never converted, of those that are neither paused nor ended"`
	Converted *SubscriptionConverted `json:"converted,omitempty" jsonschema:"the sums in the household's currency, where one is in another"`
}

// SubscriptionSum is what subscriptions cost in one currency.
type SubscriptionSum struct {
	Currency      string `json:"currency"`
	Subscriptions int    `json:"subscriptions" jsonschema:"how many it is of"`
	PerMonth      string `json:"per_month" jsonschema:"scaled to a month, for comparing only"`
	PerYear       string `json:"per_year" jsonschema:"scaled to a year, for comparing only"`
}

// SubscriptionConverted is what the sums come to in one currency.
type SubscriptionConverted struct {
	PerMonth string `json:"per_month,omitzero" jsonschema:"absent where a rate is missing"`
	PerYear  string `json:"per_year,omitzero" jsonschema:"absent where a rate is missing"`
	Conversion
}

// totals adds up what is listed on all pages, as it costs today.
func (in subscriptionListIn) totals(r *tools.Reader, h home) (*SubscriptionTotals, error) {
	recs, err := in.find(r, h, nil)
	if err != nil {
		return nil, err
	}
	belows, err := belowOf(r, recs)
	if err != nil {
		return nil, err
	}
	var month, year sums
	for _, rec := range recs {
		s, err := scheduleOf(rec, belows[rec.Id])
		if err != nil {
			return nil, err
		}
		if one := s.monthly(h.today); one.count > 0 && !s.over(h.today) {
			month.put(one)
			year.add(s.money(perYear(s.on(h.today), s.cycle)))
		}
	}
	out := SubscriptionTotals{Count: len(recs), Sums: make([]SubscriptionSum, len(month))}
	for i, m := range month {
		out.Sums[i] = SubscriptionSum{m.Currency, m.count, m.Decimal(), year[i].Decimal()}
	}
	out.Converted, err = h.convertYears(r, month, year)
	return &out, err
}

// convertYears converts what a month and a year cost to the household's currency,
// with the same rates.
func (h home) convertYears(r *tools.Reader, month, year sums) (*SubscriptionConverted, error) {
	to, err := h.target(h.currency, month)
	if err != nil || to == "" {
		return nil, err
	}
	c, err := converterOf(r, to, h.today)
	if err != nil {
		return nil, err
	}
	months, years := c.convert(month.money()...), c.convert(year.money()...)
	return &SubscriptionConverted{months.Amount, years.Amount, months.Conversion}, nil
}
