package household

import "github.com/nodkeep/nodkeep/tools"

func earlier(a, b tools.Date) tools.Date {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b tools.Date) tools.Date {
	if b.After(a) {
		return b
	}
	return a
}

// maxLead is how long before the first day that is known of a contract somebody
// may have decided about it, in days: a statement shows it only from its first
// booking on, and terms last two years at most.
const maxLead = 731

// since is the first day on which something can have been decided about a
// subscription; today always is one.
func (s schedule) since(t terms, today tools.Date) tools.Date {
	first := s.first
	for _, d := range []tools.Date{s.trial.from, t.from} {
		if !d.IsZero() {
			first = earlier(first, d)
		}
	}
	return earlier(later(first.AddDays(-maxLead), firstDate()), today)
}

// until is the last due day that can be settled: some time ahead, or the next
// that is open where that is later.
func (a account) until(today tools.Date) tools.Date {
	next, _ := a.nextOpen(today, a.list)
	return later(today.AddDays(maxDays), next)
}

// between refuses a day that cannot be for a subscription, and says which can.
func between(field, name string, day, from, to tools.Date) error {
	if day.Before(from) || day.After(to) {
		return invalid("household.error.day_range", field, day, name, from, to)
	}
	return nil
}
