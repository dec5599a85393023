package accounts

import (
	"strconv"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/tools/types"
)

// maxTokenDays bounds how far ahead days may be counted.
const maxTokenDays = 3650

// expiry reads until when a token is good: a time, a day (to its end, in UTC),
// or a number of days from now as in "90d", to the end of the last; "" is for
// ever.
func expiry(s string, now time.Time) (types.DateTime, error) {
	if s = strings.TrimSpace(s); s == "" {
		return types.DateTime{}, nil
	}
	wrong := invalid("nodkeep.error.token_expires")
	until, err := time.Parse(time.RFC3339, s)
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, failed := strconv.Atoi(days)
		if failed != nil || n < 1 || n > maxTokenDays {
			return types.DateTime{}, wrong
		}
		until, err = dayAfter(now.UTC().AddDate(0, 0, n)), nil
	} else if day, failed := time.Parse(time.DateOnly, s); failed == nil {
		until, err = dayAfter(day), nil
	}
	if err != nil || until.Year() > 9998 {
		return types.DateTime{}, wrong
	}
	if !until.After(now) {
		return types.DateTime{}, invalid("nodkeep.error.token_past")
	}
	return types.ParseDateTime(until.UTC().Truncate(time.Second))
}

// dayAfter is when a day is over.
func dayAfter(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, time.UTC)
}
