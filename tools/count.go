package tools

import (
	"github.com/pocketbase/dbx"
)

// countRows watches a call whose code reaches further than its Call: the rows
// that SQLite changed are held against those that were collected. What was not
// collected could be neither shown nor undone, so it fails the call, unless a
// touched table has triggers, whose rows count as well.
func (r *Runner) countRows(c *Call, of call) (func() error, error) {
	if of.tool == nil || !of.tool.raw {
		return func() error { return nil }, nil
	}
	before, schema, err := c.counted()
	if err != nil {
		return nil, err
	}
	from, extra := c.rec.end().steps, c.rec.extra
	return func() error {
		after, now, err := c.counted()
		if err != nil {
			return err
		}
		if now != schema {
			return Fail(Forbidden, "error.schema_changed", of.Tool)
		}
		c.rec.mu.Lock()
		steps := c.rec.steps[from:]
		collected := len(steps) + c.rec.extra - extra
		c.rec.mu.Unlock()
		if after-before == collected {
			return nil
		}
		triggered, err := c.hasTriggers(steps)
		if err != nil || triggered {
			return err
		}
		return Fail(Forbidden, "error.uncollected", of.Tool, after-before-collected)
	}, nil
}

func (c *Call) counted() (rows, schema int, err error) {
	if err = c.app.NonconcurrentDB().NewQuery("SELECT total_changes()").WithContext(c.ctx).Row(&rows); err != nil {
		return 0, 0, err
	}
	err = c.app.NonconcurrentDB().NewQuery("PRAGMA schema_version").WithContext(c.ctx).Row(&schema)
	return rows, schema, err
}

func (c *Call) hasTriggers(steps []step) (bool, error) {
	tables := make([]any, 0, len(steps))
	for _, s := range steps {
		tables = append(tables, s.Collection)
	}
	var n int
	err := c.app.NonconcurrentDB().Select("count(*)").From("sqlite_master").
		Where(dbx.And(dbx.HashExp{"type": "trigger"}, dbx.In("tbl_name", tables...))).WithContext(c.ctx).Row(&n)
	return n > 0, err
}
