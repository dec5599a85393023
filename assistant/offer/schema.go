package offer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema is that of a tool's arguments as every model host takes it: it
// uses type, description, properties, required, items, enum,
// additionalProperties, minimum, maximum, minLength and maxLength, and nothing
// else. Hosts refuse a whole conversation over a word that they do not know, so
// what else a schema says becomes words of its description; the engine still
// holds the arguments against the schema that was.
func Schema(s *jsonschema.Schema) *jsonschema.Schema {
	n := portable(s)
	n.Type = "object"
	if n.Properties == nil {
		n.Properties = map[string]*jsonschema.Schema{}
	}
	n.Enum = nil
	return n
}

// portable is a schema in those words alone.
func portable(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return &jsonschema.Schema{Type: "string"}
	}
	if s.Type == "" && len(s.Types) == 0 {
		// Where it may be one of several, the first that is something will do.
		for _, o := range slices.Concat(s.AnyOf, s.OneOf, s.AllOf) {
			if o != nil && o.Type != "null" {
				one := portable(o)
				one.Description = joined(s.Description, one.Description)
				return one
			}
		}
	}
	n := &jsonschema.Schema{
		Type: typeOf(s), Description: describe(s), Enum: slices.Clone(s.Enum),
		Minimum: s.Minimum, Maximum: s.Maximum, MinLength: s.MinLength, MaxLength: s.MaxLength,
	}
	if s.Const != nil {
		n.Enum = []any{*s.Const}
	}
	n.Enum = slices.DeleteFunc(n.Enum, func(v any) bool { return v == nil })
	switch n.Type {
	case "object":
		n.Properties = map[string]*jsonschema.Schema{}
		for name, p := range s.Properties {
			n.Properties[name] = portable(p)
		}
		n.PropertyOrder, n.Required = slices.Clone(s.PropertyOrder), slices.Clone(s.Required)
		switch more := s.AdditionalProperties; {
		case more == nil, Anything(more):
		case more.Not != nil:
			n.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}} // false
		default:
			n.AdditionalProperties = portable(more)
		}
	case "array":
		n.Items = portable(s.Items)
	}
	return n
}

// Anything says that a schema takes every value.
func Anything(s *jsonschema.Schema) bool {
	return s.Type == "" && len(s.Types) == 0 && s.Not == nil && s.Properties == nil && s.Items == nil && len(s.Enum) == 0 && s.Const == nil &&
		len(s.AnyOf)+len(s.OneOf)+len(s.AllOf) == 0
}

// typeOf is the one type of a schema; null beside another says only that it may
// be left out.
func typeOf(s *jsonschema.Schema) string {
	if s.Type != "" && s.Type != "null" {
		return s.Type
	}
	for _, t := range s.Types {
		if t != "null" {
			return t
		}
	}
	switch {
	case s.Properties != nil:
		return "object"
	case s.Items != nil:
		return "array"
	}
	return "string"
}

// describe adds to a description what the schema says in words that not every
// host knows. A pattern that is described is said already.
func describe(s *jsonschema.Schema) string {
	var more []string
	say := func(there bool, format string, args ...any) {
		if there {
			more = append(more, fmt.Sprintf(format, args...))
		}
	}
	say(s.Pattern != "" && s.Description == "", "text like %s", s.Pattern)
	say(s.ContentEncoding != "" && !strings.Contains(s.Description, s.ContentEncoding), "in %s", s.ContentEncoding)
	say(s.Format != "" && s.Description == "", "%s", s.Format)
	if s.MinItems != nil {
		say(*s.MinItems > 0, "at least %d", *s.MinItems)
	}
	if s.MaxItems != nil {
		say(true, "at most %d", *s.MaxItems)
	}
	say(s.UniqueItems, "each once")
	if s.ExclusiveMinimum != nil {
		say(true, "more than %v", *s.ExclusiveMinimum)
	}
	if s.ExclusiveMaximum != nil {
		say(true, "less than %v", *s.ExclusiveMaximum)
	}
	if s.MultipleOf != nil {
		say(true, "a multiple of %v", *s.MultipleOf)
	}
	if len(s.Default) > 0 {
		say(true, "%s by default", s.Default)
	}
	return joined(s.Description, strings.Join(more, ", "))
}

func joined(said, more string) string {
	switch {
	case said == "":
		return more
	case more == "":
		return said
	}
	return said + " (" + more + ")"
}
