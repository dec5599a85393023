package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionAddIn struct {
	Name          string   `json:"name"`
	Amount        string   `json:"amount" jsonschema:"of one charge, a decimal: \"15.99\""`
	Currency      string   `json:"currency,omitzero" jsonschema:"ISO 4217; the household's by default"`
	Cycle         string   `json:"cycle" jsonschema:"P1W, P4W, P1M, P3M, P1Y"`
	FirstDate     string   `json:"first_date,omitzero" jsonschema:"needed but for trials: a day it is charged; ask, do not guess"`
	AnchorDay     int      `json:"anchor_day,omitzero" jsonschema:"day of the month meant, 31 for its last"`
	EndsOn        string   `json:"ends_on,omitzero" jsonschema:"last day of a fixed term"`
	TrialFrom     string   `json:"trial_from,omitzero"`
	TrialEndsOn   string   `json:"trial_ends_on,omitzero" jsonschema:"last free day"`
	DecideBy      string   `json:"decide_by,omitzero"`
	IntroAmount   string   `json:"intro_amount,omitzero"`
	IntroUntil    string   `json:"intro_until,omitzero"`
	Category      string   `json:"category,omitzero"`
	PaymentMethod string   `json:"payment_method,omitzero"`
	Tags          []string `json:"tags,omitempty"`
	Private       bool     `json:"private,omitzero" jsonschema:"nobody else may see it"`
	Owner         string   `json:"owner,omitzero" jsonschema:"handle or id"`
	Merchant      string   `json:"merchant,omitzero" jsonschema:"name on bank statements"`
	URL           string   `json:"url,omitzero"`
	Account       string   `json:"account,omitzero"`
	RemindDays    *int     `json:"remind_days,omitempty" jsonschema:"before charges; -1 never"`
	Notes         string   `json:"notes,omitzero"`
}

// Added is a new subscription, and those of the same name that the person sees.
type Added struct {
	Subscription
	Similar []Ref `json:"similar,omitempty" jsonschema:"subscriptions of the same name that exist already"`
}

func subscriptionAddTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_add", Title: "household.title.subscription_add", Effect: tools.EffectWrite, Core: true,
		Help: "Adds a subscription. Days are YYYY-MM-DD. With trial_ends_on, first_date is the day after it by default. Categories and payment methods by name or id.",
	}, subscriptionAdd, tools.WithCard(subscriptionAddCard))
}

func subscriptionAdd(c *tools.Call, in subscriptionAddIn) (out Added, err error) {
	defer naming(&err, tidied(in.Name, maxName))
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
	same, err := namesakes(&c.Reader, h.today)
	if err != nil {
		return Added{}, err
	}
	if err := s.save(c, rec); err != nil {
		return Added{}, err
	}
	out.Similar = same[fold(rec.GetString("name"))]
	out.Subscription, err = showOne(&c.Reader, h, rec, s)
	return out, err
}

// fill checks all arguments and puts them into a new record.
func (in subscriptionAddIn) fill(c *tools.Call, rec *core.Record, h home) (s schedule, err error) {
	if err := describe(&c.Reader, rec, details{
		name: &in.Name, merchant: &in.Merchant, url: &in.URL, account: &in.Account, notes: &in.Notes,
		category: &in.Category, method: &in.PaymentMethod, tags: in.Tags, private: &in.Private, owner: in.Owner, remind: in.RemindDays,
	}); err != nil {
		return s, err
	}
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
	name := rec.GetString("name")
	if err = s.try(name, trialDays{in.TrialFrom, in.TrialEndsOn, in.DecideBy}); err != nil {
		return s, err
	}
	if s.first, err = in.firstDate(s.trial); err != nil {
		return s, err
	}
	if s.anchor, err = parseAnchor(in.AnchorDay, s.cycle); err != nil {
		return s, err
	}
	if in.EndsOn != "" {
		if s.ends, err = parseDate("ends_on", in.EndsOn); err != nil {
			return s, err
		}
		if s.early(s.ends) {
			return s, invalid("household.error.order", "ends_on", s.ends, "first_date", s.first)
		}
	}
	return s, s.introduce(name, in.IntroAmount, in.IntroUntil)
}

// firstDate is the day that was given, or else the day after the trial.
func (in subscriptionAddIn) firstDate(t trial) (tools.Date, error) {
	switch {
	case in.FirstDate != "":
		return parseDate("first_date", in.FirstDate)
	case t.ends.IsZero():
		return tools.Date{}, invalid("household.error.no_first_date")
	case !t.ends.Before(lastDate()):
		return tools.Date{}, invalid("household.error.date", "trial_ends_on", t.ends.String(), firstYear, lastYear)
	}
	return t.ends.AddDays(1), nil
}

// parseAnchor checks the day of the month that is meant; 0 is the first date's.
func parseAnchor(day int, cycle tools.Cycle) (int, error) {
	if day < 0 || day > 31 {
		return 0, invalid("household.error.anchor", "anchor_day", day)
	}
	if day > 0 && cycle.Unit == tools.Weeks {
		return 0, invalid("household.error.anchor_weeks", cycle.String())
	}
	return day, nil
}

// maxSimilar is how many subscriptions of the same name are told.
const maxSimilar = 10

// namesakes are the subscriptions that the person may see, by folded name, with
// the amounts that hold on a day.
func namesakes(r *tools.Reader, day tools.Date) (map[string][]Ref, error) {
	all, err := leanBook(r, tools.Query{})
	by := map[string][]Ref{}
	for _, e := range all {
		if name := fold(e.name()); len(by[name]) < maxSimilar {
			by[name] = append(by[name], refOf(e, e.schedule, day))
		}
	}
	return by, err
}
