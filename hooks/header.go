package hooks

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
	"github.com/pocketbase/pocketbase/tools/router"
)

// What a browser may do with what it was sent. Nothing may frame it.
const (
	// dataPolicy is for answers that are no pages.
	dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	// webPolicy is for the files of a web front end: its own, nothing inline.
	webPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

// bindHeaders tells browsers to be strict, on every answer: before anything
// that could refuse the request, so PocketBase's own headers come earlier too.
// Its dashboard and the files of records keep the policies that PocketBase gives
// them: it sets them where there is none yet. A page of ours replaces what is
// set here.
func (a *App) bindHeaders(r *router.Router[*core.RequestEvent]) {
	const first = apis.DefaultCorsMiddlewarePriority - 10
	for _, m := range r.Middlewares {
		if m.Id == apis.DefaultSecurityHeadersMiddlewareId {
			m.Priority = first
		}
	}
	r.Bind(&hook.Handler[*core.RequestEvent]{Id: "nodkeepHeaders", Priority: first + 1, Func: func(e *core.RequestEvent) error {
		h := e.Response.Header()
		if a.https() {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		switch path := e.Request.URL.Path; {
		case within(path, "/_"): // its maps come from a server that wants to know who asks
		case within(path, "/api/files"):
			h.Set("Referrer-Policy", "no-referrer")
		case within(path, "/api"):
			strict(h, dataPolicy)
		default:
			strict(h, webPolicy)
		}
		return e.Next()
	}})
}

// https says that people reach the instance by nothing else.
func (a *App) https() bool { return a.tls || strings.HasPrefix(a.settings.URL, "https://") }

func strict(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
}

// plainPage sends a page without scripts, whose one style element holds exactly
// style: the policy names it by its content. A page with a form may send it to
// this instance only. Of a form in a page without referrers a browser says that
// its origin is null, and over plain HTTP nothing else by which to know it for
// our own: such a page names its origin, and not its path, which may be a secret.
func plainPage(e *core.RequestEvent, status int, html, style string, form bool) error {
	sum := sha256.Sum256([]byte(style))
	to, referrer := "'none'", "no-referrer"
	if form {
		to, referrer = "'self'", "strict-origin"
	}
	h := e.Response.Header()
	strict(h, "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'; base-uri 'none'; form-action "+to+"; frame-ancestors 'none'")
	h.Set("Referrer-Policy", referrer)
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept-Language")
	return e.HTML(status, html)
}
