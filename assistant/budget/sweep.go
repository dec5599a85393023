package budget

import (
	"context"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// kept is for how many months it is known what somebody used.
const kept = 3

// Sweep forgets what was used more than three months ago, and writes down what
// the database did not take before.
func (l *Ledger) Sweep(ctx context.Context) error {
	l.settled()
	_, err := l.app.NonconcurrentDB().Delete(tools.UsageTable, dbx.NewExp("day < {:first}", dbx.Params{"first": before(l.now())})).WithContext(ctx).Execute()
	return err
}

// before is the day three months ago, the last of its month where it is shorter.
func before(now time.Time) string {
	y, m, d := now.Date()
	last := time.Date(y, m-kept+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return dayOf(time.Date(y, m-kept, min(d, last), 0, 0, 0, 0, time.UTC))
}
