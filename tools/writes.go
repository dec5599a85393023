package tools

import (
	"context"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// Writes counts what an agent has changed for its person since a time, as app sees
// it: up to most, which bounds what is looked at.
func (r *Runner) Writes(ctx context.Context, app core.App, a Actor, since time.Time, most int) (n int, err error) {
	if most <= 0 {
		return 0, nil
	}
	var times []string
	err = app.DB().Select("at").From(auditTable).Where(dbx.HashExp{"agent": a.Agent, "person": a.Person, "state": stateApplied}).
		AndWhere(dbx.NewExp("effect != {:read}", dbx.Params{"read": string(EffectRead)})).
		OrderBy("seq DESC").Limit(int64(most)).WithContext(ctx).Column(&times)
	for _, at := range times {
		if !ParseStamp(at).Before(since) {
			n++
		}
	}
	return n, err
}
