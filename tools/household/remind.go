package household

import (
	"slices"
	"strconv"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// watched is a subscription that somebody may be reminded of.
type watched struct {
	rec *core.Record
	schedule
	charges []charged // by date, of the last days
}

// watcher looks for what is to be said about subscriptions up to a day.
type watcher struct {
	r     *tools.Reader
	home  home
	until tools.Date
	subs  []watched
}

// watch reads the subscriptions that the person is reminded of: their own,
// those that they bear a share of, and those that are nobody's.
func watch(r *tools.Reader, h home, until tools.Date) (watcher, error) {
	w := watcher{r: r, home: h, until: until}
	recs, err := r.List(subscriptions, tools.Query{
		Filter: "ends_on = '' || ends_on >= {:since}", Sort: "name",
		Params: map[string]any{"since": h.today.AddDays(-lateDays).String()},
	})
	if err != nil {
		return w, err
	}
	if recs, err = w.addressed(recs); err != nil || len(recs) == 0 {
		return w, err
	}
	by, err := belowOf(r, recs)
	if err != nil {
		return w, err
	}
	booked, err := bookingsOf(r, idsOf(recs), h.today.AddDays(-lateDays-slack))
	if err != nil {
		return w, err
	}
	for _, rec := range recs {
		s, err := scheduleOf(rec, by[rec.Id])
		if err != nil {
			return w, err
		}
		w.subs = append(w.subs, watched{rec, s, booked[rec.Id]})
	}
	return w, nil
}

func (w watcher) addressed(recs []*core.Record) ([]*core.Record, error) {
	me := w.r.Actor.Person
	mine, err := w.r.List(shares, tools.Query{Filter: "member = {:me}", Params: map[string]any{"me": me}})
	if err != nil {
		return nil, err
	}
	shared := map[string]bool{}
	for _, rec := range mine {
		shared[rec.GetString("subscription")] = true
	}
	return slices.DeleteFunc(recs, func(rec *core.Record) bool {
		owner := rec.GetString("owner")
		return owner != "" && owner != me && !shared[rec.Id]
	}), nil
}

// bookingsOf reads the charges of subscriptions since a day, by subscription.
func bookingsOf(r *tools.Reader, ids []string, since tools.Date) (map[string][]charged, error) {
	list, err := chargesOf(r, tools.Query{
		Filter: "date >= {:since} || due >= {:since}", Sort: "date",
		In: map[string][]string{"subscription": ids}, Params: map[string]any{"since": since.String()},
	})
	by := map[string][]charged{}
	for _, c := range list {
		by[c.sub] = append(by[c.sub], c)
	}
	return by, err
}

func idsOf(recs []*core.Record) []string {
	ids := make([]string, len(recs))
	for i, rec := range recs {
		ids[i] = rec.Id
	}
	return ids
}

// say makes a reminder that is said some days before its day.
func (w watcher) say(kind string, sub watched, on tools.Date, lead int, text tools.Text) reminder {
	return reminder{kind: kind, sub: sub.rec, on: on, at: at(on.AddDays(-lead), w.home.remindHour(), w.home.location()), text: text}
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
func (w watcher) charge(sub watched) ([]reminder, error) {
	lead := w.home.remindDays()
	if own := remindOf(sub.rec); own != nil {
		lead = *own
	}
	if lead < 0 {
		return nil, nil
	}
	var out []reminder
	for d := range sub.open(w.home.today, sub.charges) {
		if d.After(w.until.AddDays(lead)) || len(out) == maxDue {
			break
		}
		if sub.on(d) == 0 {
			continue
		}
		out = append(out, w.say(remindCharge, sub, d, lead,
			tools.T("household.remind.charge", sub.rec.GetString("name"), sub.money(sub.on(d)), d)))
	}
	return out, nil
}

// trial reminds of a trial that nobody has decided about.
func (w watcher) trial(sub watched) ([]reminder, error) {
	by := sub.trial.by()
	if by.IsZero() || sub.trial.decided != "" || by.Before(w.home.today) || sub.rec.GetString("status") == cancelled {
		return nil, nil
	}
	text := tools.T("household.remind.trial_free", sub.rec.GetString("name"), by)
	if d, ok := sub.next(by); ok {
		text = tools.T("household.remind.trial", sub.rec.GetString("name"), by, perCycle(sub.money(sub.on(d)), sub.cycle), d)
	}
	return []reminder{w.say(remindTrial, sub, by, leadTrial, text)}, nil
}

// notice reminds of the last day to end a contract before it goes on for long,
// or for the end that was decided, while no notice was given. What can be ended any month is left alone: it would be said every month.
func (w watcher) notice(sub watched) ([]reminder, error) {
	t, err := termsOf(sub.rec)
	decided := sub.rec.GetString("status") == cancelled
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
		tools.T("household.remind.notice", sub.rec.GetString("name"), by, end))}, nil
}

// price reminds of a price that rises, soon or lately.
func (w watcher) price(sub watched) ([]reminder, error) {
	var out []reminder
	for i, p := range sub.prices {
		if i == 0 || p.amount <= sub.prices[i-1].amount || p.from.Before(w.home.today.AddDays(-lateDays)) || sub.over(p.from) {
			continue
		}
		out = append(out, w.say(remindPrice, sub, p.from, leadPrice,
			tools.T("household.remind.price", sub.rec.GetString("name"), sub.money(p.amount), sub.money(sub.prices[i-1].amount), p.from)))
	}
	return out, nil
}
