package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// What the overview shows of the next charges, and how far back it looks for
// what has ended, in days.
const nextShown, endedDays, endedShown = 5, 90, 20

// Overview is the household at a glance.
type Overview struct {
	Settings
	Active    int                `json:"active" jsonschema:"subscriptions by their status: this and the next three are all that have not ended"`
	Trial     int                `json:"trial"`
	Paused    int                `json:"paused"`
	Cancelled int                `json:"cancelled"`
	Private   int                `json:"private" jsonschema:"of all these, those that only you see"`
	Sums      []OverviewSum      `json:"sums" jsonschema:"by currency, never converted"`
	Converted *OverviewConverted `json:"converted,omitzero" jsonschema:"the sums in one currency, where there are several"`
	Next      []Upcoming         `json:"next" jsonschema:"the next five charges within 30 days"`
	Ending    []OverviewEnding   `json:"ending" jsonschema:"those that run until a last day, soonest first"`
	Ended     []OverviewEnding   `json:"ended" jsonschema:"those that ended in the last 90 days, latest first"`
}

// OverviewSum is what is paid in one currency.
type OverviewSum struct {
	Currency      string `json:"currency"`
	Subscriptions int    `json:"subscriptions" jsonschema:"how many are not paused"`
	PerMonth      string `json:"per_month" jsonschema:"the amounts of those scaled to a month, for comparing only"`
	Next30Days    string `json:"next_30_days" jsonschema:"what is really due"`
}

// OverviewConverted is what the sums come to in one currency.
type OverviewConverted struct {
	PerMonth   string `json:"per_month,omitzero" jsonschema:"absent where a rate is missing"`
	Next30Days string `json:"next_30_days,omitzero" jsonschema:"absent where a rate is missing"`
	Conversion
}

// OverviewEnding is a subscription with its last day.
type OverviewEnding struct {
	Ref
	EndsOn tools.Date `json:"ends_on"`
}

type overviewIn struct {
	In string `json:"in,omitzero" jsonschema:"currency of converted, the household's by default"`
}

func overviewTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_overview", Title: "household.title.overview", Core: true,
		Help: "Gives the household at a glance: today's date, how many subscriptions run, sums per currency (a monthly figure for comparing, and what is really due in 30 days), the next charges, what ends and what has ended. Converts only with dated rates, which it shows.",
	}, overview)
}

func overview(r *tools.Reader, in overviewIn) (Overview, error) {
	h, err := homeOf(r)
	if err != nil {
		return Overview{}, err
	}
	current, err := currentBook(r, h)
	if err != nil {
		return Overview{}, err
	}
	due := current.due(h.today, h.today.AddDays(daysAhead))
	month, next := current.monthly(h.today), totals(due)
	out := Overview{Settings: h.shown(), Sums: overviewSums(month, next), Next: due[:min(nextShown, len(due))], Ending: []OverviewEnding{}}
	for _, e := range current {
		if e.GetBool("private") {
			out.Private++
		}
		switch e.state(e, h.today) {
		case active:
			out.Active++
		case trying:
			out.Trial++
		case paused:
			out.Paused++
		case cancelled:
			out.Cancelled++
		}
		if !e.ends.IsZero() {
			out.Ending = append(out.Ending, OverviewEnding{refOf(e, e.schedule, h.today), e.ends})
		}
	}
	slices.SortStableFunc(out.Ending, func(a, b OverviewEnding) int { return a.EndsOn.Compare(b.EndsOn) })
	if out.Ended, err = endedOf(r, h); err != nil {
		return Overview{}, err
	}
	out.Converted, err = h.convertBoth(r, in.In, month, next)
	return out, err
}

// convertBoth converts what a month costs and what is due, with the same rates.
func (h home) convertBoth(r *tools.Reader, in string, month, next sums) (*OverviewConverted, error) {
	to, err := h.target(in, month)
	if err != nil || to == "" {
		return nil, err
	}
	c, err := converterOf(r, to, h.today)
	if err != nil {
		return nil, err
	}
	months, days := c.convert(month.money()...), c.convert(next.money()...)
	return &OverviewConverted{months.Amount, days.Amount, months.Conversion}, nil
}

// monthly adds up what a month costs.
func (all book) monthly(today tools.Date) sums {
	var month sums
	for i := range all {
		month.put(all[i].monthly(today))
	}
	return month
}

// overviewSums puts beside what a month costs what is really due.
func overviewSums(month, next sums) []OverviewSum {
	list := make([]OverviewSum, len(month))
	for i, m := range month {
		list[i] = OverviewSum{m.Currency, m.count, m.Decimal(), next.of(m.Currency).Decimal()}
	}
	return list
}

// monthly is what a subscription costs on a day, scaled to a month: nothing
// while it rests.
func (s schedule) monthly(day tools.Date) sum {
	if _, rests := s.pausedOn(day); rests {
		return sum{Money: s.money(0)}
	}
	return sum{s.money(s.cycle.PerMonth(s.on(day))), 1}
}

// endedOf lists what has ended lately.
func endedOf(r *tools.Reader, h home) ([]OverviewEnding, error) {
	over, err := bookOf(r, tools.Query{
		Filter: "ends_on >= {:since} && ends_on < {:today}",
		Params: map[string]any{"since": h.today.AddDays(-endedDays).String(), "today": h.today.String()},
	})
	list := make([]OverviewEnding, len(over))
	for i, e := range over {
		list[i] = OverviewEnding{refOf(e, e.schedule, e.ends), e.ends}
	}
	slices.SortStableFunc(list, func(a, b OverviewEnding) int { return b.EndsOn.Compare(a.EndsOn) })
	return list[:min(endedShown, len(list))], err
}
