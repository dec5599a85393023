package household

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// maxRows is how many recurring payments one import takes, and maxEvidence how
// many charges.
const maxRows, maxEvidence = 500, 5000

// row is a recurring payment of a file, checked.
type row struct {
	tools.Recurring
	key      string
	amount   int64
	prices   []price
	evidence []paid
}

// paid is a charge of a file.
type paid struct {
	date   tools.Date
	amount int64
	text   string
}

// parseRows checks all rows before any is looked up.
func parseRows(in tools.ImportRows) ([]row, error) {
	if len(in.Subscriptions) > maxRows {
		return nil, invalid("household.error.rows", len(in.Subscriptions), maxRows)
	}
	rows := make([]row, len(in.Subscriptions))
	n := 0
	for i, r := range in.Subscriptions {
		var err error
		if rows[i], err = parseRow(i, r); err != nil {
			return nil, err
		}
		if n += len(rows[i].evidence); n > maxEvidence {
			return nil, invalid("household.error.evidence", maxEvidence)
		}
	}
	return rows, nil
}

func parseRow(i int, r tools.Recurring) (out row, err error) {
	at := func(field string) string { return element("subscriptions", i, field) }
	if r.Merchant, err = parseName(at("merchant"), r.Merchant, 120); err != nil {
		return row{}, err
	}
	if _, err := parseCurrency(at("currency"), r.Currency); err != nil {
		return row{}, err
	}
	if _, err := parseCycle(at("cycle"), r.Cycle.String()); err != nil {
		return row{}, err
	}
	if r.Cycle.Unit == tools.Weeks {
		r.AnchorDay = 0
	}
	if r.AnchorDay < 0 || r.AnchorDay > 31 {
		return row{}, invalid("household.error.anchor", r.AnchorDay)
	}
	if err := days(at, map[string]tools.Date{"first_date": r.FirstDate, "last_date": r.LastDate}); err != nil {
		return row{}, err
	}
	if r.LastDate.Before(r.FirstDate) {
		return row{}, invalid("household.error.order", at("last_date"), r.LastDate, at("first_date"), r.FirstDate)
	}
	out = row{Recurring: r, key: merchantKey(r.Merchant)}
	if out.amount, err = parseAmount(at("amount"), r.Amount, r.Currency); err != nil {
		return row{}, err
	}
	for j, p := range r.Prices {
		amount, err := parseAmount(at(fmt.Sprintf("prices[%d].amount", j)), p.Amount, r.Currency)
		if err != nil {
			return row{}, err
		}
		if err := days(at, map[string]tools.Date{fmt.Sprintf("prices[%d].from", j): p.From}); err != nil {
			return row{}, err
		}
		out.prices = append(out.prices, price{from: p.From, amount: amount, changed: true})
	}
	slices.SortStableFunc(out.prices, func(a, b price) int { return a.from.Compare(b.from) })
	return out, out.readEvidence(at)
}

// readEvidence takes the charges; a minus sign says no more than that the
// money went out.
func (r *row) readEvidence(at func(string) string) error {
	for j, e := range r.Evidence {
		amount, err := parseAmount(at(fmt.Sprintf("evidence[%d].amount", j)), strings.TrimPrefix(e.Amount, "-"), r.Currency)
		if err != nil {
			return err
		}
		if err := days(at, map[string]tools.Date{fmt.Sprintf("evidence[%d].date", j): e.Date}); err != nil {
			return err
		}
		text := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(e.Text, "")), " "))
		r.evidence = append(r.evidence, paid{e.Date, amount, string(text[:min(len(text), 500)])})
	}
	return nil
}

// days checks that dates are there and within the years that are taken.
func days(at func(string) string, dates map[string]tools.Date) error {
	for field, d := range dates {
		if _, err := parseDate(at(field), d.String()); err != nil {
			return err
		}
	}
	return nil
}

// schedule is that of a new subscription. The price history counts where it
// has more than one amount.
func (r row) schedule() schedule {
	s := schedule{cycle: r.Cycle, first: nominal(r.FirstDate, r.AnchorDay), anchor: r.AnchorDay, amount: r.amount, currency: r.Currency}
	for _, p := range r.prices {
		if n := len(s.prices); n == 0 || (s.prices[n-1].amount != p.amount && p.from.After(s.prices[n-1].from)) {
			s.prices = append(s.prices, p)
		}
	}
	if n := len(s.prices); n > 0 && s.prices[n-1].amount != r.amount && r.LastDate.After(s.prices[n-1].from) {
		s.prices = append(s.prices, price{from: r.LastDate, amount: r.amount, changed: true})
	}
	if len(s.prices) < 2 {
		s.prices = nil
	} else {
		s.prices[0].from = s.first
	}
	if !r.Active {
		s.ends = s.lasts(r.LastDate)
	}
	return s
}

// nominal is the day that was meant when a charge was booked on day. It
// differs only where the booking slipped into another month: there the month
// would be counted wrongly from then on.
func nominal(day tools.Date, anchor int) tools.Date {
	if anchor == 0 {
		return day
	}
	const slip = 6 // days that banks are late or early at most
	for n := 1; n <= slip; n++ {
		for _, d := range []tools.Date{day.AddDays(-n), day.AddDays(n)} {
			end := d.AddDays(1).Day == 1
			if d.Month != day.Month && (d.Day == anchor || (end && d.Day < anchor)) {
				return d
			}
		}
	}
	return day
}
