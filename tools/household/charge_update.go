package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type chargeUpdateIn struct {
	ID     string   `json:"id"`
	Date   *string  `json:"date,omitempty" jsonschema:"when it was booked, YYYY-MM-DD"`
	Amount *string  `json:"amount,omitempty" jsonschema:"a decimal in its currency; a skipped one becomes confirmed"`
	Due    *string  `json:"due,omitempty" jsonschema:"the due day that it settles"`
	Text   *string  `json:"text,omitempty"`
	Clear  []string `json:"clear,omitempty" jsonschema:"without due its date tells which day it settles"`
}

func chargeUpdateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_charge_update", Title: "household.title.charge_update", Effect: tools.EffectWrite,
		Help: "Corrects a charge: its day, amount, due day or text. What is left out stays.",
	}, chargeUpdate, tools.OneOf("clear", "due", "text"),
		tools.WithCard(func(_ *tools.Reader, _ chargeUpdateIn, out ChargeDone, _ []tools.Change) (tools.Card, error) {
			if out.State == skipped {
				return tools.Card{Title: tools.T("household.card.skip_update", out.Name, out.Due)}, nil
			}
			return tools.Card{Title: tools.T("household.card.charge_update", out.Name, moneyOf(out.Amount, out.Currency), out.Date), Lines: out.lines()}, nil
		}))
}

func chargeUpdate(c *tools.Call, in chargeUpdateIn) (out ChargeDone, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return ChargeDone{}, err
	}
	rec, err := find(&c.Reader, charges, "id", in.ID)
	if err != nil {
		return ChargeDone{}, err
	}
	if in.Date == nil && in.Amount == nil && in.Due == nil && in.Text == nil && len(in.Clear) == 0 {
		return ChargeDone{}, invalid("household.error.nothing")
	}
	a, err := accountOf(&c.Reader, rec.GetString("subscription"))
	if err != nil {
		return ChargeDone{}, err
	}
	defer naming(&err, a.name())
	if err := parseClear(in.Clear, map[string]bool{"due": in.Due != nil, "text": in.Text != nil}); err != nil {
		return ChargeDone{}, err
	}
	if err := in.put(rec, a, h.today); err != nil {
		return ChargeDone{}, err
	}
	if err := c.Save(rec); err != nil {
		return ChargeDone{}, err
	}
	return a.done(rec)
}

// put checks the arguments and puts them into the charge.
func (in chargeUpdateIn) put(rec *core.Record, a account, today tools.Date) error {
	if rec.GetString("state") == skipped && in.Amount == nil {
		field := ""
		switch {
		case in.Date != nil:
			field = "date"
		case slices.Contains(in.Clear, "due"):
			field = "clear"
		}
		if field != "" {
			due, _ := tools.ParseDate(rec.GetString("due")) // validated when it was stored
			return invalid("household.error.skipped_fixed", field, a.name(), due)
		}
	}
	if in.Date != nil {
		date, err := parseBooked("date", *in.Date, today)
		if err != nil {
			return err
		}
		rec.Set("date", date.String())
	}
	if in.Amount != nil {
		minor, err := parseAmount("amount", *in.Amount, rec.GetString("currency"))
		if err != nil {
			return err
		}
		rec.Set("amount", minor)
		if rec.GetString("state") == skipped {
			rec.Set("state", confirmed)
			if in.Date == nil && rec.GetString("date") > today.String() { // skipped ahead: nothing is booked on a day to come
				rec.Set("date", today.String())
			}
		}
	}
	if in.Due != nil {
		due, err := a.parseDue(*in.Due, rec.Id, today)
		if err != nil {
			return err
		}
		rec.Set("due", due.String())
		if rec.GetString("state") == skipped {
			rec.Set("date", due.String())
		}
	}
	if in.Text != nil {
		text, err := parseText("text", *in.Text, maxCharge)
		if err != nil {
			return err
		}
		rec.Set("text", text)
	}
	empty(rec, nil, in.Clear)
	return nil
}
