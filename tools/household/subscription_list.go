package household

import (
	"maps"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionListIn struct {
	Status        string `json:"status,omitzero" jsonschema:"current, the default, is all but ended"`
	Category      string `json:"category,omitzero" jsonschema:"name or id"`
	PaymentMethod string `json:"payment_method,omitzero" jsonschema:"name or id"`
	Owner         string `json:"owner,omitzero" jsonschema:"handle, id or me"`
	Tag           string `json:"tag,omitzero"`
	Private       *bool  `json:"private,omitempty"`
	Search        string `json:"search,omitzero" jsonschema:"a part of the name or merchant"`
	Sort          string `json:"sort,omitzero" jsonschema:"name by default; per_month: dearest first"`
	Totals        bool   `json:"totals,omitzero" jsonschema:"adds what all that match cost, whatever the page"`
	pageIn
}

type subscriptionListOut struct {
	Items  []Subscription      `json:"items"`
	Totals *SubscriptionTotals `json:"totals,omitempty" jsonschema:"where they are asked for"`
	Next   string              `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func subscriptionListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_subscription_list", Title: "household.title.subscription_list", Core: true,
		Help: "Lists subscriptions by name with all fields, next charge and prices. Gives {items, next}; pass next as cursor for the following page.",
	}, subscriptionList, tools.OneOf("status", "current", active, trying, paused, cancelled, ended, "all"), tools.OneOf("sort", byName, byNext, byCost, byNewest))
}

func subscriptionList(r *tools.Reader, in subscriptionListIn) (subscriptionListOut, error) {
	p, err := in.page()
	if err != nil {
		return subscriptionListOut{}, err
	}
	h, err := homeOf(r)
	if err != nil {
		return subscriptionListOut{}, err
	}
	out, err := in.list(r, h, p)
	if err == nil && in.Totals {
		out.Totals, err = in.totals(r, h)
	}
	return out, err
}

func (in subscriptionListIn) list(r *tools.Reader, h home, p page) (subscriptionListOut, error) {
	if in.Sort == byNext || in.Sort == byCost {
		return in.sorted(r, h, p)
	}
	recs, err := in.find(r, h, &p)
	if err != nil {
		return subscriptionListOut{}, err
	}
	var out subscriptionListOut
	recs, out.Next = cut(p, recs)
	out.Items, err = showAll(r, h, recs)
	return out, err
}

// showAll shows records.
func showAll(r *tools.Reader, h home, recs []*core.Record) ([]Subscription, error) {
	v, err := viewOf(r, h, recs...)
	if err != nil {
		return nil, err
	}
	items := make([]Subscription, len(recs))
	for i, rec := range recs {
		if items[i], err = v.show(rec); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// find reads one page and one record more, all without a page. What the query
// cannot tell is compared here, in all that it finds.
func (in subscriptionListIn) find(r *tools.Reader, h home, p *page) ([]*core.Record, error) {
	query, err := in.query(r, h)
	if err != nil {
		return nil, err
	}
	keep, err := in.matches(r, h, &query)
	if err != nil {
		return nil, err
	}
	query.Sort = "name"
	if in.Sort == byNewest {
		query.Sort = "-created,name"
	}
	if keep == nil && p != nil {
		query.Limit, query.Offset = p.limit+1, p.offset
		return r.List(subscriptions, query)
	}
	recs, err := r.List(subscriptions, query)
	if err != nil {
		return nil, err
	}
	if keep != nil {
		recs = slices.DeleteFunc(recs, func(rec *core.Record) bool { return !keep(rec) })
	}
	if p == nil {
		return recs, nil
	}
	recs = recs[min(p.offset, len(recs)):]
	return recs[:min(p.limit+1, len(recs))], nil
}

// matches says what a record must be beyond what the query asks, nil for
// nothing: tags and names are compared by their letters, and what rests is said
// by other records.
func (in subscriptionListIn) matches(r *tools.Reader, h home, query *tools.Query) (func(*core.Record) bool, error) {
	tag, search := "", ""
	var err error
	if in.Tag != "" {
		if tag, err = parseTag("tag", in.Tag); err != nil {
			return nil, err
		}
	}
	if in.Search != "" {
		if search, err = parseLine("search", in.Search, 120); err != nil {
			return nil, err
		}
	}
	resting := map[string]bool{}
	switch in.Status {
	case active, trying, paused:
		if resting, err = restingOn(r, h.today); err != nil {
			return nil, err
		}
	}
	if in.Status == paused {
		query.In = map[string][]string{"id": slices.Collect(maps.Keys(resting))}
		resting = nil
	}
	if tag == "" && search == "" && len(resting) == 0 {
		return nil, nil
	}
	search = fold(search)
	return func(rec *core.Record) bool {
		return !resting[rec.Id] && (tag == "" || hasTag(tagsOf(rec), tag)) &&
			(strings.Contains(fold(rec.GetString("name")), search) || strings.Contains(fold(rec.GetString("merchant")), search))
	}, nil
}

// restingOn are the subscriptions that are paused on a day.
func restingOn(r *tools.Reader, day tools.Date) (map[string]bool, error) {
	rows, err := r.Rows(pauses, tools.Query{
		Filter: "from <= {:day} && (until = '' || until > {:day})", Params: map[string]any{"day": day.String()},
	}, "subscription")
	resting := make(map[string]bool, len(rows))
	for _, row := range rows {
		resting[row.GetString("subscription")] = true
	}
	return resting, err
}

func (in subscriptionListIn) query(r *tools.Reader, h home) (tools.Query, error) {
	const current = "(ends_on = '' || ends_on >= {:today})"
	filters, params := []string{}, map[string]any{"today": h.today.String()}
	switch in.Status {
	case "", "current":
		filters = append(filters, current)
	case active:
		filters = append(filters, current, "status = 'active'", "trial_ends_on < {:today}")
	case trying:
		filters = append(filters, current, "status = 'active'", "trial_ends_on >= {:today}")
	case paused:
		filters = append(filters, current, "status = 'active'")
	case cancelled:
		filters = append(filters, current, "status = 'cancelled'")
	case ended:
		filters = append(filters, "ends_on != '' && ends_on < {:today}")
	}
	for _, f := range []struct {
		field, value string
		find         func(r *tools.Reader, field, s string) (string, error)
	}{{"category", in.Category, categoryNoun().find}, {"payment_method", in.PaymentMethod, methodNoun().find}, {"owner", in.Owner, findOwner}} {
		if f.value == "" {
			continue
		}
		id, err := f.find(r, f.field, f.value)
		if err != nil {
			return tools.Query{}, err
		}
		filters = append(filters, f.field+" = {:"+f.field+"}")
		params[f.field] = id
	}
	if in.Private != nil {
		filters = append(filters, "private = {:private}")
		params["private"] = *in.Private
	}
	return tools.Query{Filter: strings.Join(filters, " && "), Params: params}, nil
}

// findOwner takes a handle, an id, or "me" for the person who asks.
func findOwner(r *tools.Reader, field, s string) (string, error) {
	if s == "me" {
		return r.Actor.Person, nil
	}
	return findMember(r, field, s)
}
