package reader

import (
	"bytes"
	"slices"
)

// layout says where in a record to find what.
type layout struct {
	names []string // folded, empty where the file has no header
	own   []string // as the file writes them
	at    [roleCount]int
	text  []int // columns of free text, as they follow each other
	// currency that the header names for its amounts.
	currency string
	known    int // columns whose role is known
}

func newLayout() layout {
	var l layout
	for i := range l.at {
		l.at[i] = -1
	}
	return l
}

func (l *layout) has(r role) bool { return l.at[r] >= 0 }

// complete says that a table with these columns can be read.
func (l *layout) complete() bool {
	return l.has(roleDate) && (l.has(roleAmount) || l.has(roleDebit) || l.has(roleCredit)) &&
		(l.has(rolePayee) || len(l.text) > 0 || l.has(roleType) || l.has(roleDetails))
}

// missing names the kinds of column that were not found, as parts of keys.
func (l *layout) missing() []string {
	var m []string
	if !l.has(roleDate) {
		m = append(m, "date")
	}
	if !l.has(roleAmount) && !l.has(roleDebit) && !l.has(roleCredit) {
		m = append(m, "amount")
	}
	if !l.has(rolePayee) && len(l.text) == 0 && !l.has(roleType) && !l.has(roleDetails) {
		m = append(m, "text")
	}
	return m
}

// readHeader takes a record for the names of columns. Whether it is one is for
// the caller to judge by what was found.
func readHeader(cells [][]byte) layout {
	l := newLayout()
	var currencies []int
	for i, c := range cells {
		l.names, l.own = append(l.names, ""), append(l.own, "")
		if len(c) == 0 {
			continue
		}
		l.own[i] = cleanText(c[:min(len(c), 60)])
		name, currency := nameOf(c)
		l.names[i] = name
		r := roleOf(name)
		if r == roleNone || r == roleAccount && name == "iban" && i > 0 {
			continue // an IBAN further right is the other side's
		}
		l.known++
		switch {
		case r == roleText:
			l.text = append(l.text, i)
		case r == roleCurrency:
			currencies = append(currencies, i)
		case r == roleDate && l.has(roleDate):
			r = roleBooked
			fallthrough
		case !l.has(r) || r == rolePayee && rankPayee(name) > rankPayee(l.names[l.at[r]]):
			l.at[r] = i
		}
		if (r == roleAmount || r == roleDebit || r == roleCredit) && currency != "" {
			l.currency = currency
		}
	}
	l.settle(currencies)
	return l
}

// settle decides what one column alone cannot tell.
func (l *layout) settle(currencies []int) {
	if !l.has(roleDate) {
		for _, r := range []role{roleBooked, roleValue} {
			if l.has(r) {
				l.at[roleDate], l.at[r] = l.at[r], -1
				break
			}
		}
	}
	// An amount beside debit and credit is the sum of both.
	if l.has(roleAmount) {
		l.at[roleDebit], l.at[roleCredit] = -1, -1
	}
	// Some files name a currency for the amount and one for the balance: the
	// amount's stands behind it, else before it.
	amount := max(l.at[roleAmount], l.at[roleDebit], l.at[roleCredit])
	for _, i := range currencies {
		if !l.has(roleCurrency) || i == amount+1 {
			l.at[roleCurrency] = i
		}
	}
	if i := l.at[roleDetails]; i >= 0 && len(l.text) == 0 && !l.has(rolePayee) {
		l.text = []int{i}
	} else if i >= 0 && !l.has(roleDirection) {
		l.at[roleDirection] = i
	}
	if !l.has(roleDirection) {
		l.at[roleDirection] = l.at[roleType] // where it says debit and credit
	}
	slices.SortStableFunc(l.text, func(a, b int) int { return rankText(l.names[a]) - rankText(l.names[b]) })
	if l.has(rolePayer) && !l.has(rolePayee) {
		l.at[rolePayee], l.at[rolePayer] = l.at[rolePayer], -1
	}
}

// rankPayee prefers the name of the other side to a field that may hold its
// account, or the account holder's own name.
func rankPayee(name string) int {
	switch name {
	case "naam", "counterparty", "tegenpartij", "nombre", "nom":
		return 0
	case "merchant", "merchant name", "naam tegenpartij", "counterparty name":
		return 2
	}
	return 1
}

// rankText puts what names a payment before what only annotates it.
func rankText(name string) int {
	switch name {
	case "reference", "payment reference", "notes", "notes and tags", "observaciones", "mas datos", "item title":
		return 1
	}
	return 0
}

// maxHead is how many records may stand above the table.
const maxHead = 60

// findHeader looks for the best header among the first records: a later one
// that names more columns replaces an earlier one, because banks put small
// tables of sums above the real one.
func findHeader(data []byte, comma byte) (best layout, pos, lines int, found bool) {
	s := newScanner(data, comma, 0)
	best = newLayout()
	for range maxHead {
		if !s.next() {
			break
		}
		if len(s.cells) < 2 {
			continue
		}
		l := readHeader(s.cells)
		if better := l.known > best.known; l.complete() && (!found || better) || !found && better {
			found = found || l.complete()
			best, pos, lines = l, s.pos, s.lines
		}
	}
	return best, pos, lines, found
}

// same says that two headers name the same columns.
func (l *layout) same(o *layout) bool { return slices.Equal(l.names, o.names) }

// realign repairs a record in which an unquoted separator cut the text, so that
// the amount stands too far right.
func (l *layout) realign(s *scanner) {
	extra := len(s.cells) - len(l.names)
	if extra <= 0 || len(l.names) == 0 || isBlank(s.cells[len(l.names):]) {
		return
	}
	at := l.at[rolePayee]
	if len(l.text) > 0 {
		at = l.text[0]
	}
	amount := max(l.at[roleAmount], l.at[roleDebit], l.at[roleCredit])
	if at < 0 || amount < at || amount+extra >= len(s.cells) {
		return
	}
	if c := s.cells[amount+extra]; len(c) > 0 {
		if _, ok := anyMoney(c); !ok {
			return
		}
	}
	s.cells[at] = bytes.Join(s.cells[at:at+extra+1], []byte{s.comma, ' '})
	s.cells = append(s.cells[:at+1], s.cells[at+extra+1:]...)
}
