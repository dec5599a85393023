package reader

import "bytes"

// scanner cuts text into records and cells. It forgives what encoding/csv does
// not: quotes inside cells, cells outside quotes, and a quote that is never
// closed, which may not swallow the records after it.
type scanner struct {
	data  []byte
	comma byte
	width int // cells that a record should have; 0 while that is not known
	pos   int
	lines int // lines read so far

	// The current record; valid until the next call of next.
	cells [][]byte
	line  int // of its first character, from 1
	buf   []byte
}

func newScanner(data []byte, comma byte, width int) *scanner {
	return &scanner{data: data, comma: comma, width: width}
}

// next reads one record; a blank line is a record with one empty cell.
func (s *scanner) next() bool {
	if s.pos >= len(s.data) {
		return false
	}
	s.cells, s.buf, s.line = s.cells[:0], s.buf[:0], s.lines+1
	end := s.lineEnd(s.pos)
	line := s.data[s.pos:end]
	if bytes.IndexByte(line, '"') >= 0 {
		s.quoted()
		return true
	}
	s.pos, s.lines = min(end+1, len(s.data)), s.lines+1
	for len(s.cells) < maxColumns-1 {
		i := bytes.IndexByte(line, s.comma)
		if i < 0 {
			break
		}
		s.cells = append(s.cells, trim(line[:i]))
		line = line[i+1:]
	}
	s.cells = append(s.cells, trim(line))
	return true
}

func (s *scanner) lineEnd(from int) int {
	if i := bytes.IndexByte(s.data[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(s.data)
}

// quoted reads a record that has a quote in its first line.
func (s *scanner) quoted() {
	p, end := s.pos, s.lineEnd(s.pos)
	for {
		for p < end && s.data[p] == ' ' && s.comma != ' ' {
			p++
		}
		var cell []byte
		closing := -1
		if p < end && s.data[p] == '"' {
			closing = s.closing(p+1, end)
		}
		if closing >= 0 {
			cell = s.unescape(s.data[p+1 : closing])
			p = closing + 1
			if closing > end {
				s.lines += bytes.Count(s.data[end:closing], []byte{'\n'})
				end = s.lineEnd(p)
			}
			for p < end && s.data[p] != s.comma {
				p++
			}
		} else {
			start := p
			for p < end && s.data[p] != s.comma {
				p++
			}
			cell = unwrap(s.data[start:p])
		}
		s.cells = append(s.cells, trim(cell))
		if p >= end || len(s.cells) == maxColumns {
			break
		}
		p++ // the comma
	}
	s.pos, s.lines = min(end+1, len(s.data)), s.lines+1
}

// closing finds the quote that ends a cell: one that a comma or the end of the
// line follows. -1 means that there is none that can be meant.
func (s *scanner) closing(from, end int) int {
	for i := from; i < len(s.data); {
		j := bytes.IndexByte(s.data[i:], '"')
		if j < 0 {
			return -1
		}
		i += j
		if i-from > maxLine || i > end && !s.mayHold(from, end, i) {
			return -1
		}
		if i+1 < len(s.data) && s.data[i+1] == '"' {
			i += 2
			continue
		}
		if s.ends(i + 1) {
			return i
		}
		i++
	}
	return -1
}

// ends says that a cell may end before position p.
func (s *scanner) ends(p int) bool {
	for ; p < len(s.data); p++ {
		switch c := s.data[p]; {
		case c == s.comma || c == '\n':
			return true
		case c != ' ' && c != '\r':
			return false
		}
	}
	return true
}

// mayHold says that a cell from its quote up to position to may be one: not
// longer than a cell is, and no line inside it that is a record of its own.
func (s *scanner) mayHold(from, end, to int) bool {
	if to-from > maxCell {
		return false
	}
	for start := end + 1; start < to; {
		stop := min(s.lineEnd(start), to)
		if s.width > 2 && bytes.Count(s.data[start:stop], []byte{s.comma}) >= s.width-1 {
			return false
		}
		start = stop + 1
	}
	return true
}

// unescape halves doubled quotes. The buffer may move when it grows; cells that
// were cut from it before keep theirs.
func (s *scanner) unescape(cell []byte) []byte {
	if bytes.IndexByte(cell, '"') < 0 {
		return cell
	}
	start := len(s.buf)
	for i := 0; i < len(cell); i++ {
		s.buf = append(s.buf, cell[i])
		if cell[i] == '"' && i+1 < len(cell) && cell[i+1] == '"' {
			i++
		}
	}
	return unwrap(s.buf[start:])
}

// unwrap takes ="01.10.2025", which tells a spreadsheet to keep text, as the
// text that it is.
func unwrap(cell []byte) []byte {
	if len(cell) > 3 && cell[0] == '=' && cell[1] == '"' && cell[len(cell)-1] == '"' && bytes.IndexByte(cell[2:len(cell)-1], '"') < 0 {
		return cell[2 : len(cell)-1]
	}
	return cell
}

// trim cuts white space around a cell, with a short way for plain ASCII.
func trim(b []byte) []byte {
	if len(b) > 0 && b[0] > ' ' && b[0] < 0x80 && b[len(b)-1] > ' ' && b[len(b)-1] < 0x80 {
		return b
	}
	return bytes.TrimSpace(b)
}

// newlines makes the line ends of old Macs, a lone CR, such as are known here.
func newlines(data []byte) []byte {
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') >= 0 {
		return bytes.ReplaceAll(data, []byte{'\r'}, []byte{'\n'})
	}
	return data
}
