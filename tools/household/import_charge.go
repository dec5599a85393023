package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// recognise finds for each charge of a row the stored one that it is; -1 where
// there is none. One that is alike to the day is the same, and so is one of the
// same amount that somebody has confirmed by hand, within the slack of its day
// or of the due day that it settles. What was confirmed by hand for a due day
// with another amount, or skipped, was wrong about that day: it is the same too,
// and to be corrected. Two equal ones on one day are two.
func (r *row) recognise(list []charged, s schedule) []int {
	found, most := make([]int, len(r.evidence)), slackOf(s.cycle)
	exact := map[charged][]int{}
	var byHand []int
	for i, c := range list {
		if key := (charged{date: c.date, amount: c.amount, currency: c.currency}); !c.skipped {
			exact[key] = append(exact[key], i)
		}
		if c.byHand && (c.currency == r.Currency || c.skipped) {
			byHand = append(byHand, i)
		}
	}
	taken := map[int]bool{}
	for e, p := range r.evidence {
		key := charged{date: p.date, amount: p.amount, currency: r.Currency}
		found[e] = -1
		if same := exact[key]; len(same) > 0 {
			found[e], exact[key] = same[0], same[1:]
			taken[same[0]] = true
		}
	}
	nearest := func(apart func(int, paid) int) {
		for days := 0; days <= most; days++ {
			for e, p := range r.evidence {
				if found[e] >= 0 {
					continue
				}
				if i := slices.IndexFunc(byHand, func(i int) bool { return !taken[i] && apart(i, p) == days }); i >= 0 {
					found[e] = byHand[i]
					taken[byHand[i]] = true
				}
			}
		}
	}
	if len(byHand) == 0 {
		return found
	}
	settles := make([]tools.Date, len(list))
	for _, p := range s.settle(s.first, s.first, list) {
		if p.charge >= 0 {
			settles[p.charge] = p.due
		}
	}
	nearest(func(i int, p paid) int {
		if list[i].amount != p.amount {
			return far
		}
		return min(abs(list[i].date.DaysSince(p.date)), off(p.date, settles[i]))
	})
	nearest(func(i int, p paid) int { return off(p.date, list[i].due) })
	return found
}

// far is further than any slack.
const far = 1 << 30

// off is how many days a booking is off a due day.
func off(booked, due tools.Date) int {
	if due.IsZero() {
		return far
	}
	return abs(due.DaysSince(booked))
}

// charge stores the charges of a row that a subscription does not have, and
// corrects those that somebody was wrong about. A note of their own stays.
func (r *row) charge(c *tools.Call, id string, list []charged, s schedule) (added, corrected int, err error) {
	found := r.recognise(list, s)
	for e, p := range r.evidence {
		rec := c.New(charges)
		switch i := found[e]; {
		case i >= 0 && list[i].amount == p.amount && !list[i].skipped:
			continue
		case i >= 0:
			if rec, err = c.Find(charges, list[i].id); err != nil {
				return added, corrected, err
			}
			rec.Set("state", confirmed)
			corrected++
		default:
			rec.Set("subscription", id)
			added++
		}
		rec.Set("date", p.date.String())
		rec.Set("amount", p.amount)
		rec.Set("currency", r.Currency)
		if rec.GetString("text") == "" {
			rec.Set("text", p.text)
		}
		if err := c.Save(rec); err != nil {
			return added, corrected, err
		}
	}
	return added, corrected, nil
}
