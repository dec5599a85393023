package hooks

import (
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// tokenVisit is by which key what a token has under way is kept beside that of
// its person.
func tokenVisit(id string) string { return "token " + id }

// bindTokens ends what a token has under way once it is revoked, has another
// secret, may do something else, is gone, or has expired. That happens after
// the commit: what is rolled back ends nothing. What the gate notes of a token
// while it is used is written without hooks, and ends nothing either.
func (a *App) bindTokens() {
	ended := func(e *core.ModelEvent) error {
		if id, ok := e.Model.PK().(string); ok {
			a.endToken(id)
		}
		return e.Next()
	}
	a.pb.OnModelAfterUpdateSuccess(tools.TokensTable).Bind(&hook.Handler[*core.ModelEvent]{Id: "nodkeepTokenEnd", Func: ended})
	a.pb.OnModelAfterDeleteSuccess(tools.TokensTable).Bind(&hook.Handler[*core.ModelEvent]{Id: "nodkeepTokenEnd", Func: ended})
	a.pb.Cron().MustAdd("nodkeep.tokens", "* * * * *", func() {
		if err := a.endExpired(time.Now()); err != nil {
			a.pb.Logger().Error("what tokens that have expired have under way could not be ended", "error", err)
		}
	})
}

// endToken ends all that a token has under way, and tells of what it proposed.
func (a *App) endToken(id string) {
	a.visits.end(tokenVisit(id))
	if a.tokenEnded != nil {
		a.tokenEnded(id)
	}
	a.tellOfToken(id)
}

// endExpired ends what tokens that expired of late have under way. Each request
// asks by itself whether its token is good: this is for those that last.
func (a *App) endExpired(now time.Time) error {
	var ids []string
	err := a.pb.ConcurrentDB().Select("id").From(tools.TokensTable).Where(dbx.NewExp("[[hash]] != '' AND [[expires]] != '' AND [[expires]] <= {:now} AND [[expires]] > {:then}",
		dbx.Params{"now": tools.Stamp(now), "then": tools.Stamp(now.Add(-2 * lateness))})).Column(&ids)
	for _, id := range ids {
		a.endToken(id)
	}
	return err
}
