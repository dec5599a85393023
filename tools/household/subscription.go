package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Subscription is how tools show one.
type Subscription struct {
	ID          string        `json:"id"`
	Name        string        `json:"name"`
	Amount      string        `json:"amount" jsonschema:"what one charge costs today, a decimal in the currency"`
	Currency    string        `json:"currency"`
	Cycle       string        `json:"cycle" jsonschema:"P1M every month, P4W every four weeks, P1Y every year"`
	PerMonth    string        `json:"per_month" jsonschema:"the amount scaled to a month, for comparing only"`
	NextCharge  *Due          `json:"next_charge,omitempty" jsonschema:"absent once nothing more is due"`
	FirstDate   tools.Date    `json:"first_date"`
	AnchorDay   int           `json:"anchor_day,omitzero" jsonschema:"day of the month that is meant, 31 for the month's end; absent for the first date's own"`
	Status      string        `json:"status" jsonschema:"active, cancelled (runs until ends_on) or ended"`
	CancelledOn tools.Date    `json:"cancelled_on,omitzero"`
	EndsOn      tools.Date    `json:"ends_on,omitzero" jsonschema:"the last day"`
	Category    *Category     `json:"category,omitempty"`
	Tags        []string      `json:"tags,omitempty"`
	Private     bool          `json:"private" jsonschema:"only its owner sees it"`
	Owner       string        `json:"owner,omitzero" jsonschema:"id of the member it belongs to"`
	Mine        bool          `json:"mine"`
	Merchant    string        `json:"merchant,omitzero" jsonschema:"the name on bank statements"`
	Notes       string        `json:"notes,omitzero"`
	Prices      []tools.Price `json:"prices,omitempty" jsonschema:"what it has cost since when; absent while the amount has never changed"`
}

// Due is a charge to come.
type Due struct {
	Date   tools.Date `json:"date"`
	Amount string     `json:"amount"`
}

// Ref names a subscription in the answers about several.
type Ref struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Cycle    string `json:"cycle"`
}

// The states that a subscription can be in. Ended is never stored: it is what
// a last day in the past means.
const (
	active    = "active"
	cancelled = "cancelled"
	ended     = "ended"
)

// view shows subscriptions: what many of them share is read once.
type view struct {
	home       home
	person     string
	prices     map[string][]price
	categories map[string]string
}

// viewOf reads what is needed to show recs.
func viewOf(r *tools.Reader, h home, recs ...*core.Record) (view, error) {
	v := view{home: h, person: r.Actor.Person}
	var err error
	if v.prices, err = pricesOf(r, recs); err != nil {
		return view{}, err
	}
	for _, rec := range recs {
		if rec.GetString("category") != "" {
			v.categories, err = categoryNames(r)
			break
		}
	}
	return v, err
}

func (v view) show(rec *core.Record) (Subscription, error) {
	s, err := scheduleOf(rec, v.prices[rec.Id])
	if err != nil {
		return Subscription{}, err
	}
	return v.shown(rec, s), nil
}

// shown shows a record whose schedule is known.
func (v view) shown(rec *core.Record, s schedule) Subscription {
	now := s.on(v.home.today)
	sub := Subscription{
		ID: rec.Id, Name: rec.GetString("name"),
		Amount: s.money(now).Decimal(), Currency: s.currency, Cycle: s.cycle.String(),
		PerMonth:  s.money(s.cycle.PerMonth(now)).Decimal(),
		FirstDate: s.first, AnchorDay: s.anchor, EndsOn: s.ends,
		Status: state(rec, s, v.home.today), Tags: tagsOf(rec),
		Private: rec.GetBool("private"), Owner: rec.GetString("owner"), Mine: rec.GetString("owner") == v.person,
		Merchant: rec.GetString("merchant"), Notes: rec.GetString("notes"),
	}
	sub.CancelledOn, _ = tools.ParseDate(rec.GetString("cancelled_on"))
	if id := rec.GetString("category"); id != "" {
		sub.Category = &Category{ID: id, Name: v.categories[id]}
	}
	if d, ok := s.next(v.home.today); ok {
		sub.NextCharge = &Due{d, s.money(s.on(d)).Decimal()}
	}
	for _, p := range s.prices {
		sub.Prices = append(sub.Prices, tools.Price{From: p.from, Amount: s.money(p.amount).Decimal()})
	}
	return sub
}

func state(rec *core.Record, s schedule, today tools.Date) string {
	if s.over(today) {
		return ended
	}
	return rec.GetString("status")
}

// refOf names a record; its amount is what holds on a day.
func refOf(rec *core.Record, s schedule, day tools.Date) Ref {
	return Ref{rec.Id, rec.GetString("name"), s.money(s.on(day)).Decimal(), s.currency, s.cycle.String()}
}

// load reads one subscription with its dated prices.
func load(r *tools.Reader, id string) (*core.Record, schedule, error) {
	rec, err := r.Find(subscriptions, id)
	if err != nil {
		return nil, schedule{}, err
	}
	by, err := pricesOf(r, []*core.Record{rec})
	if err != nil {
		return nil, schedule{}, err
	}
	s, err := scheduleOf(rec, by[rec.Id])
	return rec, s, err
}

// showOne shows a subscription that has just been read or written.
func showOne(r *tools.Reader, h home, rec *core.Record, s schedule) (Subscription, error) {
	v := view{home: h, person: r.Actor.Person}
	if rec.GetString("category") != "" {
		var err error
		if v.categories, err = categoryNames(r); err != nil {
			return Subscription{}, err
		}
	}
	return v.shown(rec, s), nil
}
