package household

import (
	"cmp"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// importApplyCard says "Add 7 subscriptions from n26.csv: 94.20 EUR a month".
func importApplyCard(_ *tools.Reader, _ tools.ImportRows, out Imported, _ []tools.Change) (tools.Card, error) {
	card := tools.Card{}
	n := 0
	for _, item := range slices.Concat(out.Added, out.Changed) {
		n += item.Charges
	}
	switch sums := monthly(out.Added); {
	case len(out.Added) > 0 && len(sums) > 0:
		card.Title = tools.T("household.card.import_sum", len(out.Added), out.File, sums)
	case len(out.Added) > 0:
		card.Title = tools.T("household.card.import", len(out.Added), out.File)
	case len(out.Changed) > 0:
		card.Title = tools.T("household.card.import_known", len(out.Changed), out.File)
	default:
		card.Title = tools.T("household.card.import_nothing", out.File)
	}
	for _, item := range out.Added {
		cycle, _ := tools.ParseCycle(item.Cycle)
		card.Lines = append(card.Lines, tools.T("household.card.import_added", item.Name, perCycle(moneyOf(item.Amount, item.Currency), cycle)))
	}
	for _, item := range out.Changed {
		if !item.PriceFrom.IsZero() {
			card.Lines = append(card.Lines, tools.T("household.card.price", item.Name,
				moneyOf(item.Amount, item.Currency), moneyOf(item.OldAmount, item.Currency), item.PriceFrom))
		}
	}
	if n > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.import_charges", n))
	}
	if out.Unchanged > 0 {
		card.Lines = append(card.Lines, tools.T("household.card.import_unchanged", out.Unchanged))
	}
	return card, nil
}

// monthly sums what new subscriptions cost a month, by currency.
func monthly(items []ImportedItem) []tools.Text {
	var sums []tools.Money
	for _, item := range items {
		if item.month == 0 {
			continue
		}
		i, found := slices.BinarySearchFunc(sums, item.Currency, func(m tools.Money, c string) int { return cmp.Compare(m.Currency, c) })
		if !found {
			sums = slices.Insert(sums, i, tools.Money{Currency: item.Currency})
		}
		sums[i].Minor = plus(sums[i].Minor, item.month)
	}
	texts := make([]tools.Text, len(sums))
	for i, m := range sums {
		texts[i] = perCycle(m, tools.Cycle{N: 1, Unit: tools.Months})
	}
	return texts
}
