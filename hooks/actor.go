package hooks

import (
	"strings"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/security"

	"github.com/nodkeep/nodkeep/tools"
)

// asHeader names the member for whom a command acts. It counts only where the
// request is local.
const asHeader = "X-Nodkeep-As"

// users are the accounts; an approved one is a member.
const users = tools.Members

// identify gives a local request the member that it names, and takes from it
// whatever else it brings: who acts is decided by the door.
func (a *App) identify(e *core.RequestEvent) error {
	if !isLocal(e.Request) {
		return e.Next()
	}
	e.Auth = nil
	if as := e.Request.Header.Get(asHeader); as != "" {
		rec, err := a.memberNamed(as)
		if err != nil {
			return a.fail(e, err)
		}
		e.Auth = rec
		visit, err := a.enter(e, e.Auth)
		if err != nil {
			return a.fail(e, err)
		}
		defer a.visits.leave(visit)
	}
	return e.Next()
}

// memberNamed finds a member by handle or address. Superusers are none.
func (a *App) memberNamed(name string) (*core.Record, error) {
	find := func() (*core.Record, error) {
		return a.pb.FindFirstRecordByData(users, "handle", strings.ToLower(name))
	}
	if strings.Contains(name, "@") {
		find = func() (*core.Record, error) { return a.pb.FindAuthRecordByEmail(users, name) }
	}
	rec, err := ifThere(find())
	if err == nil && rec == nil {
		err = tools.Fail(tools.Unauthorized, "http.nobody", name)
	}
	return rec, err
}

// actor says who acts, by the kind of credential. An error comes with the
// actor where there is one, so that the refusal can be audited.
func (a *App) actor(e *core.RequestEvent) (tools.Actor, error) {
	switch {
	case e.Auth == nil:
		return tools.Actor{}, tools.Fail(tools.Unauthorized, "http.sign_in")
	case e.Auth.IsSuperuser():
		return tools.Actor{Person: e.Auth.Id, Door: tools.DoorDashboard}, tools.Fail(tools.Forbidden, "http.superuser")
	case e.Auth.Collection().Name != users:
		return tools.Actor{Person: e.Auth.Id, Door: tools.DoorWeb}, tools.Fail(tools.Forbidden, "http.no_member")
	case isLocal(e.Request):
		return tools.Actor{Person: e.Auth.Id, Door: tools.DoorCLI}, nil
	}
	return tools.Actor{Person: e.Auth.Id, Door: tools.DoorWeb}, nil
}

// member is the actor of an endpoint that calls no tool, which would look at
// the account itself.
func (a *App) member(e *core.RequestEvent) (tools.Actor, error) {
	actor, err := a.actor(e)
	if err == nil && !approved(e.Auth) {
		err = tools.Fail(tools.Forbidden, "error.not_approved")
	}
	return actor, err
}

// bearer is what a request brings to be known by, with or without that word, as
// PocketBase reads it.
func bearer(e *core.RequestEvent) string {
	token := e.Request.Header.Get("Authorization")
	if len(token) > 7 && strings.EqualFold(token[:7], "Bearer ") {
		token = token[7:]
	}
	return strings.TrimSpace(token)
}

// mayConfirm refuses a digest from a token that no person signed in for: those
// that cannot be refreshed are static or made by impersonation, as agents and
// scripts hold them.
func mayConfirm(e *core.RequestEvent) error {
	if isLocal(e.Request) {
		return nil
	}
	// Its signature was checked when it was loaded.
	claims, err := security.ParseUnverifiedJWT(bearer(e))
	if refreshable, ok := claims[core.TokenClaimRefreshable].(bool); err != nil || !ok || !refreshable {
		return tools.Fail(tools.Forbidden, "http.static_token")
	}
	return nil
}
