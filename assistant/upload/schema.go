package upload

import (
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/tools"
)

// Schema is what a tool takes from an agent: that of the tool, but in place of
// a file's content the id of an upload, and in place of the rows of an import
// their numbers. Resolve makes of such arguments those that the tool takes.
func (s *Store) Schema(t tools.Tool) *jsonschema.Schema {
	in := t.Input
	if s.applies(t.Name) {
		in = byRow(in)
	}
	if takesFile(in) {
		in = byUpload(in.CloneSchemas())
	}
	return in
}

// applies says that a tool takes the rows of an import.
func (s *Store) applies(tool string) bool {
	return slices.ContainsFunc(s.c.Registry.Imports(), func(i tools.Import) bool { return i.Apply == tool })
}

// isFile says that a schema is that of a tools.Upload, isText that of a text
// that is a file.
func isFile(s *jsonschema.Schema) bool {
	return s.Properties["data"] != nil && s.Properties["data"].ContentEncoding != ""
}

func isText(s *jsonschema.Schema) bool { return s.Type == "string" && s.ContentMediaType != "" }

// takesFile says that a file is somewhere in it.
func takesFile(s *jsonschema.Schema) bool {
	if s == nil {
		return false
	}
	if isFile(s) || isText(s) || takesFile(s.Items) {
		return true
	}
	for _, p := range s.Properties {
		if takesFile(p) {
			return true
		}
	}
	return false
}

// byUpload puts an upload in the place of each file. The schema is changed.
func byUpload(s *jsonschema.Schema) *jsonschema.Schema {
	switch {
	case s == nil:
	case isFile(s), isText(s):
		said := s.Description
		if said != "" {
			said += "; "
		}
		return &jsonschema.Schema{
			Type: "object", Description: said + "an uploaded file, see upload_link", Required: []string{"upload"},
			Properties:           map[string]*jsonschema.Schema{"upload": {Type: "string", Description: "id of the upload"}},
			AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		}
	default:
		for name, p := range s.Properties {
			s.Properties[name] = byUpload(p)
		}
		s.Items = byUpload(s.Items)
	}
	return s
}

// byRow lets the rows of an import be named by their numbers.
func byRow(in *jsonschema.Schema) *jsonschema.Schema {
	s := in.CloneSchemas()
	s.Properties = maps.Clone(s.Properties)
	s.Properties["upload"] = &jsonschema.Schema{Type: "string", Description: "id of the file that import_read has read; then file and fingerprint are not needed"}
	s.Properties["answers"] = &jsonschema.Schema{Type: "object", Description: "the answers that import_read was given", AdditionalProperties: &jsonschema.Schema{Type: "string"}}
	s.Required = []string{"subscriptions"}
	s.PropertyOrder = append([]string{"upload", "answers"}, s.PropertyOrder...)
	if rows := s.Properties["subscriptions"]; rows != nil && rows.Items != nil {
		rows.Description = `the rows that the person chose; with upload each is {"row": N}, and beside it only what shall be otherwise than the file says`
		rows.Items.Properties["row"] = &jsonschema.Schema{Type: "integer", Description: "number of the row in import_read; goes with upload"}
		rows.Items.PropertyOrder = append([]string{"row"}, rows.Items.PropertyOrder...)
		rows.Items.Required = nil
	}
	return s
}
