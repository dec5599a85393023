package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"
	"math"
	"strconv"
)

// maxItems is how many blocks, items or entries are read of one answer.
const maxItems = 5000

var errTooMany = errors.New("more pieces than are read of one answer")

// What hosts send is read by fields that take whatever stands there: a field of
// another kind than documented counts as absent, and hides no other.

// str is a text. A number or a truth is read as its text.
type str string

// UnmarshalJSONFrom takes any value.
func (s *str) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case '"', '0', 't', 'f':
		tok, err := d.ReadToken()
		if err != nil {
			return err
		}
		*s = str(tok.String())
		return nil
	}
	return d.SkipValue()
}

// num is a whole number, if it is there.
type num struct {
	N  int64
	Is bool
}

// UnmarshalJSONFrom takes any value. Null and what is no number change nothing.
func (n *num) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case '"', '0':
	default:
		return d.SkipValue()
	}
	tok, err := d.ReadToken()
	if err != nil {
		return err
	}
	if i, err := strconv.ParseInt(tok.String(), 10, 64); err == nil {
		n.N, n.Is = max(-1e15, min(i, 1e15)), true // so that sums stay sums
		return nil
	}
	f, err := strconv.ParseFloat(tok.String(), 64)
	if err != nil || math.IsNaN(f) {
		return nil //nolint:nilerr // a word where a number belongs: absent
	}
	n.N, n.Is = int64(max(-1e15, min(f, 1e15))), true
	return nil
}

// obj is an object, if it is there. A second one is laid over the first.
type obj[T any] struct {
	V  T
	Is bool
}

// UnmarshalJSONFrom takes any value.
func (o *obj[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '{' {
		return d.SkipValue()
	}
	o.Is = true
	return json.UnmarshalDecode(d, &o.V)
}

// objs is an array of objects; what else stands in it is passed
// over, and what is more than maxItems.
type objs[T any] []T

// UnmarshalJSONFrom takes any value.
func (l *objs[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '[' {
		return d.SkipValue()
	}
	*l = nil
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		var o obj[T]
		if err := json.UnmarshalDecode(d, &o); err != nil {
			return err
		}
		if o.Is && len(*l) < maxItems {
			*l = append(*l, o.V)
		}
	}
	_, err := d.ReadToken()
	return err
}

// parse reads one event. What is no object, such as [DONE], is passed over; an
// object that is broken ends the answer, for what it said is missing in the rest.
func (a *answer) parse(data []byte, into any) bool {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' {
		return false
	}
	err := lenient(data, into)
	switch {
	case err == nil:
		return true
	case errors.Is(err, io.ErrUnexpectedEOF):
		a.fail(&Error{Kind: Truncated, Message: "the answer broke off within an event", Retryable: true})
	default:
		a.garbled(&Error{Kind: Server, Message: "an event is no JSON: " + excerpt(data), Retryable: true})
	}
	return false
}

// unread ends an answer that has more pieces than anybody means.
func (a *answer) unread(err error) {
	if err != nil {
		a.garbled(&Error{Kind: Server, Message: err.Error()})
	}
}
