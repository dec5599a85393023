package hooks

import (
	"cmp"
	"fmt"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// checkAgents says who can come in by a token, and what the settings hold back from
// all of them: those of the process that has the folder, whatever is set in the shell
// where doctor was called.
func (a *App) checkAgents() (check, error) {
	n, err := a.pb.CountRecords(accounts.Tokens, dbx.NewExp("[[hash]] != '' AND ([[expires]] = '' OR [[expires]] > {:now})", dbx.Params{"now": tools.Stamp(time.Now())}))
	if err != nil {
		return check{}, err
	}
	at := cmp.Or(a.reachedAt(), "http://…")
	c := check{Name: "agents", Says: fmt.Sprintf("tokens that are good: %d; their clients go to %s/mcp", n, at)}
	if a.inEffect().OwnSurfaces {
		c.Says += "; a nod counts on our own surfaces alone"
	}
	if names := len(a.settings.Forbid); names > 0 {
		c.Says += fmt.Sprintf("; names in NODKEEP_FORBID_TOOLS: %d", names)
	}
	if names := len(a.settings.Asks); names > 0 {
		c.Says += fmt.Sprintf("; names in NODKEEP_ASK_TOOLS: %d", names)
	}
	return c, nil
}
