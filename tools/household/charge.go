package household

import (
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Charge is a payment that the bank has booked.
type Charge struct {
	ID           string     `json:"id"`
	Subscription string     `json:"subscription"`
	Name         string     `json:"name" jsonschema:"the subscription's"`
	Date         tools.Date `json:"date"`
	Amount       string     `json:"amount"`
	Currency     string     `json:"currency"`
	Text         string     `json:"text,omitzero" jsonschema:"what the statement says"`
}

func chargeOf(rec *core.Record, name string) Charge {
	day, _ := tools.ParseDate(rec.GetString("date")) // validated when it was stored
	currency := rec.GetString("currency")
	return Charge{
		ID: rec.Id, Subscription: rec.GetString("subscription"), Name: name, Date: day,
		Amount: tools.Money{Minor: amountOf(rec), Currency: currency}.Decimal(), Currency: currency, Text: rec.GetString("text"),
	}
}

type chargeListIn struct {
	Subscription string `json:"subscription,omitzero" jsonschema:"id of a subscription; without it the charges of all"`
	From         string `json:"from,omitzero" jsonschema:"first day, YYYY-MM-DD"`
	To           string `json:"to,omitzero" jsonschema:"last day, YYYY-MM-DD"`
	Limit        int    `json:"limit,omitzero" jsonschema:"how many, 50 by default and 200 at most"`
	Cursor       string `json:"cursor,omitzero" jsonschema:"next of the page before"`
}

type chargeListOut struct {
	Items []Charge `json:"items"`
	Next  string   `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func chargeListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_charge_list", Title: "household.title.charge_list",
		Help: "Lists the charges that were booked, newest first, of one subscription or of all, between two days. Gives {items, next}.",
	}, chargeList)
}

func chargeList(r *tools.Reader, in chargeListIn) (chargeListOut, error) {
	p, err := parsePage(in.Limit, in.Cursor)
	if err != nil {
		return chargeListOut{}, err
	}
	query := tools.Query{Sort: "-date", Limit: p.limit + 1, Offset: p.offset, Params: map[string]any{}}
	var filters []string
	if in.Subscription != "" {
		if _, err := r.Find(subscriptions, in.Subscription); err != nil {
			return chargeListOut{}, err
		}
		filters = append(filters, "subscription = {:subscription}")
		query.Params["subscription"] = in.Subscription
	}
	for _, bound := range []struct{ field, value, filter string }{{"from", in.From, "date >= {:from}"}, {"to", in.To, "date <= {:to}"}} {
		if bound.value == "" {
			continue
		}
		if _, err := parseDate(bound.field, bound.value); err != nil {
			return chargeListOut{}, err
		}
		filters = append(filters, bound.filter)
		query.Params[bound.field] = bound.value
	}
	if in.From != "" && in.To != "" && in.To < in.From {
		return chargeListOut{}, invalid("household.error.order", "to", in.To, "from", in.From)
	}
	query.Filter = strings.Join(filters, " && ")
	recs, err := r.List(charges, query)
	if err != nil {
		return chargeListOut{}, err
	}
	out := chargeListOut{Items: make([]Charge, 0, len(recs))}
	recs, out.Next = cut(p, recs)
	names, err := namesAbove(r, recs)
	if err != nil {
		return chargeListOut{}, err
	}
	for _, rec := range recs {
		out.Items = append(out.Items, chargeOf(rec, names[rec.GetString("subscription")]))
	}
	return out, nil
}

// namesAbove reads the names of the subscriptions that charges belong to.
func namesAbove(r *tools.Reader, recs []*core.Record) (map[string]string, error) {
	names := map[string]string{}
	var ids []string
	for _, rec := range recs {
		if id := rec.GetString("subscription"); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return names, nil
	}
	subs, err := r.List(subscriptions, tools.Query{In: map[string][]string{"id": ids}})
	if err != nil {
		return nil, err
	}
	for _, sub := range subs {
		names[sub.Id] = sub.GetString("name")
	}
	return names, nil
}
