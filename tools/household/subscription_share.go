package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionShareIn struct {
	ID     string    `json:"id"`
	Shares []ShareIn `json:"shares,omitempty" jsonschema:"the whole list; it replaces what is there"`
	Clear  bool      `json:"clear,omitzero" jsonschema:"true to divide it no longer"`
}

// Divided is a subscription and what comes to the acting person.
type Divided struct {
	Subscription
	YouBear string `json:"you_bear" jsonschema:"what comes to you of one charge"`
	dropped []tools.Text
}

// A list that gets shorter deletes shares, which the engine weighs as what it
// is; all else is a write.
func subscriptionShareTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_share", Title: "household.title.subscription_share", Effect: tools.EffectWrite,
		Help: "Says who bears what of a subscription, by weight or fixed parts. Fixed parts alone must come to today's price; beside weights they come first.",
	}, subscriptionShare, most("shares", maxShares), tools.WithCard(subscriptionShareCard))
}

func subscriptionShare(c *tools.Call, in subscriptionShareIn) (out Divided, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return out, err
	}
	rec, s, err := load(&c.Reader, "id", in.ID)
	if err != nil {
		return out, err
	}
	defer naming(&err, rec.GetString("name"))
	switch {
	case in.Clear && len(in.Shares) > 0:
		return out, invalid("household.error.set_and_clear", "shares")
	case !in.Clear && len(in.Shares) == 0:
		return out, invalid("household.error.no_shares")
	}
	list, err := in.parse(&c.Reader, s)
	if err != nil {
		return out, err
	}
	if err := s.fits(list, rec.GetString("name"), h.today); err != nil {
		return out, err
	}
	was, err := s.storeShares(c, rec, list)
	if err != nil {
		return out, err
	}
	bear := list
	if owner := rec.GetString("owner"); len(list) == 0 && owner != "" {
		bear = []share{{member: owner}} // who bears all of it again
	}
	if out.dropped, err = dropped(&c.Reader, was, bear); err != nil {
		return out, err
	}
	out.Subscription, err = showOne(&c.Reader, h, rec, s)
	out.YouBear = s.money(0).Decimal()
	if in.Clear && out.Mine {
		out.YouBear = out.Amount
	}
	for _, sh := range out.Shares {
		if string(sh.Member) == c.Actor.Person {
			out.YouBear = sh.Amount
		}
	}
	return out, err
}

// parse reads the shares; whether they come to the price is seen by fits.
func (in subscriptionShareIn) parse(r *tools.Reader, s schedule) ([]share, error) {
	list := make([]share, len(in.Shares))
	for i, one := range in.Shares {
		sh, err := one.parse(r, i, s)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list[:i], sh.sameAs) {
			return nil, invalid("household.error.share_twice", element("shares", i, one.who()), short(one.Member+one.Person))
		}
		list[i] = sh
	}
	return list, nil
}

// fits holds fixed parts to the price of a day: alone they are all of it,
// beside weights at most that.
func (s schedule) fits(list []share, name string, day tools.Date) error {
	fixed, weighted := int64(0), len(list) == 0
	for _, sh := range list {
		fixed = plus(fixed, sh.fixed)
		weighted = weighted || sh.weight > 0
	}
	switch price := s.on(day); {
	case fixed > price:
		return invalid("household.error.share_more", name, s.money(fixed), s.money(price), s.money(fixed-price))
	case fixed < price && !weighted:
		return invalid("household.error.share_less", name, s.money(fixed), s.money(price), s.money(price-fixed))
	}
	return nil
}

// storeShares stores who bears what of a subscription in the place of what was
// there, which it gives. Each person keeps their record, and what is left of
// the records is used again, so that nothing is deleted while the list does
// not get shorter.
func (s schedule) storeShares(c *tools.Call, sub *core.Record, list []share) (was []share, err error) {
	all, err := sharesOf(&c.Reader, []string{sub.Id})
	if err != nil {
		return nil, err
	}
	was = all[sub.Id]
	if len(was)+len(list) == 0 {
		return nil, tools.Fail(tools.Conflict, "household.error.not_divided", sub.GetString("name"))
	}
	free := slices.Clone(was)
	for i := range list {
		if at := slices.IndexFunc(free, list[i].sameAs); at >= 0 {
			list[i].rec = free[at].rec
			free = slices.Delete(free, at, at+1)
		}
	}
	for i := range list {
		if list[i].rec == nil && len(free) > 0 {
			list[i].rec, free = free[0].rec, free[1:]
		}
	}
	for _, sh := range free {
		if err := c.Delete(sh.rec); err != nil {
			return nil, err
		}
	}
	for i, sh := range list {
		if sh.rec == nil {
			sh.rec = c.New(shares)
			sh.rec.Set("subscription", sub.Id)
		}
		sh.put(i, s.currency)
		if err := c.Save(sh.rec); err != nil {
			return nil, err
		}
	}
	return was, nil
}

// dropped names those who had a share and bear none any more.
func dropped(r *tools.Reader, was, bear []share) ([]tools.Text, error) {
	was = slices.DeleteFunc(slices.Clone(was), func(o share) bool { return slices.ContainsFunc(bear, o.sameAs) })
	if len(was) == 0 {
		return nil, nil
	}
	handles, err := handlesOf(r)
	if err != nil {
		return nil, err
	}
	all := make([]tools.Text, len(was))
	for i, sh := range was {
		all[i] = tools.T("household.card.name", handles[sh.member]+sh.person)
		if handles[sh.member]+sh.person == "" {
			all[i] = tools.T("household.who_left")
		}
	}
	return all, nil
}
