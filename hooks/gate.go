package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// nodPath is where a person answers what an agent asked for.
const nodPath = "/nod"

// openGate makes the runner and the gate that decides for it.
func (a *App) openGate() error {
	forbid, err := a.toolsNamed("NODKEEP_FORBID_TOOLS", a.settings.Forbid)
	if err != nil {
		return err
	}
	asks, err := a.toolsNamed("NODKEEP_ASK_TOOLS", a.settings.Asks)
	if err != nil {
		return err
	}
	a.gate, err = gate.New(gate.Config{
		App: a.pb, Registry: a.registry, Keys: a.keys, English: a.catalogue.English, Own: func() bool { return a.inEffect().OwnSurfaces }, Forbid: forbid, Asks: asks,
		Assistant: a.assistantMode, Kept: a.settings.UndoDays, Now: a.now, Told: a.proposalTold,
	})
	if err != nil {
		return err
	}
	a.runner, err = tools.NewRunner(tools.Config{
		App: a.pb, Registry: a.registry, Keys: a.keys, HeadPath: tools.HeadFile(a.dir), English: a.catalogue.English,
		Limit: limit, UndoDays: a.settings.UndoDays, Ticket: a.ticket, Decide: a.gate.Decide, Foreign: a.foreign,
		Committed: a.committed, Now: a.now,
	})
	if err != nil {
		return err
	}
	a.gate.Bind(a.runner)
	return nil
}

// nodLink is where a person answers; "" where nothing serves it.
func (a *App) nodLink(id string) string {
	base := a.servedAt()
	if base == "" {
		return ""
	}
	return base + nodPath + "/" + id
}

// servedAt is where people reach the server; "" where there is none, so that
// nobody would answer.
func (a *App) servedAt() string {
	if a.base == "" {
		return ""
	}
	return cmp.Or(a.settings.URL, a.base)
}

// toolsNamed finds the tools that a setting names; a star at the end stands for
// all that begin so. A name that fits none stops the start: what was to be
// forbidden would be allowed.
func (a *App) toolsNamed(setting string, names []string) (found []string, err error) {
	for _, name := range names {
		if name == "undo" { // as agents call it
			name = tools.UndoTool
		}
		any := false
		for _, t := range append(a.registry.Tools(), tools.Tool{Def: tools.Def{Name: tools.UndoTool}}) {
			prefix, wide := strings.CutSuffix(name, "*")
			if t.Name != name && (!wide || !strings.HasPrefix(t.Name, prefix)) {
				continue
			}
			if any = true; !slices.Contains(found, t.Name) {
				found = append(found, t.Name)
			}
		}
		if !any {
			return nil, settingsError([]problem{{setting, fmt.Sprintf("names %q, which is no tool", name), "Name tools as nodkeep tools lists them; household_* stands for all that begin so."}})
		}
	}
	return found, nil
}
