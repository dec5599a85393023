package hooks

import (
	"fmt"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// bindPages adds the plain pages. What is in the address of a link is a
// secret: it stands in no log of ours.
func (a *App) bindPages(r *router.Router[*core.RequestEvent]) error {
	for _, p := range []struct {
		method, path string
		show         func(*core.RequestEvent) error
	}{
		{"GET", signUpPath, a.signUpForm},
		{"POST", signUpPath, a.sendSignUp},
		{"GET", waitingPath, a.waitingRoom},
		{"POST", waitingPath, a.leaveRoom},
		{"GET", accounts.LinkPath + "{secret}", a.openLink},
		{"POST", accounts.LinkPath + "{secret}", a.useLink},
		{"GET", upload.Path + "{secret}", a.openUpload},
		{"POST", upload.Path + "{secret}", a.fillUpload},
		{"PUT", upload.Path + "{secret}", a.fillUpload},
		{"GET", nodPath, a.nodding(a.nodList)},
		{"POST", nodPath, a.nodding(a.sendNodList)},
		{"GET", nodPath + "/{id}", a.nodding(a.nodCard)},
		{"POST", nodPath + "/{id}", a.nodding(a.sendCard)},
	} {
		if r.HasRoute(p.method, p.path) {
			return fmt.Errorf("the route %s %s is taken by something else", p.method, p.path)
		}
		// Each bounds its body itself.
		r.Route(p.method, p.path, p.show).Unbind(apis.DefaultActivityLoggerMiddlewareId, apis.DefaultBodyLimitMiddlewareId)
	}
	return nil
}
