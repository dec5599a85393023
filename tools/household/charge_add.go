package household

import "github.com/nodkeep/nodkeep/tools"

type chargeAddIn struct {
	Subscription string `json:"subscription"`
	Date         string `json:"date" jsonschema:"when it was booked, YYYY-MM-DD"`
	Amount       string `json:"amount" jsonschema:"a decimal such as 15.99"`
	Currency     string `json:"currency,omitzero" jsonschema:"the bank's, if not the subscription's"`
	Text         string `json:"text,omitzero"`
}

// ChargeAdded is a charge that was added.
type ChargeAdded struct {
	ChargeDone
	Same int `json:"same" jsonschema:"how many of that day and amount were there already"`
}

func chargeAddTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_charge_add", Title: "household.title.charge_add", Effect: tools.EffectWrite,
		Help: "Adds a charge that was booked on any day. Within four days of a due day it settles that day, if nothing else does.",
	}, chargeAdd, tools.WithCard(func(_ *tools.Reader, _ chargeAddIn, out ChargeAdded, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.charge_add", out.Name, moneyOf(out.Amount, out.Currency), out.Date), Lines: out.lines()}
		if out.Same > 0 {
			card.Lines = append(card.Lines, tools.T("household.card.charge_same", out.Same))
		}
		return card, nil
	}))
}

func chargeAdd(c *tools.Call, in chargeAddIn) (out ChargeAdded, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return out, err
	}
	a, err := accountOf(&c.Reader, in.Subscription)
	if err != nil {
		return out, err
	}
	defer naming(&err, a.name())
	one := charged{sub: a.rec.Id, currency: a.currency}
	if one.date, err = parseBooked("date", in.Date, h.today); err != nil {
		return out, err
	}
	if in.Currency != "" {
		if one.currency, err = parseCurrency("currency", in.Currency); err != nil {
			return out, err
		}
	}
	if one.amount, err = parseAmount("amount", in.Amount, one.currency); err != nil {
		return out, err
	}
	if one.text, err = parseText("text", in.Text, maxCharge); err != nil {
		return out, err
	}
	for _, o := range a.list {
		if o.date == one.date && o.money() == one.money() && !o.skipped {
			out.Same++
		}
	}
	rec := c.New(charges)
	one.store(rec)
	if err := c.Save(rec); err != nil {
		return out, err
	}
	out.ChargeDone, err = a.done(rec)
	return out, err
}
