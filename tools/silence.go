package tools

import (
	"errors"
	"slices"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
)

// silence wraps the error that ends a transaction nobody should hear of: a
// preview, or an apply that showed something else than was agreed to.
type silence struct{ err error }

// Error is that of what is silenced.
func (s *silence) Error() string { return s.err.Error() }

// Unwrap gives what is silenced.
func (s *silence) Unwrap() error { return s.err }

// previewKey marks the context of what a preview runs.
type previewKey struct{}

// isSilent says whether err ends such a transaction. Where SQLite rolled back
// by itself, dbx puts the error of its own rollback beside ours.
func isSilent(err error) bool {
	if _, ok := errors.AsType[*silence](err); ok {
		return true
	}
	all, ok := errors.AsType[dbx.Errors](err)
	return ok && slices.ContainsFunc(all, isSilent)
}

// bindSilence holds back the hooks that would tell of a write that failed.
func (r *Runner) bindSilence() {
	held := func(e *core.ModelErrorEvent) bool {
		x := recorderOf(e.App)
		// By the context too: a tool that was left behind fails when its
		// transaction is over.
		return isSilent(e.Error) || (x != nil && x.preview) || (e.Context != nil && e.Context.Value(previewKey{}) != nil)
	}
	silent := &hook.Handler[*core.ModelErrorEvent]{Id: "nodkeepSilence", Priority: -9999, Func: func(e *core.ModelErrorEvent) error {
		if held(e) {
			return nil
		}
		return e.Next()
	}}
	r.app.OnModelAfterCreateError().Bind(silent)
	r.app.OnModelAfterUpdateError().Bind(silent)
	r.app.OnModelAfterDeleteError().Bind(&hook.Handler[*core.ModelErrorEvent]{Id: "nodkeepSilence", Priority: -9999, Func: func(e *core.ModelErrorEvent) error {
		if !held(e) {
			return e.Next()
		}
		// PocketBase prepares the message of a delete beforehand and keeps it
		// with each subscriber: it would be sent with a later delete.
		if pk, ok := e.Model.PK().(string); ok {
			for _, client := range r.app.SubscriptionsBroker().Clients() {
				client.Unset("delete/" + e.Model.TableName() + "/" + pk)
			}
		}
		return nil
	}})
}
