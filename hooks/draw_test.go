package hooks

import (
	"cmp"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/screen"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/household"
	"github.com/nodkeep/nodkeep/tools/i18n"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// Every read of the household's tour is drawn in each form, or it is said why it
// cannot be.
func TestScreensOfHousehold(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	a := toolstest.NewWith(t, tools.Config{Now: func() time.Time { return now }}, household.Plugin{})
	catalogue, err := i18n.Load(append(a.Registry.Locales(), i18n.Core(), screen.Locales())...)
	if err != nil {
		t.Fatal(err)
	}
	ann := a.Member("ann")
	ann.Set("operator", true)
	if err := a.Save(ann); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("../tools/household/testdata/tour.json")
	if err != nil {
		t.Fatal(err)
	}
	var steps []toolstest.Step
	if err := json.Unmarshal(raw, &steps); err != nil {
		t.Fatal(err)
	}
	ids := []string{"${ann}", ann.Id, "${bob}", a.Member("bob").Id}
	drawn := map[string]bool{}
	thrice := []string{"household_overview", "household_spending", "household_price_changes", "household_subscription_list"}
	var golden strings.Builder
	for _, s := range steps {
		args := jsontext.Value(cmp.Or(strings.NewReplacer(ids...).Replace(string(s.Args)), "{}"))
		tool, _ := a.Registry.Tool(s.Tool)
		who := cmp.Or(s.By, "ann")
		if tool.Effect != tools.EffectRead {
			receipt, err := a.Apply(a.As(who), s.Tool, args)
			if err != nil {
				t.Fatalf("%s: %v", s.Tool, err)
			}
			if s.As != "" {
				b, _ := json.Marshal(receipt.Outputs[0])
				var named struct {
					ID string `json:"id"`
				}
				_ = json.Unmarshal(b, &named)
				ids = append(ids, "${"+s.As+"}", named.ID)
			}
			continue
		}
		out, err := a.Read(a.As(who), s.Tool, args)
		if err != nil {
			t.Fatalf("%s: %v", s.Tool, err)
		}
		if s.As != "" {
			b, _ := json.Marshal(out)
			var named struct {
				ID string `json:"id"`
			}
			_ = json.Unmarshal(b, &named)
			ids = append(ids, "${"+s.As+"}", named.ID)
		}
		for _, form := range screen.Forms() {
			langs := []string{"en"}
			if form == screen.Table && slices.Contains(thrice, s.Tool) {
				langs = i18n.Languages()
			}
			for _, lang := range langs {
				fmt.Fprintf(&golden, "## %s %s %s %s\n", s.Tool, s.Args, form, lang)
				sc, err := screen.Draw(screen.Source{Tool: tool, Output: out, Catalogue: catalogue, Language: lang}, form, nil)
				if err != nil {
					e, ok := errors.AsType[*tools.Error](err)
					if !ok || e.Kind != tools.Invalid {
						t.Errorf("%s %s: %v", s.Tool, form, err)
						continue
					}
					fmt.Fprintf(&golden, "! %s\n\n", catalogue.Say(lang, e.Text))
					continue
				}
				drawn[s.Tool] = true
				writeScreen(t, &golden, catalogue, lang, sc)
			}
		}
	}
	for _, tool := range a.Registry.Tools() {
		if tool.Effect == tools.EffectRead && tool.Hidden == "" && !drawn[tool.Name] {
			t.Errorf("%s is drawn in no form", tool.Name)
		}
	}
	const file = "testdata/screens.txt"
	got := strings.NewReplacer(backwards(ids)...).Replace(golden.String())
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), got); diff != "" {
		t.Errorf("other screens; if they should be: go test ./hooks -run TestScreensOf -update\n%s", diff)
	}
}

func backwards(pairs []string) []string {
	out := make([]string, len(pairs))
	for i := 0; i < len(pairs); i += 2 {
		out[i], out[i+1] = pairs[i+1], pairs[i]
	}
	return out
}

// writeScreen writes what a person sees, and the raw values beside it.
func writeScreen(t *testing.T, b *strings.Builder, catalogue *i18n.Catalogue, lang string, sc screen.Screen) {
	t.Helper()
	fmt.Fprintf(b, "%s", catalogue.Say(lang, sc.Title))
	for _, c := range sc.Columns {
		fmt.Fprintf(b, " | %s (%s %s)", c.Label, c.Name, c.Type)
	}
	b.WriteString("\n")
	for i, row := range sc.Rows {
		if i == 3 {
			fmt.Fprintf(b, "  … of %d\n", len(sc.Rows)+sc.More)
			break
		}
		for _, c := range row {
			fmt.Fprintf(b, "  %s", c.Text)
			if len(c.Value) > 0 {
				fmt.Fprintf(b, " <%s%s>", c.Value, c.Currency)
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}
