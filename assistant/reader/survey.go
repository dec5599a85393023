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
	balances   marks  // of the balances
	lone       []byte // an amount with a mark before three digits
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
	v.balances.see(cell(cells, l.at[roleBalance]))
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
	lone := v.marks.loneDot + v.marks.loneComma
	v.marks.see(cell)
	if v.lone == nil && v.marks.loneDot+v.marks.loneComma > lone {
		v.lone = bytes.Clone(cell)
	}
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
func (v *survey) decide(ctx context.Context, file File, answers map[string]string, st *statement) (conventions, error) {
	t := v.table
	c := conventions{
		mark:      v.marks.mark(),
		flagged:   v.directions[0] > 0 && v.directions[0]+v.directions[1] == v.rows,
		hasBooked: t.layout.has(roleBooked) && v.booked*2 > v.rows,
	}
	c.byFlag = c.flagged && v.negative == 0
	locale := t.locale()
	if err := v.decideOrder(&c, locale, answers[askOrder], st); err != nil {
		return c, err
	}
	if err := v.decideMark(ctx, &c, locale, file, answers, st); err != nil {
		return c, err
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
