package gate

import (
	"context"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// Sweep marks what nobody answered in time, and forgets what was decided long
// ago. What was done stays in the audit.
func (g *Gate) Sweep(ctx context.Context) error {
	now := g.now()
	_, err := g.app.NonconcurrentDB().Update(tools.ProposalsTable, dbx.Params{"state": string(Expired), "form": "", "items": noCalls},
		dbx.NewExp("state = 'pending' AND expires <= {:now}", dbx.Params{"now": tools.Stamp(now)})).WithContext(ctx).Execute()
	if err != nil {
		return err
	}
	_, err = g.app.NonconcurrentDB().Delete(tools.ProposalsTable,
		dbx.NewExp("state != 'pending' AND expires <= {:then}", dbx.Params{"then": tools.Stamp(now.AddDate(0, 0, -g.c.Kept))})).WithContext(ctx).Execute()
	return err
}
