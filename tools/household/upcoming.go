package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

// How far household_upcoming looks ahead, in days, and how many charges it
// counts at most.
const daysAhead, maxDays, maxDue = 30, 400, 100_000

type upcomingIn struct {
	Days int `json:"days,omitzero" jsonschema:"how many days from today on, 30 by default and 400 at most"`
	pageIn
	In string `json:"in,omitzero" jsonschema:"currency of converted, the household's by default"`
}

// Upcoming is a charge to come and whose it is.
type Upcoming struct {
	Date         tools.Date `json:"date"`
	Subscription string     `json:"subscription"`
	Name         string     `json:"name"`
	Amount       string     `json:"amount"`
	Currency     string     `json:"currency"`
	minor        int64
}

// Total is a sum in one currency.
type Total struct {
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
	Count    int    `json:"count" jsonschema:"how many charges"`
}

type upcomingOut struct {
	From      tools.Date `json:"from"`
	To        tools.Date `json:"to"`
	Totals    []Total    `json:"totals" jsonschema:"of the whole time, not of this page; by currency, never converted"`
	Converted *Converted `json:"converted,omitzero" jsonschema:"the totals in one currency at the rates of today, where there are several"`
	Items     []Upcoming `json:"items"`
	Next      string     `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func upcomingTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_upcoming", Title: "household.title.upcoming", Core: true,
		Help: "Lists the charges that are due from today on for some days, by date, with real dates and the amounts that hold then, and the total per currency. Converts only with dated rates, which it shows.",
	}, func(r *tools.Reader, in upcomingIn) (upcomingOut, error) {
		if in.Days == 0 {
			in.Days = daysAhead
		}
		if in.Days < 1 || in.Days > maxDays {
			return upcomingOut{}, invalid("household.error.days", in.Days, maxDays)
		}
		p, err := in.page()
		if err != nil {
			return upcomingOut{}, err
		}
		h, err := homeOf(r)
		if err != nil {
			return upcomingOut{}, err
		}
		current, err := currentBook(r, h)
		if err != nil {
			return upcomingOut{}, err
		}
		out := upcomingOut{From: h.today, To: h.today.AddDays(in.Days)}
		all := current.due(out.From, out.To)
		due := totals(all)
		out.Totals = due.totals()
		if out.Converted, err = h.convertTotals(r, in.In, due); err != nil {
			return upcomingOut{}, err
		}
		out.Items, out.Next = cut(p, all[min(p.offset, len(all)):])
		return out, nil
	})
}

// totals adds up by currency.
func totals(list []Upcoming) sums {
	var all sums
	for _, u := range list {
		all.add(tools.Money{Minor: u.minor, Currency: u.Currency})
	}
	return all
}
