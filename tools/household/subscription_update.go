package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionUpdateIn struct {
	ID        string   `json:"id"`
	Name      *string  `json:"name,omitempty"`
	Amount    *string  `json:"amount,omitempty" jsonschema:"a decimal such as \"17.99\"; give price_from with it when the price changes on a day, else the amount that holds today is corrected"`
	PriceFrom *string  `json:"price_from,omitempty" jsonschema:"the day from which amount holds, YYYY-MM-DD; what was paid before is kept as history"`
	Currency  *string  `json:"currency,omitempty" jsonschema:"ISO 4217; needs amount too, and cannot change once there are charges or dated prices"`
	Cycle     *string  `json:"cycle,omitempty" jsonschema:"P1W, P4W, P1M, P3M, P1Y"`
	FirstDate *string  `json:"first_date,omitempty" jsonschema:"YYYY-MM-DD; charges are counted from it"`
	AnchorDay *int     `json:"anchor_day,omitempty" jsonschema:"day of the month that is meant, 31 for the last day"`
	Category  *string  `json:"category,omitempty" jsonschema:"name or id of a category that exists"`
	Tags      []string `json:"tags,omitempty" jsonschema:"the whole list; it replaces what is there"`
	Private   *bool    `json:"private,omitempty" jsonschema:"true if nobody but its owner may see it"`
	Owner     *string  `json:"owner,omitempty" jsonschema:"handle or id of the member it passes to"`
	Merchant  *string  `json:"merchant,omitempty" jsonschema:"its name on bank statements"`
	Notes     *string  `json:"notes,omitempty"`
	Clear     []string `json:"clear,omitempty" jsonschema:"names of fields to empty; ends_on takes a cancellation back"`
}

// Updated is the subscription as it is now.
type Updated struct {
	Subscription
	Similar []Ref `json:"similar,omitempty" jsonschema:"other subscriptions of the new name"`
	before  string
	later   bool // price_from lies in the future
}

func subscriptionUpdateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_update", Title: "household.title.subscription_update", Effect: tools.EffectWrite, Core: true,
		Help: "Changes a subscription; fields that are left out stay. A new price: amount with price_from. Fields are emptied by name in clear. To end it use household_subscription_cancel. Gives the subscription as it is now.",
	}, subscriptionUpdate, oneOf("clear", "anchor_day", "category", "ends_on", "merchant", "notes", "tags"),
		tools.WithCard(subscriptionUpdateCard))
}

// set names the fields that are given.
func (in subscriptionUpdateIn) set() map[string]bool {
	return map[string]bool{
		"name": in.Name != nil, "amount": in.Amount != nil, "price_from": in.PriceFrom != nil, "currency": in.Currency != nil,
		"cycle": in.Cycle != nil, "first_date": in.FirstDate != nil, "anchor_day": in.AnchorDay != nil, "category": in.Category != nil,
		"tags": in.Tags != nil, "private": in.Private != nil, "owner": in.Owner != nil, "merchant": in.Merchant != nil, "notes": in.Notes != nil,
	}
}

func subscriptionUpdate(c *tools.Call, in subscriptionUpdateIn) (Updated, error) {
	set := in.set()
	if err := parseClear(in.Clear, set); err != nil {
		return Updated{}, err
	}
	if len(in.Clear) == 0 && !anySet(set) {
		return Updated{}, invalid("household.error.nothing")
	}
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Updated{}, err
	}
	rec, s, err := load(&c.Reader, in.ID)
	if err != nil {
		return Updated{}, err
	}
	name := rec.GetString("name")
	empty(rec, &s, in.Clear)
	if err := in.schedule(c, rec, &s, h); err != nil {
		return Updated{}, err
	}
	d := details{name: in.Name, merchant: in.Merchant, notes: in.Notes, category: in.Category, tags: in.Tags, private: in.Private}
	if in.Owner != nil {
		if d.owner = *in.Owner; d.owner == "" {
			return Updated{}, invalid("household.error.empty", "owner")
		}
	}
	if err := describe(&c.Reader, rec, d); err != nil {
		return Updated{}, err
	}
	if err := s.save(c, rec); err != nil {
		return Updated{}, err
	}
	return in.updated(c, h, rec, s, name)
}

// updated shows what became of a record, and who else has its new name.
func (in subscriptionUpdateIn) updated(c *tools.Call, h home, rec *core.Record, s schedule, before string) (out Updated, err error) {
	out.before = before
	if in.PriceFrom != nil {
		from, _ := tools.ParseDate(*in.PriceFrom)
		out.later = from.After(h.today)
	}
	if out.Subscription, err = showOne(&c.Reader, h, rec, s); err != nil || in.Name == nil || out.Name == before {
		return out, err
	}
	same, err := sameName(&c.Reader, out.Name)
	if err != nil {
		return out, err
	}
	same = slices.DeleteFunc(same, func(o *core.Record) bool { return o.Id == rec.Id })
	out.Similar, err = refsOf(&c.Reader, same, h.today)
	return out, err
}

// empty clears fields by name; s may be nil where none of its own are named.
func empty(rec *core.Record, s *schedule, fields []string) {
	for _, f := range fields {
		switch f {
		case "anchor_day":
			s.anchor = 0
		case "ends_on":
			s.ends = tools.Date{}
			rec.Set("cancelled_on", "")
			rec.Set("status", active)
		case "tags":
			setTags(rec, nil)
		default:
			rec.Set(f, "")
		}
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
