package reader

import "bytes"

// marks counts what the numbers of a file prove about its decimal mark, and the
// marks that stand alone before three digits and prove nothing.
type marks struct{ dot, comma, loneDot, loneComma int }

// see looks at one cell: the last of two different marks, or a mark before one
// or two digits, is the decimal mark; a mark that is repeated groups thousands,
// so the other is. A lone mark before three digits proves nothing.
func (m *marks) see(cell []byte) {
	dot, comma := bytes.LastIndexByte(cell, '.'), bytes.LastIndexByte(cell, ',')
	last := max(dot, comma)
	if last < 0 {
		return
	}
	after := 0
	for _, c := range cell[last+1:] {
		if c >= '0' && c <= '9' {
			after++
		}
	}
	decimal := cell[last]
	switch repeated := bytes.Count(cell, cell[last:last+1]) > 1; {
	case dot >= 0 && comma >= 0 && !repeated:
	case repeated:
		decimal = '.' + ',' - decimal
	case after == 0:
		return
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

// mark is the decimal mark of the column. Without any proof a lone mark before
// three digits groups thousands, because hardly any currency has three places.
func (m *marks) mark() byte {
	if m.comma > m.dot || m.comma == m.dot && m.loneDot > m.loneComma {
		return ','
	}
	return '.'
}
