package hooks

import (
	"net/url"
	"strings"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// hideLinks keeps the secret of a one-time link out of the log also where its
// address was mistyped, or asked in a way that is no route of ours: with a
// stroke more at its end, for example, it is as good as ever. PocketBase itself
// asks for two: the token of a protected file, and what a provider answers to a
// sign-in.
func hideLinks() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{
		Id: "nodkeepHideLinks", Priority: apis.DefaultActivityLoggerMiddlewarePriority + 1,
		Func: func(e *core.RequestEvent) error {
			err := e.Next()
			// The log reads the address once all else is done.
			if shown := withoutSecrets(e.Request.URL); shown != nil {
				r := *e.Request
				r.URL = shown
				e.Request = &r
			}
			return err
		},
	}
}

// withoutSecrets is an address as it may be logged; nil where it may be as it is.
func withoutSecrets(u *url.URL) *url.URL {
	for _, path := range [...]string{accounts.LinkPath, upload.Path} {
		if at := strings.Index(strings.ToLower(u.Path), path); at >= 0 {
			return &url.URL{Path: u.Path[:at] + path + "…"}
		}
	}
	if u.RawQuery == "" {
		return nil
	}
	query, hidden := u.Query(), false
	for _, name := range [...]string{"token", "code"} {
		if query.Has(name) {
			query.Set(name, "…")
			hidden = true
		}
	}
	if !hidden {
		return nil
	}
	return &url.URL{Path: u.Path, RawQuery: query.Encode()}
}
