package i18n

import (
	"maps"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema is a schema of the tool as people read it. Beside what it had, each
// part has what it is called as title, and hint and, by value, labels, where
// there are some.
func (f Fields) Schema(s *jsonschema.Schema) *jsonschema.Schema {
	s = s.CloneSchemas()
	f.say(s, "")
	return s
}

func (f Fields) say(s *jsonschema.Schema, path string) {
	for name, p := range s.Properties {
		at := strings.TrimPrefix(path+"."+name, ".")
		if title, ok := within(at, f.Label); ok {
			p.Title = title
		}
		extra := maps.Clone(p.Extra)
		if extra == nil {
			extra = map[string]any{}
		}
		if hint, ok := within(at, f.Hint); ok {
			extra["hint"] = hint
		}
		labels := f.labels(at, name, p)
		if isMap(p) { // its names may be those of the fields beside it
			for beside := range s.Properties {
				if text, ok := within(strings.TrimSuffix(at, name)+beside, f.Label); ok && labels[beside] == "" {
					labels[beside] = text
				}
			}
		}
		if len(labels) > 0 {
			extra["labels"] = labels
		}
		if len(extra) > 0 {
			p.Extra = extra
		}
		f.say(p, at)
		if p.Items != nil {
			f.say(p.Items, at)
		}
	}
}

// within looks a path up, and without what it is in, from the outside on.
func within(path string, look func(string) (string, bool)) (text string, ok bool) {
	for more := true; more && !ok; {
		text, ok = look(path)
		_, path, more = strings.Cut(path, ".")
	}
	return text, ok
}

// isMap says that an object has names which its schema does not know.
func isMap(s *jsonschema.Schema) bool {
	return s.Type == "object" && len(s.Properties) == 0 && s.AdditionalProperties != nil && s.AdditionalProperties.Type != ""
}

// labels are what people call the values of a set, or those that an answer is
// known to give; of an object, also the names in it.
func (f Fields) labels(path, name string, s *jsonschema.Schema) map[string]string {
	labels := map[string]string{}
	if s.Items != nil {
		s = s.Items
	}
	for _, v := range s.Enum {
		if value, ok := v.(string); ok {
			if text, ok := f.choice(path, value); ok {
				labels[value] = text
			}
		}
	}
	if isMap(s) || s.Type == "string" && len(s.Enum) == 0 {
		f.values(name, func(value, text string) { labels[value] = text })
	}
	return labels
}

// choice is what people call one of the values that a field may have: some are
// names of the fields beside it.
func (f Fields) choice(path, value string) (text string, ok bool) {
	at := strings.LastIndexByte(path, '.') + 1
	if text, ok = f.Value(path[at:], value); !ok {
		text, ok = within(path[:at]+value, f.Label)
	}
	return text, ok
}
