package hooks

import (
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// admitTokens looks at the account of every token, on every route: a token that
// was made before says nothing of what its account may do now. The record is
// loaded already, so this costs no query. Those of agents have no record, and
// are refused. It comes after the headers, which a refusal has too.
func (a *App) admitTokens() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{Id: "nodkeepAdmitToken", Priority: apis.DefaultSecurityHeadersMiddlewarePriority + 2, Func: a.admitToken}
}

func (a *App) admitToken(e *core.RequestEvent) error {
	if err := refuseAgents(e); err != nil {
		return a.fail(e, err)
	}
	if e.Auth == nil || e.Auth.Collection().Name != users {
		return e.Next()
	}
	if why := notAdmitted(tools.Unauthorized, e.Auth); why != nil {
		return a.fail(e, why)
	}
	visit, err := a.enter(e, e.Auth)
	if err != nil {
		return a.fail(e, err)
	}
	defer a.visits.leave(visit)
	return e.Next()
}

// stillHolds reads again whether a token that was made for rec is worth
// something.
func (a *App) stillHolds(rec *core.Record) error {
	now, err := a.pb.FindRecordById(users, rec.Id)
	if err != nil {
		return tools.Fail(tools.Unauthorized, "http.sign_in").Because(err)
	}
	if why := notAdmitted(tools.Unauthorized, now); why != nil {
		return why
	}
	if now.TokenKey() != rec.TokenKey() {
		return tools.Fail(tools.Unauthorized, "http.sign_in")
	}
	return nil
}
