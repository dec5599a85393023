package hooks

import (
	"net/url"
	"strings"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools/accounts"
)

// hideLinks keeps the secret of a one-time link out of the log also where its
// address was mistyped, or asked in a way that is no route of ours: with a
// stroke more at its end, for example, it is as good as ever.
func hideLinks() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{
		Id: "nodkeepHideLinks", Priority: apis.DefaultActivityLoggerMiddlewarePriority + 1,
		Func: func(e *core.RequestEvent) error {
			err := e.Next()
			at := strings.Index(strings.ToLower(e.Request.URL.Path), accounts.LinkPath)
			if at < 0 {
				return err
			}
			// The log reads the address once all else is done.
			r := *e.Request
			r.URL = &url.URL{Path: e.Request.URL.Path[:at] + accounts.LinkPath + "…"}
			e.Request = &r
			return err
		},
	}
}
