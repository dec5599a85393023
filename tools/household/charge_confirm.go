package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type chargeConfirmIn struct {
	Subscription string `json:"subscription"`
	Due          string `json:"due,omitzero" jsonschema:"by default the first open one since the last settled"`
	Date         string `json:"date,omitzero" jsonschema:"when it was booked; the due day, or today if that is to come"`
	Amount       string `json:"amount,omitzero" jsonschema:"what was due by default"`
	Text         string `json:"text,omitzero" jsonschema:"the statement's, or a note"`
}

func chargeConfirmTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_charge_confirm", Title: "household.title.charge_confirm", Effect: tools.EffectWrite, Core: true,
		Help: "Confirms that a due charge was paid. Another amount than was due gives price_change: what household_price_set would take.",
	}, chargeConfirm, tools.WithCard(func(_ *tools.Reader, _ chargeConfirmIn, out ChargeDone, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("household.card.charge_confirm", out.Name, moneyOf(out.Amount, out.Currency), out.Date), Lines: out.lines()}, nil
	}))
}

func chargeConfirm(c *tools.Call, in chargeConfirmIn) (out ChargeDone, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return ChargeDone{}, err
	}
	a, err := accountOf(&c.Reader, in.Subscription)
	if err != nil {
		return ChargeDone{}, err
	}
	defer naming(&err, a.name())
	var date tools.Date
	if in.Date != "" {
		if date, err = parseBooked("date", in.Date, h.today); err != nil {
			return ChargeDone{}, err
		}
	}
	due, err := a.dueOf(in.Due, date, h.today)
	if err != nil {
		return ChargeDone{}, err
	}
	if date.IsZero() {
		date = earlier(due, h.today)
	}
	minor := a.on(due)
	if in.Amount != "" {
		if minor, err = parseAmount("amount", in.Amount, a.currency); err != nil {
			return ChargeDone{}, err
		}
	}
	text, err := parseText("text", in.Text, maxCharge)
	if err != nil {
		return ChargeDone{}, err
	}
	rec := c.New(charges)
	charged{sub: a.rec.Id, due: due, date: date, amount: minor, currency: a.currency, text: text}.store(rec)
	if err := c.Save(rec); err != nil {
		return ChargeDone{}, err
	}
	return a.done(rec)
}

// store writes a charge that somebody confirms or skips into a record.
func (c charged) store(rec *core.Record) {
	state := confirmed
	if c.skipped {
		state = skipped
	}
	rec.Set("subscription", c.sub)
	rec.Set("due", c.due.String())
	rec.Set("date", c.date.String())
	rec.Set("amount", c.amount)
	rec.Set("currency", c.currency)
	rec.Set("state", state)
	rec.Set("text", c.text)
}

// parseBooked reads the day of a booking: banks date some days ahead, no more.
func parseBooked(field, s string, today tools.Date) (tools.Date, error) {
	d, err := parseDate(field, s)
	if last := today.AddDays(maxAhead); err == nil && d.After(last) {
		return d, invalid("household.error.to_come", field, d, last)
	}
	return d, err
}

// dueOf is the due day that a charge is to settle: the one that is named; else
// the open one nearest to its date; else, of those that are due by now, the
// first after the last that is settled, or the latest where none is. What lies
// ahead is confirmed only by name, so that a call made twice confirms once.
func (a account) dueOf(named string, date, today tools.Date) (tools.Date, error) {
	if named != "" {
		return a.parseDue(named, "", today)
	}
	var due, last tools.Date
	now := today.AddDays(slackOf(a.cycle))
	if !date.IsZero() {
		return a.nearDate(date)
	}
	for _, d := range a.pairs {
		if d.After(last) && !d.After(now) {
			last = d
		}
	}
	for d := range a.open(a.first, a.list) {
		if d.After(now) || (!due.IsZero() && !last.IsZero()) {
			break
		}
		if d.After(last) {
			due = d
		}
	}
	if !due.IsZero() {
		return due, nil
	}
	if next, ok := a.nextOpen(today, a.list); ok {
		return due, tools.Fail(tools.Conflict, "household.error.all_settled", a.name(), now, next)
	}
	return due, tools.Fail(tools.Conflict, "household.error.none_due", a.name())
}

// parseDue reads the due day that a charge is to settle, which no other than
// the charge of an id may have, and which is not too far ahead.
func (a account) parseDue(named, id string, today tools.Date) (tools.Date, error) {
	due, err := parseDate("due", named)
	if err == nil && due.After(a.first) && !a.over(due) { // else notDue says what is
		err = between("due", a.name(), due, a.first, a.until(today))
	}
	if err == nil {
		err = a.mayTake(due, "due", id)
	}
	return due, err
}

// nearDate is the open due day that a booking of a day is for.
func (a account) nearDate(date tools.Date) (tools.Date, error) {
	most := slackOf(a.cycle)
	var near tools.Date
	for d := range a.dues(date.AddDays(-most)) {
		if d.After(date.AddDays(most)) {
			break
		}
		_, taken := a.taken[d]
		if !taken && (near.IsZero() || abs(d.DaysSince(date)) < abs(near.DaysSince(date))) {
			near = d
		}
		if taken && near.IsZero() {
			if err := a.mayTake(d, "date", ""); err != nil {
				return d, err
			}
		}
	}
	if near.IsZero() {
		return near, invalid("household.error.none_near", date, a.name(), most)
	}
	return near, nil
}

func abs(n int) int { return max(n, -n) }

// mayTake says that a charge may settle a day: something is due on it, and
// nothing else settles it than the charge of an id.
func (a account) mayTake(due tools.Date, field, id string) error {
	if !a.isDue(due) {
		return a.notDue(due, field)
	}
	c, ok := a.taken[due]
	switch {
	case !ok || c.id == id:
		return nil
	case c.skipped:
		return tools.Fail(tools.Conflict, "household.error.skipped_already", field, a.name(), due, c.id)
	}
	return tools.Fail(tools.Conflict, "household.error.settled", field, a.name(), due, c.money(), c.date, c.id)
}

// notDue names the nearest days on which something is due.
func (a account) notDue(day tools.Date, field string) error {
	var before tools.Date
	for d := range a.dues(a.first) {
		if d.After(day) {
			if before.IsZero() {
				return invalid("household.error.not_due_yet", field, day, a.name(), d)
			}
			return invalid("household.error.not_due", field, day, a.name(), before, d)
		}
		before = d
	}
	if before.IsZero() {
		return invalid("household.error.never_due", field, day, a.name())
	}
	return invalid("household.error.not_due_more", field, day, a.name(), before)
}
