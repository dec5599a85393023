package household

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// What else than a state can be asked for: what was paid, confirmed or changed;
// and all there is.
const wasBooked, everything = "booked", "all"

// openDays is how far back open charges are looked for, unless somebody names a
// day.
const openDays = 365

type chargeListIn struct {
	Subscription string `json:"subscription,omitzero" jsonschema:"id; without it all"`
	From         string `json:"from,omitzero" jsonschema:"first day; of expected ones a year back by default"`
	To           string `json:"to,omitzero" jsonschema:"last day; without it expected ones end in 30 days"`
	State        string `json:"state,omitzero" jsonschema:"booked (confirmed or changed) by default"`
	pageIn
}

type chargeListOut struct {
	Items []Charge `json:"items"`
	Next  string   `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func chargeListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_charge_list", Title: "household.title.charge_list",
		Help: "Lists charges, newest first: those that were booked, or those expected, changed or skipped. Past expected ones are those that nobody has confirmed.",
	}, chargeList, tools.OneOf("state", wasBooked, expected, confirmed, differs, skipped, everything))
}

func chargeList(r *tools.Reader, in chargeListIn) (chargeListOut, error) {
	p, err := in.page()
	if err != nil {
		return chargeListOut{}, err
	}
	h, err := homeOf(r)
	if err != nil {
		return chargeListOut{}, err
	}
	from, to, err := parseSpan("from", in.From, "to", in.To)
	if err != nil {
		return chargeListOut{}, err
	}
	horizon := to
	if to.IsZero() {
		horizon = h.today.AddDays(daysAhead)
	}
	if most := h.today.AddDays(maxDays); (in.State == expected || in.State == everything) && horizon.After(most) {
		return chargeListOut{}, invalid("household.error.to_far", "to", to, most)
	}
	query, err := only(r, in.Subscription)
	if err != nil {
		return chargeListOut{}, err
	}
	var lines []line
	if in.State == "" || in.State == wasBooked || in.State == skipped {
		lines, err = in.stored(r, p, from, to)
	} else {
		lines, err = in.computed(r, p, query, h.today, from, to, horizon)
	}
	if err != nil {
		return chargeListOut{}, err
	}
	var out chargeListOut
	lines, out.Next = cut(p, lines)
	out.Items, err = shownLines(r, lines)
	return out, err
}

// stored reads one page of what is stored, and one more.
func (in chargeListIn) stored(r *tools.Reader, p page, from, to tools.Date) ([]line, error) {
	filters, params := window("date", from, to)
	if in.State == skipped {
		filters = append(filters, "state = 'skipped'")
	} else {
		filters = append(filters, "state != 'skipped'")
	}
	if in.Subscription != "" {
		filters = append(filters, "subscription = {:subscription}")
		params["subscription"] = in.Subscription
	}
	return storedLines(r, tools.Query{
		Filter: strings.Join(filters, " && "), Params: params, Sort: "-date", Limit: p.limit + 1, Offset: p.offset,
	})
}

// storedLines reads the charges that a query finds, newest first, and what they
// settle.
func storedLines(r *tools.Reader, query tools.Query) ([]line, error) {
	found, err := chargesOf(r, query)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	of, ids := map[string]bool{}, []string{}
	for _, c := range found {
		if !of[c.sub] {
			of[c.sub] = true
			ids = append(ids, c.sub)
		}
	}
	all, err := bookOf(r, tools.Query{In: map[string][]string{"id": ids}})
	if err != nil {
		return nil, err
	}
	lo, hi := found[len(found)-1].date, found[0].date
	near, err := chargesNear(r, lo, hi, ids)
	if err != nil {
		return nil, err
	}
	by := map[string]line{}
	for _, l := range all.ledger(near, lo, lo, hi, tools.Date{}) {
		by[l.id] = l
	}
	lines := make([]line, len(found))
	for i, c := range found {
		lines[i] = by[c.id]
	}
	return lines, nil
}

// computed settles all that is due in the time, since what a charge is can only
// be told beside the others. Without a first day, what is open for longer than
// a year is left out: since 1900 that would be very much.
func (in chargeListIn) computed(r *tools.Reader, p page, query tools.Query, today, from, to, horizon tools.Date) ([]line, error) {
	all, err := bookOf(r, query)
	if err != nil {
		return nil, err
	}
	since := from
	if since.IsZero() {
		since = today.AddDays(-openDays)
		if horizon.Before(today) {
			since = horizon.AddDays(-openDays)
		}
	}
	if in.State == expected {
		from = since
	}
	var lines []line
	for days := openDays; ; days *= 2 {
		begin := from
		if back := horizon.AddDays(-days); back.After(from) {
			begin = back // the newest are listed first: mostly a page is full before all is looked at
		}
		near, err := chargesNear(r, begin, to, query.In["id"])
		if err != nil {
			return nil, err
		}
		lines = slices.DeleteFunc(all.ledger(near, since, begin, to, horizon), func(l line) bool {
			return in.State != everything && l.state() != in.State
		})
		if begin == from || len(lines) > p.offset+p.limit {
			break
		}
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(b.date.Compare(a.date), strings.Compare(a.id, b.id), strings.Compare(a.sub, b.sub))
	})
	lines = lines[min(p.offset, len(lines)):]
	return lines[:min(p.limit+1, len(lines))], nil
}
