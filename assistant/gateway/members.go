package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
)

// member is one of an object, as it was written.
type member struct {
	name  string
	value jsontext.Value
}

// members takes an object apart in its own order; ok is false if it is none, or
// one of more members than anybody means.
func members(object jsontext.Value) (all []member, ok bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, false
		}
		m := member{name: name.String()}
		v, err := dec.ReadValue()
		if err != nil {
			return nil, false
		}
		if len(all) == maxItems {
			return nil, false
		}
		m.value = v.Clone()
		all = append(all, m)
	}
	return all, true
}

// elements takes a list apart; nil if it is none.
func elements(list jsontext.Value) []jsontext.Value {
	if list.Kind() != '[' {
		return nil
	}
	var all []jsontext.Value
	if err := json.Unmarshal(list, &all, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return nil
	}
	return all
}

// object puts members together again, byte for byte.
func object(all ...member) jsontext.Value {
	out := jsontext.Value{'{'}
	for n, m := range all {
		if n > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(m.name)...), ':'), m.value...)
	}
	return append(out, '}')
}

// list puts values together.
func list(all ...jsontext.Value) jsontext.Value {
	size := 2
	for _, v := range all {
		size += len(v) + 1
	}
	out := append(make(jsontext.Value, 0, size), '[')
	for n, v := range all {
		if n > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}

// quote is a text as JSON; what is no UTF-8 in it is replaced.
func quote(text string) jsontext.Value {
	out, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		// Only that it is no UTF-8, which has its replacement already.
		return out
	}
	return out
}
