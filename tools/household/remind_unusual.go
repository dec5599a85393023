package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// A charge is unusual if it differs from the middle of those before it by more
// than a quarter, there being enough of them. How far back they are looked for
// is in days.
const (
	unusualPart  = 4
	usualCharges = 3
	usualMost    = 12
	usualDays    = 800
)

// unusual reminds of charges of late that are unlike those before, unless it
// is what was due. Two of one day are said as one.
func (w watcher) unusual(sub *entry) ([]reminder, error) {
	if len(w.strange(sub, sub.near)) == 0 {
		return nil, nil
	}
	before, err := chargesNear(w.r, w.home.today.AddDays(-usualDays), tools.Date{}, []string{sub.id()})
	if err != nil {
		return nil, err
	}
	all := before[sub.id()]
	sortByDate(all)
	var out []reminder
	for _, l := range w.strange(sub, all) {
		at, _ := slices.BinarySearchFunc(all, l.date, func(c charged, d tools.Date) int { return c.date.Compare(d) })
		usual, ok := middle(all[:at], l.currency)
		off := max(l.amount-usual, usual-l.amount)
		if !ok || off <= usual/unusualPart || slices.ContainsFunc(out, func(m reminder) bool { return m.on == l.date }) {
			continue
		}
		money := func(minor int64) tools.Money { return tools.Money{Minor: minor, Currency: l.currency} }
		out = append(out, w.say(remindUnusual, sub, l.date, -1,
			tools.T("household.remind.unusual", sub.name(), money(l.amount), l.date, money(usual))))
	}
	return out, nil
}

// strange lists the charges of late that are not what was due.
func (w watcher) strange(sub *entry, list []charged) (odd []line) {
	for l := range sub.lines(list, w.home.today.AddDays(-lateDays), w.home.today, tools.Date{}) {
		if !l.skipped && (l.settles.IsZero() || l.state() == differs) {
			odd = append(odd, l)
		}
	}
	return odd
}

// middle is the median of the last charges in a currency; false where there
// are too few to call anything usual.
func middle(list []charged, currency string) (int64, bool) {
	var amounts []int64
	for _, b := range slices.Backward(list) {
		if !b.skipped && b.currency == currency && len(amounts) < usualMost {
			amounts = append(amounts, b.amount)
		}
	}
	if len(amounts) < usualCharges {
		return 0, false
	}
	slices.Sort(amounts)
	return amounts[(len(amounts)-1)/2], true
}
