package household

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// maxRows is how many recurring payments one import takes, and maxEvidence how
// many charges. A review may have more of both: it is only compared.
const maxRows, maxEvidence, maxMatched = 500, 5000, 5000

// maxAhead is how many days ahead a bank may date a charge.
const maxAhead = 31

// What is kept of a file's own words, in characters.
const maxName, maxMerchant, maxFile, maxCharge = 120, 200, 200, 500

// row is a recurring payment of a file, checked.
type row struct {
	tools.Recurring
	name     string
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
func parseRows(in importIn, today tools.Date) ([]row, error) {
	if len(in.Subscriptions) > maxRows {
		return nil, invalid("household.error.rows", len(in.Subscriptions), maxRows)
	}
	if len(in.Subscriptions) == 0 {
		return nil, invalid("household.error.no_rows")
	}
	rows := make([]row, len(in.Subscriptions))
	n := 0
	for i, r := range in.Subscriptions {
		var err error
		if rows[i], err = parseRow(i, r.recurring(today)); err == nil {
			err = rows[i].happened(i, today)
		}
		if name := tidied(r.Name, maxName); err == nil && name != "" {
			rows[i].name = name
		}
		if err != nil {
			return nil, about(err, tidied(r.Merchant, maxName))
		}
		if n += len(rows[i].evidence); n > maxEvidence {
			return nil, invalid("household.error.evidence", maxEvidence)
		}
	}
	return rows, nil
}

func parseRow(i int, r tools.Recurring) (out row, err error) {
	at := func(field string) string { return element("subscriptions", i, field) }
	out.name = tidied(r.Merchant, maxName)
	if r.Merchant = tidied(r.Merchant, maxMerchant); r.Merchant == "" {
		return row{}, invalid("household.error.empty", at("merchant"))
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
		return row{}, invalid("household.error.anchor", at("anchor_day"), r.AnchorDay)
	}
	if err := days(at, map[string]tools.Date{"first_date": r.FirstDate, "last_date": r.LastDate}); err != nil {
		return row{}, err
	}
	if r.LastDate.Before(r.FirstDate) {
		return row{}, invalid("household.error.order", at("last_date"), r.LastDate, at("first_date"), r.FirstDate)
	}
	out.Recurring, out.key = r, keyOf(r.Merchant)
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
		r.evidence = append(r.evidence, paid{e.Date, amount, tidied(e.Text, maxCharge)})
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

// happened refuses what a statement cannot say: charges of a time to come.
func (r row) happened(i int, today tools.Date) error {
	last := today.AddDays(maxAhead)
	refuse := func(field string, d tools.Date) error {
		if d.After(last) {
			return invalid("household.error.to_come", element("subscriptions", i, field), d, last)
		}
		return nil
	}
	if err := refuse("last_date", r.LastDate); err != nil {
		return err
	}
	for j, e := range r.Evidence {
		if err := refuse(fmt.Sprintf("evidence[%d].date", j), e.Date); err != nil {
			return err
		}
	}
	for j, p := range r.Prices {
		if err := refuse(fmt.Sprintf("prices[%d].from", j), p.From); err != nil {
			return err
		}
	}
	return nil
}

// schedule is that of a new subscription. The price history counts where it
// has more than one amount.
func (r row) schedule() schedule {
	s := schedule{cycle: r.Cycle, first: nominal(r.FirstDate, r.AnchorDay), anchor: r.AnchorDay, amount: r.amount, currency: r.Currency}
	s.prices = r.history(s.first)
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

// history is what a row says about prices from a day on: each begins with
// another amount, and the last is the row's own.
func (r row) history(since tools.Date) []price {
	var list []price
	say := func(from tools.Date, amount int64) {
		from = later(from, since)
		switch n := len(list); {
		case n > 0 && from == list[n-1].from:
			list[n-1].amount = amount
		case n == 0 || list[n-1].amount != amount:
			list = append(list, price{from: from, amount: amount, changed: true})
		}
	}
	for _, p := range r.prices {
		if !p.from.After(r.LastDate) {
			say(p.from, p.amount)
		}
	}
	if len(list) == 0 {
		say(r.FirstDate, r.amount)
	} else {
		say(r.LastDate, r.amount)
	}
	return list
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
