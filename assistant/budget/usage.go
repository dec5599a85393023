package budget

import (
	"context"
	"strings"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// UsageQuery narrows what was used. Cursor is the Next of the page before; Limit
// is 50 unless given, 200 at most.
type UsageQuery struct {
	Person    string // whose; all unless given
	Assistant string
	From, To  string // days, both included
	Months    bool   // a row for each month in place of each day
	Cursor    string
	Limit     int
}

// Used is what a person used of an assistant in a day or a month. Without a
// person it is what those used whose account is gone.
type Used struct {
	Day        string `json:"day,omitempty" db:"-"`
	Month      string `json:"month,omitempty" db:"-"`
	Period     string `json:"-" db:"period"`
	Person     string `json:"person" db:"person"`
	Assistant  string `json:"assistant" db:"assistant"`
	Currency   string `json:"currency" db:"currency"`
	Requests   int64  `json:"requests" db:"requests"`
	Unpriced   int64  `json:"unpriced" db:"unpriced"` // requests whose cost nobody knows
	Uncached   int64  `json:"input_uncached" db:"input_uncached"`
	CacheRead  int64  `json:"cache_read" db:"cache_read"`
	CacheWrite int64  `json:"cache_write" db:"cache_write"`
	Output     int64  `json:"output" db:"output"`
	Cost       int64  `json:"cost_micros" db:"cost"`
}

// UsagePage is what was used, oldest first, and the cursor of the next page.
type UsagePage struct {
	Items []Used `json:"items"`
	Next  string `json:"next"`
}

// Usage lists what was used. Whether who asks may see it is for the caller.
func (l *Ledger) Usage(ctx context.Context, q UsageQuery) (UsagePage, error) {
	limit := min(q.Limit, 200)
	if limit <= 0 {
		limit = 50
	}
	period := "day"
	if q.Months {
		period = "substr(day, 1, 7)"
	}
	sel := l.app.DB().Select(period+" AS period", "person", "assistant", "currency", "sum(requests) AS requests", "sum(unpriced) AS unpriced",
		"sum(input_uncached) AS input_uncached", "sum(cache_read) AS cache_read", "sum(cache_write) AS cache_write", "sum(output) AS output", "sum(cost) AS cost").
		From(tools.UsageTable).GroupBy("period", "person", "assistant", "currency").OrderBy("period", "person", "assistant", "currency").
		Limit(int64(limit + 1)).WithContext(ctx)
	for column, v := range map[string]string{"person": q.Person, "assistant": q.Assistant} {
		if v != "" {
			sel.AndWhere(dbx.HashExp{column: v})
		}
	}
	for _, v := range []string{q.From, q.To} {
		if _, err := time.Parse(time.DateOnly, v); v != "" && err != nil {
			return UsagePage{}, tools.Fail(tools.Invalid, "budget.error.day", tools.Quoted(v, 20))
		}
	}
	if q.From != "" {
		sel.AndWhere(dbx.NewExp("day >= {:from}", dbx.Params{"from": q.From}))
	}
	if q.To != "" {
		sel.AndWhere(dbx.NewExp("day <= {:to}", dbx.Params{"to": q.To}))
	}
	if q.Cursor != "" {
		at := strings.Split(q.Cursor, "_")
		if len(at) != 4 {
			return UsagePage{}, tools.Fail(tools.Invalid, "error.cursor")
		}
		sel.AndWhere(dbx.NewExp("("+period+", person, assistant, currency) > ({:at}, {:person}, {:assistant}, {:currency})",
			dbx.Params{"at": at[0], "person": at[1], "assistant": at[2], "currency": at[3]}))
	}
	page := UsagePage{Items: []Used{}}
	if err := sel.All(&page.Items); err != nil {
		return UsagePage{}, err
	}
	if len(page.Items) > limit {
		page.Items = page.Items[:limit]
		last := page.Items[limit-1]
		page.Next = strings.Join([]string{last.Period, last.Person, last.Assistant, last.Currency}, "_")
	}
	for i := range page.Items {
		u := &page.Items[i]
		if q.Months {
			u.Month = u.Period
		} else {
			u.Day = u.Period
		}
	}
	return page, nil
}
