package reader

import (
	"bytes"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// fill takes the other cells of a record. False means that it states a balance.
func (r *rowReader) fill(row *row, cells [][]byte, m money) bool {
	l := &r.layout
	payee := l.at[rolePayee]
	if row.amount > 0 && len(cell(cells, l.at[rolePayer])) > 0 {
		payee = l.at[rolePayer]
	}
	r.buf = r.buf[:0]
	r.text(cell(cells, payee))
	row.payee = uint16(len(r.buf))
	for _, i := range l.text {
		r.text(cell(cells, i))
	}
	if len(r.buf) == 0 {
		r.text(cell(cells, l.at[roleType]))
	}
	if r.isBalance(r.buf) {
		return false
	}
	row.text = r.texts.keep(r.buf)
	if c := cell(cells, l.at[roleMandate]); len(c) > 0 {
		row.more().mandate = cleanText(c)
	}
	row.apart = r.isApart(cell(cells, l.at[roleType]))
	row.account = r.account(cell(cells, l.at[roleAccount]))
	row.currency = r.code(cell(cells, l.at[roleCurrency]))
	if row.currency == (code{}) && len(m.unit) == 3 {
		row.currency = codeOf(string(m.unit))
	}
	if i := l.at[roleOriginal]; i >= 0 {
		r.original(row, cell(cells, i), cell(cells, l.at[roleOriginalCurrency]))
	}
	return true
}

// text adds a cell to the text of the row, unless it is there already or is
// marks alone, such as a dash for nothing.
func (r *rowReader) text(c []byte) {
	if len(c) == 0 || bytes.Contains(r.buf, c) {
		return
	}
	before := len(r.buf)
	if before > 0 {
		r.buf = append(r.buf, " · "...)
	}
	start := len(r.buf)
	r.buf = appendClean(r.buf, c)
	if !isNamed(r.buf[start:]) {
		r.buf = r.buf[:before]
	}
}

// texts keeps many short texts in few pieces of memory.
type texts struct{ piece strings.Builder }

func (t *texts) keep(text []byte) string {
	if t.piece.Cap()-t.piece.Len() < len(text) {
		t.piece.Reset()
		t.piece.Grow(max(64<<10, len(text)))
	}
	start := t.piece.Len()
	t.piece.Write(text)
	return t.piece.String()[start:]
}

// isApart says that a kind of booking, such as "Pot transfer" or "ATM", is one
// whose rows cannot be subscriptions.
func (r *rowReader) isApart(kind []byte) bool {
	if len(kind) == 0 {
		return false
	}
	apart, ok := r.kinds[string(kind)]
	if !ok {
		apart = r.excluded.in([]byte(foldCell(kind)))
		if len(r.kinds) < 1000 {
			r.kinds[string(kind)] = apart
		}
	}
	return apart
}

// account numbers the accounts of a file. A column with many values is no
// account of one household.
func (r *rowReader) account(c []byte) uint16 {
	n, ok := r.accounts[string(c)]
	if !ok {
		if len(r.accounts) > 50 {
			return 0
		}
		n = uint16(len(r.accounts))
		r.accounts[string(c)] = n
	}
	return n + uint16(r.section*64)
}

func (r *rowReader) code(c []byte) code {
	if len(c) == 0 || len(c) > 8 {
		return code{}
	}
	if known, ok := r.currencies[string(c)]; ok {
		return known
	}
	found := code{}
	s := strings.ToUpper(string(c))
	if _, ok := tools.CurrencyDigits(s); ok {
		found = codeOf(s)
	} else if u, _, ok := unitOf(c); ok && len(u) == 3 {
		found = codeOf(string(u))
	}
	if len(r.currencies) < 1000 {
		r.currencies[string(c)] = found
	}
	return found
}

// original takes the amount before conversion, where it is in another currency.
func (r *rowReader) original(row *row, c, currency []byte) {
	m, ok := r.one(c)
	if !ok || m.amount == 0 {
		return
	}
	foreign := r.code(currency)
	if foreign == (code{}) && len(m.unit) == 3 {
		foreign = codeOf(string(m.unit))
	}
	if foreign == row.currency || foreign == (code{}) {
		return
	}
	original := m.amount.abs()
	if row.amount < 0 {
		original = -original
	}
	row.more().original, row.rare.foreign = original, foreign
}
