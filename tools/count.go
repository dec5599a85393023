package tools

import (
	"context"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// countRows watches a call whose code reaches further than its Call: the rows
// that SQLite changed are held against those that saves hit and that were so
// collected. What was not collected could be neither shown nor undone, so it
// fails the call, unless a touched table has triggers, whose rows count too.
func (r *Runner) countRows(c *Call, of call) (func() error, error) {
	if of.tool == nil || !of.tool.raw {
		return func() error { return nil }, nil
	}
	c.rec.counting = true
	before, err := totalChanges(c.ctx, c.app)
	if err != nil {
		return nil, err
	}
	schema, err := c.schemaVersion()
	if err != nil {
		return nil, err
	}
	from, rows := c.rec.end().steps, c.rec.rows
	return func() error {
		c.rec.counting = false
		after, err := totalChanges(c.ctx, c.app)
		if err != nil {
			return err
		}
		now, err := c.schemaVersion()
		if err != nil {
			return err
		}
		if now != schema {
			return Fail(Forbidden, "error.schema_changed", of.Tool)
		}
		collected := c.rec.rows - rows
		if after-before == collected {
			return nil
		}
		triggered, err := c.hasTriggers(c.rec.steps[from:])
		if err != nil || triggered {
			return err
		}
		return Fail(Forbidden, "error.uncollected", of.Tool, after-before-collected)
	}, nil
}

// counted lets a save go on and counts the row that it hit, if it hit one: a
// hook may have kept it from the database.
func (x *recorder) counted(e *core.RecordEvent) error {
	if !x.counting {
		return e.Next()
	}
	before, err := totalChanges(e.Context, e.App)
	if err != nil {
		return err
	}
	inside := x.rows
	if err := e.Next(); err != nil {
		return err
	}
	after, err := totalChanges(e.Context, e.App)
	if err != nil {
		return err
	}
	if own := after - before - (x.rows - inside); own > 0 {
		x.rows++
	}
	return nil
}

func totalChanges(ctx context.Context, app core.App) (n int, err error) {
	err = app.NonconcurrentDB().NewQuery("SELECT total_changes()").WithContext(ctx).Row(&n)
	return n, err
}

func (c *Call) schemaVersion() (n int, err error) {
	err = c.app.NonconcurrentDB().NewQuery("PRAGMA schema_version").WithContext(c.ctx).Row(&n)
	return n, err
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
