package household

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/tools"
)

// A model that is told to call a tool which is not there, or no longer called
// so, guesses.
func TestPromptsNameToolsThatExist(t *testing.T) {
	a := newHome(t)
	// Words with a line in them are tools, or what their arguments and answers are
	// called; those of files are of every door for agents.
	name, known := regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`), map[string]bool{"upload_link": true, "import_read": true}
	for _, tool := range a.Registry.Tools() {
		known[tool.Name] = tool.Hidden == ""
		for _, s := range []*jsonschema.Schema{tool.Input, tool.Output} {
			fields(s, known)
		}
	}
	for _, prompt := range (Plugin{}).Prompts() {
		for _, lang := range []string{"en", "de", "es"} {
			for _, tool := range name.FindAllString(a.Catalogue.Say(lang, tools.T(prompt.Text, "", "")), -1) {
				if !known[tool] {
					t.Errorf("%s, %s: there is no %s", prompt.Name, lang, tool)
				}
			}
		}
	}
}

// Each language must ask for the same.
func TestPromptsNameTheSameTools(t *testing.T) {
	a := newHome(t)
	name := regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`)
	for _, prompt := range (Plugin{}).Prompts() {
		in := func(lang string) []string {
			found := name.FindAllString(a.Catalogue.Say(lang, tools.T(prompt.Text, "", "")), -1)
			slices.Sort(found)
			return found
		}
		for _, lang := range []string{"de", "es"} {
			if diff := cmp.Diff(in("en"), in(lang)); diff != "" {
				t.Errorf("%s, %s: %s", prompt.Name, lang, diff)
			}
		}
	}
}

// fields collects the names of a schema's fields.
func fields(s *jsonschema.Schema, into map[string]bool) {
	if s == nil {
		return
	}
	for name, p := range s.Properties {
		into[name] = true
		fields(p, into)
	}
	fields(s.Items, into)
	fields(s.AdditionalProperties, into)
}
