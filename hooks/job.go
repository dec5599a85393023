package hooks

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/pocketbase/pocketbase/core"
)

// bindJobs forgets what need not be kept any more: by the clock, and at once
// what an account leaves behind.
func (a *App) bindJobs() {
	// PocketBase's cron runs only in a server.
	a.pb.Cron().MustAdd("nodkeep.retention", "17 * * * *", func() { a.hourly(time.Now()) })
	a.pb.Cron().MustAdd("nodkeep.uploads", "*/10 * * * *", a.sweepUploads)
	a.pb.Cron().MustAdd("nodkeep.conversations", "*/5 * * * *", a.sweepConversations)
	a.pb.OnRecordAfterDeleteSuccess(users).BindFunc(func(e *core.RecordEvent) error {
		if a.uploads != nil {
			a.erase(e.Record)
		}
		return e.Next()
	})
}

// sweepConversations forgets what was said to assistants too long ago.
func (a *App) sweepConversations() {
	if err := a.loop.Sweep(context.Background()); err != nil {
		a.pb.Logger().Error("conversations that are over could not be forgotten", "error", err)
	}
}

// moment is a time, nil before it has come.
type moment struct{ atomic.Pointer[time.Time] }

// hourly deletes what waited too long, and does once a day what takes longer:
// at night, or in the first hour of a server that was off then, as many are.
func (a *App) hourly(now time.Time) {
	if err := a.gate.Sweep(context.Background()); err != nil {
		a.pb.Logger().Error("proposals that nobody answered could not be put away", "error", err)
	}
	if err := a.ledger.Sweep(context.Background()); err != nil {
		a.pb.Logger().Error("what was used of models long ago could not be forgotten", "error", err)
	}
	if err := a.clear(now); err != nil {
		a.pb.Logger().Error("what waited too long could not be deleted", "error", err)
	}
	last := a.retained.Load()
	if last != nil && now.Sub(*last) < 24*time.Hour && now.UTC().Hour() != 3 {
		return
	}
	a.retained.Store(&now)
	a.retain(context.Background(), now)
}

// retain erases what is older than the settings let it be.
func (a *App) retain(ctx context.Context, now time.Time) {
	log := a.pb.Logger()
	n, err := a.runner.EraseBefore(ctx, now.AddDate(0, 0, -a.settings.AuditDays))
	if err != nil {
		log.Error("old audit entries could not be erased", "error", err)
	} else if n > 0 {
		log.Info("old audit entries were erased", "entries", n)
	}
	if _, err := a.runner.EraseGone(ctx); err != nil {
		log.Error("the audit of accounts that are gone could not be erased", "error", err)
	}
	a.dropped(a.runner.DropGoneBooks(ctx))
	if err := a.runner.DropErased(); err != nil {
		log.Error("files of what was erased could not be deleted", "error", err)
	}
	if err := a.runner.PruneFiles(now.AddDate(0, 0, -a.settings.UndoDays)); err != nil {
		log.Error("files that no record names could not be deleted", "error", err)
	}
	if err := a.runner.Forget(ctx); err != nil {
		log.Error("expired digests could not be forgotten", "error", err)
	}
}

// erase empties the audit of a person whose account is gone, and deletes what
// they uploaded. The account is gone already, so what fails is logged, not told.
func (a *App) erase(rec *core.Record) {
	if _, err := a.runner.ErasePerson(context.Background(), rec.Id); err != nil {
		a.pb.Logger().Error("the audit of a deleted account could not be erased", "error", err)
	}
	a.dropped(a.runner.DropBooks(context.Background(), rec.Id))
	if err := a.runner.DropErased(); err != nil {
		a.pb.Logger().Error("the files of a deleted account could not be erased", "error", err)
	}
}

// dropped lets the files of uploads go that are in no book any more.
func (a *App) dropped(uploads []string, err error) {
	if err != nil {
		a.pb.Logger().Error("proposals and uploads of an account that is gone could not be deleted", "error", err)
		return
	}
	if err := a.uploads.Gone(uploads); err != nil {
		a.pb.Logger().Error("files that an account had uploaded could not be deleted", "error", err)
	}
}
