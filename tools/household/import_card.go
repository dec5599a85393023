package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// importApplyCard says "Add 7 subscriptions from n26.csv: 94.20 EUR a month";
// its lines add up to that.
func importApplyCard(_ *tools.Reader, _ importIn, out Imported, _ []tools.Change) (tools.Card, error) {
	file := fileName(out.File)
	card := tools.Card{}
	var cost sums
	for _, item := range out.Added {
		if item.month > 0 {
			cost.add(tools.Money{Minor: item.month, Currency: item.Currency})
		}
	}
	n, corrected := 0, 0
	for _, item := range slices.Concat(out.Added, out.Changed) {
		n += item.Charges
		corrected += item.Corrected
	}
	switch {
	case len(cost) > 0:
		card.Title = tools.T("household.card.import_sum", len(out.Added), file, cost.monthly())
	case len(out.Added) > 0:
		card.Title = tools.T("household.card.import", len(out.Added), file)
	default:
		card.Title = tools.T("household.card.import_known", len(out.Changed), file)
	}
	for _, item := range out.Added {
		card.Lines = append(card.Lines, item.line())
		if n := len(item.Similar); n > 0 {
			card.Lines = append(card.Lines, tools.T("household.card.similar", n, item.Name))
		}
	}
	for _, item := range out.Changed {
		now, before := moneyOf(item.Price, item.Currency), moneyOf(item.OldAmount, item.Currency)
		switch {
		case !item.PriceTo.IsZero():
			card.Lines = append(card.Lines, tools.T("household.card.price_past", item.Name, now, before, item.PriceFrom, item.PriceTo))
		case !item.PriceFrom.IsZero():
			card.Lines = append(card.Lines, tools.T("household.card.price", item.Name, now, before, item.PriceFrom))
		}
	}
	if n > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.import_charges", n))
	}
	if corrected > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.import_corrected", corrected))
	}
	if out.Unchanged > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.import_unchanged", out.Unchanged))
	}
	return card, nil
}

// fileName is how a card names the file.
func fileName(file string) any {
	if file == "" {
		return tools.T("household.card.import_file")
	}
	return file
}

// line is what a new subscription costs, with its share of the title's sum.
func (item ImportedItem) line() tools.Text {
	cycle, _ := tools.ParseCycle(item.Cycle)
	each := perCycle(moneyOf(item.Amount, item.Currency), cycle)
	month := tools.Cycle{N: 1, Unit: tools.Months}
	switch {
	case !item.EndedOn.IsZero():
		return tools.T("household.card.import_ended", item.Name, item.EndedOn)
	case cycle != month:
		return tools.T("household.card.import_scaled", item.Name, each, perCycle(tools.Money{Minor: item.month, Currency: item.Currency}, month))
	}
	return tools.T("household.card.import_added", item.Name, each)
}
