package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type priceDeleteIn struct {
	Subscription string `json:"subscription"`
	From         string `json:"from" jsonschema:"the first day of that price"`
}

func priceDeleteTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_price_delete", Title: "household.title.price_delete", Effect: tools.EffectDestroy,
		Help: "Deletes a dated price that was recorded wrongly: the one before it holds on, or the next from the beginning where it was the first.",
	}, priceDelete, tools.WithCard(func(_ *tools.Reader, _ priceDeleteIn, out Repriced, _ []tools.Change) (tools.Card, error) {
		before, after := moneyOf(out.Before, out.Currency), moneyOf(out.After, out.Currency)
		card := tools.Card{Title: tools.T("household.card.price_delete", out.Name, before, out.day)}
		if out.until.IsZero() {
			card.Lines = append([]tools.Text{tools.T("household.card.price_stays", after)}, dearer(before, after, out.Cycle)...)
		} else {
			card.Lines = []tools.Text{out.card(before, after).Title}
		}
		return card, nil
	}))
}

func priceDelete(c *tools.Call, in priceDeleteIn) (out Repriced, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Repriced{}, err
	}
	rec, s, err := load(&c.Reader, "subscription", in.Subscription)
	if err != nil {
		return Repriced{}, err
	}
	defer naming(&err, rec.GetString("name"))
	from, err := parseDate("from", in.From)
	if err != nil {
		return Repriced{}, err
	}
	at := slices.IndexFunc(s.prices, func(p price) bool { return p.from == from })
	if at < 0 {
		return Repriced{}, tools.Fail(tools.NotFound, "household.error.no_price", rec.GetString("name"), from)
	}
	out = Repriced{Before: s.money(s.prices[at].amount).Decimal(), day: from}
	gone := s.forget(at)
	out.After, out.until = s.money(s.on(from)).Decimal(), s.followed(from, h.today)
	if err := s.uncontradicted(&c.Reader, rec, "from", from); err != nil {
		return Repriced{}, err
	}
	for _, p := range gone {
		if err := c.Delete(p); err != nil {
			return Repriced{}, err
		}
	}
	if err := s.save(c, rec); err != nil {
		return Repriced{}, err
	}
	out.Subscription, err = showOne(&c.Reader, h, rec, s)
	return out, err
}

// forget drops a dated price and gives the records that go: a single price
// that is left needs no date, it is the amount.
func (s *schedule) forget(at int) (gone []*core.Record) {
	gone = append(gone, s.prices[at].rec)
	s.prices = slices.Delete(slices.Clone(s.prices), at, at+1)
	switch len(s.prices) {
	case 0:
		return gone
	case 1:
		gone = append(gone, s.prices[0].rec)
		s.amount, s.prices = s.prices[0].amount, nil
		return gone
	}
	if at == 0 {
		s.prices[0].from, s.prices[0].changed = s.first, true
	}
	s.amount = s.prices[len(s.prices)-1].amount
	return gone
}
