package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionUpdateIn struct {
	ID            string   `json:"id"`
	Name          *string  `json:"name,omitempty"`
	Amount        *string  `json:"amount,omitempty" jsonschema:"from price_from on; without it today's price is corrected"`
	PriceFrom     *string  `json:"price_from,omitempty"`
	Currency      *string  `json:"currency,omitempty" jsonschema:"needs amount"`
	Cycle         *string  `json:"cycle,omitempty"`
	FirstDate     *string  `json:"first_date,omitempty"`
	AnchorDay     *int     `json:"anchor_day,omitempty"`
	TrialFrom     *string  `json:"trial_from,omitempty"`
	TrialEndsOn   *string  `json:"trial_ends_on,omitempty"`
	DecideBy      *string  `json:"decide_by,omitempty"`
	IntroAmount   *string  `json:"intro_amount,omitempty"`
	IntroUntil    *string  `json:"intro_until,omitempty"`
	Category      *string  `json:"category,omitempty"`
	PaymentMethod *string  `json:"payment_method,omitempty"`
	Tags          []string `json:"tags,omitempty" jsonschema:"the whole list"`
	Private       *bool    `json:"private,omitempty"`
	Owner         *string  `json:"owner,omitempty"`
	Merchant      *string  `json:"merchant,omitempty"`
	URL           *string  `json:"url,omitempty"`
	Account       *string  `json:"account,omitempty"`
	RemindDays    *int     `json:"remind_days,omitempty"`
	Notes         *string  `json:"notes,omitempty"`
	Clear         []string `json:"clear,omitempty" jsonschema:"fields to empty; ends_on takes a cancellation back"`
}

// Updated is the subscription as it is now.
type Updated struct {
	Subscription
	Similar []Ref `json:"similar,omitempty" jsonschema:"other subscriptions of the new name"`
	before  string
	was     old
	until   tools.Date // the last day of its price, where another has held since
}

func subscriptionUpdateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_update", Title: "household.title.subscription_update", Effect: tools.EffectWrite, Core: true,
		Help: "Changes a subscription; what is left out stays. Arguments as in household_subscription_add. A price that changes on a day: amount with price_from.",
	}, subscriptionUpdate, tools.WithCard(subscriptionUpdateCard))
}

// clearable are the fields that an update can empty.
func clearable() []string {
	return []string{"account", "anchor_day", "category", "decide_by", "ends_on", "merchant", "notes", "payment_method", "remind_days", "tags", "trial_ends_on", "trial_from", "url"}
}

// set names the fields that are given.
func (in subscriptionUpdateIn) set() map[string]bool {
	return map[string]bool{
		"name": in.Name != nil, "amount": in.Amount != nil, "price_from": in.PriceFrom != nil, "currency": in.Currency != nil,
		"cycle": in.Cycle != nil, "first_date": in.FirstDate != nil, "anchor_day": in.AnchorDay != nil,
		"trial_from": in.TrialFrom != nil, "trial_ends_on": in.TrialEndsOn != nil, "decide_by": in.DecideBy != nil,
		"intro_amount": in.IntroAmount != nil, "intro_until": in.IntroUntil != nil,
		"category": in.Category != nil, "payment_method": in.PaymentMethod != nil,
		"url": in.URL != nil, "account": in.Account != nil, "remind_days": in.RemindDays != nil,
		"tags": in.Tags != nil, "private": in.Private != nil, "owner": in.Owner != nil, "merchant": in.Merchant != nil, "notes": in.Notes != nil,
	}
}

func subscriptionUpdate(c *tools.Call, in subscriptionUpdateIn) (out Updated, err error) {
	set := in.set()
	if len(in.Clear) == 0 && !anySet(set) {
		return Updated{}, invalid("household.error.nothing")
	}
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Updated{}, err
	}
	rec, s, err := load(&c.Reader, "id", in.ID)
	if err != nil {
		return Updated{}, err
	}
	stood, was, name := s, in.old(s, h.today), rec.GetString("name")
	defer naming(&err, name)
	if err := parseClear(in.Clear, set, clearable()...); err != nil {
		return Updated{}, err
	}
	if slices.Contains(in.Clear, "ends_on") {
		s.goOn(rec, h.today)
	}
	empty(rec, &s, in.Clear)
	if err := in.schedule(c, rec, stood, &s, h); err != nil {
		return Updated{}, err
	}
	d := details{
		name: in.Name, merchant: in.Merchant, url: in.URL, account: in.Account, notes: in.Notes,
		category: in.Category, method: in.PaymentMethod, tags: in.Tags, private: in.Private, remind: in.RemindDays,
	}
	if in.Owner != nil {
		if d.owner = *in.Owner; d.owner == "" {
			return Updated{}, invalid("household.error.empty", "owner")
		}
	}
	if err := describe(&c.Reader, rec, d); err != nil {
		return Updated{}, err
	}
	out.was = was
	if out.Subscription, err = s.saveShown(c, h, rec); err != nil {
		return Updated{}, err
	}
	return out, out.compare(c, h, in, s, name)
}

// old is what an update's card compares with.
type old struct {
	price tools.Money // on price_from
	month tools.Money // scaled to one
	cycle tools.Cycle
}

func (in subscriptionUpdateIn) old(s schedule, today tools.Date) old {
	from, _ := tools.ParseDate(or(in.PriceFrom)) // checked where it is used
	return old{price: s.money(s.on(from)), month: s.money(s.cycle.PerMonth(s.on(today))), cycle: s.cycle}
}

// compare says what else matters about an update: when its price holds, and who
// else has its new name.
func (out *Updated) compare(c *tools.Call, h home, in subscriptionUpdateIn, s schedule, before string) error {
	out.before = before
	if in.PriceFrom != nil {
		from, _ := tools.ParseDate(*in.PriceFrom)
		out.until = s.followed(from, h.today)
	}
	if in.Name == nil || out.Name == before {
		return nil
	}
	same, err := namesakes(&c.Reader, h.today)
	out.Similar = slices.DeleteFunc(same[fold(out.Name)], func(o Ref) bool { return o.ID == out.ID })
	return err
}

// empty clears fields by name; s may be nil where none of its own are named.
func empty(rec *core.Record, s *schedule, fields []string) {
	for _, f := range fields {
		switch f {
		case "anchor_day":
			s.anchor = 0
		case "ends_on": // goOn does
		case "trial_ends_on": // the last of it takes all of it along
			s.trial = trial{}
		case "trial_from":
			s.trial.from = tools.Date{}
		case "decide_by":
			s.trial.decideBy = tools.Date{}
		case "tags":
			setTags(rec, nil)
		default:
			rec.Set(f, "")
		}
	}
}

// goOn takes a cancellation back, with what led to it; a fixed term stays. Where
// there is none to take back, it goes on without an end.
func (s *schedule) goOn(rec *core.Record, today tools.Date) {
	if rec.GetString("status") == cancelled {
		*s = s.agreed(rec, today)
	} else {
		s.ends = tools.Date{}
	}
	rec.Set("agreed_ends_on", "")
	rec.Set("cancelled_on", "")
	rec.Set("noticed_on", "")
	rec.Set("status", active)
	if s.trial.decided == lose {
		s.trial.decided = ""
	}
}

func anySet(set map[string]bool) bool {
	for _, on := range set {
		if on {
			return true
		}
	}
	return false
}
