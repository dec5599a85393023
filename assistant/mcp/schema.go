package mcp

import (
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/assistant/offer"
)

// output is the schema of a tool's answer as clients take it. What may be
// anything is written as true, which JSON Schema allows and the official client
// for TypeScript does not: it then drops the whole list of tools. So such a
// value may be of each type that there is.
func output(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	n := s.CloneSchemas()
	for _, p := range n.Properties {
		typed(p)
	}
	return n
}

func typed(s *jsonschema.Schema) {
	if s == nil || s.Not != nil {
		return
	}
	if offer.Anything(s) && s.Ref == "" {
		for _, t := range []string{"string", "number", "boolean", "object", "array", "null"} {
			s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Type: t})
		}
		return
	}
	for _, p := range s.Properties {
		typed(p)
	}
	typed(s.Items)
	if s.AdditionalProperties != nil && !offer.Anything(s.AdditionalProperties) { // true says there what it means
		typed(s.AdditionalProperties)
	}
	for _, o := range slices.Concat(s.AnyOf, s.OneOf, s.AllOf) {
		typed(o)
	}
}
