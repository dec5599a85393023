package tools

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// maxArguments bounds the arguments of one call, in bytes.
const maxArguments = 1 << 20

// arguments checks the arguments of a call before its tool runs and gives them
// back in one canonical form, without the nulls that stand for "absent".
func (t *Tool) arguments(raw jsontext.Value) (jsontext.Value, error) {
	if len(raw) > maxArguments {
		return nil, Fail(TooLarge, "error.too_large", maxArguments)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = jsontext.Value("{}")
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, Fail(Invalid, "error.json", err.Error())
	}
	v = dropNulls(v, t.Input)
	if problem := firstProblem(v, t.Input, ""); problem != "" {
		return nil, Fail(Invalid, "error.arguments", problem)
	}
	if err := t.in.Validate(v); err != nil {
		problem := badString(v, t.Input, "")
		if problem == "" {
			problem = err.Error()
		}
		return nil, Fail(Invalid, "error.arguments", problem)
	}
	return json.Marshal(v, json.Deterministic(true))
}

// dropNulls takes out the nulls of optional fields; a null for a field that
// must be there stays and is refused as missing its type.
func dropNulls(v any, s *jsonschema.Schema) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			p := property(s, k)
			if p == nil {
				continue
			}
			if x == nil && !slices.Contains(s.Required, k) && !allowsNull(p) {
				delete(v, k)
				continue
			}
			v[k] = dropNulls(x, p)
		}
	case []any:
		if s.Items != nil {
			for i := range v {
				v[i] = dropNulls(v[i], s.Items)
			}
		}
	}
	return v
}

// firstProblem finds what is wrong in words that name the field and say what
// it should be. It covers what callers get wrong; the schema library judges
// the rest.
func firstProblem(v any, s *jsonschema.Schema, at string) string {
	if s == nil || (s.Type == "" && len(s.Types) == 0) {
		return ""
	}
	types := append(slices.Clone(s.Types), s.Type)
	if !slices.ContainsFunc(types, func(t string) bool { return isType(v, t) }) {
		return fmt.Sprintf("%s must be %s, not %s", field(at), wanted(s), typeName(v))
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		return fmt.Sprintf("%s must be one of %s", field(at), list(s.Enum))
	}
	switch v := v.(type) {
	case map[string]any:
		return objectProblem(v, s, at)
	case []any:
		if s.MaxItems != nil && len(v) > *s.MaxItems {
			return fmt.Sprintf("%s has %d items; at most %d are allowed", field(at), len(v), *s.MaxItems)
		}
		for i, x := range v {
			if p := firstProblem(x, s.Items, fmt.Sprintf("%s[%d]", at, i)); p != "" {
				return p
			}
		}
	}
	return ""
}

func objectProblem(v map[string]any, s *jsonschema.Schema, at string) string {
	names := slices.Sorted(maps.Keys(v))
	closed := s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil
	for _, k := range names {
		if closed && s.Properties[k] == nil {
			known := slices.Sorted(maps.Keys(s.Properties))
			return fmt.Sprintf("%s is unknown; the fields are %s", field(join(at, k)), strings.Join(known, ", "))
		}
	}
	for _, k := range s.Required {
		if _, ok := v[k]; !ok {
			return fmt.Sprintf("%s is missing; it must be %s", field(join(at, k)), wanted(s.Properties[k]))
		}
	}
	for _, k := range names {
		if p := firstProblem(v[k], property(s, k), join(at, k)); p != "" {
			return p
		}
	}
	return ""
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
func badString(v any, s *jsonschema.Schema, at string) string {
	if s == nil {
		return ""
	}
	switch v := v.(type) {
	case string:
		if ok, err := regexp.MatchString(s.Pattern, v); err == nil && !ok {
			return fmt.Sprintf("%s is %q, but must be %s", field(at), clip(v, 60), wanted(s))
		}
	case []any:
		for i, x := range v {
			if p := badString(x, s.Items, fmt.Sprintf("%s[%d]", at, i)); p != "" {
				return p
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if p := badString(v[k], property(s, k), join(at, k)); p != "" {
				return p
			}
		}
	}
	return ""
}

func join(at, k string) string {
	if len(k) > 60 {
		k = strings.ToValidUTF8(k[:60], "") + "…"
	}
	if at == "" {
		return k
	}
	return at + "." + k
}

func field(at string) string {
	if at == "" {
		return "the argument object"
	}
	return fmt.Sprintf("the field %q", at)
}

func wanted(s *jsonschema.Schema) string {
	if s == nil {
		return "a value"
	}
	t := s.Type
	if t == "" {
		t = strings.Join(s.Types, " or ")
	}
	switch t {
	case "array":
		t = "a list"
	case "object", "integer":
		t = "an " + t
	default:
		t = "a " + t
	}
	if s.Description != "" {
		t += " (" + s.Description + ")"
	}
	return t
}

func allowsNull(s *jsonschema.Schema) bool {
	return s.Type == "null" || slices.Contains(s.Types, "null")
}

func isType(v any, t string) bool {
	switch v := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case string:
		return t == "string"
	case float64:
		return t == "number" || (t == "integer" && v == math.Trunc(v))
	case []any:
		return t == "array"
	case map[string]any:
		return t == "object"
	}
	return false
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "text"
	case float64:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}

func list(l []any) string {
	s := make([]string, len(l))
	for i, v := range l {
		s[i] = fmt.Sprint(v)
	}
	return strings.Join(s, ", ")
}
