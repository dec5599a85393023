package gateway

import (
	"encoding/json/jsontext"
	"slices"
	"strconv"
)

// keywords are those of JSON Schema that a host takes.
type keywords int

const (
	anyKeyword      keywords = iota
	grammarKeywords          // of local servers, which make a grammar of it
	geminiKeywords           // a part of OpenAPI's
)

// deepest is how far down a schema is followed; below it anything goes.
const deepest = 24

// fitting is a tool's schema as a host takes it. What is taken out is still held
// against the arguments when the tool is called: a model only is not told.
func (k keywords) fitting(schema jsontext.Value) jsontext.Value {
	root, ok := members(schema)
	if !ok {
		return jsontext.Value(`{"type":"object","properties":{}}`)
	}
	// No host takes a choice at the root, nor a root that is no object.
	root = slices.DeleteFunc(root, func(m member) bool {
		return slices.Contains([]string{"$schema", "oneOf", "anyOf", "allOf", "not", "enum", "const", "if", "then", "else"}, m.name)
	})
	if at(root, "type") < 0 {
		root = slices.Insert(root, 0, member{"type", jsontext.Value(`"object"`)})
	}
	if at(root, "properties") < 0 {
		root = append(root, member{"properties", jsontext.Value(`{}`)})
	}
	return k.schema(root, 0)
}

// at is where a member stands, or -1.
func at(all []member, name string) int {
	return slices.IndexFunc(all, func(m member) bool { return m.name == name })
}

func (k keywords) schema(all []member, depth int) jsontext.Value {
	if depth > deepest {
		return jsontext.Value(`{}`)
	}
	if k == geminiKeywords {
		all = textual(nullable(merged(all)))
	}
	out := make([]member, 0, len(all)+1)
	for _, m := range all {
		switch m.name {
		case "properties", "$defs", "definitions", "patternProperties":
			if named, ok := members(m.value); ok {
				for n := range named {
					named[n].value = k.below(named[n].value, depth)
				}
				m.value = object(named...)
			}
		case "items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else":
			m.value = k.below(m.value, depth)
		case "anyOf", "oneOf", "allOf", "prefixItems":
			if some := elements(m.value); some != nil {
				for n := range some {
					some[n] = k.below(some[n], depth)
				}
				m.value = list(some...)
			}
		}
		if k.keep(&m, all, &out) {
			out = append(out, m)
		}
	}
	if n := at(out, "type"); n >= 0 && string(out[n].value) == `"array"` && at(out, "items") < 0 {
		items := jsontext.Value(`{}`)
		if k == geminiKeywords {
			items = jsontext.Value(`{"type":"string"}`)
		}
		out = append(out, member{"items", items})
	}
	return object(out...)
}

// below is a schema within one; true and false are schemas as well.
func (k keywords) below(v jsontext.Value, depth int) jsontext.Value {
	all, ok := members(v)
	switch {
	case ok:
		return k.schema(all, depth+1)
	case k == geminiKeywords:
		return jsontext.Value(`{"type":"string"}`)
	}
	return v
}

// keep says whether a keyword goes to the host, as it is or as what the host
// has for it.
func (k keywords) keep(m *member, all []member, others *[]member) bool {
	switch k {
	case grammarKeywords:
		switch m.name {
		case "$schema", "$id", "$comment", "pattern", "patternProperties":
			return false
		case "format":
			return slices.Contains([]string{`"date"`, `"time"`, `"date-time"`, `"uuid"`}, string(m.value))
		}
		return true
	case geminiKeywords:
		return geminiKeeps(m, all, others)
	}
	return m.name != "$schema"
}

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
