package household

import (
	"cmp"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// How many months are told by default, and at most.
const spendingMonths, maxSpendingMonths = 12, 240

// span reads from which day to which is asked.
func (in spendingIn) span(today tools.Date) (from, to tools.Date, err error) {
	months := in.Months
	switch {
	case in.From != "" && months != 0:
		return from, to, invalid("household.error.from_and_months")
	case months == 0:
		months = spendingMonths
	case months < 1 || months > maxSpendingMonths:
		return from, to, invalid("household.error.months", "months", months, maxSpendingMonths)
	}
	if from, to, err = parseSpan("from", in.From, "to", cmp.Or(in.To, today.String())); err != nil {
		return from, to, err
	}
	if from.IsZero() {
		from = monthStart(to, 1-months)
	}
	if from.Before(monthStart(to, -maxSpendingMonths)) {
		return from, to, invalid("household.error.months", "from", monthsFrom(from, to), maxSpendingMonths)
	}
	return from, to, nil
}

// monthStart is the first day of the month so many after a day's.
func monthStart(day tools.Date, n int) tools.Date {
	return tools.Cycle{N: 1, Unit: tools.Months}.Nth(tools.Date{Year: day.Year, Month: day.Month, Day: 1}, 0, n)
}

// monthsFrom counts months from that of one day to that of another, both
// included.
func monthsFrom(from, to tools.Date) int {
	return (to.Year-from.Year)*12 + int(to.Month) - int(from.Month) + 1
}

// book reads the subscriptions that are asked for; ids is nil where those are
// all.
func (in spendingIn) book(r *tools.Reader) (all book, ids []string, err error) {
	query, err := only(r, in.Subscription)
	if err != nil {
		return nil, nil, err
	}
	if in.Category != "" {
		id, err := categoryNoun().find(r, "category", in.Category)
		if err != nil {
			return nil, nil, err
		}
		query.In["category"] = []string{id}
	}
	tag := ""
	if in.Tag != "" {
		if tag, err = parseTag("tag", in.Tag); err != nil {
			return nil, nil, err
		}
	}
	if all, err = leanBook(r, query, in.fields()...); err != nil || (len(query.In) == 0 && tag == "") {
		return all, nil, err
	}
	if tag != "" {
		all = slices.DeleteFunc(all, func(e entry) bool { return !hasTag(tagsOf(e), tag) })
	}
	ids = make([]string, len(all))
	for i, e := range all {
		ids[i] = e.id()
	}
	return all, ids, nil
}

// fields is what the groups and the filters need of a subscription.
func (in spendingIn) fields() []string {
	switch {
	case in.By == groupTag || in.Tag != "":
		return []string{"tags", "owner", "category", "payment_method"}
	case in.By == groupMember:
		return []string{"owner"}
	case in.By == groupCategory || in.By == groupMethod:
		return []string{in.By} // they are called as their fields are
	}
	return nil
}
