package offer_test

import (
	"encoding/json/v2"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// crowd is a plugin with twenty tools, of which twelve are core.
type crowd string

type crowdIn struct {
	Name   string   `json:"name" jsonschema:"what it is called, at most 80 letters"`
	Amount string   `json:"amount,omitzero" jsonschema:"a decimal such as 15.99"`
	From   string   `json:"from,omitzero" jsonschema:"a day as YYYY-MM-DD; today by default"`
	Tags   []string `json:"tags,omitempty" jsonschema:"words to find it by"`
	Limit  int      `json:"limit,omitzero" jsonschema:"up to 200, 50 by default"`
}

func (c crowd) Name() string { return string(c) }

func (c crowd) Tools() (all []tools.Tool) {
	for n := range 20 {
		d := tools.Def{
			Name: fmt.Sprintf("%s_tool_%02d", c, n), Title: "crowd.title", Core: n < 12,
			Help: "Does what a tool of this domain does with one of its records, or lists them by name, and gives them back as they are now.",
		}
		switch n {
		case 18:
			d.Hidden = "It is a step of something larger."
		case 19:
			d.Hidden, d.Operator = "It is for those who look after the instance.", true
		}
		if n%2 == 0 {
			all = append(all, tools.NewRead(d, func(*tools.Reader, crowdIn) (crowdIn, error) { return crowdIn{}, nil }))
			continue
		}
		d.Effect = tools.EffectWrite
		if n%4 == 1 {
			d.Effect = tools.EffectDestroy
		}
		all = append(all, tools.New(d, func(*tools.Call, crowdIn) (crowdIn, error) { return crowdIn{}, nil }))
	}
	return all
}

func texts() fs.FS {
	all := fstest.MapFS{}
	for _, lang := range i18n.Languages() {
		all[lang+".json"] = &fstest.MapFile{Data: []byte(`{"crowd.title":"A tool"}`)}
	}
	return all
}

// bare is a crowd without texts of its own.
type bare struct{ crowd crowd }

func (b bare) Name() string        { return b.crowd.Name() }
func (b bare) Tools() []tools.Tool { return b.crowd.Tools() }

// hall is eleven plugins with twenty tools each, and a menu of them.
type hall struct {
	*offer.Menu
	registry *tools.Registry
}

func newHall(t testing.TB, forbid ...string) hall {
	t.Helper()
	var plugins []tools.Plugin
	for n := range 11 {
		plugins = append(plugins, bare{crowd(fmt.Sprintf("p%02d", n))})
	}
	app := toolstest.New(t, plugins...)
	catalogue, err := i18n.Load(i18n.Core(), texts(), offer.Locales())
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.New(gate.Config{App: app, Registry: app.Registry, English: catalogue.English, Forbid: forbid})
	if err != nil {
		t.Fatal(err)
	}
	m, err := offer.New(offer.Config{
		Registry: app.Registry, Gate: g, Catalogue: catalogue,
		Own: append(offer.Model(), offer.Activity(app.Runner), offer.Undo()),
	})
	if err != nil {
		t.Fatal(err)
	}
	return hall{m, app.Registry}
}

func modes() []gate.Mode {
	return []gate.Mode{gate.ModeRead, gate.ModeAsk, gate.ModeWrite, gate.ModeTrusted}
}

func agent(mode gate.Mode) gate.Agent {
	return gate.Agent{Actor: tools.Actor{Person: "person1", Agent: "model1"}, Mode: mode}
}

// TestListedFits prints what the definitions of more than 200 tools cost in the
// first request, by mode, and fails above the limit.
func TestListedFits(t *testing.T) {
	h := newHall(t)
	if n := len(h.registry.Tools()); n < 200 {
		t.Fatal(n)
	}
	var b strings.Builder
	for _, mode := range modes() {
		sum, of := 0, map[string]int{}
		fmt.Fprintf(&b, "\n%s\n", mode)
		for _, tool := range h.Listed(agent(mode)) {
			n := offer.Tokens(tool)
			sum += n
			fmt.Fprintf(&b, "%6d  %s\n", n, tool.Name)
			if plugin, _, ok := strings.Cut(tool.Name, "_tool_"); ok {
				of[plugin]++
			}
		}
		fmt.Fprintf(&b, "%6d  in all\n", sum)
		if sum > 8000 || sum < 7000 {
			t.Errorf("%s: %d tokens", mode, sum)
		}
		least, most := 99, 0
		for _, n := range of {
			least, most = min(least, n), max(most, n)
		}
		if len(of) != 11 || most-least > 1 {
			t.Errorf("%s: a plugin crowds out another: %v", mode, of)
		}
	}
	t.Log(b.String())
}

// TestListedStays: the list is the same byte for byte whenever, however often
// and by however many it is asked for, and from one start to the next.
func TestListedStays(t *testing.T) {
	h := newHall(t)
	again := newHall(t)
	for _, mode := range modes() {
		first, err := json.Marshal(h.Listed(agent(mode)))
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for n := range 16 {
			wg.Go(func() {
				m := h
				if n%2 == 0 {
					m = again
				}
				a := agent(mode)
				a.Person, a.Language = fmt.Sprint(n), "de"
				list := m.Listed(a)
				if got, err := json.Marshal(list); err != nil || string(got) != string(first) {
					t.Errorf("%s: another list, %v", mode, err)
				}
				list[0].Name = "changed" // which is nobody else's
			})
		}
		wg.Wait()
		list := h.Listed(agent(mode))
		if !slices.IsSortedFunc(list, func(a, b gateway.Tool) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("%s: not by name", mode)
		}
	}
}

// TestListedByMode: who may only read is offered nothing else, and of what
// changes something it is said that the person is asked.
func TestListedByMode(t *testing.T) {
	h := newHall(t)
	for _, row := range []struct {
		mode         gate.Mode
		write, grave string // what is said of each; "-": it is not there
	}{
		{gate.ModeRead, "-", "-"},
		{gate.ModeAsk, " The person is asked first.", " The person is asked first."},
		{gate.ModeWrite, " The person may be asked first.", " The person is asked first."},
		{gate.ModeTrusted, " The person may be asked first.", " The person is asked first."},
		{"other", "-", "-"},
	} {
		seen := map[tools.Effect]bool{}
		for _, tool := range h.Listed(agent(row.mode)) {
			def, ok := h.registry.Tool(tool.Name)
			if !ok {
				continue
			}
			seen[def.Effect] = true
			want := map[tools.Effect]string{tools.EffectRead: "", tools.EffectWrite: row.write, tools.EffectDestroy: row.grave}[def.Effect]
			if tool.Description != def.Help+want {
				t.Errorf("%s: %s: %s", row.mode, tool.Name, tool.Description)
			}
		}
		want := map[tools.Effect]bool{tools.EffectRead: true, tools.EffectWrite: true, tools.EffectDestroy: true}
		switch row.mode {
		case gate.ModeRead:
			want = map[tools.Effect]bool{tools.EffectRead: true}
		case "other":
			want = map[tools.Effect]bool{}
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("%s: %s", row.mode, diff)
		}
		undo := slices.ContainsFunc(h.Listed(agent(row.mode)), func(tool gateway.Tool) bool { return tool.Name == "undo" })
		if undo != (row.write != "-") {
			t.Errorf("%s: undo is offered: %v", row.mode, undo)
		}
	}
}

// TestOutOfReach: what is forbidden, hidden, for operators or of another plugin
// is neither listed nor found, and by name the gate's reason is told.
func TestOutOfReach(t *testing.T) {
	h := newHall(t, "p00_tool_00", "p00_tool_13")
	a := agent(gate.ModeTrusted)
	a.Plugins = []string{"p00", "p01"}
	listed := map[string]bool{}
	for _, tool := range h.Listed(a) {
		listed[tool.Name] = true
	}
	for _, tool := range h.registry.Tools() {
		may := tool.Hidden == "" && (h.registry.Owner(tool.Name) == "p00" || h.registry.Owner(tool.Name) == "p01") &&
			tool.Name != "p00_tool_00" && tool.Name != "p00_tool_13"
		if listed[tool.Name] != (may && tool.Core) {
			t.Errorf("%s is listed: %v", tool.Name, listed[tool.Name])
		}
		found := slices.ContainsFunc(h.Find(a, tool.Name, 10), func(f offer.Found) bool { return f.Name == tool.Name })
		if found && !may {
			t.Errorf("%s is found", tool.Name)
		}
		e, err := h.Lookup(a, tool.Name)
		if (err == nil) != may || (err != nil && tools.KindOf(err) != tools.Forbidden) {
			t.Errorf("%s: %v", tool.Name, err)
		}
		if e.Name != tool.Name || e.Input == nil || e.Own != nil {
			t.Errorf("%s: %+v", tool.Name, e)
		}
	}
}

func TestLookup(t *testing.T) {
	h := newHall(t)
	e, err := h.Lookup(agent(gate.ModeRead), "activity_list")
	if err != nil || e.Own == nil || e.Own.Calls() != "" || e.Input == nil {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := h.Lookup(agent(gate.ModeAsk), "undo"); err != nil {
		t.Error(err)
	}
	if e, err := h.Lookup(agent(gate.ModeRead), "undo"); tools.KindOf(err) != tools.Forbidden || e.Own == nil {
		t.Errorf("%+v, %v", e, err)
	}
	for name, want := range map[string]string{"find_tool": "offer.no_tool_like", "p00_tool_0": "offer.no_tool_like", "make_coffee": "offer.no_tool", "": "offer.no_tool"} {
		e, err := h.Lookup(agent(gate.ModeAsk), name)
		own, _ := errors.AsType[*tools.Error](err)
		if e.Name != "" || own == nil || own.Kind != tools.NotFound || own.Text.Key != want {
			t.Errorf("%q: %+v, %v", name, e, err)
		}
	}
}

func TestFind(t *testing.T) {
	h := newHall(t)
	a := agent(gate.ModeAsk)
	if got := h.Find(a, "p03_tool_17", 1); len(got) != 1 || got[0].Effect != tools.EffectDestroy || !strings.HasSuffix(got[0].Help, " The person is asked first.") || !strings.Contains(string(got[0].Schema), `"amount"`) {
		t.Errorf("%+v", got)
	}
	for n, want := range map[int]int{-1: 5, 0: 5, 3: 3, 10: 10, 500: 10} {
		if got := len(h.Find(a, "tool", n)); got != want {
			t.Errorf("%d: %d are found, want %d", n, got, want)
		}
	}
	for _, words := range []string{"", "  ", "?!", "zzzz", "\xff\xfe", strings.Repeat("ä", 5000), strings.Repeat("zz ", 5000)} {
		if got := h.Find(a, words, 5); got == nil || len(got) > 5 {
			t.Errorf("%.20q: %v", words, got)
		}
	}
	first := fmt.Sprint(h.Find(a, "record list amount", 10))
	for range 20 {
		if got := fmt.Sprint(h.Find(a, "record list amount", 10)); got != first {
			t.Fatal("another order")
		}
	}
}

func TestTwice(t *testing.T) {
	app := toolstest.New(t)
	g, err := gate.New(gate.Config{App: app, Registry: app.Registry, English: app.Catalogue.English})
	if err != nil {
		t.Fatal(err)
	}
	c := offer.Config{Registry: app.Registry, Gate: g, Catalogue: app.Catalogue, Own: []offer.Own{offer.Undo(), offer.Undo()}}
	if _, err := offer.New(c); err == nil {
		t.Error("a tool is there twice")
	}
	if _, err := offer.New(offer.Config{}); err == nil {
		t.Error("it is made of nothing")
	}
}

func TestTokens(t *testing.T) {
	// {"name":"a","description":"b","input_schema":{}} has 48 bytes.
	if n := offer.Tokens(gateway.Tool{Name: "a", Description: "b", Schema: []byte("{}")}); n != 14 {
		t.Error(n)
	}
	if n := offer.Tokens(gateway.Tool{Name: "a", Schema: []byte("{")}); n < offer.Budget {
		t.Error(n)
	}
}
