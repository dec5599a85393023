package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// view shows subscriptions: what many of them share is read once.
type view struct {
	home       home
	person     string
	below      map[string]below
	shares     map[string][]share
	categories map[string]string
	methods    map[string]string
	handles    map[string]string // of members; only where somebody bears a share
	replaced   map[string]string // names of what others took the place of; only what the person sees
	near       map[string][]charged
}

// viewOf reads what is needed to show recs.
func viewOf(r *tools.Reader, h home, recs ...*core.Record) (view, error) {
	v := view{home: h, person: r.Actor.Person}
	var err error
	if v.below, err = belowOf(r, recs); err != nil {
		return view{}, err
	}
	err = v.read(r, recs...)
	return v, err
}

// read reads the names that recs refer to, their shares, and the charges that
// may have settled already what is due from today on.
func (v *view) read(r *tools.Reader, recs ...*core.Record) error {
	ids := make([]string, len(recs))
	heard := voicesIn(r)
	var err error
	for i, rec := range recs {
		ids[i] = rec.Id
		heard.whole(rec)
		if v.categories == nil && rec.GetString("category") != "" {
			if v.categories, err = categoryNoun().names(r); err != nil {
				return err
			}
		}
		if v.methods == nil && rec.GetString("payment_method") != "" {
			if v.methods, err = methodNoun().names(r); err != nil {
				return err
			}
		}
	}
	if err = heard.tell(); err != nil {
		return err
	}
	if v.replaced, err = replacedBy(r, recs); err != nil {
		return err
	}
	if v.near, err = chargesNear(r, v.home.today, tools.Date{}, ids); err != nil {
		return err
	}
	if v.shares, err = sharesOf(r, ids); err == nil && len(v.shares) > 0 {
		v.handles, err = handlesOf(r)
	}
	return err
}

func (v view) show(rec *core.Record) (Subscription, error) {
	s, err := scheduleOf(rec, v.below[rec.Id])
	if err != nil {
		return Subscription{}, err
	}
	return v.shown(rec, s)
}

// shown shows a record whose schedule is known.
func (v view) shown(rec *core.Record, s schedule) (Subscription, error) {
	now := s.on(v.home.today)
	t, err := termsOf(rec)
	if err != nil {
		return Subscription{}, err
	}
	sub := Subscription{
		ID: rec.Id, Name: rec.GetString("name"),
		Amount: s.money(now).Decimal(), Currency: s.currency, Cycle: s.cycle.String(),
		PerMonth:  s.money(s.cycle.PerMonth(now)).Decimal(),
		FirstDate: s.first, AnchorDay: s.anchor, EndsOn: s.ends,
		Status: s.state(rec, v.home.today), Trial: s.trial.shown(), Terms: t.shown(rec, s, v.home.today), Tags: tagsOf(rec),
		Private: rec.GetBool("private"), Owner: tools.Account(rec.GetString("owner")), Mine: rec.GetString("owner") == v.person,
		Shares:   shownShares(s, v.shares[rec.Id], now, v.handles),
		Merchant: rec.GetString("merchant"), URL: rec.GetString("url"), Account: rec.GetString("account"), Logo: rec.GetString("logo"),
		Notes: rec.GetString("notes"), RemindDays: remindOf(rec),
	}
	sub.CancelledOn, _ = tools.ParseDate(rec.GetString("cancelled_on"))
	if id := rec.GetString("category"); id != "" {
		sub.Category = &Category{ID: id, Name: v.categories[id]}
	}
	if id := rec.GetString("payment_method"); id != "" {
		sub.PaymentMethod = &Method{ID: id, Name: v.methods[id]}
	}
	if name, ok := v.replaced[rec.GetString("replaces")]; ok {
		sub.Replaces = &Named{rec.GetString("replaces"), name}
	}
	if p, ok := s.currentPause(v.home.today); ok {
		shown := p.shown()
		sub.Pause = &shown
	}
	if d, ok := s.nextOpen(v.home.today, v.near[rec.Id]); ok {
		sub.NextCharge = &Due{d, s.money(s.on(d)).Decimal()}
	}
	for _, p := range s.prices {
		sub.Prices = append(sub.Prices, tools.Price{From: p.from, Amount: s.money(p.amount).Decimal()})
	}
	return sub, nil
}

// replacedBy reads the names of what recs took the place of. What the person
// may not see is left out.
func replacedBy(r *tools.Reader, recs []*core.Record) (map[string]string, error) {
	var ids []string
	for _, rec := range recs {
		if id := rec.GetString("replaces"); id != "" {
			ids = append(ids, id)
		}
	}
	names := map[string]string{}
	if len(ids) == 0 {
		return names, nil
	}
	found, err := r.List(subscriptions, tools.Query{In: map[string][]string{"id": ids}})
	for _, rec := range found {
		names[rec.Id] = rec.GetString("name")
	}
	return names, err
}

// saveShown stores a subscription and shows it. What is shown beside it is not
// changed by that, and so is read before, while what the person may see of it
// is known.
func (s *schedule) saveShown(c *tools.Call, h home, rec *core.Record) (Subscription, error) {
	v, err := viewOfOne(&c.Reader, h, rec)
	if err != nil {
		return Subscription{}, err
	}
	if err := s.save(c, rec); err != nil {
		return Subscription{}, err
	}
	return v.shown(rec, *s)
}

// showOne shows a subscription that has just been read or written.
func showOne(r *tools.Reader, h home, rec *core.Record, s schedule) (Subscription, error) {
	v, err := viewOfOne(r, h, rec)
	if err != nil {
		return Subscription{}, err
	}
	return v.shown(rec, s)
}

// viewOfOne reads what is needed beside a record whose schedule is known.
func viewOfOne(r *tools.Reader, h home, rec *core.Record) (view, error) {
	v := view{home: h, person: r.Actor.Person}
	err := v.read(r, rec)
	return v, err
}
