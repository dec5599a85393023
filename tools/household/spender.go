package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

// spender adds up what is spent in some time, group by group.
type spender struct {
	by       string
	from, to tools.Date
	all      spent
	months   []*spent // of by month: all of them, also those without anything
	groups   []*spent
	known    map[string]*spent
	overlaps bool

	names  map[string]string // of what the groups stand for, by id
	shares map[string][]share
}

// outlay is an amount of one day: booked, or else expected.
type outlay struct {
	day      tools.Date
	minor    int64
	currency string
	booked   bool
}

// spenderOf reads what the groups are called.
func spenderOf(r *tools.Reader, by string, from, to tools.Date) (s spender, err error) {
	s = spender{by: by, from: from, to: to, known: map[string]*spent{}}
	switch by {
	case groupMonth:
		for n := range monthsFrom(from, to) {
			s.months = append(s.months, &spent{month: monthStart(from, n)})
		}
	case groupCategory:
		s.names, err = categoryNoun().names(r)
	case groupMethod:
		s.names, err = methodNoun().names(r)
	case groupMember:
		if s.names, err = handlesOf(r); err != nil {
			return s, err
		}
		s.shares, err = rowsBelow(r, shares, tools.Query{Sort: "position"}, shareOf, "member", "person", "weight", "fixed")
	}
	return s, err
}

// spend adds what a subscription cost: the charges that were booked in the
// time, on their own days, and what was due in it and not settled by any. What
// was skipped cost nothing.
func (s *spender) spend(e *entry, list []charged) {
	add := s.adder(e)
	for l := range e.lines(list, s.from, s.to, s.to) {
		if l.amount == 0 && !l.open {
			continue
		}
		o := outlay{l.date, l.amount, l.currency, !l.open}
		s.all.add(o)
		add(o)
	}
}

// adder gives what an outlay for a subscription is added with.
func (s *spender) adder(e *entry) func(outlay) {
	if s.by == groupMonth {
		return func(o outlay) { s.months[monthsFrom(s.from, o.day)-1].add(o) }
	}
	if list := s.shares[e.id()]; len(list) > 0 {
		return s.sharing(e, list)
	}
	var into []*spent // found with the first outlay: there may be none
	return func(o outlay) {
		if into == nil {
			into = s.groupsOf(e)
		}
		for _, g := range into {
			g.add(o)
		}
	}
}

// sharing divides each outlay among those who bear it.
func (s *spender) sharing(e *entry, list []share) func(outlay) {
	var into []*spent
	var last outlay
	var parts []int64
	return func(o outlay) {
		if into == nil {
			for _, sh := range list {
				into = append(into, s.bearer(sh.member, sh.person))
			}
		}
		if parts == nil || o.minor != last.minor || o.currency != last.currency || o.currency != e.currency {
			parts, last = e.divide(o, list), o
		}
		for i, g := range into {
			o.minor = parts[i]
			g.add(o)
		}
	}
}

// divide splits an outlay by the shares of a subscription. One in another
// currency, which fixed shares say nothing of, is divided as what was due is.
func (e entry) divide(o outlay, list []share) []int64 {
	due := e.on(o.day)
	if o.currency == e.currency || due == 0 {
		return split(o.minor, list)
	}
	return apportion(o.minor, split(due, list))
}

// groupsOf are the groups that a subscription counts in.
func (s *spender) groupsOf(e *entry) []*spent {
	switch s.by {
	case groupMember:
		return []*spent{s.bearer(e.GetString("owner"), "")}
	case groupTag:
		tags := tagsOf(e)
		s.overlaps = s.overlaps || len(tags) > 1
		into := make([]*spent, len(tags))
		for i, tag := range tags {
			into[i] = s.group(fold(tag), spent{name: tools.W(tag)})
		}
		if len(tags) == 0 {
			into = append(into, s.none())
		}
		return into
	case groupSubscription:
		return []*spent{s.group(e.id(), spent{id: e.id(), name: tools.W(e.name())})}
	}
	id := e.GetString(s.by)
	if id == "" {
		return []*spent{s.none()}
	}
	return []*spent{s.group(id, spent{id: id, name: tools.W(s.names[id])})}
}

// bearer is the group of a member, or of a person without an account.
func (s *spender) bearer(member, person string) *spent {
	switch name, known := s.names[member]; {
	case known:
		return s.group("member "+member, spent{id: member, name: tools.W(name)})
	case member != "":
		return s.group("member "+member, spent{id: member, name: tools.Words(tools.T("household.spending.former"))})
	case person != "":
		return s.group("person "+fold(person), spent{name: tools.W(person)})
	}
	return s.none()
}

func (s *spender) none() *spent {
	return s.group("", spent{none: true, name: tools.Words(tools.T("household.spending.none." + s.by))})
}

// group is the one of a key, made with the first outlay.
func (s *spender) group(key string, first spent) *spent {
	g := s.known[key]
	if g == nil {
		g = &first
		s.known[key] = g
		s.groups = append(s.groups, g)
	}
	return g
}
