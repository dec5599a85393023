package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// book is the subscriptions that one person sees, by name, read without making
// records of them: for what looks at all.
type book []entry

// entry is a subscription of the book.
type entry struct {
	tools.Row
	schedule
	near []charged // of a current book: what may have settled already what is due from today on
}

func (e entry) id() string   { return e.GetString("id") }
func (e entry) name() string { return e.GetString("name") }

// scheduleFields is what a schedule needs of its subscription.
func scheduleFields() []string {
	return []string{"amount", "repriced", "currency", "cycle", "first_date", "anchor_day", "ends_on", "trial_from", "trial_ends_on", "decide_by", "trial_decided"}
}

// bookOf reads what a query finds, with more fields where they are named.
func bookOf(r *tools.Reader, query tools.Query, more ...string) (book, error) {
	return leanBook(r, query, append([]string{"status", "private", "owner", "category", "payment_method", "tags", "merchant", "replaces"}, more...)...)
}

// leanBook has at hand what is named, and no more.
func leanBook(r *tools.Reader, query tools.Query, fields ...string) (book, error) {
	query.Sort = "name"
	rows, err := r.Rows(subscriptions, query, slices.Concat([]string{"name"}, scheduleFields(), fields)...)
	if err != nil {
		return nil, err
	}
	var repriced []string
	for _, row := range rows {
		if row.GetBool("repriced") {
			repriced = append(repriced, row.GetString("id"))
		}
	}
	// Few have dated prices, and they say so; few have pauses, but none says so.
	var dated map[string][]price
	if len(repriced) > 0 {
		query := tools.Query{Sort: "from", In: map[string][]string{"subscription": repriced}}
		if dated, err = rowsBelow(r, prices, query, priceOf, "from", "amount", "intro"); err != nil {
			return nil, err
		}
	}
	resting := tools.Query{Sort: "from"}
	if ids, some := query.In["id"]; some {
		resting.In = map[string][]string{"subscription": ids}
	}
	paused, err := rowsBelow(r, pauses, resting, pauseOf, "from", "until", "shift")
	if err != nil {
		return nil, err
	}
	all := make(book, len(rows))
	for i, row := range rows {
		id := row.GetString("id")
		all[i].Row = row
		if all[i].schedule, err = scheduleOf(row, below{dated[id], paused[id]}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// only finds the subscription of an argument, which the person must see; all that
// they see where none is given, and then there is no "id" in its In.
func only(r *tools.Reader, id string) (tools.Query, error) {
	query := tools.Query{In: map[string][]string{}}
	if id == "" {
		return query, nil
	}
	query.In["id"] = []string{id}
	_, err := find(r, subscriptions, "subscription", id)
	return query, err
}

// currentBook reads what has not ended, and what of it is settled ahead.
func currentBook(r *tools.Reader, h home) (book, error) {
	all, err := bookOf(r, running(h.today))
	if err != nil {
		return nil, err
	}
	near, err := allNear(r, h.today, tools.Date{}, nil)
	for i := range all {
		all[i].near = near[all[i].id()]
	}
	return all, err
}

// running finds what has not ended on a day.
func running(day tools.Date) tools.Query {
	return tools.Query{Filter: "ends_on = '' || ends_on >= {:day}", Params: map[string]any{"day": day.String()}}
}

// rowsBelow reads what stands below subscriptions, by subscription.
func rowsBelow[T any](r *tools.Reader, collection string, query tools.Query, read func(values) (T, error), fields ...string) (map[string][]T, error) {
	rows, err := r.Rows(collection, query, append(fields, "subscription")...)
	if err != nil {
		return nil, err
	}
	return bySubscription(rows, read)
}

// bySubscription sorts out what stands below subscriptions.
func bySubscription[V values, T any](list []V, read func(values) (T, error)) (map[string][]T, error) {
	by := map[string][]T{}
	for _, v := range list {
		one, err := read(v)
		if err != nil {
			return nil, err
		}
		id := v.GetString("subscription")
		by[id] = append(by[id], one)
	}
	return by, nil
}

// due lists what is charged on some days from today on, by date and name. In a
// current book, what somebody has confirmed or skipped ahead, or the bank has
// booked early, is not among it.
func (all book) due(from, to tools.Date) []Upcoming {
	list := []Upcoming{}
	for _, e := range all {
		for day := range e.open(from, e.near) {
			if day.After(to) || len(list) == maxDue {
				break
			}
			minor := e.on(day)
			list = append(list, Upcoming{day, e.id(), e.name(), e.money(minor).Decimal(), e.currency, minor})
		}
	}
	slices.SortStableFunc(list, func(a, b Upcoming) int { return a.Date.Compare(b.Date) })
	return list
}
