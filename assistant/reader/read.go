package reader

import (
	"bytes"
	"context"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// read turns the records of a table into rows, and names what it leaves out.
func (t *table) read(ctx context.Context, c conventions, st *statement) error {
	r := rowReader{
		t: t, c: c, st: st, layout: t.layout, profile: profileOf(&t.layout),
		repeats: newRepeats(), accounts: map[string]uint16{}, currencies: map[string]code{},
	}
	r.preamble()
	s := t.records()
	st.rows = make([]row, 0, min(bytes.Count(t.data, []byte{'\n'})+1, MaxRows))
	for n := 0; s.next(); n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.record(s)
	}
	if r.profile != nil {
		r.profile.finish(st)
	}
	return nil
}

// rowReader is the state of one pass.
type rowReader struct {
	t       *table
	c       conventions
	st      *statement
	layout  layout // of the present section
	profile profile

	section    int  // tables of other accounts, below titles of their own
	titled     bool // a line that is no data stands since the last row
	joins      bool // the last record was a row, so that what follows may belong to it
	repeats    repeats
	accounts   map[string]uint16
	currencies map[string]code
	buf        []byte
}

// preamble names the lines above the table.
func (r *rowReader) preamble() {
	s := newScanner(r.t.preamble(), r.t.comma, 0)
	for s.next() {
		if !isBlank(s.cells) {
			r.st.skip(s.line, "above")
		}
	}
}

func (r *rowReader) record(s *scanner) {
	l := &r.layout
	date := cell(s.cells, l.at[roleDate])
	p, ok := readDate(date)
	if !ok {
		if !isBlank(s.cells) {
			r.undated(s, date)
		}
		return
	}
	r.joins = false
	d, ok := p.day, true
	if !p.fixed {
		d, ok = p.in(r.c.order)
	}
	if !ok {
		r.st.skip(s.line, "date", cleanText(date))
		return
	}
	l.realign(s)
	if reason := r.reason(s.cells); reason != "" {
		r.st.skip(s.line, reason)
		return
	}
	m, reason := r.money(s.cells)
	if reason != "" {
		if len(cell(s.cells, l.at[rolePart])) > 0 {
			reason = "part"
		}
		r.st.skip(s.line, reason)
		return
	}
	row := row{line: int32(s.line), day: d, amount: m.amount}
	if !r.fill(&row, s.cells, m) {
		r.st.skip(s.line, "balance")
		return
	}
	if r.profile != nil {
		if reason := r.profile.row(&row, s.cells, len(r.st.rows)); reason != "" {
			r.st.skip(s.line, reason)
			return
		}
	}
	r.titled = false
	if of := r.repeats.of(&row, cell(s.cells, l.at[roleID])); of > 0 {
		r.st.duplicates = append(r.st.duplicates, tools.Duplicate{Line: s.line, Of: of})
		return
	}
	r.st.rows = append(r.st.rows, row)
	r.joins = true
}

// undated deals with a record that is no row: a header, the rest of the row
// above, a pending row, a sum, a note of the bank.
func (r *rowReader) undated(s *scanner, date []byte) {
	l := &r.layout
	if len(s.cells) >= 3 {
		if h := readHeader(s.cells); h.complete() && h.known >= 3 {
			r.newSection(h)
			return
		}
	}
	amount, reason := r.money(s.cells)
	switch {
	case statusReason(foldCell(date)) != "":
		r.st.skip(s.line, statusReason(foldCell(date)))
	case len(date) == 0 && len(cell(s.cells, l.at[rolePart])) > 0:
		r.st.skip(s.line, "part")
	case len(date) == 0 && reason != "" && r.joins && len(l.text) > 0 && len(cell(s.cells, l.text[0])) > 0:
		last := &r.st.rows[len(r.st.rows)-1]
		if len(last.text) < 4*maxText {
			last.text += " " + cleanText(cell(s.cells, l.text[0]))
		}
		r.st.skip(s.line, "continued", int(last.line))
	case isBalance(foldCell(firstFilled(s.cells))):
		r.titled, r.joins = true, false
		r.st.skip(s.line, "balance")
	case reason == "" && amount.amount != 0:
		r.st.skip(s.line, "date", cleanText(date))
	default:
		r.titled, r.joins = true, false
		r.st.skip(s.line, "note")
	}
}

