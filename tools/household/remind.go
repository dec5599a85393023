package household

import (
	"slices"
	"strconv"

	"github.com/nodkeep/nodkeep/tools"
)

// watcher looks for what is to be said about subscriptions up to a day.
type watcher struct {
	r     *tools.Reader
	home  home
	until tools.Date
	book  book // with what was charged of late at hand
}

// soon reads what a person may have to be reminded of: what runs, or ended of
// late, with what was charged around now. With an id it looks at that one only.
func soon(r *tools.Reader, h home, id string) (book, error) {
	since := h.today.AddDays(-lateDays)
	query := running(since)
	var ids []string
	if id != "" {
		ids = []string{id}
		query.In = map[string][]string{"id": ids}
	}
	all, err := bookOf(r, query, append(termFields(), "remind_days")...)
	if err != nil {
		return nil, err
	}
	near, err := allNear(r, since, tools.Date{}, ids)
	for i := range all {
		all[i].near = near[all[i].id()]
	}
	return all, err
}

// watch looks, of these subscriptions, at those that the person is reminded of:
// their own, those that they bear a share of, and those that are nobody's.
func watch(r *tools.Reader, h home, until tools.Date, all book) (w watcher, err error) {
	w = watcher{r: r, home: h, until: until}
	w.book, err = addressed(r, slices.Clone(all))
	return w, err
}

func addressed(r *tools.Reader, all book) (book, error) {
	me := r.Actor.Person
	mine, err := r.Rows(shares, tools.Query{Filter: "member = {:me}", Params: map[string]any{"me": me}}, "subscription")
	if err != nil {
		return nil, err
	}
	shared := map[string]bool{}
	for _, row := range mine {
		shared[row.GetString("subscription")] = true
	}
	return slices.DeleteFunc(all, func(e entry) bool {
		owner := e.GetString("owner")
		return owner != "" && owner != me && !shared[e.id()]
	}), nil
}

// say makes a reminder that is said some days before its day.
func (w watcher) say(kind string, sub *entry, on tools.Date, lead int, text tools.Text) reminder {
	return reminder{kind: kind, sub: sub, on: on, at: at(on.AddDays(-lead), w.home.remindHour(), w.home.place), text: text}
}

// remindOf is how many days before its charges a subscription is spoken of; nil
// where it says nothing of its own.
func remindOf(v values) *int {
	n, err := strconv.Atoi(v.GetString("remind_days"))
	if err != nil {
		return nil
	}
	return &n
}

// charge reminds of charges to come that nobody has confirmed or skipped.
func (w watcher) charge(sub *entry) ([]reminder, error) {
	lead := w.home.remindDays()
	if own := remindOf(sub); own != nil {
		lead = *own
	}
	if lead < 0 {
		return nil, nil
	}
	var out []reminder
	for d := range sub.open(w.home.today, sub.near) {
		if d.After(w.until.AddDays(lead)) || len(out) == maxDue {
			break
		}
		if sub.on(d) == 0 {
			continue
		}
		out = append(out, w.say(remindCharge, sub, d, lead,
			tools.T("household.remind.charge", sub.name(), sub.money(sub.on(d)), d)))
	}
	return out, nil
}

// trial reminds of a trial that nobody has decided about.
func (w watcher) trial(sub *entry) ([]reminder, error) {
	by := sub.trial.by()
	if by.IsZero() || sub.trial.decided != "" || by.Before(w.home.today) || sub.GetString("status") == cancelled {
		return nil, nil
	}
	text := tools.T("household.remind.trial_free", sub.name(), by)
	if d, ok := sub.next(by); ok {
		text = tools.T("household.remind.trial", sub.name(), by, perCycle(sub.money(sub.on(d)), sub.cycle), d)
	}
	return []reminder{w.say(remindTrial, sub, by, leadTrial, text)}, nil
}

// notice reminds of the last day to end a contract before it goes on for long,
// or for the end that was decided, while no notice was given. What can be ended
// any month is left alone: it would be said every month.
func (w watcher) notice(sub *entry) ([]reminder, error) {
	t, err := termsOf(sub)
	decided := sub.GetString("status") == cancelled
	if err != nil || t.none() || !t.noticed.IsZero() || (!sub.ends.IsZero() && !decided) {
		return nil, err
	}
	by, end, ok := t.ending(sub.schedule, w.home.today)
	if decided { // and nobody has told the provider
		by, end = t.noticeBy(sub.ends), sub.ends
		ok = !t.notice.isZero() && !by.Before(w.home.today)
	} else if !t.long(sub.schedule) && end != t.firstEnd(sub.schedule) {
		ok = false
	}
	if !ok {
		return nil, nil
	}
	return []reminder{w.say(remindNotice, sub, by, leadNotice,
		tools.T("household.remind.notice", sub.name(), by, end))}, nil
}

// price reminds of a price that rises, soon or lately.
func (w watcher) price(sub *entry) ([]reminder, error) {
	var out []reminder
	for i, p := range sub.prices {
		if i == 0 || p.amount <= sub.prices[i-1].amount || p.from.Before(w.home.today.AddDays(-lateDays)) || sub.over(p.from) {
			continue
		}
		out = append(out, w.say(remindPrice, sub, p.from, leadPrice,
			tools.T("household.remind.price", sub.name(), sub.money(p.amount), sub.money(sub.prices[i-1].amount), p.from)))
	}
	return out, nil
}
