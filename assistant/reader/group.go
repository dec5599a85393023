package reader

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// group is all that was paid to one merchant from one account.
type group struct {
	key      string
	account  uint16
	currency code
	charges  []charge
	refunds  []charge
	mandate  bool // the payee collects by a SEPA mandate
}

// minCut is how long a key must be for a longer one to be the same name, which
// a bank cut somewhere.
const minCut = 8

// groupRows gathers what was paid by merchant. Rows are sorted by day, and so
// are the charges of a group.
func groupRows(ctx context.Context, rows []row) ([]*group, error) {
	type id struct {
		key      string
		account  uint16
		currency code
	}
	groups := map[id]*group{}
	mandates := map[string]string{} // to the key of the first row with it
	for i := range rows {
		r := &rows[i]
		if i&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if r.amount == 0 || r.amount < 0 && notSubscribed(fold(r.text)) {
			continue
		}
		key, mandate := merchantOf(r).key, mandateOf(r)
		if mandate != "" && !isUmbrella(key) {
			if first, ok := mandates[mandate]; ok {
				key = first // another name, the same contract
			} else {
				mandates[mandate] = key
			}
		}
		at := id{key, r.account, r.currency}
		g := groups[at]
		if g == nil {
			g = &group{key: key, account: r.account, currency: r.currency}
			groups[at] = g
		}
		g.mandate = g.mandate || mandate != ""
		c := charge{row: i, day: r.day, amount: r.amount.abs(), original: r.original.abs(), foreign: r.foreign}
		if r.amount < 0 {
			g.charges = append(g.charges, c)
		} else {
			g.refunds = append(g.refunds, c)
		}
	}
	list := make([]*group, 0, len(groups))
	for _, g := range groups {
		list = append(list, g)
	}
	return mergeCut(list), nil
}

// mergeCut joins groups whose keys are one name, cut at different lengths.
func mergeCut(groups []*group) []*group {
	slices.SortFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.account, b.account), strings.Compare(a.currency.String(), b.currency.String()), strings.Compare(a.key, b.key))
	})
	var merged []*group
	for _, g := range groups {
		if n := len(merged); n > 0 {
			if p := merged[n-1]; p.account == g.account && p.currency == g.currency && len(p.key) >= minCut && strings.HasPrefix(g.key, p.key) {
				p.charges, p.refunds = append(p.charges, g.charges...), append(p.refunds, g.refunds...)
				p.mandate = p.mandate || g.mandate
				continue
			}
		}
		merged = append(merged, g)
	}
	for _, g := range merged {
		slices.SortFunc(g.charges, byDay)
		slices.SortFunc(g.refunds, byDay)
	}
	return merged
}

func byDay(a, b charge) int { return cmp.Compare(a.row, b.row) }

// mandateOf is the SEPA mandate of a direct debit, from its column or from the
// text, together with the creditor where the text names one.
func mandateOf(r *row) string {
	if r.mandate != "" {
		return r.mandate
	}
	i := strings.Index(r.text, "MREF+")
	if i < 0 {
		if i = strings.Index(r.text, "/MARF/"); i < 0 {
			return ""
		}
		i++
	}
	m, _, _ := strings.Cut(r.text[i+5:], " ")
	m, _, _ = strings.Cut(m, "/")
	return m
}

// settled leaves out charges that the bank gave back and the merchant took
// again within two weeks: the debit had failed. Other refunds stay, because a
// month that was refunded is a month of the series all the same.
func (g *group) settled() []charge {
	if len(g.refunds) == 0 {
		return g.charges
	}
	failed := map[int]bool{}
	for _, f := range g.refunds {
		for i := len(g.charges) - 1; i >= 0; i-- {
			c := g.charges[i]
			if c.amount != f.amount || c.day > f.day || f.day-c.day > 35 || failed[i] {
				continue
			}
			if i+1 < len(g.charges) && g.charges[i+1].amount == c.amount && g.charges[i+1].day-c.day <= 14 {
				failed[i] = true
			}
			break
		}
	}
	kept := make([]charge, 0, len(g.charges))
	for i, c := range g.charges {
		if !failed[i] {
			kept = append(kept, c)
		}
	}
	return kept
}
