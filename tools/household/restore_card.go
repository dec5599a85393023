package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

// restoreCard says "Restore 40 subscriptions: 412.50 EUR a month".
func restoreCard(_ *tools.Reader, _ restoreIn, out Restored, _ []tools.Change) (tools.Card, error) {
	var card tools.Card
	total := 0
	for _, n := range out.Created {
		total += n
	}
	n := out.Created["subscriptions"]
	switch {
	case n > 0 && len(out.cost) > 0:
		card.Title = tools.T("household.card.restore_sum", n, out.cost.monthly())
	case n > 0:
		card.Title = tools.T("household.card.restore", n)
	case total > 0:
		card.Title = tools.T("household.card.restore_records", total)
	case out.Linked > 0:
		card.Title = tools.T("household.card.restore_linked", out.Linked)
	default:
		card.Title = tools.T("household.card.restore_nothing")
	}
	for _, t := range exportTables() {
		if n := out.Created[t.key]; n > 0 && t.key != "subscriptions" {
			card.Lines = append(card.Lines, tools.T("household.restored."+t.key, n))
		}
	}
	if out.Linked > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.restore_linked", out.Linked))
	}
	if out.Unchanged > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.restore_unchanged", out.Unchanged))
	}
	if out.LeftOut > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.restore_left_out", out.LeftOut))
	}
	if len(out.Absent) > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.restore_absent", names(out.Absent)))
	}
	return card, nil
}
