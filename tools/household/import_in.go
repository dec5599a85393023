package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

// importIn is tools.ImportRows as a person may write it.
type importIn struct {
	File          string      `json:"file"`
	Fingerprint   string      `json:"fingerprint"`
	Subscriptions []importRow `json:"subscriptions" jsonschema:"the reviewed rows; leave out what is not wanted"`
}

// importRow is a tools.Recurring of which only what identifies it must be
// there. That it goes on is judged by its dates where it is not said.
type importRow struct {
	Merchant    string           `json:"merchant"`
	Name        string           `json:"name,omitzero" jsonschema:"what to call a new one, if not as the merchant"`
	Cycle       tools.Cycle      `json:"cycle"`
	Amount      string           `json:"amount" jsonschema:"the last charge, a decimal in the currency"`
	Currency    string           `json:"currency"`
	AnchorDay   int              `json:"anchor_day,omitzero" jsonschema:"day of the month that is meant, 31 for the month's end"`
	FirstDate   tools.Date       `json:"first_date"`
	LastDate    tools.Date       `json:"last_date"`
	NextDate    tools.Date       `json:"next_date,omitzero" jsonschema:"told by the review; not needed"`
	Occurrences int              `json:"occurrences,omitzero" jsonschema:"told by the review; not needed"`
	Active      *bool            `json:"active,omitempty" jsonschema:"false if it has ended; by default what its last date suggests"`
	Confidence  float64          `json:"confidence,omitzero" jsonschema:"told by the review; not needed"`
	Prices      []tools.Price    `json:"prices,omitempty"`
	Status      tools.Status     `json:"status,omitzero" jsonschema:"new, known or price_changed, as the review says"`
	Known       string           `json:"known,omitzero" jsonschema:"id of the subscription that this is, unless it is new"`
	Evidence    []tools.Evidence `json:"evidence,omitempty" jsonschema:"the charges"`
}

// goesOn says that the next charge may still come: what the reader asks of the
// end of a file is asked of today.
func goesOn(c tools.Cycle, last, today tools.Date) bool {
	k, next := c.Next(last, 0, last.AddDays(1))
	late := next.DaysSince(last)/2 + 7
	return k > 0 && !next.AddDays(late).Before(today)
}

func (r importRow) recurring(today tools.Date) tools.Recurring {
	out := tools.Recurring{
		Merchant: r.Merchant, Cycle: r.Cycle, Amount: r.Amount, Currency: r.Currency, AnchorDay: r.AnchorDay,
		FirstDate: r.FirstDate, LastDate: r.LastDate, NextDate: r.NextDate, Occurrences: r.Occurrences, Confidence: r.Confidence,
		Prices: r.Prices, Status: r.Status, Known: r.Known, Evidence: r.Evidence,
	}
	if r.Active != nil {
		out.Active = *r.Active
	} else if !out.LastDate.IsZero() && out.Cycle.N > 0 {
		out.Active = goesOn(r.Cycle, r.LastDate, today)
	}
	return out
}
