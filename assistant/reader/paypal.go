package reader

import "strings"

// paypal reads the activity report, which writes a payment as several rows: the
// payment, its conversion into the account's currency as a pair, and the
// transfer from a bank that funds it. Only the payment is spending, at the
// amount that the conversion came to.
type paypal struct {
	layout      *layout
	stamps      map[int]string // of payments in any currency, by row
	conversions map[string][]row
}

var _ profile = (*paypal)(nil)

func newPaypal(l *layout) *paypal {
	return &paypal{layout: l, stamps: map[int]string{}, conversions: map[string][]row{}}
}

func (p *paypal) row(r *row, cells [][]byte, n int) string {
	at := &p.layout.at
	stamp := string(cell(cells, at[roleDate])) + " " + string(cell(cells, at[roleTime]))
	kind := foldCell(cell(cells, at[roleType]))
	named := len(cell(cells, at[rolePayee])) > 0
	switch {
	case hasPart(kind, "conversion", "wahrungsumrechnung", "conversion de divisa", "conversion de devise", "cambio de divisa"):
		p.conversions[stamp] = append(p.conversions[stamp], *r)
		return "conversion"
	case hasPart(kind, "authorization", "autorisierung", "autorizacion", "account hold", "hold", "einbehaltung"):
		return "pending"
	case !named && hasPart(kind, "deposit", "bankgutschrift", "bank", "transfer", "withdrawal", "abbuchung", "ingreso", "virement", "funding", "card"):
		return "funding"
	}
	p.stamps[n] = stamp
	return ""
}

func (p *paypal) finish(st *statement) {
	for i := range st.rows {
		r := &st.rows[i]
		legs := p.conversions[p.stamps[i]]
		for a := range legs {
			for b := range legs {
				// Out of the payment's currency and, the other leg, from ours.
				if legs[a].currency == r.currency && legs[a].amount == -r.amount && legs[b].currency != r.currency && (legs[b].amount < 0) == (r.amount < 0) {
					r.more().original, r.rare.foreign = r.amount, r.currency
					r.amount, r.currency = legs[b].amount, legs[b].currency
					legs[a].currency = code{} // used
				}
			}
		}
	}
}

func hasPart(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
