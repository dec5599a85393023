package gateway

import (
	"encoding/json/jsontext"
	"strconv"
	"strings"
)

// call notes a call that the host has told in full. One without an id gets its
// number.
func (a *answer) call(id, name, args string) Call {
	c := Call{ID: id, Name: name}
	if c.ID == "" {
		c.ID = "call_" + strconv.Itoa(len(a.calls)+1)
	}
	c.Args, c.Invalid = arguments(args)
	a.calls = append(a.calls, c)
	return c
}

// arguments reads the arguments of a call: one object, nothing where a tool takes
// none. Some hosts put an empty object before the true one. Whatever else is
// wrong is for the model to hear, not to be guessed.
func arguments(text string) (args jsontext.Value, invalid bool) {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "{}"); ok {
		text = strings.TrimSpace(rest)
	}
	if text == "" || text == "null" {
		return jsontext.Value("{}"), false
	}
	v := jsontext.Value(text)
	if v.Kind() != '{' || !v.IsValid() {
		return nil, true
	}
	return v, false
}
