package tools

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/pocketbase/pocketbase/core"
)

// attempt is one run of calls inside one transaction.
type attempt struct {
	actor     Actor
	names     names
	preview   bool
	restoring bool
	calls     []call
	// before runs first, in the transaction; finish runs when all calls have
	// ended well and are described, and its error rolls everything back.
	before func(tx core.App) error
	finish func(*outcome) error
}

// outcome is what the calls of an attempt did, while the transaction is open.
type outcome struct {
	tx      core.App
	rec     *recorder
	reader  *Reader // the person, in the transaction
	outputs []any
	ends    []end   // by call
	preview Preview // without digest
}

// end marks how far the recording had come after a call.
type end struct{ steps, sends int }

// transact runs an attempt and says whether it was committed, which is not the
// same as no error: a foreign hook may fail after the commit.
func (r *Runner) transact(ctx context.Context, a attempt) (committed bool, err error) {
	rec := newRecorder(a.names)
	rec.preview, rec.restoring = a.preview, a.restoring
	if err := r.turns.wait(ctx, a.actor.Person); err != nil {
		return false, Fail(Unavailable, "error.went_away").Because(err)
	}
	defer r.turns.next()
	var own error
	var handed *run
	defer func() {
		// PocketBase lets a hook panic after the commit. What is written stays
		// written, and the caller is told so.
		if p := recover(); p != nil {
			if err = (&panicked{p, string(debug.Stack())}); !committed {
				panic(p)
			}
		}
	}()
	err = r.app.RunInTransaction(func(tx core.App) (err error) {
		r.recorders.Store(tx, rec)
		// Bound first, so it runs before any hook that waits for the commit.
		tx.TxInfo().OnComplete(func(txErr error) error {
			r.recorders.Delete(tx)
			if committed = txErr == nil; committed {
				for _, move := range rec.moves {
					move()
				}
			}
			return nil
		})
		defer func() {
			if kind := KindOf(err); err != nil && (a.preview || kind == Stale || kind == DigestRequired) {
				err = &silence{err}
			}
			own = err
		}()
		if a.before != nil {
			if err := a.before(tx); err != nil {
				return err
			}
		}
		person, err := r.person(tx, a.actor, toolsOf(a.calls)...)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, r.limitOf(a.calls))
		defer cancel()
		if a.preview {
			ctx = context.WithValue(ctx, previewKey{}, true)
		}
		o := &outcome{tx: tx, rec: rec}
		o.reader = r.reader(ctx, tx, a.actor, person)
		o.reader.run.seen, o.reader.run.viewed, o.reader.run.writes = rec.seen, map[key]view{}, rec.writes
		o.reader.run.written = map[string][]string{}
		if err := r.work(ctx, a, o); err != nil {
			return err
		}
		handed = o.reader.run
		o.reader.ctx = context.WithoutCancel(ctx) // the books are kept to the end
		return a.finish(o)
	})
	if handed != nil && (committed || errors.Is(own, errRollback)) {
		// Out of the transaction, which may have been rolled back.
		if err := r.foreign(ctx, a.actor, handed.foreign); err != nil {
			if !committed {
				return false, err
			}
			r.c.Log.Error("what an agent read was not noted", "error", err)
		}
	}
	if own != nil {
		// Not what the rollback says beside it: SQLite has rolled back by
		// itself where it was interrupted.
		return committed, own
	}
	return committed, err
}

// limitOf is how long calls may take, all together.
func (r *Runner) limitOf(calls []call) time.Duration {
	if calls[0].kind == kindUndo {
		return r.c.UndoLimit
	}
	return r.c.Limit
}

// work runs the calls and describes what they did, in a goroutine of its own,
// so that a tool that spins or sleeps can be left behind: its Call is closed,
// its transaction rolled back.
func (r *Runner) work(ctx context.Context, a attempt, o *outcome) error {
	type result struct {
		outcome
		err error
	}
	done := make(chan result, 1)
	own := *o // the goroutine's, which nobody reads once it is left behind
	go func() {
		err := guard(func() error {
			for i, c := range a.calls {
				if err := r.one(&own, c); err != nil {
					return placed(err, i)
				}
			}
			if err := own.rec.close(); err != nil {
				return err
			}
			return r.describe(&own, a.calls)
		})
		done <- result{own, err}
	}()
	select {
	case res := <-done:
		if res.err != nil && ctx.Err() != nil {
			return r.overdue(ctx, a)
		}
		*o = res.outcome
		return res.err
	case <-ctx.Done():
		_ = o.rec.close() // whatever it still does is rolled back
		r.c.Log.Warn("a tool was left behind at its time limit", "tool", a.calls[0].Tool, "limit", r.limitOf(a.calls).String())
		return r.overdue(ctx, a)
	}
}

// one runs a call and notes how far the recording has come.
func (r *Runner) one(o *outcome, c call) error {
	cl := &Call{Reader: *o.reader, rec: o.rec, proofs: &r.proofs}
	if c.kind != kindUndo { // which takes back all that there was
		cl.scope = scopeOf(o.reader.ctx)
	}
	if c.plugin != nil {
		cl.plugin = c.plugin.Name()
		cl.was = func(col *core.Collection) string {
			if rule := r.reg.rules[col.Name]; rule.plugin == cl.plugin {
				return rule.Was
			}
			return ""
		}
	}
	count, err := r.countRows(cl, c)
	if err != nil {
		return err
	}
	out, err := c.do(cl)
	if err == nil {
		err = o.rec.swallowed()
	}
	if err == nil {
		err = count()
	}
	if err != nil {
		return err
	}
	o.outputs = append(o.outputs, out)
	o.ends = append(o.ends, o.rec.end())
	return nil
}

// overdue tells a call that took too long from one whose caller went away.
func (r *Runner) overdue(ctx context.Context, a attempt) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Fail(Limit, "error.time_limit", fmt.Sprint(r.limitOf(a.calls)))
	}
	return Fail(Unavailable, "error.went_away").Because(ctx.Err())
}

// swallowed is the error that no tool may swallow, and refuses a run whose
// recording was closed.
func (x *recorder) swallowed() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.poison
}

func (x *recorder) end() end {
	x.mu.Lock()
	defer x.mu.Unlock()
	return end{len(x.steps), len(x.sends)}
}
