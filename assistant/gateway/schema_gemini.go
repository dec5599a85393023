package gateway

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"slices"
	"strconv"
)

// geminiKeeps says whether Gemini knows a keyword of all, or another for it.
func geminiKeeps(m *member, all []member, others *[]member) bool {
	switch m.name {
	case "title", "description", "nullable", "items", "maxItems", "minItems", "properties", "required", "minProperties", "maxProperties",
		"minLength", "maxLength", "pattern", "minimum", "maximum", "anyOf":
		return at(*others, m.name) < 0
	case "type":
		return m.value.Kind() == '"'
	case "format":
		return string(m.value) == `"date-time"` || string(m.value) == `"int32"` || string(m.value) == `"int64"` || string(m.value) == `"float"` || string(m.value) == `"double"`
	case "enum": // of texts only
		some := slices.DeleteFunc(elements(m.value), func(v jsontext.Value) bool { return v.Kind() != '"' || string(v) == `""` })
		m.value = list(some...)
		return len(some) > 0 && at(*others, "enum") < 0
	case "const":
		m.name, m.value = "enum", list(m.value)
		return geminiKeeps(m, all, others)
	case "oneOf":
		m.name = "anyOf"
		return at(*others, "anyOf") < 0
	case "exclusiveMinimum", "exclusiveMaximum": // of whole numbers there is a next one
		n, err := strconv.ParseInt(string(m.value), 10, 64)
		if err != nil {
			return false
		}
		if m.name == "exclusiveMinimum" {
			m.name, m.value = "minimum", strconv.AppendInt(nil, n+1, 10)
		} else {
			m.name, m.value = "maximum", strconv.AppendInt(nil, n-1, 10)
		}
		return at(*others, m.name) < 0 && wholeNumber(all)
	}
	return false
}

func wholeNumber(all []member) bool {
	n := at(all, "type")
	return n >= 0 && string(all[n].value) == `"integer"`
}

// merged takes allOf, which only adds to its schema, into it.
func merged(all []member) []member {
	n := at(all, "allOf")
	if n < 0 {
		return all
	}
	parts := elements(all[n].value)
	all = slices.Delete(slices.Clone(all), n, n+1)
	for _, part := range parts {
		more, _ := members(part)
		for _, m := range more {
			have := at(all, m.name)
			switch {
			case have < 0:
				all = append(all, m)
			case m.name == "properties":
				a, _ := members(all[have].value)
				b, _ := members(m.value)
				for _, p := range b {
					if at(a, p.name) < 0 {
						a = append(a, p)
					}
				}
				all[have].value = object(a...)
			case m.name == "required":
				a := elements(all[have].value)
				for _, v := range elements(m.value) {
					if !slices.ContainsFunc(a, func(o jsontext.Value) bool { return string(o) == string(v) }) {
						a = append(a, v)
					}
				}
				all[have].value = list(a...)
			}
		}
	}
	return all
}

// nullable says of a schema that may be null that it is nullable, instead of
// naming null among its types.
func nullable(all []member) []member {
	without := func(n int, null func(jsontext.Value) bool) {
		some := elements(all[n].value)
		rest := slices.DeleteFunc(slices.Clone(some), null)
		if len(rest) == len(some) && all[n].name != "type" {
			return
		}
		if len(rest) < len(some) && at(all, "nullable") < 0 {
			all = append(all, member{"nullable", jsontext.Value("true")})
		}
		switch more, ok := members(first(rest)); {
		case len(rest) == 0:
			all = slices.Delete(all, n, n+1)
		case all[n].name == "type": // one of several has to do
			all[n].value = rest[0]
		case len(rest) == 1 && ok:
			all = slices.Delete(all, n, n+1)
			for _, m := range more {
				if at(all, m.name) < 0 {
					all = append(all, m)
				}
			}
		default:
			all[n].value = list(rest...)
		}
	}
	all = slices.Clone(all)
	if n := at(all, "type"); n >= 0 && all[n].value.Kind() == '[' {
		without(n, func(v jsontext.Value) bool { return string(v) == `"null"` })
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		if n := at(all, name); n >= 0 {
			without(n, func(v jsontext.Value) bool {
				of, _ := members(v)
				t := at(of, "type")
				return t >= 0 && string(of[t].value) == `"null"`
			})
		}
	}
	return all
}

func first(all []jsontext.Value) jsontext.Value {
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// textual gives the type to a choice of texts that has none.
func textual(all []member) []member {
	if at(all, "type") < 0 && (at(all, "enum") >= 0 || at(all, "const") >= 0) {
		return append(all, member{"type", jsontext.Value(`"string"`)})
	}
	return all
}

// inQuotes makes a text of an object of which nobody knows the properties:
// Gemini refuses a request that has one. Who takes the arguments takes an object
// in quotes as well.
func inQuotes(all []member) []member {
	kind := at(all, "type")
	if kind < 0 || string(all[kind].value) != `"object"` {
		return all
	}
	if n := at(all, "properties"); n >= 0 {
		if named, ok := members(all[n].value); !ok || len(named) > 0 {
			return all
		}
	}
	says := "a JSON object"
	if n := at(all, "description"); n >= 0 {
		var said string
		if json.Unmarshal(all[n].value, &said) == nil && said != "" {
			says = said + " (" + says + ")"
		}
	}
	out := []member{{"type", jsontext.Value(`"string"`)}, {"description", quote(says)}}
	if n := at(all, "nullable"); n >= 0 {
		out = append(out, all[n])
	}
	return out
}
