package reader

import "bytes"

// marks counts what the numbers of a file prove about its decimal mark, and the
// marks that stand alone before three digits and prove nothing.
type marks struct {
	dot, comma, loneDot, loneComma int
	short, long                    int // numbers without mark, of up to three digits and of more
}

// see looks at one cell: the last of two different marks, or a mark before one
// or two digits, is the decimal mark; a mark that is repeated groups thousands,
// so the other is. A lone mark before three digits proves nothing, unless what
// stands before it is no group: 0.999 and 1234.567.
func (m *marks) see(cell []byte) {
	dot, comma := bytes.LastIndexByte(cell, '.'), bytes.LastIndexByte(cell, ',')
	last := max(dot, comma)
	before, zero := 0, false
	for _, c := range cell[:max(last, 0)] {
		if c >= '0' && c <= '9' {
			zero = zero || before == 0 && c == '0'
			before++
		}
	}
	after := 0
	for _, c := range cell[last+1:] {
		if c >= '0' && c <= '9' {
			after++
		}
	}
	if last < 0 {
		if after > 3 {
			m.long++
		} else if after > 0 {
			m.short++
		}
		return
	}
	decimal := cell[last]
	switch repeated := bytes.Count(cell, cell[last:last+1]) > 1; {
	case dot >= 0 && comma >= 0 && !repeated:
	case repeated:
		decimal = '.' + ',' - decimal
	case after == 0:
		return
	case after == 3 && (before == 0 || before > 3 || zero):
	case after == 3 && decimal == '.':
		m.loneDot++
		return
	case after == 3:
		m.loneComma++
		return
	}
	if decimal == '.' {
		m.dot++
	} else {
		m.comma++
	}
}

// proved says that the numbers leave no doubt. Whole numbers below a thousand
// beside 1.450 make it one thousand: who writes three places writes them always.
func (m *marks) proved() bool {
	lone := m.loneDot + m.loneComma
	return m.dot+m.comma > 0 || lone == 0 || m.short > 0 && m.long == 0 && (m.loneDot == 0 || m.loneComma == 0)
}

// mark is the decimal mark of the column. Without any proof a lone mark before
// three digits groups thousands, because hardly any currency has three places.
func (m *marks) mark() byte {
	if m.comma > m.dot || m.comma == m.dot && m.loneDot > m.loneComma {
		return ','
	}
	return '.'
}
