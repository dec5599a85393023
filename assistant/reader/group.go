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
	rows     []int32 // of money out
	refunds  []int32 // of money in
	mandate  bool    // the payee collects by a SEPA mandate
	known    bool    // the payee sells nothing but subscriptions
}

// minCut is how long a key must be for a longer one to be the same name, which
// a bank cut somewhere.
const minCut = 8

// groupRows gathers what was paid by merchant. Rows are sorted by day, and so
// are those of a group.
func groupRows(ctx context.Context, rows []row) ([]*group, error) {
	type id struct {
		key      string
		account  uint16
		currency code
	}
	groups := map[id]*group{}
	excluded := notSubscribed()
	mandates := map[string]string{} // to the key of the first row with it
	for i := range rows {
		r := &rows[i]
		if i&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if text := fold(r.text); r.amount == 0 || r.apart || r.amount < 0 && (excluded.in(text) || hasInstalment(text)) {
			continue
		}
		m, mandate := merchantOf(r), mandateOf(r)
		key := m.key
		if len(mandate) >= minCut && strings.ContainsAny(mandate, "0123456789") && !m.within {
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
		if r.amount < 0 {
			g.rows = append(g.rows, int32(i))
		} else {
			g.refunds = append(g.refunds, int32(i))
		}
	}
	list := make([]*group, 0, len(groups))
	for _, g := range groups {
		if service := knownService(g.key); service != "" {
			g.key, g.known = service, true
		}
		list = append(list, g)
	}
	return mergeCut(list), nil
}

// names says that a key, not before the group's own in sequence, is its name.
func (g *group) names(key string) bool {
	return key == g.key || len(g.key) >= minCut && strings.HasPrefix(key, g.key)
}

// mergeCut joins groups whose keys are one name, cut at different lengths.
func mergeCut(groups []*group) []*group {
	slices.SortFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.account, b.account), strings.Compare(a.currency.String(), b.currency.String()), strings.Compare(a.key, b.key))
	})
	var merged []*group
	for _, g := range groups {
		if n := len(merged); n > 0 {
			if p := merged[n-1]; p.account == g.account && p.currency == g.currency && p.names(g.key) {
				p.rows, p.refunds = append(p.rows, g.rows...), append(p.refunds, g.refunds...)
				p.mandate = p.mandate || g.mandate
				continue
			}
		}
		merged = append(merged, g)
	}
	for _, g := range merged {
		slices.Sort(g.rows)
		slices.Sort(g.refunds)
	}
	return merged
}

// mandateOf is the SEPA mandate of a direct debit, from its column or from the
// text.
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

// charges of the group. A debit that failed, so that the bank gave it back and
// the merchant took it again within two weeks, is one charge: on its first day,
// or on its second where again is set. Other refunds change nothing, because a
// month that was refunded is a month of the series all the same.
func (g *group) charges(rows []row, failed map[int]bool, again bool) []charge {
	list := make([]charge, 0, len(g.rows))
	for i, n := range g.rows {
		if again && failed[i] || !again && failed[i-1] {
			continue
		}
		r := &rows[n]
		list = append(list, charge{row: n, day: r.day, amount: -r.amount, original: r.original.abs(), foreign: r.foreign})
	}
	return list
}

// explain finds the series of the group.
func (g *group) explain(rows []row) ([]series, []charge) {
	failed := g.failed(rows)
	charges := g.charges(rows, failed, false)
	best := explain(charges)
	if failed != nil && covered(best) < len(charges) {
		if other := explain(g.charges(rows, failed, true)); covered(other) > covered(best) {
			best = other
		}
	}
	return best, charges
}

// maxBack is how many charges before a refund may be the one that it returns.
const maxBack = 100

// failed marks the charges whose next one takes them again, by their place in
// g.rows.
func (g *group) failed(rows []row) map[int]bool {
	var failed map[int]bool
	for _, n := range g.refunds {
		refund := &rows[n]
		at, _ := slices.BinarySearch(g.rows, n)
		for i := at - 1; i >= max(0, at-maxBack); i-- {
			c := &rows[g.rows[i]]
			if refund.day-c.day > 35 {
				break
			}
			if c.amount != -refund.amount || failed[i] {
				continue
			}
			if i+1 < len(g.rows) {
				if again := &rows[g.rows[i+1]]; again.amount == c.amount && again.day-c.day <= 14 {
					if failed == nil {
						failed = map[int]bool{}
					}
					failed[i] = true
				}
			}
			break
		}
	}
	return failed
}
