package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionAddIn struct {
	Name      string   `json:"name"`
	Amount    string   `json:"amount" jsonschema:"what one charge costs, a decimal such as \"15.99\""`
	Currency  string   `json:"currency,omitzero" jsonschema:"ISO 4217, such as EUR; the household's by default"`
	Cycle     string   `json:"cycle" jsonschema:"P1W, P4W, P1M, P3M, P1Y: every n weeks, months or years"`
	FirstDate string   `json:"first_date" jsonschema:"a day on which it is charged, YYYY-MM-DD; later charges are counted from it"`
	AnchorDay int      `json:"anchor_day,omitzero" jsonschema:"day of the month that is meant when first_date fell on a shorter month's end: 31 for the last day"`
	EndsOn    string   `json:"ends_on,omitzero" jsonschema:"last day of a fixed term, YYYY-MM-DD"`
	Category  string   `json:"category,omitzero" jsonschema:"name or id of a category that exists"`
	Tags      []string `json:"tags,omitempty"`
	Private   bool     `json:"private,omitzero" jsonschema:"true if nobody else may see it"`
	Owner     string   `json:"owner,omitzero" jsonschema:"handle or id of the member it belongs to; the person who adds it by default"`
	Merchant  string   `json:"merchant,omitzero" jsonschema:"its name on bank statements, where it differs"`
	Notes     string   `json:"notes,omitzero"`
}

// Added is a new subscription, and those of the same name that the person sees.
type Added struct {
	Subscription
	Similar []Ref `json:"similar,omitempty" jsonschema:"subscriptions of the same name that exist already"`
}

func subscriptionAddTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_add", Title: "household.title.subscription_add", Effect: tools.EffectWrite, Core: true,
		Help: "Adds a subscription: name, amount, cycle and first_date are needed. Gives the new subscription with its next charge, and in similar those of the same name that exist already.",
	}, subscriptionAdd, tools.WithCard(subscriptionAddCard))
}

func subscriptionAdd(c *tools.Call, in subscriptionAddIn) (Added, error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Added{}, err
	}
	rec := c.New(subscriptions)
	rec.Set("status", active)
	s, err := in.fill(c, rec, h)
	if err != nil {
		return Added{}, err
	}
	same, err := sameName(&c.Reader, rec.GetString("name"))
	if err != nil {
		return Added{}, err
	}
	if err := s.save(c, rec); err != nil {
		return Added{}, err
	}
	var out Added
	if out.Subscription, err = showOne(&c.Reader, h, rec, s); err != nil {
		return Added{}, err
	}
	if out.Similar, err = refsOf(&c.Reader, same, h.today); err != nil {
		return Added{}, err
	}
	return out, nil
}

// fill checks all arguments and puts them into a new record.
func (in subscriptionAddIn) fill(c *tools.Call, rec *core.Record, h home) (s schedule, err error) {
	s.currency = h.currency
	if in.Currency != "" {
		if s.currency, err = parseCurrency("currency", in.Currency); err != nil {
			return s, err
		}
	}
	if s.amount, err = parseAmount("amount", in.Amount, s.currency); err != nil {
		return s, err
	}
	if s.cycle, err = parseCycle("cycle", in.Cycle); err != nil {
		return s, err
	}
	if s.first, err = parseDate("first_date", in.FirstDate); err != nil {
		return s, err
	}
	if s.anchor, err = parseAnchor(in.AnchorDay, s.cycle); err != nil {
		return s, err
	}
	if in.EndsOn != "" {
		if s.ends, err = parseDate("ends_on", in.EndsOn); err != nil {
			return s, err
		}
		if s.ends.Before(s.first) {
			return s, invalid("household.error.order", "ends_on", in.EndsOn, "first_date", in.FirstDate)
		}
	}
	return s, describe(&c.Reader, rec, details{
		name: &in.Name, merchant: &in.Merchant, notes: &in.Notes, category: &in.Category, tags: in.Tags, private: &in.Private, owner: in.Owner,
	})
}

// parseAnchor checks the day of the month that is meant; 0 is the first date's.
func parseAnchor(day int, cycle tools.Cycle) (int, error) {
	if day < 0 || day > 31 {
		return 0, invalid("household.error.anchor", day)
	}
	if day > 0 && cycle.Unit == tools.Weeks {
		return 0, invalid("household.error.anchor_weeks", cycle.String())
	}
	return day, nil
}

// maxSimilar is how many subscriptions of the same name are told.
const maxSimilar = 10

// sameName finds the subscriptions of a name that the person may see.
func sameName(r *tools.Reader, name string) ([]*core.Record, error) {
	recs, err := r.List(subscriptions, tools.Query{Sort: "name"})
	if err != nil {
		return nil, err
	}
	folded := fold(name)
	recs = slices.DeleteFunc(recs, func(rec *core.Record) bool { return fold(rec.GetString("name")) != folded })
	return recs[:min(len(recs), maxSimilar)], nil
}

// refsOf names records with the amounts that hold on a day.
func refsOf(r *tools.Reader, recs []*core.Record, day tools.Date) ([]Ref, error) {
	by, err := belowOf(r, recs)
	if err != nil {
		return nil, err
	}
	var refs []Ref
	for _, rec := range recs {
		s, err := scheduleOf(rec, by[rec.Id])
		if err != nil {
			return nil, err
		}
		refs = append(refs, refOf(rec, s, day))
	}
	return refs, nil
}

func subscriptionAddCard(_ *tools.Reader, _ subscriptionAddIn, out Added, _ []tools.Change) (tools.Card, error) {
	card := tools.Card{Title: tools.T("household.card.add", out.Name, each(out.Subscription))}
	if out.NextCharge != nil {
		card.Lines = append(card.Lines, tools.T("household.card.next", out.NextCharge.Date))
	}
	if out.Private {
		card.Lines = append(card.Lines, tools.T("household.card.private"))
	}
	if n := len(out.Similar); n > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.similar", n, out.Name))
	}
	return card, nil
}
