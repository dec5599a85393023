package reader

import (
	"bytes"
	"context"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// survey is what one pass over all records tells about the columns.
type survey struct {
	table      *table
	date       dateReader
	dates      dates
	marks      marks
	negative   int    // amounts with a sign, brackets or the like
	units      []unit // that stand beside amounts, those seen first first
	directions [2]int // words for out and in
	booked     int    // rows with a second date
	rows       int
	holder     []byte // payee of the first row
	named      bool   // the payee is one: its column is not the holder's own name, always the same
}

// conventions are how a file writes what it writes.
type conventions struct {
	order     order
	orders    []order // more than one while that is asked
	mark      byte
	currency  string // of rows that name none; empty while it is not known
	likely    string // a guess to offer
	flagged   bool   // a column says debit and credit
	byFlag    bool   // and decides, because amounts are unsigned
	hasBooked bool   // a row without second date is pending
}

func (t *table) survey(ctx context.Context, file File) (*survey, error) {
	l := &t.layout
	v := &survey{table: t, named: !l.has(rolePayee) || len(l.names) == 0 || rankPayee(l.names[l.at[rolePayee]]) > 0}
	if !file.Today.IsZero() {
		v.dates.today = dayOf(file.Today)
	}
	s := t.records()
	for n := 0; s.next(); n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		date, ok := v.date.read(cell(s.cells, l.at[roleDate]))
		if !ok {
			continue
		}
		if v.rows++; v.rows > MaxRows {
			return nil, tools.Fail(tools.TooLarge, "reader.too_many_rows", MaxRows)
		}
		l.realign(s)
		v.dates.see(date)
		v.see(l, s.cells)
	}
	if !v.named && v.rows >= 10 && len(l.text) > 0 {
		l.at[rolePayee] = -1
	}
	return v, nil
}

// see looks at one dated record.
func (v *survey) see(l *layout, cells [][]byte) {
	if len(cell(cells, l.at[roleBooked])) > 0 {
		v.booked++
	}
	for _, r := range [...]role{roleAmount, roleDebit, roleCredit} {
		v.seeAmount(cell(cells, l.at[r]))
	}
	if l.has(roleDirection) {
		switch directionOf(foldCell(cell(cells, l.at[roleDirection]))) {
		case -1:
			v.directions[0]++
		case 1:
			v.directions[1]++
		}
	}
	payee := cell(cells, l.at[rolePayee])
	if v.rows > 1 {
		v.named = v.named || !bytes.Equal(payee, v.holder)
		return
	}
	v.holder = bytes.Clone(payee)
	// In Danish and Swedish "Valuta" is the currency, elsewhere a date.
	if !l.has(roleCurrency) {
		if _, ok := tools.CurrencyDigits(string(cell(cells, l.at[roleValue]))); ok {
			l.at[roleCurrency], l.at[roleValue] = l.at[roleValue], -1
		}
	}
}

func (v *survey) seeAmount(cell []byte) {
	if len(cell) == 0 {
		return
	}
	v.marks.see(cell)
	m, ok := anyMoney(cell)
	if !ok {
		return
	}
	if m.amount < 0 {
		v.negative++
	}
	if m.unit != "" && len(v.units) < 8 && !slices.Contains(v.units, m.unit) {
		v.units = append(v.units, m.unit)
	}
}

// decide settles how the file is to be read and asks what it leaves open.
func (v *survey) decide(file File, answers map[string]string, st *statement) (conventions, error) {
	t := v.table
	c := conventions{
		mark:      v.marks.mark(),
		flagged:   v.directions[0] > 0 && v.directions[0]+v.directions[1] == v.rows,
		hasBooked: t.layout.has(roleBooked) && v.booked*2 > v.rows,
	}
	c.byFlag = c.flagged && v.negative == 0
	locale := t.locale()
	c.orders = v.orders(locale)
	if a := order(answers[askOrder]); a != "" && v.dates.total > 0 {
		if !slices.Contains(v.dates.possible(), a) {
			return c, tools.Fail(tools.Invalid, "reader.answer.against", askOrder, string(a), orderList(v.dates.possible()))
		}
		c.orders = []order{a}
	}
	switch {
	case len(c.orders) > 1:
		st.undated = true
		choices := make([]string, len(c.orders))
		for i, o := range c.orders {
			choices[i] = string(o)
		}
		st.questions = append(st.questions, question(askOrder, choices, v.example()))
		fallthrough
	case len(c.orders) == 1:
		c.order = c.orders[0]
	default:
		c.order = orderYMD
	}
	var sure bool
	c.currency, c.likely, sure = v.currency(c, locale)
	if a := answers[askCurrency]; a != "" {
		if sure && a != c.currency {
			return c, tools.Fail(tools.Invalid, "reader.answer.against", askCurrency, a, c.currency)
		}
		c.currency = a
	}
	return c, nil
}

// orders is decided by the dates, else by those above the table, else by the
// country that the header points to.
func (v *survey) orders(l locale) []order {
	found := v.dates.decide()
	if len(found) < 2 {
		return found
	}
	head := dates{today: v.dates.today}
	for _, word := range bytes.FieldsFunc(v.table.preamble(), func(r rune) bool {
		return r == ' ' || r == '\n' || r == '\r' || r == '"' || rune(v.table.comma) == r
	}) {
		if p, ok := readDate(word); ok {
			head.see(p)
		}
	}
	if o := head.possible(); len(o) == 1 && slices.Contains(found, o[0]) {
		return o
	}
	if l.order != "" && slices.Contains(found, l.order) {
		return []order{l.order}
	}
	return found
}

func orderList(orders []order) string {
	var b []byte
	for i, o := range orders {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, o...)
	}
	return string(b)
}

// example is a date of the file, for the question about their order.
func (v *survey) example() string {
	s := v.table.records()
	for s.next() {
		date := cell(s.cells, v.table.layout.at[roleDate])
		if p, ok := readDate(date); ok && !p.fixed && p.n[0] != p.n[1] {
			return cleanText(date)
		}
	}
	return ""
}
