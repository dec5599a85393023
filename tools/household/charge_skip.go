package household

import "github.com/nodkeep/nodkeep/tools"

type chargeSkipIn struct {
	Subscription string `json:"subscription"`
	Due          string `json:"due" jsonschema:"the due day, YYYY-MM-DD"`
	Text         string `json:"text,omitzero" jsonschema:"why"`
}

// ChargeSkipped is a due day on which nothing is paid.
type ChargeSkipped struct {
	Charge
	Saves string     `json:"saves" jsonschema:"what was due, a decimal in the currency"`
	Next  tools.Date `json:"next,omitzero" jsonschema:"the next day that is due"`
}

func chargeSkipTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_charge_skip", Title: "household.title.charge_skip", Effect: tools.EffectWrite,
		Help: "Records that nothing is paid on one due day: a free month, say. For longer use household_subscription_pause.",
	}, chargeSkip, tools.WithCard(func(_ *tools.Reader, _ chargeSkipIn, out ChargeSkipped, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.charge_skip", out.Name, out.Due, moneyOf(out.Saves, out.Currency))}
		if !out.Next.IsZero() {
			card.Lines = append(card.Lines, tools.T("household.card.next", out.Next))
		}
		return card, nil
	}))
}

func chargeSkip(c *tools.Call, in chargeSkipIn) (out ChargeSkipped, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return ChargeSkipped{}, err
	}
	a, err := accountOf(&c.Reader, in.Subscription)
	if err != nil {
		return ChargeSkipped{}, err
	}
	defer naming(&err, a.name())
	due, err := a.parseDue(in.Due, "", h.today)
	if err != nil {
		return ChargeSkipped{}, err
	}
	text, err := parseText("text", in.Text, maxCharge)
	if err != nil {
		return ChargeSkipped{}, err
	}
	rec := c.New(charges)
	charged{sub: a.rec.Id, due: due, date: due, currency: a.currency, skipped: true, text: text}.store(rec)
	if err := c.Save(rec); err != nil {
		return ChargeSkipped{}, err
	}
	done, err := a.done(rec)
	out = ChargeSkipped{Charge: done.Charge, Saves: a.money(a.on(due)).Decimal()}
	out.Next, _ = a.nextOpen(due, a.list)
	return out, err
}
