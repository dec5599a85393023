package household

import (
	"slices"
	"strings"

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
}

func bulkPauseTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscriptions_bulk_pause", Title: "household.title.bulk_pause", Effect: tools.EffectWrite,
		Help: "Pauses up to 500 subscriptions at once, all or none, as household_subscription_pause does one.",
	}, bulkPause, most("ids", maxIDs), tools.WithCard(func(_ *tools.Reader, in bulkPauseIn, out BulkSaved, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.bulk_pause", out.Count, out.money(), names(out.names()))}
		if in.Resumes == "" {
			card.Lines = append(card.Lines, tools.T("household.card.pause_no_end"))
		} else {
			until, _ := tools.ParseDate(in.Resumes)
			card.Lines = append(card.Lines, tools.T("household.card.bulk_resumes", until))
		}
		return card, nil
	}))
}

func bulkPause(c *tools.Call, in bulkPauseIn) (BulkSaved, error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return BulkSaved{}, err
	}
	rest, err := parsePause(h, in.From, in.Resumes, in.Shift)
	if err != nil {
		return BulkSaved{}, err
	}
	return forEachSaved(c, in.IDs, rest.from, func(rec *core.Record, s *schedule) error {
		one := rest
		return s.rest(c, rec, &one)
	})
}

// forEachSaved does something with every subscription of a list and its
// schedule, and adds up what they cost on a day.
func forEachSaved(c *tools.Call, ids []string, day tools.Date, do func(*core.Record, *schedule) error) (BulkSaved, error) {
	recs, err := allOf(c, ids)
	if err != nil {
		return BulkSaved{}, err
	}
	return eachSaved(c, recs, day, do)
}

// eachSaved is forEachSaved for records; what belongs to their schedules is
// read at once. What has ended costs nothing.
func eachSaved(c *tools.Call, recs []*core.Record, day tools.Date, do func(*core.Record, *schedule) error) (BulkSaved, error) {
	by, err := belowOf(&c.Reader, recs)
	if err != nil {
		return BulkSaved{}, err
	}
	out := BulkSaved{Bulk: bulkOf(recs), PerMonth: []Total{}}
	for _, rec := range recs {
		s, err := scheduleOf(rec, by[rec.Id])
		if err != nil {
			return BulkSaved{}, err
		}
		if !s.over(day) {
			out.add(s.currency, s.cycle.PerMonth(s.on(day)))
		}
		if err := do(rec, &s); err != nil {
			return BulkSaved{}, err
		}
	}
	for i, t := range out.PerMonth {
		out.PerMonth[i].Amount = tools.Money{Minor: t.minor, Currency: t.Currency}.Decimal()
	}
	return out, nil
}

func (b *BulkSaved) add(currency string, minor int64) {
	i, found := slices.BinarySearchFunc(b.PerMonth, currency, func(t Total, c string) int { return strings.Compare(t.Currency, c) })
	if !found {
		b.PerMonth = slices.Insert(b.PerMonth, i, Total{Currency: currency})
	}
	b.PerMonth[i].Count++
	b.PerMonth[i].minor = plus(b.PerMonth[i].minor, minor)
}

// money says what they cost a month, by currency.
func (b BulkSaved) money() []tools.Text {
	list := make([]tools.Text, len(b.PerMonth))
	for i, t := range b.PerMonth {
		list[i] = perCycle(moneyOf(t.Amount, t.Currency), tools.Cycle{N: 1, Unit: tools.Months})
	}
	return list
}
