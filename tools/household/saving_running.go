package household

import (
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// going are the subscriptions that go on without an end.
func (s saver) going() []*entry {
	var list []*entry
	for i := range s.book {
		if e := &s.book[i]; e.ends.IsZero() && e.GetString("status") == active {
			list = append(list, e)
		}
	}
	return list
}

// trials are those that nobody has decided about, and that soon cost something
// or do already.
func (s saver) trials() []Saving {
	var list []Saving
	today := s.home.today
	for _, e := range s.going() {
		t := e.trial
		if t.ends.IsZero() || t.decided != "" || t.by().After(today.AddDays(trialSoon)) {
			continue
		}
		day := later(t.ends.AddDays(1), today)
		next, ok := e.next(day)
		if !ok {
			continue
		}
		key := "household.saving.trial_open"
		if t.ends.Before(today) {
			key = "household.saving.trial_over"
		}
		text := tools.T(key, e.name(), t.ends, perCycle(e.money(e.on(next)), e.cycle))
		list = append(list, s.saving(savingTrial, text, e).costing(day, e))
	}
	return list
}

// duplicates are services that run more than once, by what they are called
// here and on statements: whoever has them.
func (s saver) duplicates() []Saving {
	var list []Saving
	for _, group := range s.alike() {
		if len(group) > 1 {
			list = append(list, s.several(savingDuplicate, tools.T("household.saving.duplicate", len(group), s.owned(group)), group))
		}
	}
	return list
}

// alike groups what goes on by the service that it is. What another took the
// place of is told as that.
func (s saver) alike() [][]*entry {
	replaced := map[string]bool{}
	for _, e := range s.going() {
		replaced[e.GetString("replaces")] = true
	}
	named := map[string]int{} // the group of a name
	var groups [][]*entry
	for _, e := range s.going() {
		if replaced[e.id()] {
			continue
		}
		key := keyOf(e.name())
		at, known := named[key]
		if !known {
			at = len(groups)
			named[key] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], e)
	}
	// One that is called otherwise is the same service if statements call it
	// as another is called here.
	for at, group := range groups {
		if len(group) != 1 || group[0].GetString("merchant") == "" {
			continue
		}
		if to, known := named[keyOf(group[0].GetString("merchant"))]; known && to != at && len(groups[to]) > 0 {
			groups[to], groups[at] = append(groups[to], group[0]), nil
		}
	}
	return groups
}

// merchants are those whom several services are paid to that are not one.
func (s saver) merchants() []Saving {
	paid := map[string][]*entry{}
	var keys []string
	for _, group := range s.alike() {
		if len(group) != 1 || group[0].GetString("merchant") == "" {
			continue
		}
		key := keyOf(group[0].GetString("merchant"))
		if paid[key] == nil {
			keys = append(keys, key)
		}
		paid[key] = append(paid[key], group[0])
	}
	var list []Saving
	for _, key := range keys {
		if group := paid[key]; len(group) > 1 {
			text := tools.T("household.saving.same_merchant", len(group), group[0].GetString("merchant"), s.owned(group))
			list = append(list, s.several(savingMerchant, text, group))
		}
	}
	return list
}

func (s saver) several(kind string, text tools.Text, group []*entry) Saving {
	f := s.saving(kind, text, group...).costing(s.home.today, group...)
	for i, e := range group {
		f.Records[i].Owner = s.handles[e.GetString("owner")]
	}
	f.More = max(0, len(f.Records)-savingRecords)
	f.Records = f.Records[:len(f.Records)-f.More]
	return f
}

// owned names subscriptions, whose they are and what they cost: names may all
// be the same.
func (s saver) owned(group []*entry) tools.Text {
	return some(group, func(e *entry) tools.Text {
		costs := perCycle(e.money(e.on(e.soon(s.home.today))), e.cycle)
		if handle := s.handles[e.GetString("owner")]; handle != "" {
			return tools.T("household.saving.of", e.name(), handle, costs)
		}
		return tools.T("household.saving.nobodys", e.name(), costs)
	})
}

// replaced are those that another took the place of, and that go on.
func (s saver) replaced() []Saving {
	going := s.going()
	var list []Saving
	for i := range s.book {
		e := &s.book[i]
		old := slices.IndexFunc(going, func(o *entry) bool { return o.id() == e.GetString("replaces") })
		if old < 0 || e.first.After(s.home.today) || e.over(s.home.today) {
			continue
		}
		o := going[old]
		text := tools.T("household.saving.replaced", e.name(), o.name(), perCycle(o.money(o.on(s.home.today)), o.cycle))
		list = append(list, s.saving(savingReplaced, text, o, e).costing(s.home.today, o))
	}
	return list
}

// rises are prices that rose by so many percent or more, or will, and what
// charges show of it that no price says.
func (s saver) rises(least int64) []Saving {
	var list []Saving
	for _, e := range s.going() {
		changes := e.priceChanges(s.since, s.home.today)
		if c, ok := e.unrecorded(s.near[e.id()], s.since, s.home.today); ok {
			changes = append(changes, c)
		}
		for _, c := range changes {
			if c.Kind != "rise" || (c.Percent != "" && c.tenths < 10*least) {
				continue
			}
			f := s.saving(savingRise, c.said(), e)
			f.Costs = []SavingCost{{Currency: c.Currency, PerMonth: e.money(e.cycle.PerMonth(moneyOf(c.After, c.Currency).Minor - moneyOf(c.Before, c.Currency).Minor)).Decimal(), PerYear: c.PerYear}}
			list = append(list, f)
		}
	}
	return list
}

// said is a rise in words.
func (c PriceChange) said() tools.Text {
	key := "household.saving.rise."
	switch {
	case c.Percent == "":
		key += "begins"
	case c.Unrecorded > 0:
		key += "unrecorded"
	case c.Introductory:
		key += "introductory"
	case c.Upcoming:
		key += "upcoming"
	default:
		key += "recorded"
	}
	return tools.T(key, c.Name, tools.Decimal(strings.TrimSuffix(c.Percent, ".0")), c.From, moneyOf(c.Before, c.Currency), moneyOf(c.After, c.Currency))
}
