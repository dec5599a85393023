package household

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

type shareOverviewIn struct {
	Member string `json:"member,omitzero" jsonschema:"handle or id of the only one to show"`
}

// ShareOverview is who bears what.
type ShareOverview struct {
	People []Bearer `json:"people" jsonschema:"members first; one without a name bears what is nobody's"`
}

// Bearer is what one person bears.
type Bearer struct {
	Member tools.Account `json:"member,omitzero" jsonschema:"id"`
	Name   string        `json:"name,omitzero" jsonschema:"a member's handle, or the name of somebody without an account"`
	Sums   []ShareSum    `json:"sums" jsonschema:"by currency, never converted"`
}

// ShareSum is what one person bears in one currency.
type ShareSum struct {
	Currency      string `json:"currency"`
	Subscriptions int    `json:"subscriptions" jsonschema:"how many are not paused"`
	PerMonth      string `json:"per_month" jsonschema:"of those, scaled to a month, for comparing only"`
	Next30Days    string `json:"next_30_days" jsonschema:"what is really due"`
}

func shareOverviewTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_share_overview", Title: "household.title.share_overview",
		Help: "Gives what each person bears of the subscriptions that you see. What is not divided is its owner's.",
	}, shareOverview)
}

func shareOverview(r *tools.Reader, in shareOverviewIn) (ShareOverview, error) {
	out := ShareOverview{People: []Bearer{}}
	only, err := "", error(nil)
	if in.Member != "" {
		if only, err = findMember(r, "member", in.Member); err != nil {
			return out, err
		}
	}
	h, err := homeOf(r)
	if err != nil {
		return out, err
	}
	all, err := currentBook(r, h)
	if err != nil {
		return out, err
	}
	people, err := all.bearers(r, h)
	if err != nil {
		return out, err
	}
	for _, p := range people {
		if only == "" || p.Member == tools.Account(only) {
			out.People = append(out.People, p.Bearer)
		}
	}
	return out, nil
}

// bearer is a person and what they bear, by currency.
type bearer struct {
	Bearer
	month, next sums
}

// bearers divides what every subscription costs, so that the parts come to the
// sums of the overview.
func (all book) bearers(r *tools.Reader, h home) ([]*bearer, error) {
	divided, err := rowsBelow(r, shares, tools.Query{Sort: "position"}, shareOf, "member", "person", "weight", "fixed")
	if err != nil {
		return nil, err
	}
	due := map[string][]int64{}
	for _, u := range all.due(h.today, h.today.AddDays(daysAhead)) {
		due[u.Subscription] = append(due[u.Subscription], u.minor)
	}
	by := map[string]*bearer{}
	for i := range all {
		s := &all[i]
		list := divided[s.id()]
		if len(list) == 0 {
			list = []share{{member: s.GetString("owner"), weight: 1}}
		}
		scaled := slices.Clone(list) // a fixed part is of one charge
		for i := range scaled {
			scaled[i].fixed = s.cycle.PerMonth(scaled[i].fixed)
		}
		monthly := s.monthly(h.today)
		month := split(monthly.Minor, scaled)
		next := make([]int64, len(list))
		for _, minor := range due[s.id()] { // each charge by itself, as it is paid
			for i, part := range split(minor, list) {
				next[i] = plus(next[i], part)
			}
		}
		type part struct{ month, next int64 }
		parts := map[*bearer]part{} // of those who have left there may be several
		for i, sh := range list {
			b := sh.bearer(by)
			parts[b] = part{plus(parts[b].month, month[i]), plus(parts[b].next, next[i])}
		}
		for b, p := range parts {
			b.month.put(sum{s.money(p.month), monthly.count})
			b.next.add(s.money(p.next))
		}
	}
	return named(r, by)
}

// bearer is the one whose share it is; whoever has left is nobody.
func (s share) bearer(by map[string]*bearer) *bearer {
	key := s.member + "/" + fold(s.person)
	if by[key] == nil {
		by[key] = &bearer{Bearer: Bearer{Member: tools.Account(s.member), Name: s.person}}
	}
	return by[key]
}

// named gives the people by name, members first and nobody last, with their
// sums.
func named(r *tools.Reader, by map[string]*bearer) ([]*bearer, error) {
	handles, err := handlesOf(r)
	if err != nil {
		return nil, err
	}
	var list []*bearer
	for _, b := range by {
		if b.Member != "" {
			b.Name = handles[string(b.Member)]
		}
		for _, m := range b.month {
			b.Sums = append(b.Sums, ShareSum{m.Currency, m.count, m.Decimal(), b.next.of(m.Currency).Decimal()})
		}
		list = append(list, b)
	}
	rank := func(b *bearer) int {
		switch {
		case b.Member != "":
			return 0
		case b.Name != "":
			return 1
		}
		return 2
	}
	slices.SortFunc(list, func(a, b *bearer) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(fold(a.Name), fold(b.Name)), cmp.Compare(a.Member, b.Member))
	})
	return list, nil
}
