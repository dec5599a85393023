package household

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

type calendarIn struct {
	Month        string `json:"month,omitzero" jsonschema:"YYYY-MM; this month by default"`
	From         string `json:"from,omitzero" jsonschema:"or a first day, YYYY-MM-DD"`
	To           string `json:"to,omitzero" jsonschema:"and a last, 400 days on at most"`
	Subscription string `json:"subscription,omitzero" jsonschema:"id; without it all"`
	pageIn
}

// Calendar is some days of the household.
type Calendar struct {
	From   tools.Date      `json:"from"`
	To     tools.Date      `json:"to"`
	Totals []CalendarTotal `json:"totals" jsonschema:"of the whole time, not of this page; by currency, never converted"`
	Days   []CalendarDay   `json:"days" jsonschema:"those that have entries; a page may end within one"`
	Next   string          `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

// CalendarTotal is what was paid and what is still expected in one currency.
type CalendarTotal struct {
	Currency       string `json:"currency"`
	Confirmed      string `json:"confirmed"`
	ConfirmedCount int    `json:"confirmed_count"`
	Expected       string `json:"expected"`
	ExpectedCount  int    `json:"expected_count"`
}

// CalendarDay is a day on which there is something.
type CalendarDay struct {
	Date    tools.Date      `json:"date"`
	Entries []CalendarEntry `json:"entries"`
}

// CalendarEntry is what there is on a day.
type CalendarEntry struct {
	Kind           string     `json:"kind" jsonschema:"charge, price, pause, resume, trial_end, decide (about a trial), notice (last day to give it) or last_day"`
	Subscription   string     `json:"subscription"`
	Name           string     `json:"name"`
	Charge         string     `json:"charge,omitzero" jsonschema:"its id, unless it is only expected"`
	State          string     `json:"state,omitzero" jsonschema:"of a charge: expected, confirmed, changed or skipped"`
	Amount         string     `json:"amount,omitzero" jsonschema:"of a charge, or the new price"`
	ExpectedAmount string     `json:"expected_amount,omitzero" jsonschema:"of a changed charge; the old price"`
	Currency       string     `json:"currency,omitzero"`
	EndsOn         tools.Date `json:"ends_on,omitzero" jsonschema:"of a notice: the end that it is in time for"`
	day            tools.Date
}

func calendarTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_calendar", Title: "household.title.calendar",
		Help: "Shows a month, or some days, on real dates: charges with their state, price changes, pauses, trials, notice deadlines, last days; totals per currency.",
	}, calendar)
}

func calendar(r *tools.Reader, in calendarIn) (Calendar, error) {
	p, err := in.page()
	if err != nil {
		return Calendar{}, err
	}
	h, err := homeOf(r)
	if err != nil {
		return Calendar{}, err
	}
	out := Calendar{Days: []CalendarDay{}}
	if out.From, out.To, err = in.span(h.today); err != nil {
		return Calendar{}, err
	}
	query, err := only(r, in.Subscription)
	if err != nil {
		return Calendar{}, err
	}
	all, err := bookOf(r, query, termFields()...)
	if err != nil {
		return Calendar{}, err
	}
	near, err := chargesNear(r, out.From, out.To, query.In["id"])
	if err != nil {
		return Calendar{}, err
	}
	lines := all.ledger(near, out.From, out.From, out.To, out.To)
	out.Totals = calendarTotals(lines)
	entries, err := all.occasions(out.From, out.To)
	if err != nil {
		return Calendar{}, err
	}
	for _, l := range lines {
		c := l.shown()
		entries = append(entries, CalendarEntry{
			Kind: "charge", Subscription: c.Subscription, Name: c.Name, Charge: c.ID, State: c.State,
			Amount: c.Amount, ExpectedAmount: c.ExpectedAmount, Currency: c.Currency, day: c.Date,
		})
	}
	slices.SortStableFunc(entries, func(a, b CalendarEntry) int { return a.day.Compare(b.day) })
	entries, out.Next = cut(p, entries[min(p.offset, len(entries)):])
	for _, e := range entries {
		if n := len(out.Days); n == 0 || out.Days[n-1].Date != e.day {
			out.Days = append(out.Days, CalendarDay{Date: e.day})
		}
		day := &out.Days[len(out.Days)-1]
		day.Entries = append(day.Entries, e)
	}
	return out, nil
}

// span is the time that is asked for.
func (in calendarIn) span(today tools.Date) (from, to tools.Date, err error) {
	if in.From == "" && in.To == "" {
		month := today
		if in.Month != "" {
			if month, err = parseDate("month", in.Month+"-01"); err != nil {
				return from, to, invalid("household.error.month", short(in.Month))
			}
		}
		return monthStart(month, 0), monthStart(month, 1).AddDays(-1), nil
	}
	if in.Month != "" {
		return from, to, invalid("household.error.month_or_days")
	}
	if from, to, err = parseSpan("from", in.From, "to", in.To); err != nil {
		return from, to, err
	}
	switch {
	case from.IsZero():
		return from, to, invalid("household.error.empty", "from")
	case to.IsZero():
		to = from.AddDays(daysAhead)
	case to.DaysSince(from) > maxDays:
		return from, to, invalid("household.error.to_far", "to", to, from.AddDays(maxDays))
	}
	return from, to, nil
}

func calendarTotals(lines []line) []CalendarTotal {
	var paid, open sums
	for _, l := range lines {
		switch {
		case l.skipped:
		case l.open:
			open.add(l.money())
		default:
			paid.add(l.money())
		}
	}
	list := []CalendarTotal{}
	for _, all := range paid.with(open) {
		p, o := paid.of(all.Currency), open.of(all.Currency)
		list = append(list, CalendarTotal{all.Currency, p.Decimal(), p.count, o.Decimal(), o.count})
	}
	return list
}

// occasions are what else than charges falls on some days.
func (all book) occasions(from, to tools.Date) ([]CalendarEntry, error) {
	var list []CalendarEntry
	for _, e := range all {
		note := func(day tools.Date, entry CalendarEntry) {
			if day.IsZero() || day.Before(from) || day.After(to) || e.over(day) {
				return
			}
			entry.Subscription, entry.Name, entry.day = e.id(), e.name(), day
			list = append(list, entry)
		}
		note(e.ends, CalendarEntry{Kind: "last_day"})
		note(e.trial.ends, CalendarEntry{Kind: "trial_end"})
		if e.trial.decided == "" && e.trial.by() != e.trial.ends {
			note(e.trial.by(), CalendarEntry{Kind: "decide"})
		}
		for _, p := range e.pauses {
			note(p.from, CalendarEntry{Kind: "pause"})
			note(p.until, CalendarEntry{Kind: "resume"})
		}
		for i, p := range e.prices {
			if i > 0 {
				note(p.from, CalendarEntry{
					Kind: "price", Amount: e.money(p.amount).Decimal(), ExpectedAmount: e.money(e.prices[i-1].amount).Decimal(), Currency: e.currency,
				})
			}
		}
		t, err := termsOf(e)
		if err != nil {
			return nil, err
		}
		if !e.ends.IsZero() {
			continue // it is known how it ends
		}
		for by, end, ok := t.ending(e.schedule, from); ok && !by.After(to); by, end, ok = t.ending(e.schedule, by.AddDays(1)) {
			note(by, CalendarEntry{Kind: "notice", EndsOn: end})
		}
	}
	slices.SortStableFunc(list, func(a, b CalendarEntry) int {
		return cmp.Or(a.day.Compare(b.day), strings.Compare(a.Name, b.Name))
	})
	return list, nil
}
