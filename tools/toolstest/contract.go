package toolstest

import (
	"encoding/json/v2"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// maxCore is how many tools of a plugin agents may be shown first.
const maxCore = 12

// Contract holds a plugin to what every door relies on: its tools are the ones
// that testdata/tools.txt names and every constructor of one is listed, their
// schemas and help are what agents take, its texts exist in three languages,
// its collections can be read by rule and written only through its tools, its
// prompts, resources and briefing can be given, its sources have a title. It is
// called from a test in the plugin's folder. What it does not look at is what
// the tools do: that is for the plugin's own tests.
func Contract(t *testing.T, p tools.Plugin) {
	app := New(t, p)
	var shown int
	for _, tool := range app.Registry.Tools() {
		t.Run(tool.Name, func(t *testing.T) { checkTool(t, app, tool) })
		if tool.Core {
			shown++
		}
	}
	if shown > maxCore {
		t.Errorf("%d core tools; agents are shown %d at most", shown, maxCore)
	}
	t.Run("list", func(t *testing.T) { checkList(t, app.Registry.Tools()) })
	t.Run("constructors", func(t *testing.T) { checkConstructors(t) })
	t.Run("collections", func(t *testing.T) { checkCollections(t, app, p) })
	t.Run("texts", func(t *testing.T) { checkTexts(t, app, p) })
	t.Run("fields", func(t *testing.T) { checkFields(t, app, p) })
	t.Run("asked", func(t *testing.T) { checkAsked(t, app, p) })
	t.Run("prompts", func(t *testing.T) { checkPrompts(t, app) })
	t.Run("resources", func(t *testing.T) { checkResources(t, app) })
	t.Run("sources", func(t *testing.T) {
		for _, s := range app.Registry.Sources() {
			checkKey(t, app, s.Title)
		}
	})
	t.Run("briefing", func(t *testing.T) { checkBrief(t, app) })
}

func checkTool(t *testing.T, app *App, tool tools.Tool) {
	if tool.Core && tool.Hidden != "" {
		t.Error("it is core and hidden")
	}
	if tool.Hidden != "" && len(tool.Hidden) < 15 {
		t.Errorf("hidden, but the reason is only %q", tool.Hidden)
	}
	if len(tool.Help) < 20 || len(tool.Help) > 1200 {
		t.Errorf("the help text has %d characters; say what it does and what it needs in 20 to 1200", len(tool.Help))
	}
	if tool.Effect != tools.EffectRead && !tool.HasCard() {
		t.Error("it changes something and has no card of its own: who nods should read a sentence (tools.WithCard)")
	}
	checkKey(t, app, tool.Title)
	checkSchema(t, "input", tool.Input)
	checkSchema(t, "output", tool.Output)
	if _, err := json.Marshal(tool.Input); err != nil {
		t.Errorf("the input schema: %v", err)
	}
	if _, err := tool.Input.CloneSchemas().Resolve(nil); err != nil {
		t.Errorf("no arguments can be held to the input schema: %v", err)
	}
}

// checkSchema wants closed objects, single types and no references: what every
// model host accepts.
func checkSchema(t *testing.T, at string, s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Ref != "" || len(s.Types) > 1 || len(s.AnyOf)+len(s.OneOf)+len(s.AllOf) > 0 {
		t.Errorf("%s: write it with one plain type", at)
	}
	if strings.HasPrefix(at, "input") && s.Type == "object" && s.AdditionalProperties == nil {
		t.Errorf("%s: unknown fields are let through", at)
	}
	for name, p := range s.Properties {
		if name != strings.ToLower(name) {
			t.Errorf("%s.%s: field names are lower case", at, name)
		}
		checkSchema(t, at+"."+name, p)
	}
	checkSchema(t, at+"[]", s.Items)
}

// checkCollections wants every collection of the plugin closed to the API's
// writes, readable by rule, and with a change rule.
func checkCollections(t *testing.T, app *App, p tools.Plugin) {
	cols, err := app.FindAllCollections()
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]tools.Rule{}
	if r, ok := p.(tools.Ruler); ok {
		rules = r.ChangeRules()
	}
	for _, col := range cols {
		if !owns(p, col.Name) {
			continue
		}
		if err := app.Save(col); err != nil {
			t.Errorf("%s cannot be edited in the dashboard: %v", col.Name, err)
		}
		if col.CreateRule != nil || col.UpdateRule != nil || col.DeleteRule != nil {
			t.Errorf("%s can be written past the tools", col.Name)
		}
		if col.ListRule == nil || *col.ListRule == "" || col.ViewRule == nil || *col.ViewRule == "" {
			t.Errorf("%s: say who may read it", col.Name)
		}
		if _, ok := rules[col.Name]; !ok && !col.IsView() {
			t.Errorf("%s has no change rule: nobody can write it", col.Name)
		}
		if app.Registry.AllPrivate(col) {
			t.Errorf("%s: not every member sees all of it, so say what of it is private (tools.Scoper): else no assistant finds anything in it unless private records are switched on", col.Name)
		}
	}
}

// owns says that a collection is the plugin's, by its name.
func owns(p tools.Plugin, collection string) bool {
	return strings.HasPrefix(collection, p.Name()+"_") && !slices.Contains(tools.Books(), collection)
}

func checkTexts(t *testing.T, app *App, p tools.Plugin) {
	tr, ok := p.(tools.Translator)
	if !ok {
		t.Fatal("it has no texts")
	}
	for _, lang := range i18n.Languages() {
		if _, err := fs.Stat(tr.Locales(), lang+".json"); err != nil {
			t.Errorf("%s: %v", lang, err)
		}
	}
	cols, err := app.FindAllCollections()
	if err != nil {
		t.Fatal(err)
	}
	keys := app.Catalogue.Keys()
	for _, col := range cols {
		if !owns(p, col.Name) {
			continue
		}
		for _, f := range col.Fields {
			key := col.Name + "." + f.GetName()
			if f.GetName() != "id" && f.Type() != "autodate" && !f.GetHidden() && !slices.Contains(keys, key) {
				t.Errorf("no text for the field %s", key)
			}
		}
	}
}
