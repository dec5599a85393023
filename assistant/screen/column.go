package screen

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// column is one that a grid has.
type column struct {
	path string
	kind Type
	day  bool   // its schema says that it holds days
	only string // the one currency that it shows, of several
	full bool   // a row has something in it
	id   bool   // it holds ids
}

// key is its values' in a row.
func (c column) key() string { return c.path }

// name is unique among columns, and bounded: an answer may name its own.
func (c column) name() string {
	if c.only != "" {
		return line(c.path) + "." + c.only
	}
	return line(c.path)
}

// last is the name within the object that it came from.
func (c column) last() string { return c.path[strings.LastIndexByte(c.path, '.')+1:] }

var (
	anID    = regexp.MustCompile(`^[a-z0-9]{15}$`)
	decimal = regexp.MustCompile(`^-?\d+(\.\d+)?$`)
	month   = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])$`)
)

// wordy are names of what people write: it stays text, whatever it looks like.
func wordy() []string {
	return []string{"name", "title", "label", "text", "tag", "tags", "merchant", "notes", "account", "url", "email", "handle", "person", "member", "category", "payment_method", "key", "version", "field", "kind", "lines"}
}

// bare are names of numbers that are no money, though a currency stands beside.
func bare() []string { return []string{"percent", "rate", "per_euro", "share", "weight"} }

// learn looks at what stands in it: a type is only what all its values are.
func (c *column) learn(rows []map[string]value) {
	c.kind = Text
	numbers, moneys, days, ids := true, true, true, true
	for _, row := range rows {
		v, ok := row[c.path]
		if !ok || v.text == "" {
			continue
		}
		c.full = true
		ids = ids && v.kind == '"' && len(v.text) == 15 && anID.MatchString(v.text)
		numbers = numbers && (v.kind == '0' || v.kind == '"' && decimal.MatchString(v.text))
		moneys = moneys && v.kind == '"' && isMoney(v)
		days = days && v.kind == '"' && isTime(v.text)
	}
	c.id = c.last() == "id" || strings.HasSuffix(c.last(), "_id") || c.full && ids
	switch {
	case !c.full && c.day:
		c.kind = Date
	case !c.full || c.id || slices.Contains(wordy(), c.last()):
	case days:
		c.kind = Date
	case moneys && !slices.Contains(bare(), c.last()):
		c.kind = Money
	case numbers:
		c.kind = Number
	}
}

// isMoney says that it is written as tools write amounts.
func isMoney(v value) bool {
	digits, ok := tools.CurrencyDigits(v.currency)
	if !ok || !decimal.MatchString(v.text) {
		return false
	}
	_, fraction, _ := strings.Cut(v.text, ".")
	return len(fraction) == digits
}

// isTime says that it is a day, a month or a time.
func isTime(s string) bool {
	if len(s) < len("2006-01") || s[4] != '-' {
		return false
	}
	if month.MatchString(s) {
		return true
	}
	if len(s) == len(time.DateOnly) {
		_, err := tools.ParseDate(s)
		return err == nil
	}
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

// labels says what its rows are called by: 0 is the best; more than a few is
// no label.
func (c column) labels() int {
	if c.kind != Text || c.id {
		return len(labelNames())
	}
	if i := slices.Index(labelNames(), c.path); i >= 0 {
		return i
	}
	return len(labelNames())
}

func labelNames() []string {
	return []string{"name", "title", "label", "tag", "handle", "merchant", "subscription", "category", "member", "text"}
}

// figures says how likely a number is the one that is meant: 0 is the best.
func (c column) figures() int {
	if i := slices.Index(figureNames(), c.last()); i >= 0 {
		return i
	}
	if c.kind == Money {
		return len(figureNames())
	}
	return len(figureNames()) + 1
}

func figureNames() []string {
	return []string{"total", "amount", "per_month", "confirmed", "after", "count"}
}
