package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

type priceSetIn struct {
	Subscription string `json:"subscription"`
	Amount       string `json:"amount"`
	From         string `json:"from" jsonschema:"the first day of the new price"`
}

// Repriced is a subscription whose prices have changed, and what that means.
type Repriced struct {
	Subscription
	Before string `json:"before" jsonschema:"what was to be paid from that day on before"`
	After  string `json:"after" jsonschema:"what is to be paid now"`

	day   tools.Date
	until tools.Date // its last day, where another has held since; else zero
}

func priceSetTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_price_set", Title: "household.title.price_set", Effect: tools.EffectWrite,
		Help: "Records that a subscription costs another amount from a day on, past or future; what was paid before stays. Gives the subscription with its prices.",
	}, priceSet, tools.WithCard(priceSetCard))
}

func priceSet(c *tools.Call, in priceSetIn) (out Repriced, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Repriced{}, err
	}
	rec, s, err := load(&c.Reader, "subscription", in.Subscription)
	if err != nil {
		return Repriced{}, err
	}
	defer naming(&err, rec.GetString("name"))
	amount, err := parseAmount("amount", in.Amount, s.currency)
	if err != nil {
		return Repriced{}, err
	}
	from, err := parseDate("from", in.From)
	if err != nil {
		return Repriced{}, err
	}
	before := s.on(from)
	if before == amount && !from.Before(s.first) {
		return Repriced{}, tools.Fail(tools.Conflict, "household.error.price_same", rec.GetString("name"), s.money(amount), from)
	}
	if err := s.repriceOn(&c.Reader, rec, "from", amount, from, h.today); err != nil {
		return Repriced{}, err
	}
	if err := s.save(c, rec); err != nil {
		return Repriced{}, err
	}
	out = Repriced{Before: s.money(before).Decimal(), After: s.money(amount).Decimal(), day: from, until: s.followed(from, h.today)}
	out.Subscription, err = showOne(&c.Reader, h, rec, s)
	return out, err
}

func priceSetCard(_ *tools.Reader, _ priceSetIn, out Repriced, _ []tools.Change) (tools.Card, error) {
	return out.card(moneyOf(out.Before, out.Currency), moneyOf(out.After, out.Currency)), nil
}

// card says what a price changes. Of one that another has followed since it
// says so, and no difference, which would be read as today's.
func (out Repriced) card(before, after tools.Money) tools.Card {
	if !out.until.IsZero() {
		return tools.Card{Title: tools.T("household.card.price_past", out.Name, after, before, out.day, out.until)}
	}
	return tools.Card{Title: tools.T("household.card.price", out.Name, after, before, out.day), Lines: dearer(before, after, out.Cycle)}
}

// followed is the last day of a price that another has followed by today; zero
// where it holds today or will.
func (s schedule) followed(from, today tools.Date) tools.Date {
	next := s.after(from)
	if next.IsZero() || next.After(today) {
		return tools.Date{}
	}
	return next.AddDays(-1)
}

// dearer says how much more or less it is each cycle.
func dearer(before, after tools.Money, cycle string) []tools.Text {
	c, _ := tools.ParseCycle(cycle)
	switch {
	case after.Minor > before.Minor:
		return []tools.Text{more(tools.Money{Minor: after.Minor - before.Minor, Currency: after.Currency}, c)}
	case after.Minor < before.Minor:
		return []tools.Text{less(tools.Money{Minor: before.Minor - after.Minor, Currency: after.Currency}, c)}
	}
	return nil
}
