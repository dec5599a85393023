package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"
)

// intake reads the body of an answer, whatever its content type says: events,
// one JSON value, or what no model's host sends.
type intake struct {
	a      *answer
	decode decoder
	events events

	form  byte // '{' for JSON, '<' for a page, 'e' for events; 0 until something came
	whole []byte
	size  int
}

func newIntake(a *answer, d decoder) *intake {
	in := &intake{a: a, decode: d}
	in.events.each = d.event
	return in
}

// add takes the next bytes. An error ends the reading.
func (in *intake) add(b []byte) error {
	if in.size += len(b); in.size > maxBody {
		return in.tooLong()
	}
	if in.form == 0 {
		// What stands before the first line is no part of it in any form.
		if b = bytes.TrimLeft(append(in.whole, b...), " \t\r\n"); len(b) < 3 {
			in.whole = bytes.Clone(b)
			return nil
		}
		in.whole = nil
		in.begin(b)
	}
	switch in.form {
	case 'e':
		if in.events.add(b) != nil {
			return in.tooLong()
		}
	case '<':
		in.whole = append(in.whole, b[:min(len(b), 2000-min(2000, len(in.whole)))]...)
	default:
		if len(in.whole)+len(b) > maxLine {
			return in.tooLong()
		}
		in.whole = append(in.whole, b...)
	}
	return nil
}

func (in *intake) begin(b []byte) {
	switch first := bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n"); {
	case len(first) > 0 && (first[0] == '{' || first[0] == '['):
		in.form = '{'
	case len(first) > 0 && first[0] == '<':
		in.form = '<'
	default:
		in.form = 'e'
	}
}

func (in *intake) tooLong() error {
	in.a.garbled(&Error{Kind: Server, Message: errTooLong.Error()})
	return errTooLong
}

// end is called once, when nothing more comes.
func (in *intake) end() {
	if in.form == 0 && len(in.whole) > 0 {
		rest := in.whole
		in.whole = nil
		in.begin(rest)
		_ = in.events.add(rest) // at most two bytes
	}
	switch in.form {
	case '<':
		in.a.fail(&Error{Kind: Server, Message: "a page instead of an answer: " + excerpt(in.whole), Retryable: true})
	case '{':
		in.json(bytes.TrimPrefix(in.whole, []byte("\xef\xbb\xbf")))
	case 'e':
		if in.events.end() != nil {
			_ = in.tooLong()
		}
		if in.events.seen == 0 && in.events.odd != nil {
			in.a.fail(&Error{Kind: Server, Message: "no answer of a model: " + excerpt(in.events.odd), Retryable: true})
		}
	}
	in.decode.end()
}

// json reads an answer in one piece. Events may follow each other without their
// fields, too: then there are several.
func (in *intake) json(body []byte) {
	dec := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for n := 0; ; n++ {
		v, err := dec.ReadValue()
		switch {
		case errors.Is(err, io.EOF):
			return
		case errors.Is(err, io.ErrUnexpectedEOF):
			in.a.fail(&Error{Kind: Truncated, Message: "the answer broke off: " + excerpt(body), Retryable: true})
			return
		case err != nil:
			in.a.garbled(&Error{Kind: Server, Message: "the answer is no JSON: " + excerpt(body), Retryable: true})
			return
		}
		if e := spoken(v); e != nil {
			in.a.begun = in.a.begun || counts(v)
			in.a.fail(e)
			return
		}
		if rest := bytes.TrimSpace(body[dec.InputOffset():]); n == 0 && len(rest) == 0 {
			in.decode.whole(v)
			return
		}
		in.decode.event("", v)
	}
}

// longestExcerpt is how much is kept of what a host said.
const longestExcerpt = 500

// excerpt is the beginning of what a host said, for the log.
func excerpt(b []byte) string {
	return string(bytes.ToValidUTF8(bytes.TrimSpace(b[:min(len(b), longestExcerpt)]), []byte("?")))
}

// lenient reads JSON as hosts write it.
func lenient(data []byte, into any) error {
	return json.Unmarshal(data, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// stop gives up: what came so far counts, and no more.
func (in *intake) stop() { in.decode.end() }
