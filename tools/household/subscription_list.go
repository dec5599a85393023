package household

import (
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionListIn struct {
	Status   string `json:"status,omitzero" jsonschema:"current (active, or cancelled and still running; the default), active, cancelled, ended or all"`
	Category string `json:"category,omitzero" jsonschema:"a category's name or id"`
	Tag      string `json:"tag,omitzero"`
	Search   string `json:"search,omitzero" jsonschema:"a part of the name, in any case; every character means itself"`
	Limit    int    `json:"limit,omitzero" jsonschema:"how many, 50 by default and 200 at most"`
	Cursor   string `json:"cursor,omitzero" jsonschema:"next of the page before"`
}

type subscriptionListOut struct {
	Items []Subscription `json:"items"`
	Next  string         `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func subscriptionListTool() tools.Tool {
	return with(tools.NewRead(tools.Def{
		Name: "household_subscription_list", Title: "household.title.subscription_list", Core: true,
		Help: "Lists subscriptions by name with amount, cycle, next charge, price history, category and tags. Those that have ended are left out unless status asks for them. Gives {items, next}; pass next as cursor for the following page.",
	}, subscriptionList), oneOf("status", "current", active, cancelled, ended, "all"))
}

func subscriptionList(r *tools.Reader, in subscriptionListIn) (subscriptionListOut, error) {
	p, err := parsePage(in.Limit, in.Cursor)
	if err != nil {
		return subscriptionListOut{}, err
	}
	h, err := homeOf(r)
	if err != nil {
		return subscriptionListOut{}, err
	}
	recs, err := in.find(r, h, p)
	if err != nil {
		return subscriptionListOut{}, err
	}
	var out subscriptionListOut
	recs, out.Next = cut(p, recs)
	v, err := viewOf(r, h, recs...)
	if err != nil {
		return subscriptionListOut{}, err
	}
	out.Items = make([]Subscription, len(recs))
	for i, rec := range recs {
		if out.Items[i], err = v.show(rec); err != nil {
			return subscriptionListOut{}, err
		}
	}
	return out, nil
}

// find reads one page and one record more. Where tag or search is given, all
// that the rest of the query finds is read and compared here.
func (in subscriptionListIn) find(r *tools.Reader, h home, p page) ([]*core.Record, error) {
	query, err := in.query(r, h)
	if err != nil {
		return nil, err
	}
	query.Sort = "name"
	if in.Tag == "" && in.Search == "" {
		query.Limit, query.Offset = p.limit+1, p.offset
		return r.List(subscriptions, query)
	}
	tag, search := "", ""
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
	recs, err := r.List(subscriptions, query)
	if err != nil {
		return nil, err
	}
	recs = slices.DeleteFunc(recs, func(rec *core.Record) bool {
		return (tag != "" && !hasTag(tagsOf(rec), tag)) || !strings.Contains(fold(rec.GetString("name")), fold(search))
	})
	recs = recs[min(p.offset, len(recs)):]
	return recs[:min(p.limit+1, len(recs))], nil
}

func (in subscriptionListIn) query(r *tools.Reader, h home) (tools.Query, error) {
	filters, params := []string{}, map[string]any{"today": h.today.String()}
	switch in.Status {
	case "", "current":
		filters = append(filters, "(ends_on = '' || ends_on >= {:today})")
	case active, cancelled:
		filters = append(filters, "status = {:status}", "(ends_on = '' || ends_on >= {:today})")
		params["status"] = in.Status
	case ended:
		filters = append(filters, "ends_on != '' && ends_on < {:today}")
	}
	if in.Category != "" {
		id, err := findCategory(r, "category", in.Category)
		if err != nil {
			return tools.Query{}, err
		}
		filters = append(filters, "category = {:category}")
		params["category"] = id
	}
	return tools.Query{Filter: strings.Join(filters, " && "), Params: params}, nil
}
