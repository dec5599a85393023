package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"slices"
)

// with gives an object other values for some fields; the rest stays byte for
// byte. A value of nil takes the field away.
func with(v jsontext.Value, set ...member) jsontext.Value {
	all, ok := members(v)
	if !ok {
		return v
	}
	changed := false
	for _, s := range set {
		i := slices.IndexFunc(all, func(m member) bool { return m.name == s.name })
		if i < 0 && s.value == nil {
			continue
		}
		changed = true
		switch {
		case i >= 0 && s.value == nil:
			all = slices.DeleteFunc(all, func(m member) bool { return m.name == s.name })
		case i >= 0:
			all[i].value = s.value
		default:
			all = append(all, s)
		}
	}
	if !changed {
		return v
	}
	return object(all...)
}

// each calls f with the elements of an array; what is none has none.
func each(v jsontext.Value, f func(jsontext.Value)) error {
	d := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if d.PeekKind() != '[' {
		return nil
	}
	_, _ = d.ReadToken() // what PeekKind saw
	for n := 0; ; n++ {
		if k := d.PeekKind(); k == ']' || k == jsontext.KindInvalid {
			return nil
		}
		if n == maxItems {
			return errTooMany
		}
		e, err := d.ReadValue()
		if err != nil {
			return nil //nolint:nilerr // the whole was read as a value already
		}
		f(e)
	}
}

// textOf is a text, or an object in the place of one, as text.
func textOf(v jsontext.Value) string {
	if v.Kind() == '{' {
		return string(v)
	}
	return word(v)
}

// joined puts pieces of one text together as they are written, so that what a
// host escaped in its own way, or cut within a character, stays so.
type joined struct{ inner []byte }

func (j *joined) add(v jsontext.Value) {
	if len(v) >= 2 && v[0] == '"' {
		j.inner = append(j.inner, v[1:len(v)-1]...)
	}
}

func (j *joined) value() jsontext.Value {
	return append(append([]byte{'"'}, j.inner...), '"')
}