// newSection starts a table below another. The same header again, right below
// a row, joins two exports of one account; below a title it is another account.
func (r *rowReader) newSection(h layout) {
	if h.same(&r.layout) && !r.titled {
		r.repeats.join(r.st.rows)
	} else {
		r.section++
	}
	// What was learnt about the columns of this very header holds again.
	if h.same(&r.t.layout) {
		h = r.t.layout
	}
	r.layout, r.joins, r.titled = h, false, false
}

func firstFilled(cells [][]byte) []byte {
	for _, c := range cells {
		if len(c) > 0 {
			return c
		}
	}
	return nil
}

// reason says why a dated record is no booked transaction; "" if it is one.
func (r *rowReader) reason(cells [][]byte) string {
	l := &r.layout
	if l.has(roleStatus) {
		if why := statusReason(foldCell(cell(cells, l.at[roleStatus]))); why != "" {
			return why
		}
	}
	if l.has(roleDirection) && equalFold(cell(cells, l.at[roleDirection]), "memo") {
		return "pending"
	}
	if r.c.hasBooked && l.has(roleBooked) && len(cell(cells, l.at[roleBooked])) == 0 {
		return "pending"
	}
	return ""
}

// money reads the amount of a record, negative for money out as far as its own
// cells tell.
func (r *rowReader) money(cells [][]byte) (money, string) {
	l := &r.layout
	if l.has(roleAmount) {
		m, ok := r.one(cell(cells, l.at[roleAmount]))
		if !ok {
			return m, "amount"
		}
		if r.c.byFlag {
			if dir := directionOf(foldCell(cell(cells, l.at[roleDirection]))); dir != 0 {
				m.amount *= amount(dir)
			}
		}
		if l.has(roleFee) && !r.grossAmount() {
			if fee, ok := r.one(cell(cells, l.at[roleFee])); ok {
				m.amount -= fee.amount.abs()
			}
		}
		return m, ""
	}
	// Of two columns the one that is filled says the direction. Its own sign
	// says nothing: some banks write a minus in front of a debit, some do not.
	out, okOut := r.one(cell(cells, l.at[roleDebit]))
	in, okIn := r.one(cell(cells, l.at[roleCredit]))
	switch {
	case okOut && out.amount != 0:
		out.amount = -out.amount.abs()
		return out, ""
	case okIn:
		in.amount = in.amount.abs()
		return in, ""
	case okOut:
		return out, ""
	}
	return out, "amount"
}

func (r *rowReader) one(c []byte) (money, bool) {
	if len(c) == 0 {
		return money{}, false
	}
	return readMoney(c, r.c.mark)
}

// grossAmount says that the fee is taken from what others pay, not added to
// what is paid.
func (r *rowReader) grossAmount() bool {
	i := r.layout.at[roleAmount]
	if i >= len(r.layout.names) {
		return true
	}
	n := r.layout.names[i]
	return n == "gross" || n == "brutto" || n == "bruto"
}

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
	if isBalance(lead(r.buf)) {
		return false
	}
	row.text = string(r.buf)
	if i := l.at[roleMandate]; i >= 0 {
		row.mandate = cleanText(cell(cells, i))
	}
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

// text adds a cell to the text of the row, unless it is there already.
func (r *rowReader) text(c []byte) {
	if len(c) == 0 || bytes.Contains(r.buf, c) {
		return
	}
	if len(r.buf) > 0 {
		r.buf = append(r.buf, " · "...)
	}
	if len(c) <= maxText && plain(c) {
		r.buf = append(r.buf, c...)
	} else {
		r.buf = append(r.buf, cleanText(c)...)
	}
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
	row.foreign = r.code(currency)
	if row.foreign == (code{}) && len(m.unit) == 3 {
		row.foreign = codeOf(string(m.unit))
	}
	if row.foreign == row.currency || row.foreign == (code{}) {
		row.foreign = code{}
		return
	}
	row.original = m.amount.abs()
	if row.amount < 0 {
		row.original = -row.original
	}
}
