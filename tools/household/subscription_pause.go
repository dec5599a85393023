package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionPauseIn struct {
	ID      string `json:"id"`
	From    string `json:"from,omitzero" jsonschema:"its first day; today by default"`
	Resumes string `json:"resumes,omitzero" jsonschema:"the day it goes on; left out while nobody knows"`
	Shift   bool   `json:"shift,omitzero" jsonschema:"later charges move by the length of the pause"`
}

// Paused is a subscription with a new pause, and what is not charged because
// of it.
type Paused struct {
	Subscription
	Charges       int    `json:"charges" jsonschema:"how many fewer come from today on; 0 while the pause is open, or where they only move"`
	Saves         string `json:"saves,omitzero" jsonschema:"what those come to, a decimal in the currency; absent while the pause is open"`
	SavesPerMonth string `json:"saves_per_month" jsonschema:"what it costs scaled to a month, for comparing only"`
	rest          pause
	costs         tools.Text // each cycle, when it begins
	after         tools.Date // the first charge after it; zero when there is none
	ends          bool       // before it would go on
	none          bool       // nothing would be charged in it anyway
	past          bool       // it began before today, of which nothing is counted
}

func subscriptionPauseTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_pause", Title: "household.title.subscription_pause", Effect: tools.EffectWrite, Core: true,
		Help: "Pauses a subscription: nothing is charged from one day until the day it goes on. It does not tell the provider.",
	}, subscriptionPause, tools.WithCard(subscriptionPauseCard))
}

func subscriptionPause(c *tools.Call, in subscriptionPauseIn) (out Paused, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Paused{}, err
	}
	rec, s, err := load(&c.Reader, "id", in.ID)
	if err != nil {
		return Paused{}, err
	}
	defer naming(&err, rec.GetString("name"))
	if out.rest, err = parsePause(h, in.From, in.Resumes, in.Shift); err != nil {
		return Paused{}, err
	}
	would := s // as it would be charged without
	by, err := chargesNear(&c.Reader, out.rest.from, tools.Date{}, []string{rec.Id})
	if err != nil {
		return Paused{}, err
	}
	paid, begins := by[rec.Id], later(out.rest.from, h.today)
	if err := s.rest(c, rec, &out.rest, paid, h.today); err != nil {
		return Paused{}, err
	}
	if until := out.rest.until; !until.IsZero() {
		out.after, _ = s.nextOpen(until, paid)
		var minor int64
		out.Charges, minor = s.spares(would, begins, out.rest, out.after, paid)
		out.Saves = s.money(minor).Decimal()
	}
	_, charged := would.nextOpen(begins, paid)
	out.none = !charged
	out.ends, out.costs = s.endsIn(out.rest), s.costs(out.rest.from)
	out.past = out.rest.from.Before(h.today)
	out.SavesPerMonth = s.money(s.cycle.PerMonth(s.on(out.rest.from))).Decimal()
	out.Subscription, err = showOne(&c.Reader, h, rec, s)
	return out, err
}

// parsePause reads the days of a pause; whether they fit a subscription is
// seen by rest.
func parsePause(h home, from, resumes string, shift bool) (p pause, err error) {
	p.from, p.shift = h.today, shift
	if from != "" {
		if p.from, err = parseDate("from", from); err != nil {
			return p, err
		}
	}
	if resumes != "" {
		p.until, err = parseDate("resumes", resumes)
	}
	return p, err
}

