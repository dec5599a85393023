package toolstest

import (
	"cmp"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// Step is one call of a tour. In its arguments ${name} stands for the id that
// an earlier step, or a member's handle, has given a name to.
type Step struct {
	Tool string         `json:"tool"`
	By   string         `json:"by,omitzero"` // a handle; ann without one
	As   string         `json:"as,omitzero"` // the name of the id in its answer
	Args jsontext.Value `json:"args,omitzero"`
}

// Example is what became of a Step.
type Example struct {
	Step
	Card   []string // its sentences, in English; none for a tool that reads
	Answer string   // JSON, with names for ids
}

// The files of a tour: its steps, and what became of them.
const tourFile, tourGolden = "testdata/tour.json", "testdata/tour.txt"

// Tour makes the calls of testdata/tour.json one after the other and holds
// cards and answers against testdata/tour.txt, which -update writes. The app
// must have a clock that stands still. Every tool that is offered must be shown.
func Tour(t *testing.T, app *App) []Example {
	t.Helper()
	b, err := os.ReadFile(tourFile)
	if err != nil {
		t.Fatal(err)
	}
	var steps []Step
	if err := json.Unmarshal(b, &steps); err != nil {
		t.Fatalf("%s: %v", tourFile, err)
	}
	ids := map[string]string{"ann": app.Member("ann").Id, "bob": app.Member("bob").Id}
	shown := map[string]bool{}
	examples := make([]Example, len(steps))
	var golden strings.Builder
	for i, s := range steps {
		examples[i] = app.show(t, s, ids)
		shown[s.Tool] = true
		fmt.Fprintf(&golden, "## %s %s\n\n", s.Tool, s.Args)
		for _, line := range examples[i].Card {
			fmt.Fprintf(&golden, "%s\n", line)
		}
		fmt.Fprintf(&golden, "%s\n\n", examples[i].Answer)
	}
	for _, tool := range app.Registry.Tools() {
		if tool.Hidden == "" && !shown[tool.Name] {
			t.Errorf("%s does not show %s", tourFile, tool.Name)
		}
	}
	holdGolden(t, tourGolden, golden.String())
	return examples
}

// show makes one call.
func (a *App) show(t *testing.T, s Step, ids map[string]string) Example {
	t.Helper()
	var names []string
	for name, id := range ids {
		names = append(names, "${"+name+"}", id)
	}
	args := jsontext.Value(cmp.Or(strings.NewReplacer(names...).Replace(string(s.Args)), "{}"))
	who := s.By
	if who == "" {
		who = "ann"
	}
	tool, ok := a.Registry.Tool(s.Tool)
	if !ok {
		t.Fatalf("%s: there is no %s", tourFile, s.Tool)
	}
	e := Example{Step: s}
	var out any
	if tool.Effect == tools.EffectRead {
		var err error
		if out, err = a.Read(a.As(who), s.Tool, args); err != nil {
			t.Fatalf("%s %s: %v", s.Tool, s.Args, err)
		}
	} else {
		receipt, err := a.Apply(a.As(who), s.Tool, args)
		if err != nil {
			t.Fatalf("%s %s: %v", s.Tool, s.Args, err)
		}
		out = receipt.Outputs[0]
		card := receipt.Cards[0]
		e.Card = append(e.Card, a.Catalogue.English(card.Title))
		for _, line := range card.Lines {
			e.Card = append(e.Card, "- "+fileName.ReplaceAllString(a.Catalogue.English(line), "$1"))
		}
	}
	b, err := json.Marshal(out, json.WithMarshalers(a.Catalogue.Marshalers("en")), json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	if s.As != "" {
		var named struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(b, &named); err != nil || named.ID == "" {
			t.Fatalf("%s answers no id to call %s: %s", s.Tool, s.As, b)
		}
		ids[s.As] = named.ID
	}
	e.Answer = namedIDs(string(b), ids)
	return e
}

// recordID is an id as PocketBase makes it, where it is a whole JSON string.
var recordID = regexp.MustCompile(`"[a-z0-9]{15}"`)

// fileName is a stored file's: what was uploaded, and ten letters that keep it
// from being guessed.
var fileName = regexp.MustCompile(`_[a-z0-9]{10}(\.[a-z0-9]+)`)

// namedIDs writes names for ids, and takes out what else differs from run to
// run.
func namedIDs(s string, ids map[string]string) string {
	var names []string
	for name, id := range ids {
		names = append(names, id, "${"+name+"}")
	}
	s = strings.NewReplacer(names...).Replace(s)
	s = fileName.ReplaceAllString(s, "$1")
	seen := map[string]int{}
	return recordID.ReplaceAllStringFunc(s, func(id string) string {
		if seen[id] == 0 {
			seen[id] = len(seen) + 1
		}
		return fmt.Sprintf(`"${%d}"`, seen[id])
	})
}

// holdGolden compares a text with its golden file, or writes that.
func holdGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; write it with: go test . -update", err)
	}
	if diff := gocmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s says something else; if it should: go test . -update\n%s", file, diff)
	}
}
