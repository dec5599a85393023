package household

import (
	"encoding/json/v2"
	"fmt"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

type rateListIn struct {
	Currency string `json:"currency,omitzero" jsonschema:"only this one"`
	From     string `json:"from,omitzero" jsonschema:"first day, YYYY-MM-DD"`
	To       string `json:"to,omitzero" jsonschema:"last day"`
	pageIn
}

// Rates are those of one day.
type Rates struct {
	Date   tools.Date        `json:"date"`
	Source string            `json:"source"`
	Rates  map[string]string `json:"rates" jsonschema:"by currency, how much of it one euro was worth"`
}

type rateListOut struct {
	Items []Rates `json:"items"`
	Next  string  `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func rateListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_rate_list", Title: "household.title.rate_list",
		Help: "Lists the exchange rates that conversions use, newest first: how much of each currency, or of one, a euro was worth on a day, and the source.",
	}, rateList)
}

func rateList(r *tools.Reader, in rateListIn) (rateListOut, error) {
	p, err := in.page()
	if err != nil {
		return rateListOut{}, err
	}
	from, to, err := parseSpan("from", in.From, "to", in.To)
	if err != nil {
		return rateListOut{}, err
	}
	filters, params := window("date", from, to)
	if in.Currency != "" {
		if _, err := parseCurrency("currency", in.Currency); err != nil {
			return rateListOut{}, err
		}
		// A code is three capital letters, which stand nowhere else in the JSON.
		filters = append(filters, "rates ~ {:currency}")
		params["currency"] = in.Currency
	}
	recs, err := r.List(rates, tools.Query{
		Filter: strings.Join(filters, " && "), Params: params, Sort: "-date", Limit: p.limit + 1, Offset: p.offset,
	})
	if err != nil {
		return rateListOut{}, err
	}
	out := rateListOut{Items: make([]Rates, 0, len(recs))}
	recs, out.Next = cut(p, recs)
	for _, rec := range recs {
		item := Rates{Source: rec.GetString("source")}
		if item.Date, err = tools.ParseDate(rec.GetString("date")); err != nil {
			return rateListOut{}, fmt.Errorf("rates %s: %w", rec.Id, err)
		}
		if err := json.Unmarshal([]byte(rec.GetString("rates")), &item.Rates); err != nil {
			return rateListOut{}, fmt.Errorf("rates of %s: %w", item.Date, err)
		}
		if in.Currency != "" {
			item.Rates = map[string]string{in.Currency: item.Rates[in.Currency]}
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}
