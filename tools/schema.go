package tools

import (
	"encoding/json/jsontext"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemas are the types that JSON shows otherwise than their fields suggest.
func schemas() map[reflect.Type]*jsonschema.Schema {
	text := func(pattern, description string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "string", Pattern: pattern, Description: description}
	}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Date]():  text(`^(\d{4}-\d{2}-\d{2})?$`, "a day as YYYY-MM-DD"),
		reflect.TypeFor[Cycle](): text(`^P[1-9]\d*[WMY]$`, "an ISO 8601 duration of weeks, months or years, such as P1M"),
		reflect.TypeFor[Words](): {Type: "string"},
		reflect.TypeFor[Text](): {
			Type: "object", Description: "a sentence: text, and key and args of the catalogue",
			Properties: map[string]*jsonschema.Schema{"text": {Type: "string"}, "key": {Type: "string"}, "args": {Type: "array"}},
			Required:   []string{"text", "key", "args"},
		},
		reflect.TypeFor[Secret]():         {Type: "string", WriteOnly: true},
		reflect.TypeFor[Personal]():       {Type: "string", Format: personalFormat},
		reflect.TypeFor[Account]():        {Type: "string", Format: accountFormat},
		reflect.TypeFor[Upload]():         uploadSchema(),
		reflect.TypeFor[jsontext.Value](): {},
	}
}

// schemaFor infers the JSON Schema of a Go type: unknown fields are refused,
// fields with omitzero or omitempty are optional.
func schemaFor[T any]() (*jsonschema.Schema, error) {
	types := schemas()
	if row := reflect.TypeFor[Recurring](); within(reflect.TypeFor[T](), row, map[reflect.Type]bool{}) {
		s, err := jsonschema.For[Recurring](&jsonschema.ForOptions{TypeSchemas: types})
		if err != nil {
			return nil, err
		}
		// A reviewed row needs what identifies it; the rest a person may leave out,
		// though a review always says it.
		s.Required = []string{"merchant", "cycle", "amount", "currency", "first_date", "last_date"}
		types[row] = s
	}
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		return nil, err
	}
	plain(s)
	return s, nil
}

// within says that values of a type have some of a part's: most have none of it,
// and its schema is long.
func within(t, part reflect.Type, seen map[reflect.Type]bool) bool {
	if t == part || seen[t] {
		return t == part
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return within(t.Elem(), part, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if within(t.Field(i).Type, part, seen) {
				return true
			}
		}
	}
	return false
}

// plain drops the "or null" that slices and maps get: an absent field says the
// same, and clients of every kind understand a single type.
func plain(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	for _, p := range s.Properties {
		plain(p)
	}
	plain(s.Items)
	plain(s.AdditionalProperties)
}
