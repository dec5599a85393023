package hooks

import (
	"context"
	"slices"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// ownPlugin is the core's own, with what it needs to know of models: tools know
// none.
func (a *App) ownPlugin() accounts.Plugin {
	return accounts.Plugin{
		Base: a.settings.URL, Words: a.words, Plugins: a.settings.Plugins, Currency: a.settings.models.Currency,
		Seal: func(record, protocol, address string, key []byte) (string, error) {
			return a.keys.Seal(roster.Owner(record, protocol, address), key)
		},
		IsAssistant: roster.IsID, Clean: roster.Clean,
		Fixed: a.fixedFields, Known: a.knownAssistants, Would: a.wouldBe, Reached: a.reachedLimits, Settings: a.listSettings,
	}
}

// fixedFields are those of assistants that operators cannot set.
func (a *App) fixedFields() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, f := range a.settings.models.Assistants {
		fields := map[string]string{}
		for _, name := range roster.Locked(f.Fields) {
			if fields[name] = f.Fields[name]; name == "key" && fields[name] != "" {
				fields[name] = "set"
			}
		}
		all[f.ID] = fields
	}
	for _, s := range a.scripts { // there is nothing of them to be set
		all[s.ID] = map[string]string{}
		for _, name := range roster.Fields() {
			all[s.ID][name] = ""
		}
		all[s.ID]["name"] = s.Name
	}
	return all
}

// knownAssistants are those there are, as they are used.
func (a *App) knownAssistants(ctx context.Context) ([]accounts.Known, error) {
	all, err := a.roster.All(ctx)
	var known []accounts.Known
	for _, is := range all {
		known = append(known, a.knownOf(is))
	}
	return known, err
}

// wouldBe is an assistant as it is used where operators say just this of it.
func (a *App) wouldBe(id string, said map[string]string) accounts.Known {
	return a.knownOf(a.roster.Would(id, said))
}

func (a *App) knownOf(is roster.Assistant) accounts.Known {
	return accounts.Known{ID: is.ID, Host: is.Host, Local: is.Local, Script: is.Scripted(), Names: is.PersonField() != "", Key: is.Key != "", Lacks: is.Lacks, Prices: a.priced(is), Fields: map[string]string{
		"name": is.Name, "protocol": string(is.Protocol), "base_url": is.BaseURL, "model": is.Model, "images": yesNo(is.Images),
		"effort": string(is.Effort), "max_effort": string(is.MaxEffort), "mode": string(is.Mode),
	}}
}

// yesNo is a switch as it stands in settings.
func yesNo(on bool) string {
	if on {
		return "yes"
	}
	return "no"
}

// reachedLimits are the amounts of a person's budget that are used up, else
// those that nearly are: what a call may cost is held before it is made, so that
// the last of it is rarely used.
func (a *App) reachedLimits(ctx context.Context, person string) ([]string, error) {
	now, err := a.ledger.Standing(ctx, person)
	if err != nil {
		return nil, err
	}
	var reached, near []string
	for _, l := range now.Limits {
		used := l.Used + l.Held
		switch {
		case l.Own:
		case used >= l.Limit:
			reached = append(reached, string(l.Which))
		case used >= l.Limit-l.Limit/5:
			near = append(near, string(l.Which))
		}
	}
	if len(reached) == 0 {
		reached = near
	}
	return slices.Compact(reached), nil
}

// standingLimit is a limit as its person sees it.
type standingLimit struct {
	budget.Limit
	Left int64 `json:"left"` // what is neither used nor held
	Near bool  `json:"near"` // four fifths are used, also if nobody was there to be told
}

func standingLimits(all []budget.Limit) []standingLimit {
	out := []standingLimit{}
	for _, l := range all {
		out = append(out, standingLimit{l, max(0, l.Limit-l.Used-l.Held), l.Near()})
	}
	return out
}
