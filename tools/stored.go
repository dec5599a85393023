package tools

import (
	"context"

	"github.com/pocketbase/dbx"
)

// loadSteps reads the steps of entries, in the order in which they happened;
// with most, no more than that of each.
func loadSteps(ctx context.Context, db dbx.Builder, entries []auditRow, most ...int64) ([]step, error) {
	var all []step
	for _, e := range entries {
		q := db.Select(stepColumns...).From(stepsTable).Where(dbx.HashExp{"entry": e.ID}).OrderBy("n").WithContext(ctx)
		if len(most) > 0 {
			q.Limit(most[0])
		}
		steps, err := readSteps(q)
		if err != nil {
			return nil, err
		}
		all = append(all, steps...)
	}
	return all, nil
}

var stepColumns = []string{"entry", "n", "op", "collection", "record", "before", "after", "files"}

// loadLate reads the steps of some records beyond those that are read of an entry.
func loadLate(ctx context.Context, db dbx.Builder, e auditRow, records []string) ([]step, error) {
	return readSteps(db.Select(stepColumns...).From(stepsTable).Where(dbx.HashExp{"entry": e.ID}).AndWhere(dbx.In("record", anys(records)...)).
		AndWhere(dbx.NewExp("n >= {:read}", dbx.Params{"read": maxRead})).OrderBy("n").Limit(maxRead).WithContext(ctx))
}

func readSteps(q *dbx.SelectQuery) ([]step, error) {
	var rows []stepRow
	if err := q.All(&rows); err != nil {
		return nil, err
	}
	steps := make([]step, len(rows))
	for i := range rows {
		var err error
		if steps[i], err = rows[i].step(); err != nil {
			return nil, err
		}
	}
	return steps, nil
}
