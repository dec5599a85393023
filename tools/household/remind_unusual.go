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
// is what was due.
func (w watcher) unusual(sub watched) ([]reminder, error) {
	if !slices.ContainsFunc(sub.charges, func(b charged) bool { return w.strange(sub, b) }) {
		return nil, nil
	}
	history, err := bookingsOf(w.r, []string{sub.rec.Id}, w.home.today.AddDays(-usualDays))
	if err != nil {
		return nil, err
	}
	all := history[sub.rec.Id]
	var out []reminder
	for i, b := range all {
		if !w.strange(sub, b) {
			continue
		}
		usual, ok := middle(all[:i], b.currency)
		if off := max(b.amount-usual, usual-b.amount); !ok || off <= usual/unusualPart {
			continue
		}
		money := func(minor int64) tools.Money { return tools.Money{Minor: minor, Currency: b.currency} }
		m := w.say(remindUnusual, sub, b.date, -1,
			tools.T("household.remind.unusual", sub.rec.GetString("name"), money(b.amount), b.date, money(usual)))
		if len(out) > 0 && out[len(out)-1].on == b.date {
			continue // two of one day are said as one
		}
		out = append(out, m)
	}
	return out, nil
}

// strange says that a charge of late is not what was due.
func (w watcher) strange(sub watched, b charged) bool {
	return !b.skipped && !b.date.Before(w.home.today.AddDays(-lateDays)) && !b.date.After(w.home.today) &&
		(b.currency != sub.currency || b.amount != sub.on(b.date))
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
