package tools

import (
	"context"
	"maps"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// dropUsage deletes what models cost persons whose account goes. What they spent
// today stays as nobody's, and what is under way too: else the instance could
// spend more in a day than it may.
func (r *Runner) dropUsage(ctx context.Context, tx core.App, whose string, params dbx.Params) error {
	whose = "person != '' AND " + whose
	params = maps.Clone(params)
	params["today"] = r.c.Now().UTC().Format(time.DateOnly)
	for _, sql := range []string{
		"UPDATE {{" + HoldsTable + "}} SET [[person]] = '' WHERE " + whose,
		`INSERT INTO {{` + UsageTable + `}} (person, day, assistant, currency, requests, unpriced, input_uncached, cache_read, cache_write, output, cost)
SELECT '', day, assistant, currency, sum(requests), sum(unpriced), sum(input_uncached), sum(cache_read), sum(cache_write), sum(output), sum(cost)
FROM {{` + UsageTable + `}} WHERE day >= {:today} AND ` + whose + ` GROUP BY day, assistant, currency
ON CONFLICT (person, day, assistant, currency) DO UPDATE SET requests = requests + excluded.requests, unpriced = unpriced + excluded.unpriced,
 input_uncached = input_uncached + excluded.input_uncached, cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
 output = output + excluded.output, cost = cost + excluded.cost`,
		"DELETE FROM {{" + UsageTable + "}} WHERE " + whose,
	} {
		if _, err := tx.NonconcurrentDB().NewQuery(sql).WithContext(ctx).Bind(params).Execute(); err != nil {
			return err
		}
	}
	return nil
}
