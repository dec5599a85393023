package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"
)

// check is one thing that doctor looked at. Fix is empty where all is well. A
// weak one is no fault.
type check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Weak bool   `json:"weak,omitzero"`
	Says string `json:"says"`
	Fix  string `json:"fix"`
}

// listChecks looks at what only the process can see that has the folder open.
// That it is open says already that migrations ran and change rules hold.
func (a *App) listChecks(e *core.RequestEvent) (any, error) {
	all, err := a.findings(e)
	return list[check]{Items: all}, err
}

// findings are what there is to be said, for commands and for operators in a browser.
func (a *App) findings(e *core.RequestEvent) ([]check, error) {
	out := list[check]{Items: []check{
		{Name: "migrations", Says: fmt.Sprintf("%d are applied", a.countMigrations())},
		{Name: "plugins", Says: fmt.Sprintf("%s with %d tools; their change rules hold", strings.Join(pluginNames(a.registry.Plugins()), ", "), len(a.registry.Tools()))},
	}}
	if err := a.runner.CheckKey(); err != nil {
		out.Items = append(out.Items, check{Name: "key", Says: err.Error(), Fix: "Restore the key from the backup that belongs to this data folder. Nothing is written until then."})
	} else if err := a.checkAudit(e, &out); err != nil {
		return nil, err
	}
	n, err := countMembers(a.pb)
	if err != nil {
		return nil, err
	}
	operators, err := countOperators(a.pb)
	if err != nil {
		return nil, err
	}
	accounts := check{Name: "accounts", Says: fmt.Sprintf("%d approved", n)}
	switch {
	case n == 0:
		accounts.Says = "none yet; make the first: " + a.firstAccount()
	case operators == 0:
		accounts.Says += ", none of them an operator; name one: " + a.command("operator add NAME")
	}
	agents, err := a.checkAgents()
	if err != nil {
		return nil, err
	}
	out.Items = append(out.Items, accounts, agents)
	sources, err := a.checkSources(e.Request.Context())
	if err != nil {
		return nil, err
	}
	assistants, err := a.checkAssistants(e.Request.Context())
	if err != nil {
		return nil, err
	}
	weaknesses, err := a.weaknesses()
	return slices.Concat(out.Items, sources, assistants, weaknesses), err
}

// checkAudit advises to accept only what accepting would mend.
func (a *App) checkAudit(e *core.RequestEvent, out *list[check]) error {
	v, err := a.runner.Verify(e.Request.Context())
	if err != nil {
		return err
	}
	c := check{Name: "audit", Says: fmt.Sprintf("the chain of %d entries is whole", v.Entries)}
	switch {
	case v.HeadOnly:
		c.Says, c.Fix = v.Problem, "Find out why. If it is right as it stands, after a restore for example: "+a.command("audit accept REASON")
	case !v.OK:
		c.Says, c.Fix = v.Problem, "Somebody changed the audit past Nodkeep. Find out who, and restore a backup that verifies."
	}
	out.Items = append(out.Items, c)
	return nil
}

func (a *App) countMigrations() (n int) {
	// A count for people: should it fail, the rest of the checks says why.
	_ = a.pb.DB().Select("count(*)").From(core.DefaultMigrationsTable).Row(&n)
	return n
}
