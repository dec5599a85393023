package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"strconv"
	"strings"
)

// call notes a call that the host has told in full, and gives the id by which it
// is known: the host's, or its number where there is none. The same call told
// twice is one; another under the same id gets its own.
func (a *answer) call(id, name, args string) (as string, fresh bool) {
	c := Call{ID: id, Name: brief(name, longestName)} // so long none is called
	c.Args, c.Invalid = arguments(args)
	if before, again := a.ids[id]; again && id != "" {
		if b := a.calls[before]; b.Name == c.Name && b.Invalid == c.Invalid && bytes.Equal(b.Args, c.Args) {
			return id, false
		}
		c.ID = ""
	}
	for n := len(a.calls) + 1; c.ID == ""; n++ {
		if own := "call_" + strconv.Itoa(n); !a.known(own) {
			c.ID = own
		}
	}
	if a.ids == nil {
		a.ids = map[string]int{}
	}
	a.ids[c.ID] = len(a.calls)
	if len(a.calls) == maxItems {
		a.unread(errTooMany)
		return c.ID, false
	}
	a.calls = append(a.calls, c)
	return c.ID, true
}

func (a *answer) known(id string) bool {
	_, known := a.ids[id]
	return known
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
