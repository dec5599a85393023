package tools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// sourced is a plugin with sources.
type sourced struct{ sources []tools.Source }

type feedIn struct {
	Text string `json:"text"`
	Size int    `json:"size,omitzero"`
}

type pairIn struct {
	Text  string `json:"text"`
	Other string `json:"other"`
}

func (s sourced) Name() string            { return "src" }
func (s sourced) Sources() []tools.Source { return s.sources }
func (s sourced) Tools() []tools.Tool {
	def := func(name string, effect tools.Effect) tools.Def {
		return tools.Def{Name: "src_" + name, Title: "t", Help: "Takes a text.", Effect: effect}
	}
	return []tools.Tool{
		tools.New(def("feed", tools.EffectWrite), func(*tools.Call, feedIn) (string, error) { return "", nil }),
		tools.New(def("pair", tools.EffectWrite), func(*tools.Call, pairIn) (string, error) { return "", nil }),
		tools.New(def("drop", tools.EffectDestroy), func(*tools.Call, feedIn) (string, error) { return "", nil }),
		tools.NewRead(def("read", ""), func(*tools.Reader, feedIn) (string, error) { return "", nil }),
	}
}

func TestSourcesRefused(t *testing.T) {
	fine := tools.Source{Name: "src_rates", Title: "t", URL: "https://example.org/rates.xml?days=90", Every: time.Hour, Tool: "src_feed", Arg: "text"}
	with := func(change func(*tools.Source)) []tools.Source {
		s := fine
		change(&s)
		return []tools.Source{s}
	}
	for name, row := range map[string]struct {
		want    string
		sources []tools.Source
	}{
		"fine":                     {"", []tools.Source{fine}},
		"twice":                    {"there twice", []tools.Source{fine, fine}},
		"of another":               {"must begin with src_", with(func(s *tools.Source) { s.Name = "lab_rates" })},
		"without a title":          {"needs a title", with(func(s *tools.Source) { s.Title = "" })},
		"not encrypted":            {"https://", with(func(s *tools.Source) { s.URL = "http://example.org/rates.xml" })},
		"no address":               {"https://", with(func(s *tools.Source) { s.URL = "https://:443/x" })},
		"with a password":          {"no user", with(func(s *tools.Source) { s.URL = "https://me:secret@example.org/" })},
		"a file":                   {"https://", with(func(s *tools.Source) { s.URL = "file:///etc/passwd" })},
		"too often":                {"1h0m0s is the most", with(func(s *tools.Source) { s.Every = time.Minute })},
		"without a tool":           {`"src_none", which is no tool`, with(func(s *tools.Source) { s.Tool = "src_none" })},
		"a tool of another":        {`"lab_write", which is no tool of it`, with(func(s *tools.Source) { s.Tool = "lab_write" })},
		"a tool that reads":        {"plainly writes", with(func(s *tools.Source) { s.Tool = "src_read" })},
		"a tool that destroys":     {"plainly writes", with(func(s *tools.Source) { s.Tool = "src_drop" })},
		"an unknown argument":      {"src_feed takes no text file", with(func(s *tools.Source) { s.Arg = "file" })},
		"an argument that is none": {"src_feed takes no text size", with(func(s *tools.Source) { s.Arg = "size" })},
		"what else is needed":      {"src_pair needs other", with(func(s *tools.Source) { s.Tool = "src_pair" })},
	} {
		reg, err := tools.NewRegistry(newLab(), sourced{row.sources})
		switch {
		case row.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case row.want == "":
			if diff := cmp.Diff(row.sources, reg.Sources()); diff != "" {
				t.Error(diff)
			}
		case err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), "plugin src:"):
			t.Errorf("%s: %v, want %q", name, err, row.want)
		}
	}
}

// TestTaken: only what a source brought counts, and only if it was applied.
func TestTaken(t *testing.T) {
	now := time.Date(2027, time.March, 1, 12, 0, 0, 0, time.UTC)
	b := open(t, tools.Config{Now: func() time.Time { return now }})
	s := tools.Source{Name: "lab_rates", Tool: "lab_write"}
	taken := func() time.Time {
		t.Helper()
		at, err := b.Runner.Taken(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	write := b.write(add("lab_groups", map[string]any{"name": "x"}, new(string)))
	if _, err := b.try(b.ann, write); err != nil || !taken().IsZero() {
		t.Fatal(taken(), err)
	}
	of := b.ann
	of.Door, of.AgentName = tools.DoorHook, s.Name
	if _, err := b.try(of, b.write(func(*tools.Call) error { return tools.Fail(tools.Invalid, "error.json", "x") })); err == nil || !taken().IsZero() {
		t.Fatal(taken(), err)
	}
	if _, err := b.try(of, write); err != nil || !taken().Equal(now) {
		t.Fatal(taken(), err)
	}
}
