package reader

import (
	"bytes"
	"strings"
)

// order is how the three numbers of a date follow each other.
type order string

const (
	orderDMY order = "DMY"
	orderMDY order = "MDY"
	orderYMD order = "YMD"
)

// parts is a date as written, before it is known which number is which.
type parts struct {
	n     [3]int
	width [3]int // digits of each number; 0 for a month that was written as a word
	dots  bool
	fixed bool // only one order is possible
	word  bool // it begins with a month's name, as Americans write it
	day   day  // where fixed
}

// dateReader remembers the last date, because many rows have the same.
type dateReader struct {
	cell []byte
	p    parts
	ok   bool
}

func (d *dateReader) read(cell []byte) (parts, bool) {
	if len(cell) == 0 || !bytes.Equal(cell, d.cell) {
		d.cell = append(d.cell[:0], cell...)
		d.p, d.ok = readDate(cell)
	}
	return d.p, d.ok
}

// readDate cuts a date, with or without a time behind it, into its parts.
func readDate(b []byte) (p parts, ok bool) {
	if len(b) < 6 || len(b) > 40 {
		return p, false
	}
	count, word := 0, false
	i := 0
	for i < len(b) && count < 3 {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
				p.n[count] = p.n[count]*10 + int(b[i]-'0')
				if p.width[count]++; p.width[count] > 8 {
					return p, false
				}
			}
			if count == 0 && p.width[0] == 8 {
				return compact(p.n[0], b[i:])
			}
			count++
		case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80:
			start := i
			for i < len(b) && (b[i] >= 'A' && b[i] <= 'Z' || b[i] >= 'a' && b[i] <= 'z' || b[i] >= 0x80) {
				i++
			}
			m := monthOf(b[start:i])
			if m == 0 || word {
				return p, false
			}
			p.n[count], word = m, true
			count++
		case count > 0 && (c == '.' || c == '-' || c == '/' || c == ' ' || c == ','):
			p.dots = p.dots || c == '.'
			i++
		default:
			return p, false
		}
	}
	if count < 3 || !isTime(b[i:]) {
		return p, false
	}
	return p.settle()
}

// settle finds the dates that can be read in one way only.
func (p parts) settle() (parts, bool) {
	var o order
	switch {
	case p.width[0] == 4:
		o = orderYMD
	case p.width[2] == 3 || p.width[2] > 4 || p.width[0] > 2 || p.width[1] > 2:
		return p, false
	case p.width[0] == 0:
		o, p.word = orderMDY, true
	case p.width[1] == 0:
		o = orderDMY
	default:
		return p, true
	}
	p.day, p.fixed = p.in(o)
	return p, p.fixed
}

// in reads the parts in an order.
func (p parts) in(o order) (day, bool) {
	d, m, y, w := p.n[0], p.n[1], p.n[2], p.width[2]
	switch o {
	case orderMDY:
		d, m = m, d
	case orderYMD:
		d, y, w = y, d, p.width[0]
	}
	switch {
	case w <= 2:
		y += 2000
	case w != 4:
		return 0, false
	}
	return civil(y, m, d)
}

// compact reads 20260930.
func compact(n int, rest []byte) (p parts, ok bool) {
	p.day, ok = civil(n/10000, n/100%100, n%100)
	p.fixed = ok
	return p, ok && isTime(rest)
}

// isTime says that what stands behind a date is nothing or a time of day.
func isTime(b []byte) bool {
	b = bytes.TrimLeft(b, " T,.")
	for _, c := range b {
		if (c < '0' || c > '9') && strings.IndexByte(": .+-ZAPMapmTUC", c) < 0 {
			return false
		}
	}
	return len(b) == 0 || bytes.IndexByte(b, ':') > 0 || len(bytes.Trim(b, "0")) == 0
}
