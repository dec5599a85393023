package reader

import (
	"bytes"

	"github.com/nodkeep/nodkeep/tools"
)

// maxSample is how many records are looked at to infer columns.
const maxSample = 2000

// column is what the cells of one column have in common.
type column struct {
	filled, dates, numbers  int
	signed, positive, marks int // of the numbers
	codes, directions       int
	letters, length         int
	values                  map[string]struct{}
}

// infer finds the columns of a file without header by their content.
func infer(data []byte, comma byte) (layout, bool) {
	columns, total := sample(data, comma)
	l := newLayout()
	if total == 0 || len(columns) < 3 {
		return l, false
	}
	most := func(n int, c *column) bool { return n*100 >= c.filled*95 && c.filled*2 > total }
	best := func(r role, i int, better bool) {
		if l.at[r] < 0 || better {
			l.at[r] = i
		}
	}
	for i := range columns {
		c := &columns[i]
		switch {
		case c.filled == 0:
		case most(c.dates, c):
			if l.has(roleDate) {
				best(roleBooked, i, false)
			} else {
				l.at[roleDate] = i
			}
		case most(c.codes, c):
			best(roleCurrency, i, false)
		case most(c.numbers, c) && c.marks > 0 && len(c.values) > 1:
			best(roleAmount, i, c.likelyAmount() > columns[max(l.at[roleAmount], 0)].likelyAmount())
		case most(c.directions, c) && len(c.values) == 2:
			best(roleDirection, i, false)
		case c.letters*2 > c.filled && len(c.values) > 1:
			if len(l.text) == 0 || c.length > columns[l.text[0]].length {
				l.text = append([]int{i}, l.text...)
			} else {
				l.text = append(l.text, i)
			}
		}
	}
	// Two dates and no pending rows to tell: the second is the value date.
	l.at[roleValue], l.at[roleBooked] = l.at[roleBooked], -1
	return l, l.complete()
}

// likelyAmount prefers a column with both signs (amounts) to one with only
// positive numbers (balances), and to an account number, which has no marks.
func (c *column) likelyAmount() int {
	score := 0
	if c.signed > 0 {
		score += 2
	}
	if c.positive > 0 {
		score++
	}
	return score
}

func sample(data []byte, comma byte) (columns []column, total int) {
	s := newScanner(data, comma, 0)
	for total < maxSample && s.next() {
		if len(s.cells) < 3 || isBlank(s.cells) {
			continue
		}
		total++
		for i, cell := range s.cells {
			if i == len(columns) {
				columns = append(columns, column{values: map[string]struct{}{}})
			}
			if len(cell) > 0 {
				columns[i].see(cell)
			}
		}
	}
	return columns, total
}

func (c *column) see(cell []byte) {
	c.filled++
	if _, ok := readDate(cell); ok {
		c.dates++
	} else if m, ok := anyMoney(cell); ok {
		c.numbers++
		if m.amount < 0 {
			c.signed++
		} else {
			c.positive++
		}
		if bytes.ContainsAny(cell, ".,") {
			c.marks++
		}
	}
	if _, ok := tools.CurrencyDigits(string(cell[:min(len(cell), 4)])); ok {
		c.codes++
	}
	if directionOf(foldCell(cell)) != 0 {
		c.directions++
	}
	for _, b := range cell {
		if b >= 'A' {
			c.letters++
			break
		}
	}
	c.length += len(cell)
	if len(c.values) < 3 {
		c.values[string(cell[:min(len(cell), 40)])] = struct{}{}
	}
}

// anyMoney reads an amount whose decimal mark is not known.
func anyMoney(cell []byte) (money, bool) {
	if m, ok := readMoney(cell, '.'); ok {
		return m, true
	}
	return readMoney(cell, ',')
}
