package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// strays are charges of the last months that were booked while a subscription
// was paused or over, and that nothing asked for.
func (s saver) strays() []Saving {
	var list []Saving
	for i := range s.book {
		e := &s.book[i]
		var resting, over []charged
		for l := range e.lines(s.near[e.id()], s.since, s.home.today, s.home.today) {
			if l.open || l.amount == 0 || !l.settles.IsZero() { // what was skipped is 0
				continue
			}
			if e.over(l.date) {
				over = append(over, l.charged)
			} else if _, paused := e.pausedOn(l.date); paused {
				resting = append(resting, l.charged)
			}
		}
		if len(resting) > 0 {
			list = append(list, s.stray(savingPaused, e, resting))
		}
		if len(over) > 0 {
			list = append(list, s.stray(savingEnded, e, over))
		}
	}
	return list
}

func (s saver) stray(kind string, e *entry, list []charged) Saving {
	var all sums
	for _, c := range list {
		all.add(c.money())
	}
	var costs []SavingCost
	for _, m := range all {
		costs = append(costs, SavingCost{Currency: m.Currency, Charged: m.Decimal()})
	}
	text := tools.T("household.saving.charged_paused", len(list), e.name(), all.said())
	if kind == savingEnded {
		text = tools.T("household.saving.charged_ended", len(list), e.name(), e.ends, all.said())
	}
	f := s.saving(kind, text, e)
	f.Costs, f.charges, f.More = costs, list, max(0, len(list)-savingCharges)
	f.charges = f.charges[f.More:] // the latest
	return f
}

// unconfirmed are those that had charges once and none for so many months,
// though some were due. It is false where the person sees no charge at all:
// then nobody confirms, and it says nothing.
func (s saver) unconfirmed(r *tools.Reader) (list []Saving, known bool, err error) {
	rows, err := r.Sum(charges, tools.Query{}, []string{"subscription"}, "max(date)")
	if err != nil {
		return nil, false, err
	}
	last := map[string]tools.Date{}
	for _, row := range rows {
		if last[row.GetString("subscription")], err = tools.ParseDate(row.GetString("max(date)")); err != nil {
			return nil, false, err
		}
	}
	for _, e := range s.going() {
		day, ever := last[e.id()]
		if !ever || !day.Before(s.quiet) {
			continue
		}
		until := s.home.today.AddDays(-slackOf(e.cycle)) // what is due since may be booked yet
		open := 0
		for l := range e.lines(s.near[e.id()], s.quiet, until, until) {
			if l.open && e.on(l.settles) > 0 {
				open++
			}
		}
		if open == 0 {
			continue
		}
		f := s.saving(savingUnconfirmed, tools.T("household.saving.unconfirmed", open, e.name(), day), e).costing(s.home.today, e)
		f.charges = []charged{{sub: e.id(), date: day}}
		list = append(list, f)
	}
	return list, len(rows) > 0, nil
}

// nameCharges finds the records of the charges that savings are about.
func nameCharges(r *tools.Reader, list []Saving) error {
	var subs, days []string
	for _, f := range list {
		for _, c := range f.charges {
			subs, days = append(subs, c.sub), append(days, c.date.String())
		}
	}
	if len(subs) == 0 {
		return nil
	}
	recs, err := chargesOf(r, tools.Query{In: map[string][]string{"subscription": subs, "date": days}, Sort: "date"})
	if err != nil {
		return err
	}
	for i := range list {
		for _, c := range list[i].charges {
			// One of several alike is as good as another, but each is named once.
			at := slices.IndexFunc(recs, func(o charged) bool {
				return o.sub == c.sub && o.date == c.date && (c.currency == "" || (o.amount == c.amount && o.currency == c.currency))
			})
			if at < 0 {
				continue // it went meanwhile
			}
			o := recs[at]
			recs = slices.Delete(recs, at, at+1)
			name := tools.T("household.label.charge", tools.Money{Minor: o.amount, Currency: o.currency}, o.date)
			list[i].Records = append(list[i].Records, SavingRecord{Collection: charges, ID: o.id, Name: tools.Words(name)})
		}
	}
	return nil
}
