package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// Why an amount cannot be converted.
const (
	rateNone     = "none"     // nothing stands for the day or the days before it
	rateOld      = "old"      // what stands is older than maxRateAge
	rateUnquoted = "unquoted" // that day has rates, and none of this currency
)

// Conversion says what sums were converted with, or what was missing for it.
type Conversion struct {
	Currency string     `json:"currency"`
	On       tools.Date `json:"on" jsonschema:"the day of the rates, never after the day that is converted for; empty where there are none"`
	Source   string     `json:"source" jsonschema:"who published them"`
	Rates    []UsedRate `json:"rates" jsonschema:"those that were used"`
	Missing  []NoRate   `json:"missing" jsonschema:"currencies without a rate: while there is one, no figure is given, and only the sums by currency hold"`
}

// UsedRate is how much of a currency one euro was worth.
type UsedRate struct {
	Currency string      `json:"currency"`
	PerEuro  string      `json:"per_euro"`
	Text     tools.Words `json:"text"`
}

// NoRate is a currency that could not be converted, and why.
type NoRate struct {
	Currency string      `json:"currency"`
	Reason   string      `json:"reason" jsonschema:"none: no rates stand for that time; old: the latest are too old; unquoted: the source has none of this currency"`
	Latest   tools.Date  `json:"latest,omitzero" jsonschema:"the newest rates, where they are too old"`
	Text     tools.Words `json:"text"`
}

// Converted is what sums of several currencies come to in one.
type Converted struct {
	Amount string `json:"amount,omitzero" jsonschema:"absent where a rate is missing"`
	Conversion
}

// with says what amounts of these currencies are converted with, and which of
// them cannot be.
func (c converter) with(currencies ...string) Conversion {
	out := Conversion{Currency: c.to, Rates: []UsedRate{}, Missing: []NoRate{}}
	foreign := slices.DeleteFunc(slices.Clone(currencies), func(s string) bool { return s == c.to })
	if len(foreign) == 0 {
		return out
	}
	if c.rates != nil {
		out.On, out.Source = c.on, c.source
	}
	foreign = append(foreign, c.to)
	slices.Sort(foreign)
	for _, currency := range slices.Compact(foreign) {
		switch {
		case c.rate(currency) == nil:
			out.Missing = append(out.Missing, c.missing(currency))
		case currency != euro:
			text := tools.T("household.rate.said", tools.Decimal(c.quoted[currency]), currency, c.on, published(c.source))
			out.Rates = append(out.Rates, UsedRate{currency, c.quoted[currency], tools.Words(text)})
		}
	}
	return out
}

// missing says why a currency cannot be converted.
func (c converter) missing(currency string) NoRate {
	switch {
	case c.on.IsZero():
		return NoRate{Currency: currency, Reason: rateNone, Text: tools.Words(tools.T("household.rate.none", currency, c.day))}
	case c.rates == nil:
		return NoRate{currency, rateOld, c.on, tools.Words(tools.T("household.rate.old", currency, c.day, c.on))}
	}
	return NoRate{Currency: currency, Reason: rateUnquoted, Text: tools.Words(tools.T("household.rate.unquoted", currency, c.on, published(c.source)))}
}

// convert adds up amounts in the converter's currency and says with what. It
// gives no figure where a rate is missing: a part of a sum would be read as all
// of it.
func (c converter) convert(amounts ...tools.Money) Converted {
	var out Converted
	var currencies []string
	for _, m := range amounts {
		currencies = append(currencies, m.Currency)
	}
	out.Conversion = c.with(currencies...)
	if m, ok := c.sum(amounts...); ok {
		out.Amount = m.Decimal()
	}
	return out
}

// convertTotals converts totals as of today; nil where there is nothing to
// convert.
func (h home) convertTotals(r *tools.Reader, asked string, totals sums) (*Converted, error) {
	to, err := h.target(asked, totals)
	if err != nil || to == "" {
		return nil, err
	}
	c, err := converterOf(r, to, h.today)
	if err != nil {
		return nil, err
	}
	out := c.convert(totals.money()...)
	return &out, nil
}

// target is the currency that sums are to be converted to: the one that is
// asked for, else the household's where there are several. It is empty where
// there is nothing to convert.
func (h home) target(asked string, totals sums) (string, error) {
	to := h.currency
	if asked != "" {
		var err error
		if to, err = parseCurrency("in", asked); err != nil {
			return "", err
		}
	}
	foreign := slices.ContainsFunc(totals, func(s sum) bool { return s.Currency != to })
	if !foreign || (asked == "" && len(totals) < 2) {
		return "", nil
	}
	return to, nil
}
