package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Subscription is how tools show one.
type Subscription struct {
	ID            string        `json:"id"`
	Name          string        `json:"name"`
	Amount        string        `json:"amount" jsonschema:"what one charge costs today, a decimal in the currency"`
	Currency      string        `json:"currency"`
	Cycle         string        `json:"cycle" jsonschema:"P1M every month, P4W every four weeks, P1Y every year"`
	PerMonth      string        `json:"per_month" jsonschema:"the amount scaled to a month, for comparing only"`
	NextCharge    *Due          `json:"next_charge,omitempty" jsonschema:"absent once nothing more is due"`
	FirstDate     tools.Date    `json:"first_date"`
	AnchorDay     int           `json:"anchor_day,omitzero" jsonschema:"day of the month that is meant, 31 for the month's end; absent for the first date's own"`
	Status        string        `json:"status" jsonschema:"trial, active, paused, cancelled (runs until ends_on) or ended"`
	CancelledOn   tools.Date    `json:"cancelled_on,omitzero"`
	EndsOn        tools.Date    `json:"ends_on,omitzero" jsonschema:"the last day"`
	Trial         *Trial        `json:"trial,omitempty"`
	Terms         *Terms        `json:"terms,omitempty" jsonschema:"when it can be ended, where the contract says so"`
	Pause         *Pause        `json:"pause,omitempty" jsonschema:"the one that it is in, or else the next"`
	Category      *Category     `json:"category,omitempty"`
	PaymentMethod *Method       `json:"payment_method,omitempty"`
	Tags          []string      `json:"tags,omitempty"`
	Private       bool          `json:"private" jsonschema:"only its owner sees it"`
	Owner         tools.Account `json:"owner,omitzero" jsonschema:"id of the member it belongs to"`
	Mine          bool          `json:"mine"`
	Shares        []Share       `json:"shares,omitempty" jsonschema:"who bears what of today's price; absent where it is not divided"`
	Replaces      *Named        `json:"replaces,omitempty" jsonschema:"the subscription that it took the place of"`
	Merchant      string        `json:"merchant,omitzero" jsonschema:"the name on bank statements"`
	URL           string        `json:"url,omitzero"`
	Account       string        `json:"account,omitzero" jsonschema:"which account it is"`
	Logo          string        `json:"logo,omitzero" jsonschema:"name of the picture's file"`
	Notes         string        `json:"notes,omitzero"`
	RemindDays    *int          `json:"remind_days,omitempty" jsonschema:"days before a charge that it is said; -1 never; absent as the household has set"`
	Prices        []tools.Price `json:"prices,omitempty" jsonschema:"what it has cost since when; absent while the amount has never changed"`
}

// Named is a record by its id and name.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Due is a charge to come.
type Due struct {
	Date   tools.Date `json:"date"`
	Amount string     `json:"amount"`
}

// Ref names a subscription in the answers about several.
type Ref struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Cycle    string `json:"cycle"`
}

// The states that a subscription can be in. Only active and cancelled are
// stored: the others are what its dates mean today.
const (
	active    = "active"
	cancelled = "cancelled"
	ended     = "ended"
	paused    = "paused"
	trying    = "trial"
)

// state is what a subscription is on a day.
func (s schedule) state(v values, today tools.Date) string {
	_, resting := s.pausedOn(today)
	switch {
	case s.over(today):
		return ended
	case v.GetString("status") == cancelled:
		return cancelled
	case resting:
		return paused
	case s.trial.covers(today):
		return trying
	}
	return active
}

// refOf names a record; its amount is what holds on a day.
func refOf(v values, s schedule, day tools.Date) Ref {
	return Ref{v.GetString("id"), v.GetString("name"), s.money(s.on(day)).Decimal(), s.currency, s.cycle.String()}
}

// load reads the subscription that an argument names, with its schedule.
func load(r *tools.Reader, field, id string) (*core.Record, schedule, error) {
	rec, err := find(r, subscriptions, field, id)
	if err != nil {
		return nil, schedule{}, err
	}
	by, err := belowOf(r, []*core.Record{rec})
	if err != nil {
		return nil, schedule{}, err
	}
	s, err := scheduleOf(rec, by[rec.Id])
	return rec, s, err
}
