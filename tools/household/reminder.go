package household

import (
	"cmp"
	"slices"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// The kinds of reminders.
const (
	remindCharge  = "charge"
	remindTrial   = "trial"
	remindNotice  = "notice"
	remindPrice   = "price"
	remindUnusual = "unusual"
)

func reminderKinds() []any {
	return []any{remindCharge, remindTrial, remindNotice, remindPrice, remindUnusual}
}

// How many days before its day something is said, and how long after its day
// it still is: a server may have been away.
const (
	leadTrial, leadNotice, leadPrice = 3, 14, 7
	lateDays                         = 14
)

// reminder is something to be said to a person once: what, about which day,
// and when.
type reminder struct {
	kind string
	sub  *entry
	on   tools.Date
	at   time.Time
	text tools.Text
	said string // when it was said, or that it was put aside; "" while it is open
}

// key tells reminders of one person apart.
func (m reminder) key() reminderKey { return reminderKey{m.kind, m.sub.id(), m.on.String()} }

type reminderKey struct{ kind, subscription, on string }

// setAside marks what the person dismissed before it was said.
const setAside = "dismissed"

// remindersOf lists what is due to be said to the person who acts, from what
// is late up to a day, by the moment it is to be said: about all subscriptions,
// or about one.
func remindersOf(r *tools.Reader, h home, until tools.Date, id string) ([]reminder, error) {
	all, err := soon(r, h, id)
	if err != nil {
		return nil, err
	}
	return remindersAmong(r, h, until, all)
}

// remindersAmong does so about these subscriptions.
func remindersAmong(r *tools.Reader, h home, until tools.Date, all book) ([]reminder, error) {
	w, err := watch(r, h, until, all)
	if err != nil {
		return nil, err
	}
	var list []reminder
	for i := range w.book {
		for _, find := range []func(*entry) ([]reminder, error){w.charge, w.trial, w.notice, w.price, w.unusual} {
			found, err := find(&w.book[i])
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
	}
	list = slices.DeleteFunc(list, func(m reminder) bool { return tools.DateOf(m.at.In(h.place)).After(until) })
	said, err := saidTo(r, h)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].said = said[list[i].key()]
	}
	slices.SortStableFunc(list, func(a, b reminder) int {
		return cmp.Or(a.at.Compare(b.at), a.on.Compare(b.on), cmp.Compare(a.sub.name(), b.sub.name()))
	})
	return list, nil
}

// saidTo reads what the person was reminded of already.
func saidTo(r *tools.Reader, h home) (map[reminderKey]string, error) {
	recs, err := r.Rows(reminders, tools.Query{
		Filter: "person = {:me} && on >= {:since}",
		Params: map[string]any{"me": r.Actor.Person, "since": h.today.AddDays(-lateDays).String()},
	}, "kind", "subscription", "on", "said")
	if err != nil {
		return nil, err
	}
	said := make(map[reminderKey]string, len(recs))
	for _, rec := range recs {
		said[reminderKey{rec.GetString("kind"), rec.GetString("subscription"), rec.GetString("on")}] = cmp.Or(rec.GetString("said"), setAside)
	}
	return said, nil
}
