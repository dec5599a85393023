package gateway

import (
	"bytes"
	"errors"
)

// Bounds of what a host may send.
const (
	maxLine = 32 << 20 // bytes of one line, and of all lines of one event
	maxBody = 64 << 20 // bytes of one answer
)

var errTooLong = errors.New("more than is read of one answer")

// events takes a stream of server-sent events apart, as it comes and wherever it
// was cut. It is more lenient than the standard: lines end with CR, LF or both,
// a stream may end without an empty line, and the field error, which llama.cpp
// sends, is an event of that name. What it gives to each is only good meanwhile.
type events struct {
	each func(name string, data []byte)

	line   []byte // that has not ended
	data   []byte // of the event that has not ended
	name   string
	has    bool // the event has data
	afterR bool // the last byte was a CR: an LF now belongs to it
	begun  bool // the first line is over, and with it a byte order mark
	seen   int  // events so far
	odd    []byte
}

// add takes the next bytes of the stream.
func (s *events) add(b []byte) error {
	for len(b) > 0 {
		if s.afterR && b[0] == '\n' {
			b = b[1:]
			s.afterR = false
			continue
		}
		s.afterR = false
		n := bytes.IndexAny(b, "\r\n")
		if n < 0 {
			return s.keep(b)
		}
		s.afterR = b[n] == '\r'
		if len(s.line) == 0 {
			if err := s.take(b[:n]); err != nil {
				return err
			}
		} else {
			if err := s.keep(b[:n]); err != nil {
				return err
			}
			if err := s.take(s.line); err != nil {
				return err
			}
			s.line = spare(s.line)
		}
		b = b[n+1:]
	}
	return nil
}

func (s *events) keep(b []byte) error {
	if len(s.line)+len(b) > maxLine {
		return errTooLong
	}
	s.line = append(s.line, b...)
	return nil
}

// end gives what the stream ended in the middle of: that it broke off is for
// the decoder to find.
func (s *events) end() error {
	if len(s.line) > 0 {
		if err := s.take(s.line); err != nil {
			return err
		}
		s.line = nil
	}
	s.flush()
	return nil
}

// take reads one line.
func (s *events) take(line []byte) error {
	if !s.begun {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		s.begun = true
	}
	if len(line) == 0 {
		s.flush()
		return nil
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "": // a comment
	case "data":
		return s.grow(value)
	case "event":
		s.name = string(value)
	case "error":
		s.flush()
		s.name = "error"
		if err := s.grow(value); err != nil {
			return err
		}
		s.flush()
	case "id", "retry":
	default:
		if line[0] == '{' { // an object without its field
			return s.grow(line)
		}
		if s.odd == nil {
			s.odd = bytes.Clone(line[:min(len(line), 500)])
		}
	}
	return nil
}

func (s *events) grow(value []byte) error {
	if len(s.data)+len(value) > maxLine {
		return errTooLong
	}
	if s.has {
		s.data = append(s.data, '\n')
	}
	s.data, s.has = append(s.data, value...), true
	return nil
}

func (s *events) flush() {
	if s.has {
		s.seen++
		s.each(s.name, s.data)
	}
	s.data, s.name, s.has = spare(s.data), "", false
}

// spare is a buffer to use again, unless one long line would stay for ever.
func spare(b []byte) []byte {
	if cap(b) > 64<<10 {
		return nil
	}
	return b[:0]
}
