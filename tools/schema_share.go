package tools

import (
	"reflect"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// sharing gives equal parts of schemas one place in memory: tools take and
// answer the same few types over and over, and a schema is large. What is shared
// is read only; whoever wants another clones it first (CloneSchemas).
type sharing map[string][]*jsonschema.Schema

// of is a schema that is equal, all of its parts shared. It takes s apart.
func (m sharing) of(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	for name, p := range s.Properties {
		s.Properties[name] = m.of(p)
	}
	for _, list := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf, s.AllOf} {
		for i, p := range list {
			list[i] = m.of(p)
		}
	}
	s.Items, s.AdditionalProperties, s.Not = m.of(s.Items), m.of(s.AdditionalProperties), m.of(s.Not)
	// Few are alike in this and differ, and the parts of those are shared already.
	key := strings.Join(append([]string{s.Type, s.Format, s.Pattern, s.Description}, s.PropertyOrder...), "\x00")
	for _, other := range m[key] {
		if reflect.DeepEqual(s, other) {
			return other
		}
	}
	m[key] = append(m[key], s)
	return s
}

// resolving makes what arguments are held to with the first call: most tools are
// not called in most runs. It wants a tree, which a schema that is shared is not.
func resolving(s *jsonschema.Schema) func() (*jsonschema.Resolved, error) {
	return sync.OnceValues(func() (*jsonschema.Resolved, error) { return s.CloneSchemas().Resolve(nil) })
}
