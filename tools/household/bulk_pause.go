package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type bulkPauseIn struct {
	IDs     []string `json:"ids"`
	From    string   `json:"from,omitzero" jsonschema:"the first day; today by default"`
	Resumes string   `json:"resumes,omitzero" jsonschema:"the day they go on; left out while nobody knows"`
	Shift   bool     `json:"shift,omitzero" jsonschema:"later charges move by the length of the pause"`
}

// BulkSaved is what a bulk tool did, and what that saves or costs.
type BulkSaved struct {
	Bulk
	PerMonth []Total `json:"per_month" jsonschema:"what they cost, scaled to a month, for comparing only; by currency"`
	month    sums
	day      tools.Date // of the change
	end      int        // how many end before they would go on
}

func bulkPauseTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscriptions_bulk_pause", Title: "household.title.bulk_pause", Effect: tools.EffectWrite,
		Help: "Pauses up to 500 subscriptions at once, all or none, as household_subscription_pause does one.",
	}, bulkPause, most("ids", maxIDs), tools.WithCard(func(_ *tools.Reader, in bulkPauseIn, out BulkSaved, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.bulk_pause", out.Count, out.month.monthly(), names(out.names()))}
		if in.Resumes == "" {
			card.Lines = append(card.Lines, tools.T("household.card.bulk_from", out.Count, out.day))
		} else {
			until, _ := tools.ParseDate(in.Resumes)
			card.Lines = append(card.Lines, tools.T("household.card.bulk_from_until", out.Count, out.day, until))
		}
		if out.end > 0 {
			card.Lines = append(card.Lines, tools.T("household.card.bulk_end_paused", out.end))
		}
		return card, nil
	}))
}

func bulkPause(c *tools.Call, in bulkPauseIn) (BulkSaved, error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return BulkSaved{}, err
	}
	recs, err := allOf(c, in.IDs)
	if err != nil {
		return BulkSaved{}, err
	}
	rest, err := parsePause(h, in.From, in.Resumes, in.Shift)
	if err != nil {
		return BulkSaved{}, about(err, namesOf(recs))
	}
	paid, err := chargesNear(&c.Reader, rest.from, tools.Date{}, in.IDs)
	if err != nil {
		return BulkSaved{}, err
	}
	out := savedOf(recs)
	out.day = rest.from
	err = eachSchedule(c, recs, func(rec *core.Record, s *schedule) error {
		one := rest
		out.add(*s, s.on(rest.from))
		if s.endsIn(rest) {
			out.end++
		}
		return s.rest(c, rec, &one, paid[rec.Id], h.today)
	})
	return out, err
}

// eachSchedule does something with records and their schedules; what belongs
// to those is read at once.
func eachSchedule(c *tools.Call, recs []*core.Record, do func(*core.Record, *schedule) error) error {
	by, err := belowOf(&c.Reader, recs)
	if err != nil {
		return err
	}
	for _, rec := range recs {
		s, err := scheduleOf(rec, by[rec.Id])
		if err != nil {
			return err
		}
		if err := do(rec, &s); err != nil {
			return about(err, rec.GetString("name"))
		}
	}
	return nil
}

func savedOf(recs []*core.Record) BulkSaved {
	return BulkSaved{Bulk: bulkOf(recs), PerMonth: []Total{}}
}

// add counts one more whose charges are an amount each.
func (b *BulkSaved) add(s schedule, amount int64) {
	b.month.add(s.money(s.cycle.PerMonth(amount)))
	b.PerMonth = b.month.totals()
}
