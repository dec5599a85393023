package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Charge is how tools show one, booked or to be.
type Charge struct {
	ID             string     `json:"id,omitzero" jsonschema:"absent while it is only expected"`
	Subscription   string     `json:"subscription"`
	Name           string     `json:"name" jsonschema:"the subscription's"`
	State          string     `json:"state" jsonschema:"expected, confirmed, changed (confirmed, but another amount was due) or skipped"`
	Due            tools.Date `json:"due,omitzero" jsonschema:"the due day that it settles; absent where none asked for it"`
	Date           tools.Date `json:"date" jsonschema:"when the bank booked it; the due day while it is expected"`
	Amount         string     `json:"amount"`
	ExpectedAmount string     `json:"expected_amount,omitzero" jsonschema:"what was due, of a changed one"`
	Currency       string     `json:"currency"`
	Text           string     `json:"text,omitzero" jsonschema:"what the statement says, or a note"`
}

// stateOf is what a charge is that settles a due day; the zero Date is none.
// Amounts in two currencies are not compared.
func (s schedule) stateOf(c charged, due tools.Date) string {
	switch {
	case c.skipped:
		return skipped
	case !due.IsZero() && c.currency == s.currency && c.amount != s.on(due):
		return differs
	}
	return confirmed
}

// shownCharge shows a charge of the subscription of a name.
func (s schedule) shownCharge(c charged, due tools.Date, name string) Charge {
	out := Charge{
		ID: c.id, Subscription: c.sub, Name: name, State: s.stateOf(c, due), Due: due, Date: c.date,
		Amount: c.money().Decimal(), Currency: c.currency, Text: c.text,
	}
	if out.State == differs {
		out.ExpectedAmount = s.money(s.on(due)).Decimal()
	}
	return out
}

func (c charged) money() tools.Money { return tools.Money{Minor: c.amount, Currency: c.currency} }

// account is a subscription with all its charges: for what is done with one of
// them.
type account struct {
	rec *core.Record
	schedule
	list  []charged              // by date
	pairs map[string]tools.Date  // the due days that charges settle, by the charge's id
	taken map[tools.Date]charged // the charges that settle due days
}

func accountOf(r *tools.Reader, id string) (account, error) {
	rec, s, err := load(r, "subscription", id)
	if err != nil {
		return account{}, err
	}
	a := account{rec: rec, schedule: s}
	list, err := chargesOf(r, tools.Query{Filter: "subscription = {:id}", Params: map[string]any{"id": rec.Id}, Sort: "date"}, "text")
	a.match(list)
	return a, err
}

// match takes a list of charges for the account's, and finds once what they
// settle.
func (a *account) match(list []charged) {
	a.list, a.pairs, a.taken = list, make(map[string]tools.Date, len(list)), make(map[tools.Date]charged, len(list))
	for _, p := range a.settle(a.first, a.first, list) {
		if p.charge < 0 {
			continue
		}
		c := list[p.charge]
		a.pairs[c.id] = p.due
		if !p.due.IsZero() {
			a.taken[p.due] = c
		}
	}
}

func (a account) name() string { return a.rec.GetString("name") }

// without are the charges but one.
func (a account) without(id string) []charged {
	return slices.DeleteFunc(slices.Clone(a.list), func(o charged) bool { return o.id == id })
}

// ChargeDone is a charge that was stored, and what follows from it.
type ChargeDone struct {
	Charge
	PriceChange *PriceProposal `json:"price_change,omitempty" jsonschema:"where the amount is new: what household_price_set would take"`
}

// PriceProposal is the price that a charge suggests: the arguments of
// household_price_set.
type PriceProposal struct {
	Subscription string     `json:"subscription"`
	Amount       string     `json:"amount"`
	From         tools.Date `json:"from"`
}

// done shows a charge that was just stored. Where its amount is not what was
// due, and neither the price nor what was paid says otherwise since, it proposes
// a change.
func (a *account) done(rec *core.Record) (ChargeDone, error) {
	c, err := chargedOf(rec)
	if err != nil {
		return ChargeDone{}, err
	}
	a.match(append(a.without(c.id), c))
	due := a.pairs[c.id]
	out := ChargeDone{Charge: a.shownCharge(c, due, a.name())}
	since := func(p price) bool { return p.from.After(due) }
	if out.State == differs && !slices.ContainsFunc(a.prices, since) && !a.paidOtherwise(due, c.amount) {
		out.PriceChange = &PriceProposal{a.rec.Id, out.Amount, due}
	}
	return out, nil
}

// paidOtherwise says that something due after a day was paid with another
// amount: a price from that day on would be refused.
func (a account) paidOtherwise(day tools.Date, amount int64) bool {
	for due, c := range a.taken {
		if due.After(day) && !c.skipped && c.currency == a.currency && c.amount != amount {
			return true
		}
	}
	return false
}

// lines say what follows from a charge.
func (d ChargeDone) lines() (lines []tools.Text) {
	switch {
	case d.State == skipped:
	case d.Due.IsZero():
		lines = append(lines, tools.T("household.card.charge_extra"))
	case d.Due != d.Date:
		lines = append(lines, tools.T("household.card.charge_settles", d.Due))
	}
	was := moneyOf(d.ExpectedAmount, d.Currency)
	switch {
	case d.PriceChange != nil:
		lines = append(lines, tools.T("household.card.charge_price", was, d.PriceChange.From))
	case d.State == differs:
		lines = append(lines, tools.T("household.card.charge_differs", was))
	}
	return lines
}
