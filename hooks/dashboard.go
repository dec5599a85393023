package hooks

import (
	"embed"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
)

//go:embed dashboard/main.js
var dashboardFiles embed.FS

// dashboard is what we add to PocketBase's: a link that counts who waits, and
// a page to decide.
func dashboard() core.UIExtension {
	return core.UIExtension{Name: "nodkeep", FS: apis.MustSubFS(dashboardFiles, "dashboard")}
}

// bindDashboard adds ours to the extensions before PocketBase serves them.
func (a *App) bindDashboard() {
	a.pb.OnServe().Bind(&hook.Handler[*core.ServeEvent]{Id: "nodkeepDashboard", Func: func(e *core.ServeEvent) error {
		e.UIExtensions = append(e.UIExtensions, dashboard())
		e.Router.Bind(freshExtensions())
		return e.Next()
	}})
}

// freshExtensions lets browsers ask for extensions each time. PocketBase would
// have them kept for two weeks, under an address that never changes: an older
// page would then meet a newer instance.
func freshExtensions() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{
		Id: "nodkeepExtensions", Priority: apis.DefaultSecurityHeadersMiddlewarePriority + 1,
		Func: func(e *core.RequestEvent) error {
			if path := e.Request.URL.Path; path == "/_/extensions.js" || within(path, "/_/extensions") {
				e.Response.Header().Set("Cache-Control", "no-cache")
			}
			return e.Next()
		},
	}
}
