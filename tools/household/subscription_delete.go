package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionDeleteIn struct {
	ID string `json:"id"`
}

// Deleted names a record that is gone.
type Deleted struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func subscriptionDeleteTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_delete", Title: "household.title.subscription_delete", Effect: tools.EffectDestroy,
		Help: "Deletes a subscription with its charges and price history, as if it had never been. For one that is no longer paid use household_subscription_cancel, which keeps the history.",
	}, subscriptionDelete, tools.WithCard(func(_ *tools.Reader, _ subscriptionDeleteIn, out Gone, changes []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.delete", out.Name)}
		if out.runs != nil {
			card.Lines = append(card.Lines, tools.T("household.card.delete_runs", *out.runs))
		}
		card.Lines = append(card.Lines, alongWith(changes)...)
		return card, nil
	}))
}

// Gone is a subscription that was deleted.
type Gone struct {
	Deleted
	runs *tools.Text // what was still to be paid each cycle
}

func subscriptionDelete(c *tools.Call, in subscriptionDeleteIn) (out Gone, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return out, err
	}
	rec, err := find(&c.Reader, subscriptions, "id", in.ID)
	if err != nil {
		return out, err
	}
	err = h.eachRunning(&c.Reader, []*core.Record{rec}, func(s schedule, amount int64) {
		runs := perCycle(s.money(amount), s.cycle)
		out.runs = &runs
	})
	if err != nil {
		return out, err
	}
	out.Deleted = Deleted{rec.Id, rec.GetString("name")}
	return out, c.Delete(rec)
}

// eachRunning does something with each of some subscriptions that is still to
// be paid, and the amount that is due next. One with which nothing can be
// reckoned is left out: it can be deleted still.
func (h home) eachRunning(r *tools.Reader, recs []*core.Record, do func(schedule, int64)) error {
	by, err := belowOf(r, recs)
	if err != nil {
		return err
	}
	for _, rec := range recs {
		s, err := scheduleOf(rec, by[rec.Id])
		if err != nil {
			continue
		}
		if d, ok := s.next(h.today); ok {
			do(s, s.on(d))
		}
	}
	return nil
}

// alongWith says what goes with deleted subscriptions.
func alongWith(changes []tools.Change) (lines []tools.Text) {
	if n := count(changes, tools.OpDelete, charges); n > 0 {
		lines = append(lines, tools.T("household.card.with_charges", n))
	}
	if n := count(changes, tools.OpDelete, prices); n > 0 {
		lines = append(lines, tools.T("household.card.with_prices", n))
	}
	if n := count(changes, tools.OpDelete, pauses); n > 0 {
		lines = append(lines, tools.T("household.card.with_pauses", n))
	}
	if n := count(changes, tools.OpDelete, shares); n > 0 {
		lines = append(lines, tools.T("household.card.with_shares", n))
	}
	return lines
}
