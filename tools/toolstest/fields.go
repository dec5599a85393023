package toolstest

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// checkFields wants a label, in three languages, for all that forms and tables
// show of a plugin's tools, and a hint where models read one. Else people are
// shown the English names, which works but is not their language.
func checkFields(t *testing.T, app *App, p tools.Plugin) {
	for _, tool := range app.Registry.Tools() {
		fields := app.Catalogue.Fields("en", tool.Name)
		for _, fault := range append(unsaid("input", fields.Schema(tool.Input)), unsaid("output", fields.Schema(tool.Output))...) {
			t.Errorf("%s: %s", tool.Name, fault)
		}
	}
	for _, key := range ownFields(t, p) {
		of, name, _ := strings.Cut(key, ".")
		what, name, _ := strings.Cut(name, ".")
		name, _, _ = strings.Cut(name, ".")
		if _, ok := app.Registry.Tool(of); ok && what == "about" {
			continue
		}
		if !slices.ContainsFunc(app.Registry.Tools(), func(tool tools.Tool) bool {
			of := of == tool.Name || of == p.Name()
			return of && (has(tool.Input, name) || what == "field" && has(tool.Output, name))
		}) {
			t.Errorf("%s names nothing that a tool takes or answers", key)
		}
	}
}

// ownFields are the keys of the plugin's names, the same in each language: none,
// where its collections say all.
func ownFields(t *testing.T, p tools.Plugin) []string {
	tr, ok := p.(tools.Translator)
	if !ok {
		t.Fatal("it has no texts")
	}
	if _, err := fs.Stat(tr.Locales(), i18n.FieldsFolder); err != nil {
		return nil
	}
	source, err := fs.Sub(tr.Locales(), i18n.FieldsFolder)
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := i18n.Load(source)
	if err != nil {
		t.Fatal(err)
	}
	return catalogue.Keys()
}

// unsaid lists what a schema has no words for.
func unsaid(at string, s *jsonschema.Schema) (faults []string) {
	for name, p := range s.Properties {
		if passed(at, name) {
			continue
		}
		in := at + "." + name
		if p.Title == "" {
			faults = append(faults, in+": no label")
		}
		if strings.HasPrefix(at, "input") && p.Description != "" && p.Extra["hint"] == nil {
			faults = append(faults, in+": no hint for "+p.Description)
		}
		labels, _ := p.Extra["labels"].(map[string]string)
		inner := p
		if p.Items != nil {
			inner = p.Items
		}
		for _, v := range inner.Enum {
			if value, ok := v.(string); !ok || labels[value] == "" {
				faults = append(faults, in+": no label for the value "+value)
			}
		}
		if !drawnWhole(inner) {
			faults = append(faults, unsaid(in, inner)...)
		}
	}
	slices.Sort(faults)
	return faults
}

// passed are those that no form and no table shows: where a list goes on.
func passed(at, name string) bool {
	return at == "input" && name == "cursor" || at == "output" && (name == "items" || name == "next")
}

// drawnWhole are sentences and files: their parts are not shown.
func drawnWhole(s *jsonschema.Schema) bool {
	_, isText := s.Properties["key"]
	data := s.Properties["data"]
	return isText && s.Properties["args"] != nil || data != nil && data.ContentEncoding == "base64"
}

// has says that a schema has a property of a name somewhere.
func has(s *jsonschema.Schema, name string) bool {
	if s == nil {
		return false
	}
	for n, p := range s.Properties {
		if n == name || has(p, name) {
			return true
		}
	}
	return has(s.Items, name)
}
