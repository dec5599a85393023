package budget

import (
	"context"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// Recover settles what another start of the server held and never settled, in
// full: a hold is written right before its request leaves, so each may have been
// sent. It is called before the first call.
func (l *Ledger) Recover(ctx context.Context) error {
	return l.app.RunInTransaction(func(tx core.App) error {
		res, err := tx.NonconcurrentDB().NewQuery(`INSERT INTO nodkeep_usage (person, day, assistant, currency, requests, unpriced, input_uncached, cache_read, cache_write, output, cost)
SELECT person, day, assistant, currency, count(*), sum(NOT priced), min(sum(uncached), {:most}), 0, 0, min(sum(output), {:most}), min(sum(cost), {:most})
FROM nodkeep_holds WHERE TRUE GROUP BY person, day, assistant, currency` + addSQL).WithContext(ctx).Bind(dbx.Params{"most": int64(mostCost)}).Execute()
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		l.c.Log.Warn("calls to models were under way when the server ended; what they might have used at most is counted as used")
		_, err = tx.NonconcurrentDB().NewQuery("DELETE FROM nodkeep_holds").WithContext(ctx).Execute()
		return err
	})
}
