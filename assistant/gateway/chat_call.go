package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"strings"
)

// mostCalls is how many calls one answer may have.
const mostCalls = 128

// longestName is beyond what any tool is called.
const longestName = 256

// chatCalls puts calls together from pieces, of which hosts leave out, repeat
// and mix up whatever can be.
type chatCalls struct {
	slots []*chatCall
}

// chatCall is a call in the making.
type chatCall struct {
	index   num
	id      string
	name    []byte
	args    []byte
	half    halves
	nesting nesting
	extra   []member // of the host's own, to go back
}

// chatPiece is a piece of a call.
type chatPiece struct {
	Index    num               `json:"index"`
	ID       str               `json:"id"`
	Function obj[chatFunction] `json:"function"`
	Extra    jsontext.Value    `json:"extra_content"`
	Specific jsontext.Value    `json:"provider_specific_fields"`
}

type chatFunction struct {
	Name str            `json:"name"`
	Args jsontext.Value `json:"arguments"`
}

func (c *chatCalls) none() bool { return len(c.slots) == 0 }

// add takes a piece; another says that one stood before it in the same list. It
// is false if there are too many calls.
func (c *chatCalls) add(p *chatPiece, another bool) bool {
	f := &p.Function.V
	s := c.slot(p, another)
	if s == nil {
		if len(c.slots) == mostCalls {
			return false
		}
		s = &chatCall{index: p.Index}
		c.slots = append(c.slots, s)
	}
	if s.id == "" {
		s.id = string(p.ID)
	}
	s.called(string(f.Name))
	s.given(f.Args)
	for _, m := range []member{{"extra_content", p.Extra}, {"provider_specific_fields", p.Specific}} {
		if !given(m.value) {
			continue
		}
		if n := at(s.extra, m.name); n >= 0 {
			s.extra[n] = m
		} else {
			s.extra = append(s.extra, m)
		}
	}
	return true
}

// slot finds the call that a piece belongs to; nil if it begins another one.
func (c *chatCalls) slot(p *chatPiece, another bool) *chatCall {
	id, name, indexed := string(p.ID), string(p.Function.V.Name), p.Index.Is
	var last *chatCall // with the index, or at all
	for _, s := range c.slots {
		if indexed && s.index != p.Index {
			continue
		}
		last = s
		if id != "" && s.id == id {
			break
		}
	}
	switch {
	case last == nil:
		return nil
	case id != "" && last.id == id:
		return last
	case id != "" && last.id != "":
		// Another id is another call, unless this can only be the rest of one.
		if name == "" && last.nesting.open() {
			return last
		}
		return nil
	case id != "" && !indexed && last.nesting.whole():
		return nil
	case id == "" && name != "" && (last.nesting.whole() && !nothing(p.Function.V.Args) || another && !indexed):
		// Without an id a name after whole arguments begins the next call.
		if last.nesting.empty() && string(last.name) == name {
			return last // "{}" came first
		}
		return nil
	}
	return last
}

// called takes a name: the first, all of it again, or the next piece of it.
func (s *chatCall) called(name string) {
	switch {
	case name == "" || name == string(s.name):
	case len(s.name) > 0 && len(name) > len(s.name) && strings.HasPrefix(name, string(s.name)):
		s.name = []byte(name)
	case len(s.name) <= longestName:
		s.name = append(s.name, name...)
	}
}

// given takes a piece of arguments, which may be no text but the object itself.
func (s *chatCall) given(v jsontext.Value) {
	var more []byte
	switch v.Kind() {
	case '"':
		more = []byte(s.half.text(v))
	case '{':
		if bytes.Equal(v, s.args) {
			return // again
		}
		if s.nesting.empty() {
			s.args, s.nesting = nil, nesting{} // now the true ones
		}
		more = v
	case 'n', jsontext.KindInvalid:
	default:
		more = v
	}
	s.args = append(s.args, more...)
	s.nesting.add(more)
}

// nothing says that a piece of arguments has nothing in it.
func nothing(v jsontext.Value) bool {
	return v.Kind() == 'n' || v.Kind() == jsontext.KindInvalid || v.Kind() == '"' && strings.TrimSpace(word(v)) == ""
}

// empty says that nothing came that could be called.
func (s *chatCall) empty() bool { return s.id == "" && len(s.name) == 0 && len(s.args) == 0 }

// tell notes the calls, in the order in which they came.
func (c *chatCalls) tell(a *answer) {
	kept := c.slots[:0]
	for _, s := range c.slots {
		if s.empty() {
			continue
		}
		id, fresh := a.call(s.id, string(s.name), string(s.args))
		if !fresh {
			continue
		}
		if s.id = id; len(s.name) == 0 { // nothing can be called by no name
			last := &a.calls[len(a.calls)-1]
			last.Args, last.Invalid = nil, true
		}
		kept = append(kept, s)
	}
	c.slots = kept
}
