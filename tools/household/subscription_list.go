package household

import (
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionListIn struct {
	Status   string `json:"status,omitzero" jsonschema:"current (active, or cancelled and still running; the default), active, cancelled, ended or all"`
	Category string `json:"category,omitzero" jsonschema:"a category's name or id"`
	Tag      string `json:"tag,omitzero"`
	Search   string `json:"search,omitzero" jsonschema:"a part of the name"`
	Limit    int    `json:"limit,omitzero" jsonschema:"how many, 50 by default and 200 at most"`
	Cursor   string `json:"cursor,omitzero" jsonschema:"next of the page before"`
}

type subscriptionListOut struct {
	Items []Subscription `json:"items"`
	Next  string         `json:"next,omitzero" jsonschema:"cursor of the next page; absent on the last"`
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
	query, err := in.query(r, h)
	if err != nil {
		return subscriptionListOut{}, err
	}
	query.Sort, query.Limit, query.Offset = "name", p.limit+1, p.offset
	recs, err := r.List(subscriptions, query)
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
	if in.Tag != "" {
		tag, err := parseTag("tag", in.Tag)
		if err != nil {
			return tools.Query{}, err
		}
		filters = append(filters, "tags ~ {:tag}")
		params["tag"] = `"` + tag + `"`
	}
	if in.Search != "" {
		search, err := parseLine("search", in.Search, 120)
		if err != nil {
			return tools.Query{}, err
		}
		filters = append(filters, "name ~ {:search}")
		params["search"] = search
	}
	return tools.Query{Filter: strings.Join(filters, " && "), Params: params}, nil
}
