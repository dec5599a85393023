package tools

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// firstProblem finds what is wrong with arguments in words that name the field
// and say what it should be; nil where nothing is. It covers what callers get
// wrong; the schema library judges the rest.
func firstProblem(v any, s *jsonschema.Schema, at string) *Text {
	if s == nil || (s.Type == "" && len(s.Types) == 0) {
		return nil
	}
	types := append(slices.Clone(s.Types), s.Type)
	if !slices.ContainsFunc(types, func(t string) bool { return isType(v, t) }) {
		return problem("argument.type", fieldName(at), wanted(s), T("type."+typeName(v)))
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		return problem("argument.enum", fieldName(at), list(s.Enum))
	}
	switch v := v.(type) {
	case string:
		if s.ContentEncoding == contentBase64 && !isBase64(v) {
			return problem("argument.base64", fieldName(at))
		}
	case map[string]any:
		return objectProblem(v, s, at)
	case []any:
		if s.MaxItems != nil && len(v) > *s.MaxItems {
			return problem("argument.items", fieldName(at), len(v), *s.MaxItems)
		}
		for i, x := range v {
			if p := firstProblem(x, s.Items, fmt.Sprintf("%s[%d]", at, i)); p != nil {
				return p
			}
		}
	}
	return nil
}

func objectProblem(v map[string]any, s *jsonschema.Schema, at string) *Text {
	names := slices.Sorted(maps.Keys(v))
	closed := s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil
	for _, k := range names {
		if closed && len(s.Properties) == 0 {
			return problem("argument.none", fieldName(join(at, k)))
		}
		if closed && s.Properties[k] == nil {
			return problem("argument.unknown", fieldName(join(at, k)), strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", "))
		}
	}
	for _, k := range s.Required {
		if _, ok := v[k]; !ok {
			return problem("argument.missing", fieldName(join(at, k)), wanted(s.Properties[k]))
		}
	}
	for _, k := range names {
		if p := firstProblem(v[k], property(s, k), join(at, k)); p != nil {
			return p
		}
	}
	return nil
}

// property is the schema of a field: a named one, or that of a map's values.
func property(s *jsonschema.Schema, name string) *jsonschema.Schema {
	if p := s.Properties[name]; p != nil {
		return p
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		return s.AdditionalProperties
	}
	return nil
}

// badString finds the text that does not have the form that its field needs.
func badString(v any, s *jsonschema.Schema, at string) *Text {
	if s == nil {
		return nil
	}
	switch v := v.(type) {
	case string:
		if ok, err := regexp.MatchString(s.Pattern, v); err == nil && !ok {
			return problem("argument.form", fieldName(at), Quoted(v, 60), wanted(s))
		}
	case []any:
		for i, x := range v {
			if p := badString(x, s.Items, fmt.Sprintf("%s[%d]", at, i)); p != nil {
				return p
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if p := badString(v[k], property(s, k), join(at, k)); p != nil {
				return p
			}
		}
	}
	return nil
}

func problem(key string, args ...any) *Text {
	t := T(key, args...)
	return &t
}

func join(at, k string) string {
	if k = Quoted(k, 60); at == "" {
		return k
	}
	return at + "." + k
}

func fieldName(at string) Text {
	if at == "" {
		return T("argument.whole")
	}
	return T("argument.field", at)
}

// wanted is what a field should be, with what its schema says of it.
func wanted(s *jsonschema.Schema) Text {
	if s == nil {
		return T("type.value")
	}
	t := s.Type
	if t == "" {
		t = s.Types[0]
	}
	if s.Description == "" {
		return T("type." + t)
	}
	return T("argument.described", T("type."+t), s.Description)
}

func allowsNull(s *jsonschema.Schema) bool {
	return s.Type == "null" || slices.Contains(s.Types, "null")
}

func isType(v any, t string) bool {
	name := typeName(v)
	if f, ok := v.(float64); ok && t == "integer" {
		return f == math.Trunc(f)
	}
	return name == t
}

// typeName is the type of a value as JSON Schema calls it.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func list(l []any) string {
	s := make([]string, len(l))
	for i, v := range l {
		s[i] = fmt.Sprint(v)
	}
	return strings.Join(s, ", ")
}
