package household

import (
	"cmp"
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// How many days back what is open is confirmed at once, unless somebody names a
// day, and how many charges at most.
const confirmDays, maxConfirm = 31, 500

type chargesConfirmIn struct {
	IDs  []string `json:"ids,omitempty" jsonschema:"of subscriptions; all that you see by default"`
	From string   `json:"from,omitzero" jsonschema:"first due day; 31 days before the last by default"`
	To   string   `json:"to,omitzero" jsonschema:"last due day; today by default"`
}

// ChargesConfirmed is what was confirmed at once.
type ChargesConfirmed struct {
	From   tools.Date `json:"from"`
	To     tools.Date `json:"to"`
	Count  int        `json:"count"`
	Totals []Total    `json:"totals" jsonschema:"by currency, never converted"`
	Older  int        `json:"older" jsonschema:"how many that were due before stay open"`
	Items  []Charge   `json:"items"`
	sums   sums
}

func chargesConfirmTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_charges_bulk_confirm", Title: "household.title.charges_bulk_confirm", Effect: tools.EffectWrite,
		Help: "Confirms all that was due in some days and is open, each on its due day with the amount due. Confirmed and skipped ones stay.",
	}, chargesConfirm, most("ids", maxIDs), tools.WithCard(chargesConfirmCard))
}

func chargesConfirm(c *tools.Call, in chargesConfirmIn) (out ChargesConfirmed, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return ChargesConfirmed{}, err
	}
	if in.IDs != nil {
		var recs []*core.Record
		if recs, err = allOf(c, in.IDs); err != nil {
			return ChargesConfirmed{}, err
		}
		defer naming(&err, namesOf(recs))
	}
	out = ChargesConfirmed{To: h.today, Items: []Charge{}}
	if out.From, out.To, err = in.span(h.today); err != nil {
		return ChargesConfirmed{}, err
	}
	lines, err := out.open(&c.Reader, in.IDs)
	if err != nil {
		return ChargesConfirmed{}, err
	}
	switch {
	case out.Count == 0:
		return ChargesConfirmed{}, tools.Fail(tools.Conflict, "household.error.none_open", out.From, out.To)
	case out.Count > maxConfirm:
		return ChargesConfirmed{}, tools.Fail(tools.TooLarge, "household.error.many_open", out.Count, out.From, out.To, maxConfirm)
	}
	for _, l := range lines {
		rec := c.New(charges)
		l.due = l.settles
		l.store(rec)
		if err := c.Save(rec); err != nil {
			return ChargesConfirmed{}, err
		}
		l.id = rec.Id
		out.Items = append(out.Items, l.shown())
		out.sums.add(l.money())
	}
	out.Totals = out.sums.totals()
	return out, nil
}

func (in chargesConfirmIn) span(today tools.Date) (from, until tools.Date, err error) {
	if from, until, err = parseSpan("from", in.From, "to", cmp.Or(in.To, today.String())); err != nil {
		return from, until, err
	}
	if until.After(today) {
		return from, until, invalid("household.error.to_today", until, today)
	}
	if from.IsZero() {
		from = until.AddDays(-confirmDays)
	}
	return from, until, nil
}

// open counts the charges of subscriptions, or of all where ids is nil, that
// are due in the time and that nothing settles, and those before it. It gives
// the first of them, no more than can be confirmed: since 1900 there may be very
// many.
func (out *ChargesConfirmed) open(r *tools.Reader, ids []string) ([]line, error) {
	query := tools.Query{}
	if ids != nil {
		query.In = map[string][]string{"id": ids} // all are there: their names have been read
	}
	all, err := bookOf(r, query)
	if err != nil {
		return nil, err
	}
	near, err := chargesNear(r, tools.Date{}, out.To, ids)
	if err != nil {
		return nil, err
	}
	var lines []line
	for i := range all {
		e := &all[i]
		for day := range e.open(e.first, near[e.id()]) {
			if day.After(out.To) {
				break
			}
			if day.Before(out.From) {
				out.Older++
			} else if out.Count++; len(lines) < maxConfirm {
				lines = append(lines, e.expects(day))
			}
		}
	}
	return lines, nil
}

func chargesConfirmCard(_ *tools.Reader, _ chargesConfirmIn, out ChargesConfirmed, _ []tools.Change) (tools.Card, error) {
	who := []string{}
	for _, item := range out.Items {
		if !slices.Contains(who, item.Name) {
			who = append(who, item.Name)
		}
	}
	card := tools.Card{
		Title: tools.T("household.card.charges_confirm", out.Count, out.From, out.To, out.sums.said()),
		Lines: []tools.Text{tools.T("household.card.charges_of", names(who))},
	}
	if out.Older > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.charges_older", out.Older, out.From))
	}
	return card, nil
}
