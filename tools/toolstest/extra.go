package toolstest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// checkKey wants a sentence for a key in every language.
func checkKey(t *testing.T, app *App, key string) {
	t.Helper()
	for _, lang := range i18n.Languages() {
		if _, ok := app.Catalogue.Texts(lang)[key]; !ok {
			t.Errorf("no %s text for %s", lang, key)
		}
	}
}

// checkAsked wants words in every language, and only for tools that there are.
func checkAsked(t *testing.T, app *App, p tools.Plugin) {
	f, ok := p.(tools.Finder)
	if !ok {
		return
	}
	for name, key := range f.Asked() {
		if app.Registry.Owner(name) != p.Name() {
			t.Errorf("%s are words for %s, which is no tool of it", key, name)
		}
		checkKey(t, app, key)
	}
}

// place is where an argument stands in a sentence.
var place = regexp.MustCompile(`\{\d+\}`)

// checkPrompts wants texts that have a place for each argument, and no other.
func checkPrompts(t *testing.T, app *App) {
	for _, p := range app.Registry.Prompts() {
		checkKey(t, app, p.Title)
		checkKey(t, app, p.Text)
		var want []string
		for i, a := range p.Args {
			checkKey(t, app, a.Title)
			want = append(want, fmt.Sprintf("{%d}", i))
		}
		// That the languages have the same places the catalogue has seen to.
		has := place.FindAllString(fmt.Sprint(app.Catalogue.Texts(i18n.Languages()[0])[p.Text]), -1)
		slices.Sort(has)
		slices.Sort(want)
		if has = slices.Compact(has); !slices.Equal(has, want) {
			t.Errorf("prompt %s: %s has the places %v for the arguments %v", p.Name, p.Text, has, want)
		}
	}
}

// variable is what a resource's address leaves open.
var variable = regexp.MustCompile(`\{(\w+)\}`)

// checkResources wants each to answer: one without variables with what it is,
// another at least that there is none with these.
func checkResources(t *testing.T, app *App) {
	for _, res := range app.Registry.Resources() {
		checkKey(t, app, res.Title)
		tool, _ := app.Registry.Tool(res.Tool)
		uri := variable.ReplaceAllStringFunc(res.URI, func(v string) string {
			if arg := tool.Input.Properties[strings.Trim(v, "{}")]; arg != nil && arg.Type == "integer" {
				return "1"
			}
			return "none"
		})
		if inv, ok := app.Registry.Resource(uri); !ok || inv.Tool != res.Tool {
			t.Errorf("resource %s: %s is answered by %q", res.Name, uri, inv.Tool)
		}
		_, err := app.Runner.Resource(t.Context(), app.As("ann"), uri)
		open := uri != res.URI && slices.Contains([]tools.Kind{tools.NotFound, tools.Invalid}, tools.KindOf(err))
		if err != nil && !open {
			t.Errorf("resource %s: %s: %v", res.Name, uri, err)
		}
	}
}

// checkBrief wants a briefing in words of the catalogue, also where there is
// nothing to tell of.
func checkBrief(t *testing.T, app *App) {
	said, err := app.Runner.Brief(t.Context(), app.As("ann"))
	if err != nil {
		t.Error(err)
	}
	for _, text := range said {
		checkKey(t, app, text.Key)
	}
}