// rest adds a pause to a subscription and stores it. None that moves charges is
// laid before what has been paid: that would settle nothing any more, and be
// counted beside what is expected instead.
func (s *schedule) rest(c *tools.Call, sub *core.Record, p *pause, paid []charged, today tools.Date) error {
	name := sub.GetString("name")
	switch {
	case !p.until.IsZero() && !p.until.After(p.from):
		return invalid("household.error.pause_order", name, p.until, p.from)
	case s.over(p.from):
		return invalid("household.error.pause_after", name, s.ends)
	case !p.until.IsZero() && !p.until.After(s.first):
		return invalid("household.error.pause_before", name, s.first)
	}
	if err := between("from", name, p.from, s.since(terms{}, today), lastDate()); err != nil {
		return err
	}
	if err := s.clash(*p, "from", name); err != nil {
		return err
	}
	p.rec = c.New(pauses)
	p.rec.Set("subscription", sub.Id)
	p.rec.Set("from", p.from.String())
	p.rec.Set("until", p.until.String())
	p.rec.Set("shift", p.shift)
	was := *s
	s.pauses = inOrder(append(slices.Clone(s.pauses), *p))
	if l, is := was.loses(*s, paid); is {
		return l.refuse("from", name, "household.error.pause_paid")
	}
	return c.Save(p.rec)
}

// clash refuses a pause that has a day in common with another.
func (s schedule) clash(p pause, field, name string) error {
	for _, o := range s.pauses {
		switch {
		case o.rec == p.rec || !p.overlaps(o):
		case o.until.IsZero():
			return tools.Fail(tools.Conflict, "household.error.pause_open", field, name, o.from)
		default:
			return tools.Fail(tools.Conflict, "household.error.pause_overlap", field, name, o.from, o.until)
		}
	}
	return nil
}

// spares is how many fewer charges come, and what they come to, than would
// without a pause. One that moves charges leaves none out that is only paid later:
// it is compared until the last day, or else until the first charge after it.
func (s schedule) spares(would schedule, from tools.Date, p pause, after tools.Date, near []charged) (n int, minor int64) {
	if !p.shift {
		return would.worth(from, p.until.AddDays(-1), near)
	}
	until := later(p.until.AddDays(-1), after)
	if !s.ends.IsZero() {
		until = s.ends
	}
	n, minor = would.worth(from, until, near)
	paid, cost := s.worth(from, until, near)
	return n - paid, max(minor-cost, 0)
}

// worth is how many charges are still due on some days, and what they come to.
func (s schedule) worth(from, to tools.Date, near []charged) (n int, minor int64) {
	for d := range s.open(from, near) {
		if d.After(to) {
			break
		}
		n++
		minor = plus(minor, s.on(d))
	}
	return n, minor
}

func subscriptionPauseCard(_ *tools.Reader, _ subscriptionPauseIn, out Paused, _ []tools.Change) (card tools.Card, err error) {
	p := out.rest
	line := func(key string, args ...any) { card.Lines = append(card.Lines, tools.T(key, args...)) }
	if next := out.NextCharge; next != nil && next.Date.Before(p.from) {
		line("household.card.next", next.Date)
	}
	switch {
	case p.until.IsZero() && out.none:
		card.Title = tools.T("household.card.pause_open_nothing", out.Name, p.from)
	case p.until.IsZero():
		card.Title = tools.T("household.card.pause_open", out.Name, p.from, out.costs)
		line("household.card.pause_no_end")
	case out.Charges == 0 && p.shift:
		card.Title = tools.T("household.card.pause_moves", out.Name, p.from, p.until)
	case out.Charges == 0 && out.past:
		card.Title = tools.T("household.card.pause_past", out.Name, p.from, p.until)
	case out.Charges == 0:
		card.Title = tools.T("household.card.pause_nothing", out.Name, p.from, p.until)
	default:
		card.Title = tools.T("household.card.pause", out.Name, p.from, p.until, moneyOf(out.Saves, out.Currency), out.Charges)
	}
	switch {
	case p.until.IsZero():
	case out.after.IsZero():
		line("household.card.no_more")
	default:
		line("household.card.next_after", out.after)
	}
	if p.shift && !p.until.IsZero() {
		line("household.card.pause_shift", p.until.DaysSince(p.from))
	}
	if out.ends {
		line("household.card.end_paused", out.EndsOn)
	}
	return card, nil
}
