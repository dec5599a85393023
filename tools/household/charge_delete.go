package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

type chargeDeleteIn struct {
	ID string `json:"id"`
}

// ChargeDeleted is a charge that is gone.
type ChargeDeleted struct {
	Charge
	Reopens tools.Date `json:"reopens,omitzero" jsonschema:"the due day that is expected again"`
}

func chargeDeleteTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_charge_delete", Title: "household.title.charge_delete", Effect: tools.EffectDestroy,
		Help: "Deletes a charge, or takes back that one was skipped. The due day that it settled is expected again.",
	}, chargeDelete, tools.WithCard(func(_ *tools.Reader, _ chargeDeleteIn, out ChargeDeleted, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.charge_delete", out.Name, moneyOf(out.Amount, out.Currency), out.Date)}
		if out.State == skipped {
			card.Title = tools.T("household.card.skip_delete", out.Name, out.Date)
		}
		if !out.Reopens.IsZero() {
			card.Lines = append(card.Lines, tools.T("household.card.charge_open", out.Reopens))
		}
		return card, nil
	}))
}

func chargeDelete(c *tools.Call, in chargeDeleteIn) (ChargeDeleted, error) {
	rec, err := find(&c.Reader, charges, "id", in.ID)
	if err != nil {
		return ChargeDeleted{}, err
	}
	a, err := accountOf(&c.Reader, rec.GetString("subscription"))
	if err != nil {
		return ChargeDeleted{}, err
	}
	one, err := chargedOf(rec)
	if err != nil {
		return ChargeDeleted{}, err
	}
	due := a.pairs[one.id]
	out := ChargeDeleted{Charge: a.shownCharge(one, due, a.name())}
	a.match(a.without(one.id))
	if _, ok := a.taken[due]; !ok { // else another charge of those days settles it now
		out.Reopens = due
	}
	return out, c.Delete(rec)
}
