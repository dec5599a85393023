package reader

import (
	"cmp"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// row is one booked transaction. There may be half a million, so what few rows
// have stands elsewhere.
type row struct {
	amount   amount // negative is money out
	text     string // payee first, then what was written about it
	rare     *rare  // nil for most
	line     int32
	day      day
	payee    uint16 // bytes of text that are the payee; 0 where no column names it
	account  uint16
	currency code
	apart    bool // the bank's kind of booking says that it is no payment that recurs by agreement
}

// rare is what some banks write about some rows.
type rare struct {
	original amount // before conversion, same sign as the row's; 0 where there was none
	foreign  code   // its currency
	mandate  string // of a direct debit
}

// before is the amount before conversion, as positive as it is charged, and its
// currency; 0 where there was none.
func (r *row) before() (amount, code) {
	if r.rare == nil {
		return 0, code{}
	}
	return r.rare.original.abs(), r.rare.foreign
}

// more is where to write what few rows have.
func (r *row) more() *rare {
	if r.rare == nil {
		r.rare = &rare{}
	}
	return r.rare
}

// code is an ISO 4217 code without the header of a string.
type code [3]byte

func codeOf(s string) (c code) { copy(c[:], s); return c }

// String is the code, "" for none.
func (c code) String() string {
	if c == (code{}) {
		return ""
	}
	return string(c[:])
}

// statement is what a format found in a file.
type statement struct {
	format     string // with what was decided about it, for people
	currency   string // of most rows; empty while that is asked
	rows       []row
	skipped    []tools.Skipped
	unlisted   int             // skipped lines beyond maxListed
	notes      []tools.Skipped // about no line of its own
	duplicates []tools.Duplicate
	questions  []tools.Question
	undated    bool // the order of the dates is asked: row.day means nothing
	unscaled   bool // the decimal mark is asked: row.amount means nothing
}

func (s *statement) skip(line int, reason string, args ...any) {
	if len(s.skipped) >= maxListed {
		s.unlisted++
		return
	}
	s.skipped = append(s.skipped, tools.Skipped{Line: line, Reason: tools.T("reader.skipped."+reason, args...)})
}

// note says something about the whole file.
func (s *statement) note(reason string, args ...any) {
	s.notes = append(s.notes, tools.Skipped{Reason: tools.T("reader.skipped."+reason, args...)})
}

// onlyNotes says that no skipped line could have been a transaction.
func (s *statement) onlyNotes() bool {
	return !slices.ContainsFunc(s.skipped, func(l tools.Skipped) bool {
		switch l.Reason.Key {
		case "reader.skipped.above", "reader.skipped.note", "reader.skipped.balance":
			return false
		}
		return true
	})
}

// order sorts the rows by day. Within a day they keep the sequence of the file,
// read upwards where the newest row comes first.
func (s *statement) order() {
	if n := len(s.rows); n > 1 && s.rows[0].day > s.rows[n-1].day {
		slices.Reverse(s.rows)
	}
	if slices.IsSortedFunc(s.rows, func(a, b row) int { return cmp.Compare(a.day, b.day) }) {
		return
	}
	// Numbers are sorted instead of rows, and each row is moved once.
	keys := make([]int64, len(s.rows))
	for i := range s.rows {
		keys[i] = int64(s.rows[i].day)<<32 | int64(i)
	}
	slices.Sort(keys)
	for i := range keys {
		first, at := s.rows[i], i
		for int(int32(keys[at])) != i {
			from := int(int32(keys[at]))
			s.rows[at], keys[at] = s.rows[from], int64(at)
			at = from
		}
		s.rows[at], keys[at] = first, int64(at)
	}
}

// settle gives the statement the currency of most rows that name one, else the
// fallback, and the rows that name none the fallback, else that of the others.
func (s *statement) settle(fallback string) {
	counts := map[code]int{}
	for i := range s.rows {
		counts[s.rows[i].currency]++
	}
	if fallback != "" {
		counts[codeOf(fallback)] += counts[code{}]
	}
	delete(counts, code{})
	best := 0
	for c, n := range counts {
		if n > best || n == best && c.String() < s.currency {
			best, s.currency = n, c.String()
		}
	}
	if fallback == "" {
		fallback = s.currency
	}
	for i := range s.rows {
		if r := &s.rows[i]; r.currency == (code{}) {
			r.currency = codeOf(fallback)
		}
	}
}

// maxSum keeps sums of absurd amounts from wrapping around.
const maxSum = amount(8e18)

// review is the statement as a person sees it. Sums are of the rows in its
// currency: there is no rate here to add others by.
func (s *statement) review(found []tools.Recurring) tools.Review {
	if s.unlisted > 0 {
		s.skipped = append(s.skipped, tools.Skipped{Reason: tools.T("reader.skipped.more", s.unlisted)})
	}
	p := tools.Parsed{Transactions: len(s.rows), Currency: s.currency}
	var in, out amount
	foreign := 0
	for i := range s.rows {
		r := &s.rows[i]
		if r.currency != codeOf(s.currency) {
			foreign++
			continue
		}
		if r.amount < 0 {
			out = min(out-r.amount, maxSum)
		} else {
			in = min(in+r.amount, maxSum)
		}
	}
	if foreign > 0 && s.currency != "" {
		s.note("currencies", foreign, s.currency)
	}
	if !s.unscaled {
		p.SumOut, p.SumIn = out.decimal(s.currency), in.decimal(s.currency)
	}
	if n := len(s.rows); n > 0 && !s.undated {
		p.FirstDate, p.LastDate = s.rows[0].day.date(), s.rows[n-1].day.date()
	}
	return tools.Review{
		Format: s.format, Parsed: p,
		Subscriptions: notNil(found), Skipped: notNil(append(s.skipped, s.notes...)), Duplicates: notNil(s.duplicates), Questions: notNil(s.questions),
	}
}

// notNil makes an empty list [] in JSON.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
