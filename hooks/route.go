package hooks

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/tools"
)

// prefix of our routes.
const prefix = "/api/nodkeep"

// endpoint answers a value that becomes JSON, or an error of ours.
type endpoint func(*core.RequestEvent) (any, error)

// route is one of ours. A local one exists only for commands on this machine.
type route struct {
	method, path string
	local        bool
	answer       endpoint
}

func (a *App) routes() []route {
	return []route{
		{"GET", "/{$}", false, a.index},
		{"GET", "/tools", false, a.listTools},
		{"GET", "/tools/{name}", false, usePost},
		{"POST", "/tools/{name}", false, a.callTool},
		{"GET", "/tools/{name}/form", false, a.toolForm},
		{"GET", "/audit", false, a.listAudit},
		{"GET", "/audit/{id}", false, a.getAudit},
		{"POST", "/undo", false, a.undo},
		{"GET", "/undo", false, usePost},
		{"POST", "/import", false, a.readImport},
		{"GET", "/import", false, usePost},
		{"POST", "/signin/code", false, a.sendCode},
		{"GET", "/me", false, a.me},
		{"POST", "/me", false, a.changeMe},
		{"DELETE", "/me", false, a.actBy("nodkeep_me_delete")},
		{"POST", "/me/password", false, a.actBy("nodkeep_me_password")},
		{"GET", "/me/export", false, a.exportMe},
		{"POST", "/me/signout", false, a.actBy("nodkeep_me_signout")},
		{"GET", "/me/usage", false, a.listOwnUsage},
		{"GET", "/me/assistants", false, a.listBy("nodkeep_consent_list", nil)},
		{"POST", "/me/consents", false, a.actBy("nodkeep_consent_give")},
		{"DELETE", "/me/consents/{assistant}", false, a.actBy("nodkeep_consent_withdraw")},
		{"POST", "/me/limits", false, a.setBy("nodkeep_limit_set")},
		{"GET", "/me/more", false, a.listBy("nodkeep_more_own", nil)},
		{"POST", "/me/more", false, a.setBy("nodkeep_more_ask")},
		{"POST", "/signup", false, a.signUp},
		{"GET", "/signup", false, usePost},
		{"GET", "/waiting", false, a.getWaiting},
		{"DELETE", "/waiting", false, a.deleteWaiting},
		{"DELETE", "/waiting/pass", false, a.deletePass},
		{"GET", "/connect", false, a.connect},
		{"POST", "/connect/test", false, a.tryConnect},
		{"GET", "/texts/{lang}", false, a.texts},
		{"GET", "/local/address", true, a.address},
		{"GET", "/local/audit", true, a.verifyAudit},
		{"POST", "/local/audit", true, a.acceptAudit},
		{"GET", "/local/checks", true, a.listChecks},
		{"GET", wayPath, true, a.getWay},
		{"POST", wayPath, true, a.giveWay},
	}
}

// bindRoutes adds ours. A pattern that is taken would end in a panic, or, worse,
// in somebody else's answer.
func (a *App) bindRoutes(r *router.Router[*core.RequestEvent]) error {
	a.bindHeaders(r)
	r.Bind(hideLinks(), a.noticeProxy(), a.unknown(), a.admitTokens(), a.limitSignUp(), a.guestBodies(), a.alike(), a.inTurn())
	g := r.Group(prefix)
	g.Unbind(apis.DefaultBodyLimitMiddlewareId) // each endpoint has its own, with our kind of error
	g.BindFunc(a.identify)
	for _, rt := range slices.Concat(a.routes(), a.operatorRoutes(), a.tokenRoutes(), a.uploadRoutes(), a.proposalRoutes(), a.assistantRoutes(), a.askRoutes()) {
		if r.HasRoute(rt.method, prefix+rt.path) {
			return fmt.Errorf("the route %s %s%s is taken by something else", rt.method, prefix, rt.path)
		}
		g.Route(rt.method, rt.path, func(e *core.RequestEvent) error {
			answer := rt.answer
			if rt.local && !isLocal(e.Request) {
				answer = nowhere
			}
			v, err := answer(e)
			if err != nil {
				return a.fail(e, err)
			}
			if v == (written{}) {
				return nil
			}
			status := http.StatusOK
			if in, ok := v.(enrolled); ok && in.Waiting != nil {
				status = http.StatusAccepted
			}
			return a.answer(e, status, v)
		})
	}
	a.bindMCP(r)
	if err := a.bindPages(r); err != nil {
		return err
	}
	if err := a.bindFront(r); err != nil {
		return err
	}
	if !r.HasRoute("GET", privacyPath) {
		r.GET(privacyPath, a.privacy)
	}
	return nil
}

func nowhere(*core.RequestEvent) (any, error) { return nil, tools.Fail(tools.NotFound, "http.nowhere") }

// usePost answers who looks at an address that does something.
func usePost(*core.RequestEvent) (any, error) { return nil, tools.Fail(tools.Invalid, "http.use_post") }
