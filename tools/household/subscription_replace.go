package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionReplaceIn struct {
	ID      string `json:"id"`
	By      string `json:"by" jsonschema:"id of the subscription that takes its place"`
	LastDay string `json:"last_day,omitzero" jsonschema:"by default the day before by begins"`
}

// Replaced is a subscription that ends, and the one in its place.
type Replaced struct {
	Cancelled
	By          Ref    `json:"by"`
	Linked      bool   `json:"linked" jsonschema:"by notes what it replaces: not where it is shared and that is private"`
	NetPerMonth string `json:"net_per_month,omitzero" jsonschema:"what is saved a month, below zero where it costs more; absent between currencies"`
	minor       int64
}

func subscriptionReplaceTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_replace", Title: "household.title.subscription_replace", Effect: tools.EffectDestroy,
		Help: "Cancels a subscription because another one that exists takes its place. One that ends already keeps its last day.",
	}, subscriptionReplace, tools.WithCard(func(r *tools.Reader, _ subscriptionReplaceIn, out Replaced, _ []tools.Change) (tools.Card, error) {
		h, err := homeOf(r)
		card := tools.Card{Title: out.title(), Lines: out.lines(h)}
		if !out.Linked {
			card.Lines = append(card.Lines, tools.T("household.card.replace_unlinked", out.Name))
		}
		return card, err
	}))
}

func subscriptionReplace(c *tools.Call, in subscriptionReplaceIn) (out Replaced, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return out, err
	}
	rec, s, err := load(&c.Reader, "id", in.ID)
	if err != nil {
		return out, err
	}
	defer naming(&err, rec.GetString("name"))
	by, next, err := load(&c.Reader, "by", in.By)
	if err != nil {
		return out, err
	}
	if next.over(h.today) {
		return out, tools.Fail(tools.Conflict, "household.error.replace_ended", by.GetString("name"), next.ends)
	}
	if err := mayReplace(&c.Reader, rec, by); err != nil {
		return out, err
	}
	// What is seen by others says nothing of what is not.
	out.Linked = by.GetBool("private") || !rec.GetBool("private")
	if !out.Linked && in.LastDay == "" && s.isEnding(rec, h.today) {
		return out, tools.Fail(tools.Conflict, "household.error.cancelled", rec.GetString("name"), s.ends)
	}
	t, err := s.giveWay(c, h, rec, next, in.LastDay)
	if err != nil {
		return out, err
	}
	if out.Linked {
		by.Set("replaces", rec.Id)
		if err := c.Save(by); err != nil {
			return out, err
		}
	}
	out.Cancelled, err = stopped(&c.Reader, h, rec, s, t, s.beyond())
	begins := later(h.today, next.first)
	out.By = refOf(by, next, begins)
	if s.currency == next.currency {
		out.minor = s.cycle.PerMonth(s.beyond()) - next.cycle.PerMonth(next.on(begins))
		out.NetPerMonth = s.money(out.minor).Decimal()
	}
	return out, err
}

// mayReplace refuses rings, and what has taken another's place already.
func mayReplace(r *tools.Reader, rec, by *core.Record) error {
	name, other := rec.GetString("name"), by.GetString("name")
	if by.Id == rec.Id {
		return invalid("household.error.replace_self", other)
	}
	switch by.GetString("replaces") {
	case "":
	case rec.Id:
		return tools.Fail(tools.Conflict, "household.error.replaced", other, name)
	default:
		return tools.Fail(tools.Conflict, "household.error.replaces_other", other)
	}
	seen := map[string]bool{}
	for at := rec; !seen[at.Id]; {
		if at.Id == by.Id {
			return invalid("household.error.replace_ring", other, name)
		}
		seen[at.Id] = true
		before, err := r.Find(subscriptions, at.GetString("replaces"))
		if tools.KindOf(err) == tools.NotFound {
			return nil // the first one, or one that others hide: the rules of the collection look further
		}
		if err != nil {
			return err
		}
		at = before
	}
	return nil
}

// giveWay ends a subscription for another: by default the day before that one
// begins, if it has not yet and no terms last longer. What ends already keeps
// its last day unless another is named.
func (s *schedule) giveWay(c *tools.Call, h home, rec *core.Record, next schedule, lastDay string) (terms, error) {
	t, err := termsOf(rec)
	if err != nil || (lastDay == "" && s.isEnding(rec, h.today)) {
		return t, err
	}
	if lastDay == "" {
		_, begins := next.begins()
		last := begins.AddDays(-1)
		if s.over(last) { // a fixed term that ends sooner
			last = s.ends
		}
		_, end, bound := t.ending(*s, h.today)
		if !last.Before(h.today) && !s.early(last) && (!bound || !end.After(last)) {
			lastDay = last.String()
		}
	}
	return s.cancel(c, h, rec, lastDay, "")
}

// isEnding says that it is decided that it ends, or has ended.
func (s schedule) isEnding(rec *core.Record, today tools.Date) bool {
	return s.over(today) || rec.GetString("status") == cancelled
}

// title says what it saves or costs. Amounts of two currencies are not
// compared.
func (out Replaced) title() tools.Text {
	amount := func(minor int64) tools.Money { return tools.Money{Minor: minor, Currency: out.Currency} }
	month := tools.Cycle{N: 1, Unit: tools.Months}
	switch {
	case out.NetPerMonth == "":
		cycle, _ := tools.ParseCycle(out.By.Cycle)
		return tools.T("household.card.replace_currencies", out.Name, out.By.Name, out.EndsOn, perCycle(moneyOf(out.By.Amount, out.By.Currency), cycle), out.saved())
	case out.minor > 0:
		return tools.T("household.card.replace_saves", out.Name, out.By.Name, out.EndsOn, perCycle(amount(out.minor), month))
	case out.minor < 0:
		return tools.T("household.card.replace_costs", out.Name, out.By.Name, out.EndsOn, more(amount(-out.minor), month))
	}
	return tools.T("household.card.replace_same", out.Name, out.By.Name, out.EndsOn)
}

// unlink forgets what a subscription took the place of where it becomes shared
// and that is private: others must not learn that there is such a one.
func unlink(r *tools.Reader, rec *core.Record) error {
	id := rec.GetString("replaces")
	if id == "" || rec.GetBool("private") || !rec.Original().GetBool("private") {
		return nil
	}
	old, err := r.Find(subscriptions, id)
	if err != nil && tools.KindOf(err) != tools.NotFound {
		return err
	}
	if err != nil || old.GetBool("private") {
		rec.Set("replaces", "")
	}
	return nil
}

// replacersOf names what took the place of a subscription, as far as the
// person sees it.
func replacersOf(r *tools.Reader, id string) (list []Named, err error) {
	recs, err := r.List(subscriptions, tools.Query{Filter: "replaces = {:id}", Params: map[string]any{"id": id}, Sort: "name"})
	for _, rec := range recs {
		list = append(list, Named{rec.Id, rec.GetString("name")})
	}
	return list, err
}
