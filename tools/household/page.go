package household

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// The number of items of a page, by default and at most.
const pageSize, maxPage = 50, 200

// pageIn is which page of a list is asked for.
type pageIn struct {
	Limit  int    `json:"limit,omitzero" jsonschema:"50 by default, 200 at most"`
	Cursor string `json:"cursor,omitzero"`
}

// page is a stretch of a list. Callers get its end as an opaque cursor.
type page struct{ limit, offset int }

func (in pageIn) page() (page, error) {
	p := page{limit: in.Limit}
	if in.Limit == 0 {
		p.limit = pageSize
	}
	if p.limit < 1 || p.limit > maxPage {
		return page{}, invalid("household.error.limit", in.Limit, maxPage)
	}
	if in.Cursor == "" {
		return p, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(in.Cursor)
	at, ok := strings.CutPrefix(string(raw), "at ")
	n, numErr := strconv.Atoi(at)
	if err != nil || !ok || numErr != nil || n < 0 || n > 1<<40 {
		return page{}, invalid("household.error.cursor", short(in.Cursor))
	}
	p.offset = n
	return p, nil
}

// cut takes one page out of items, which begin at the page's offset and may
// have more than the page holds, and gives the cursor of the next.
func cut[T any](p page, items []T) ([]T, string) {
	if len(items) <= p.limit {
		return items, ""
	}
	return items[:p.limit], base64.RawURLEncoding.EncodeToString([]byte("at " + strconv.Itoa(p.offset+p.limit)))
}
