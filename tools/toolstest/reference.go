package toolstest

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// referenceMark is the line below which a plugin's page is written by Reference.
const referenceMark = "<!-- What follows is written by go test ./tools/%s -run TestReference -update -->\n"

// maxAnswer is how much of an answer the reference shows, in bytes.
const maxAnswer = 700

// Reference holds the second half of a plugin's page against its definitions
// and the examples of its tour; with -update it writes it.
func Reference(t *testing.T, app *App, p tools.Plugin, page string, examples []Example) {
	t.Helper()
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	mark := fmt.Sprintf(referenceMark, p.Name())
	head, _, ok := strings.Cut(string(b), mark)
	if !ok {
		t.Fatalf("%s lacks the line %q", page, mark)
	}
	var w strings.Builder
	w.WriteString(head + mark)
	app.writeTools(&w, p, examples)
	app.writePrompts(&w, p)
	app.writeCollections(t, &w, p)
	holdGolden(t, page, strings.TrimRight(w.String(), "\n")+"\n")
}

func (a *App) writeTools(w *strings.Builder, p tools.Plugin, examples []Example) {
	list := slices.DeleteFunc(a.Registry.Tools(), func(t tools.Tool) bool { return !strings.HasPrefix(t.Name, p.Name()+"_") })
	w.WriteString("\n## Tools\n\nIn the examples, made by one household on one day, ${name} stands for an id.\n\n| tool | effect | shown first | does |\n|---|---|---|---|\n")
	for _, t := range list {
		first := ""
		if t.Core {
			first = "yes"
		}
		fmt.Fprintf(w, "| [%s](#%s) | %s | %s | %s |\n", t.Name, t.Name, t.Effect, first, a.Catalogue.English(tools.T(t.Title)))
	}
	for _, t := range list {
		fmt.Fprintf(w, "\n### %s\n\n%s\n", t.Name, t.Help)
		if t.Hidden != "" {
			fmt.Fprintf(w, "\nNo model is offered it: %s\n", t.Hidden)
		}
		writeArguments(w, t.Input)
		if i := slices.IndexFunc(examples, func(e Example) bool { return e.Tool == t.Name }); i >= 0 {
			examples[i].write(w)
		}
	}
}

func (e Example) write(w *strings.Builder) {
	args := cmp.Or(string(e.Args), "{}")
	fmt.Fprintf(w, "\n```text\n%s %s\n", e.Tool, args)
	if len(e.Card) > 0 {
		fmt.Fprintf(w, "\n%s\n", strings.Join(e.Card, "\n"))
	} else {
		answer := e.Answer
		if len(answer) > maxAnswer {
			answer = strings.ToValidUTF8(answer[:maxAnswer], "") + " …"
		}
		fmt.Fprintf(w, "\n%s\n", answer)
	}
	w.WriteString("```\n")
}

func writeArguments(w *strings.Builder, s *jsonschema.Schema) {
	if len(s.Properties) == 0 {
		return
	}
	w.WriteString("\n| argument | type | |\n|---|---|---|\n")
	writeProperties(w, "", s)
}

func writeProperties(w *strings.Builder, prefix string, s *jsonschema.Schema) {
	for _, name := range s.PropertyOrder {
		p := s.Properties[name]
		words := []string{}
		if slices.Contains(s.Required, name) {
			words = append(words, "needed")
		}
		if p.Description != "" {
			words = append(words, p.Description)
		}
		enum := p.Enum
		if p.Items != nil {
			enum = p.Items.Enum
		}
		if len(enum) > 0 {
			words = append(words, "one of "+strings.Trim(fmt.Sprint(enum), "[]"))
		}
		kind := p.Type
		if p.Items != nil {
			kind = "list of " + p.Items.Type
		}
		fmt.Fprintf(w, "| %s%s | %s | %s |\n", prefix, name, kind, strings.ReplaceAll(strings.Join(words, "; "), "|", "\\|"))
		if p.Items != nil && p.Items.Type == "object" {
			writeProperties(w, prefix+name+"[].", p.Items)
		} else if p.Type == "object" {
			writeProperties(w, prefix+name+".", p)
		}
	}
}

func (a *App) writePrompts(w *strings.Builder, p tools.Plugin) {
	if pr, ok := p.(tools.Prompter); ok {
		w.WriteString("\n## Prompts\n")
		for _, prompt := range pr.Prompts() {
			var names []string
			args := make([]any, len(prompt.Args))
			for i, arg := range prompt.Args {
				names = append(names, arg.Name)
				args[i] = "<" + arg.Name + ">"
			}
			fmt.Fprintf(w, "\n### %s\n\n%s", prompt.Name, a.Catalogue.English(tools.T(prompt.Title)))
			if len(names) > 0 {
				fmt.Fprintf(w, " (%s)", strings.Join(names, ", "))
			}
			fmt.Fprintf(w, ".\n\n> %s\n", a.Catalogue.English(tools.T(prompt.Text, args...)))
		}
	}
	if rs, ok := p.(tools.Resourcer); ok {
		w.WriteString("\n## Resources\n\n| address | answered by | |\n|---|---|---|\n")
		for _, r := range rs.Resources() {
			fmt.Fprintf(w, "| `%s` | %s | %s |\n", r.URI, r.Tool, a.Catalogue.English(tools.T(r.Title)))
		}
	}
}

func (a *App) writeCollections(t *testing.T, w *strings.Builder, p tools.Plugin) {
	t.Helper()
	cols, err := a.FindAllCollections()
	if err != nil {
		t.Fatal(err)
	}
	w.WriteString("\n## Collections\n\nThey are changed by tools only. Who sees a record is its list and view rule.\n")
	slices.SortFunc(cols, func(x, y *core.Collection) int { return cmp.Compare(x.Name, y.Name) })
	for _, col := range cols {
		if !strings.HasPrefix(col.Name, p.Name()+"_") {
			continue
		}
		fmt.Fprintf(w, "\n### %s\n\n| field | type | |\n|---|---|---|\n", col.Name)
		for _, f := range col.Fields {
			fmt.Fprintf(w, "| %s | %s | %s |\n", f.GetName(), f.Type(), strings.ReplaceAll(fieldHelp(f), "|", "\\|"))
		}
	}
}

// fieldHelp is what the dashboard says of a field.
func fieldHelp(f core.Field) string {
	help := reflect.Indirect(reflect.ValueOf(f)).FieldByName("Help")
	if help.IsValid() && help.Kind() == reflect.String {
		return help.String()
	}
	return ""
}
