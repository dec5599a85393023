package reader

import (
	"bytes"
	"context"

	"github.com/nodkeep/nodkeep/tools"
)

// read turns the records of a table into rows, and names what it leaves out.
func (t *table) read(ctx context.Context, c conventions, st *statement) error {
	r := rowReader{
		t: t, c: c, st: st, layout: t.layout, profile: profileOf(&t.layout),
		repeats: newRepeats(), accounts: map[string]uint16{}, currencies: map[string]code{},
		kinds: map[string]bool{}, excluded: notSubscribed(), balances: balances(),
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
	kinds      map[string]bool // of booking, and whether they are excluded
	excluded   *phrases
	balances   *phrases
	date       dateReader
	row        row // the present one
	folded     []byte
	texts      texts
	buf        []byte
}

// preamble names the lines above the table.
func (r *rowReader) preamble() {
	s := newScanner(r.t.preamble(), r.t.comma, 0)
	s.lines = r.t.first
	for s.next() {
		if !isBlank(s.cells) {
			r.st.skip(s.line, "above")
		}
	}
}

func (r *rowReader) record(s *scanner) {
	l := &r.layout
	date := cell(s.cells, l.at[roleDate])
	p, ok := r.date.read(date)
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
	row := &r.row
	row.line, row.day, row.amount, row.rare = int32(s.line), d, m.amount, nil
	if !r.fill(row, s.cells, m) {
		r.st.skip(s.line, "balance")
		return
	}
	if c := cell(s.cells, l.at[roleCurrency]); len(c) > 0 && row.currency == (code{}) {
		// Not the household's, nor that of the other rows: it says another.
		r.st.skip(s.line, "currency", cleanText(c))
		return
	}
	if r.profile != nil {
		if reason := r.profile.row(row, s.cells, len(r.st.rows)); reason != "" {
			r.st.skip(s.line, reason)
			return
		}
	}
	r.titled = false
	if of := r.repeats.of(row, cell(s.cells, l.at[roleID])); of > 0 {
		r.st.duplicates = append(r.st.duplicates, tools.Duplicate{Line: s.line, Of: of})
		return
	}
	r.st.rows = append(r.st.rows, *row)
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
	case r.isBalance(firstFilled(s.cells)):
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
