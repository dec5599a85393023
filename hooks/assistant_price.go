package hooks

import (
	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// priced is what an assistant costs, and who says so: an operator is to know
// also where they said nothing themselves.
func (a *App) priced(is roster.Assistant) *accounts.Priced {
	out := accounts.Priced{From: accounts.Unknown, Currency: a.ledger.Currency(), Tiers: []accounts.PricedTier{}}
	p := is.Prices
	switch row, ok := a.ledger.RowOf(is.Budgeted()); {
	case p != nil && is.Locks("price_input"):
		out.From = accounts.FromEnvironment
	case p != nil:
		out.From = accounts.FromOperator
	case ok:
		p, out.From = &row.Prices, accounts.FromTable
		out.Source, out.Checked, out.ValidFrom = row.Source, row.Checked, row.From
	default:
		return &out
	}
	out.Rates = ratesOf(p.Rates)
	for _, t := range p.Tiers {
		out.Tiers = append(out.Tiers, accounts.PricedTier{Above: t.Above, Rates: ratesOf(t.Rates)})
	}
	return &out
}

func ratesOf(r budget.Rates) accounts.Rates {
	return accounts.Rates{Input: accounts.Decimal(r.Input), Output: accounts.Decimal(r.Output), CacheRead: accounts.Decimal(r.CacheRead), CacheWrite: accounts.Decimal(r.CacheWrite)}
}
