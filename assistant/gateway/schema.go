package gateway

import (
	"encoding/json/jsontext"
	"slices"
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
	if k == geminiKeywords && depth > 0 {
		out = inQuotes(out)
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
