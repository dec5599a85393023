package hooks

import (
	"strings"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
)

// unknown answers what is asked of the API and has no route there, so that no
// page that somebody serves for every address stands in for an answer: under
// our prefix as we do, elsewhere as PocketBase does. A route of its own could
// not do that: without a method it cannot stand beside such a page's, and with
// one not beside an app's own routes without.
func (a *App) unknown() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{
		Id: "nodkeepUnknown", Priority: apis.DefaultRateLimitMiddlewarePriority + 1,
		Func: func(e *core.RequestEvent) error {
			switch path := e.Request.URL.Path; {
			case !within(path, "/api") || within(routePath(e.Request.Pattern), "/api"):
				return e.Next()
			case within(path, prefix):
				_, err := nowhere(e)
				return a.fail(e, err)
			}
			return e.NotFoundError("", nil)
		},
	}
}

// within says whether path is top or lies under it.
func within(path, top string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (rest == "" || rest[0] == '/')
}

// routePath is the path of a pattern, which may begin with a method and a host.
func routePath(pattern string) string {
	return pattern[max(0, strings.IndexByte(pattern, '/')):]
}
