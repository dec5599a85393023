package household

import "github.com/nodkeep/nodkeep/tools"

type bulkDeleteIn struct {
	IDs []string `json:"ids" jsonschema:"1 to 500; one that is not there stops all"`
}

func bulkDeleteTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscriptions_bulk_delete", Title: "household.title.bulk_delete", Effect: tools.EffectDestroy,
		Help: "Deletes up to 500 subscriptions with their charges and price history, all or none. Gives id and name of each.",
	}, bulkDelete, most("ids", maxIDs), tools.WithCard(func(_ *tools.Reader, _ bulkDeleteIn, out BulkGone, changes []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.bulk_delete", out.Count, names(out.names()))}
		if out.run > 0 {
			card.Lines = append(card.Lines, tools.T("household.card.bulk_delete_runs", out.run, out.month.monthly()))
		}
		card.Lines = append(card.Lines, alongWith(changes)...)
		return card, nil
	}))
}

// BulkGone is what was deleted at once.
type BulkGone struct {
	Bulk
	run   int  // how many were still to be paid
	month sums // what those came to, scaled to a month
}

func bulkDelete(c *tools.Call, in bulkDeleteIn) (out BulkGone, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return out, err
	}
	recs, err := allOf(c, in.IDs)
	if err != nil {
		return out, err
	}
	err = h.eachRunning(&c.Reader, recs, func(s schedule, amount int64) {
		out.run++
		out.month.add(s.money(s.cycle.PerMonth(amount)))
	})
	if err != nil {
		return out, err
	}
	out.Bulk, err = forEach(recs, c.Delete)
	return out, err
}
