package hooks

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// hideLinks keeps the secret of a one-time link out of the log also where its
// address was mistyped, or asked in a way that is no route of ours: with a
// stroke more at its end, for example, it is as good as ever. PocketBase itself
// asks for two: the token of a protected file, and what a provider answers to a
// sign-in. A token of an agent goes from wherever somebody put it.
func hideLinks() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{
		Id: "nodkeepHideLinks", Priority: apis.DefaultActivityLoggerMiddlewarePriority + 1,
		Func: func(e *core.RequestEvent) error {
			err := e.Next()
			// The log reads the address once all else is done.
			shown, headers := withoutSecrets(e.Request.URL), withoutTokens(e.Request.Header)
			if shown != nil || headers != nil {
				r := *e.Request
				r.URL = cmp.Or(shown, r.URL)
				if headers != nil {
					r.Header = headers
				}
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
	path := hideTokens(u.Path)
	if u.RawQuery == "" {
		if path == u.Path {
			return nil
		}
		return &url.URL{Path: path}
	}
	query, hidden := u.Query(), path != u.Path
	for name, values := range u.Query() {
		for _, v := range append(values, name) {
			hidden = hidden || hideTokens(v) != v
		}
	}
	if hidden {
		shown := url.Values{}
		for name, values := range query {
			for _, v := range values {
				shown.Add(hideTokens(name), hideTokens(v))
			}
		}
		query = shown
	}
	for _, name := range [...]string{"token", "code"} {
		if query.Has(name) {
			query.Set(name, "…")
			hidden = true
		}
	}
	if !hidden {
		return nil
	}
	return &url.URL{Path: path, RawQuery: query.Encode()}
}

// secretOfAgent is a token's secret, or so much of one that it might be.
var secretOfAgent = regexp.MustCompile(tools.TokenPrefix + `[A-Za-z0-9_-]{16,}`)

func hideTokens(s string) string {
	if !strings.Contains(s, tools.TokenPrefix) { // of nearly every request
		return s
	}
	return secretOfAgent.ReplaceAllString(s, tools.TokenPrefix+"…")
}

// withoutTokens are the headers that the log shows, as it may; nil where they
// may be as they are.
func withoutTokens(h http.Header) http.Header {
	var shown http.Header
	for _, name := range [...]string{"Referer", "User-Agent"} {
		if is := h.Get(name); hideTokens(is) != is {
			if shown == nil {
				shown = h.Clone()
			}
			shown.Set(name, hideTokens(is))
		}
	}
	return shown
}
