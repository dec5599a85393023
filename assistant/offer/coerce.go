package offer

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// plainNumber is one that every reader takes for the same: no exponent, and few
// enough digits.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9]\d{0,14})(\.\d{1,9})?$`)

// wholeNumber is one without a fraction.
var wholeNumber = regexp.MustCompile(`^-?(0|[1-9]\d{0,14})$`)

// Coerce gives arguments the types that the schema wants, where what was meant
// is beyond doubt: models write "7" for 7, 7 for "7", "true" for true, and lists
// in quotes. The rest stays as it is, and is refused by the engine in its words.
func Coerce(raw jsontext.Value, s *jsonschema.Schema) jsontext.Value {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" || string(raw) == "{}" {
		return jsontext.Value("{}")
	}
	if changed, ok := fit(raw, s); ok {
		return changed
	}
	return raw
}

// fit is a value in the type of its schema; false where it stays what it is.
func fit(raw jsontext.Value, s *jsonschema.Schema) (jsontext.Value, bool) {
	if s == nil || (s.Type == "" && len(s.Types) == 0) { // what may be anything stays what it is
		return nil, false
	}
	is, want := raw.Kind(), typeOf(s)
	switch {
	case is == '"' && want != "string":
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return nil, false
		}
		return unquoted(strings.TrimSpace(text), s, want)
	case is == '0' && want == "string" && plainNumber.Match(raw):
		return jsontext.Value(`"` + string(raw) + `"`), true
	case is == '{' && want == "object":
		var fields map[string]jsontext.Value
		if json.Unmarshal(raw, &fields) != nil {
			return nil, false
		}
		changed := false
		for name, value := range fields {
			p := s.Properties[name]
			if p == nil && s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
				p = s.AdditionalProperties
			}
			if v, ok := fit(value, p); ok {
				fields[name], changed = v, true
			}
		}
		return rewritten(fields, changed)
	case is == '[' && want == "array":
		var items []jsontext.Value
		if json.Unmarshal(raw, &items) != nil {
			return nil, false
		}
		changed := false
		for i, value := range items {
			if v, ok := fit(value, s.Items); ok {
				items[i], changed = v, true
			}
		}
		return rewritten(items, changed)
	}
	return nil, false
}

// unquoted is a text that stands for a value of another type.
func unquoted(text string, s *jsonschema.Schema, want string) (jsontext.Value, bool) {
	value := jsontext.Value(text)
	switch want {
	case "integer":
		return value, wholeNumber.MatchString(text)
	case "number":
		return value, plainNumber.MatchString(text)
	case "boolean":
		return value, text == "true" || text == "false"
	case "array", "object":
		if first := map[string]jsontext.Kind{"array": '[', "object": '{'}[want]; !value.IsValid() || value.Kind() != first {
			return nil, false
		}
		if inner, ok := fit(value, s); ok {
			return inner, true
		}
		return value, true
	}
	return nil, false
}

func rewritten(v any, changed bool) (jsontext.Value, bool) {
	if !changed {
		return nil, false
	}
	b, err := json.Marshal(v, json.Deterministic(true))
	return b, err == nil
}
