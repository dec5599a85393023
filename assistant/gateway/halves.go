package gateway

import "encoding/json/jsontext"

// halves reads a text that comes in pieces, where a host may have cut a character
// in two: it then writes each half as an escape, which alone is none.
type halves struct{ half string }

// text is a piece without the half that it ends with, and with the half that the
// piece before it ended with. What is no text is "".
func (h *halves) text(v jsontext.Value) string {
	if v.Kind() != '"' || len(v) < 2 {
		return ""
	}
	if h.half != "" && len(v) > 2 {
		v = append(append(jsontext.Value{'"'}, h.half...), v[1:]...)
		h.half = ""
	}
	if n := len(v) - 7; n > 0 && isHalf(v[n:n+6]) && !escaped(v[:n]) {
		h.half = string(v[n : n+6])
		v = append(v[:n:n], '"')
	}
	return word(v)
}

// isHalf says that an escape is the first half of a character.
func isHalf(b []byte) bool {
	return b[0] == '\\' && b[1] == 'u' && (b[2] == 'd' || b[2] == 'D') && (b[3] == '8' || b[3] == '9' || b[3]|0x20 == 'a' || b[3]|0x20 == 'b')
}

// escaped says that what follows is no escape, because its backslash is one.
func escaped(b []byte) bool {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
