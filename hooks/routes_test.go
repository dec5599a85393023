package hooks

import (
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
)

// issuers are the routes that can hand out a session, a part of one, or what
// stands for one, each with its ways in the table of TestNoWayIn.
func issuers() map[string][]string {
	return map[string][]string{
		"POST /api/collections/{collection}/auth-with-password":     {"password by handle", "password by address", "password as a superuser", "first of two factors", "first of two factors as a superuser"},
		"POST /api/collections/{collection}/auth-with-otp":          {"code", "code as a superuser", "requested code", "second of two factors", "both factors"},
		"POST /api/collections/{collection}/request-otp":            {"requested code"},
		"POST " + prefix + "/signin/code":                           {"requested code"},
		"POST /api/collections/{collection}/auth-with-oauth2":       {"OAuth2 by address", "OAuth2 as a superuser", "OAuth2 of a linked account"},
		"POST /api/collections/{collection}/auth-refresh":           {"refresh"},
		"POST /api/collections/{collection}/impersonate/{id}":       {"impersonation"},
		"POST /api/collections/{collection}/confirm-password-reset": {"confirmed password reset"},
		"POST /api/collections/{collection}/confirm-verification":   {"confirmed e-mail address"},
		"POST /api/collections/{collection}/confirm-email-change":   {"confirmed change of address"},
		"POST /nod":             {"password on a page", "code on a page", "session of the pages, used", "first of two factors on a page", "second of two factors on a page"},
		"POST /nod/{id}":        {"password on a page", "code on a page", "session of the pages, used", "first of two factors on a page", "second of two factors on a page"},
		"POST /api/files/token": {"file token"},
		"POST /api/realtime":    {"realtime", "realtime connection that is open"},
	}
}

// takers act for whoever's session they are shown. The way is one that stands
// for all that ask no other question; the middleware is the same for each.
func takers() map[string]string {
	return map[string]string{
		"GET " + prefix + "/operator/accounts":                    "operator",
		"GET " + prefix + "/operator/assistants/suggestions":      "operator",
		"POST " + prefix + "/operator/assistants/{id}/test":       "operator",
		"GET " + prefix + "/operator/invites":                     "operator",
		"GET " + prefix + "/operator/operators":                   "operator",
		"GET " + prefix + "/operator/overview":                    "operator",
		"DELETE " + prefix + "/me":                                "change of the profile",
		"POST " + prefix + "/me/password":                         "change of the profile",
		"POST " + prefix + "/me/signout":                          "change of the profile",
		"GET " + prefix + "/me/export":                            "profile",
		"GET " + prefix + "/connect":                              "profile",
		"POST " + prefix + "/connect/test":                        "change of the profile",
		"GET " + prefix + "/tokens":                               "profile",
		"POST " + prefix + "/tokens":                              "change of the profile",
		"POST " + prefix + "/tokens/{id}":                         "change of the profile",
		"POST " + prefix + "/tokens/{id}/rotate":                  "change of the profile",
		"POST " + prefix + "/tokens/{id}/revoke":                  "change of the profile",
		"DELETE " + prefix + "/tokens/{id}":                       "change of the profile",
		"GET " + prefix + "/operator/resets":                      "operator",
		"GET " + prefix + "/operator/waiting":                     "operator",
		"POST " + prefix + "/operator/accounts":                   "operator",
		"POST " + prefix + "/operator/accounts/{account}/approve": "operator",
		"POST " + prefix + "/operator/accounts/{account}/refuse":  "operator",
		"POST " + prefix + "/operator/accounts/{account}/restore": "operator",
		"POST " + prefix + "/operator/accounts/{account}/suspend": "operator",
		"POST " + prefix + "/operator/invites":                    "operator",
		"POST " + prefix + "/operator/invites/{id}/revoke":        "operator",
		"POST " + prefix + "/operator/operators":                  "operator",
		"POST " + prefix + "/operator/operators/{account}/remove": "operator",
		"POST " + prefix + "/operator/resets":                     "operator",
		"POST " + prefix + "/operator/resets/{id}/revoke":         "operator",
		"POST " + prefix + "/operator/waiting/{account}/approve":  "operator",
		"POST " + prefix + "/operator/waiting/{account}/pass":     "operator",
		"POST " + prefix + "/operator/waiting/{account}/refuse":   "operator",
		"GET " + prefix + "/operator/assistants":                  "operator",
		"POST " + prefix + "/operator/assistants":                 "operator",
		"POST " + prefix + "/operator/assistants/{id}/remove":     "operator",
		"GET " + prefix + "/operator/grants":                      "operator",
		"POST " + prefix + "/operator/grants":                     "operator",
		"GET " + prefix + "/operator/budgets":                     "operator",
		"POST " + prefix + "/operator/budgets":                    "operator",
		"GET " + prefix + "/operator/requests":                    "operator",
		"POST " + prefix + "/operator/requests/{id}/approve":      "operator",
		"POST " + prefix + "/operator/requests/{id}/refuse":       "operator",
		"GET " + prefix + "/operator/figures":                     "operator",
		"GET " + prefix + "/operator/audit":                       "operator",
		"GET " + prefix + "/operator/settings":                    "operator",
		"GET " + prefix + "/operator/health":                      "operator",
		"POST " + prefix + "/operator/settings":                   "operator",
		"GET " + prefix + "/me/usage":                             "profile",
		"GET " + prefix + "/me/assistants":                        "profile",
		"POST " + prefix + "/me/consents":                         "change of the profile",
		"DELETE " + prefix + "/me/consents/{assistant}":           "change of the profile",
		"POST " + prefix + "/me/limits":                           "change of the profile",
		"GET " + prefix + "/me/more":                              "profile",
		"POST " + prefix + "/me/more":                             "change of the profile",
		"GET /api/files/{collection}/{recordId}/{filename}":       "protected file",
		"POST /api/batch":                                         "batch",
		"GET /api/collections/{collection}/records":               "records",
		"GET /api/collections/{collection}/records/{id}":          "records",
		"POST /api/collections/{collection}/records":              "a record made",
		"PATCH /api/collections/{collection}/records/{id}":        "a record made",
		"DELETE /api/collections/{collection}/records/{id}":       "a record made",
		"POST /api/collections/{collection}/request-email-change": "request of another address",
		"GET /api/realtime":                                       "realtime connection that is open",
		"GET " + prefix + "/tools":                                "tools",
		"GET " + prefix + "/tools/{name}/form":                    "tools",
		"POST " + prefix + "/tools/{name}":                        "a tool",
		"GET " + prefix + "/audit":                                "audit",
		"GET " + prefix + "/audit/{id}":                           "audit",
		"POST " + prefix + "/undo":                                "undo",
		"POST " + prefix + "/import":                              "import",
		"GET " + prefix + "/uploads":                              "uploads",
		"POST " + prefix + "/uploads":                             "uploads",
		"POST " + prefix + "/uploads/link":                        "uploads",
		"GET " + prefix + "/uploads/{id}":                         "uploads",
		"DELETE " + prefix + "/uploads/{id}":                      "uploads",
		"GET " + prefix + "/me":                                   "profile",
		"POST " + prefix + "/me":                                  "change of the profile",
		"GET " + prefix + "/proposals":                            "proposals",
		"GET " + prefix + "/proposals/waiting":                    "proposals",
		"GET " + prefix + "/proposals/{id}":                       "proposals",
		"POST " + prefix + "/proposals/{id}/preview":              "a decision",
		"POST " + prefix + "/proposals/{id}/confirm":              "a decision",
		"POST " + prefix + "/proposals/{id}/discard":              "a decision",
		"POST " + prefix + "/proposals/{id}/edit":                 "a decision",
		"POST " + prefix + "/proposals/discard":                   "a decision",
		"POST " + prefix + "/ask":                                 "a decision",
		"GET " + prefix + "/ask/{turn}":                           "proposals",
		"POST " + prefix + "/ask/{turn}/stop":                     "a decision",
		"GET " + prefix + "/conversations":                        "proposals",
		"GET /nod":                                                "session of the pages",
		"GET /nod/{id}":                                           "session of the pages",
	}
}

// neither hand out a session nor do anything for a member's: they are public,
// for superusers alone, or for commands on the machine.
func neither() []string {
	return []string{
		"/", "GET /{$}", "GET " + mcpPath, "POST " + mcpPath, "DELETE " + mcpPath, "OPTIONS " + mcpPath, "PUT " + mcpPath, "PATCH " + mcpPath, "TRACE " + mcpPath,
		"GET /_/{path...}", "GET /_/extensions.js",
		"GET /api/health", "GET /api/oauth2-redirect", "POST /api/oauth2-redirect", "GET /api/collections/{collection}/auth-methods",
		"POST /api/collections/{collection}/request-password-reset", "POST /api/collections/{collection}/request-verification", // mail alone
		// superusers
		"GET /api/collections", "POST /api/collections", "GET /api/collections/{collection}", "PATCH /api/collections/{collection}",
		"DELETE /api/collections/{collection}", "DELETE /api/collections/{collection}/truncate", "PUT /api/collections/import",
		"GET /api/collections/meta/scaffolds", "GET /api/collections/meta/oauth2-providers", "POST /api/collections/meta/dry-run-view",
		"GET /api/settings", "PATCH /api/settings", "POST /api/settings/test/s3", "POST /api/settings/test/email", "POST /api/settings/apple/generate-client-secret",
		"GET /api/logs", "DELETE /api/logs", "GET /api/logs/stats", "GET /api/logs/{id}",
		"GET /api/backups", "POST /api/backups", "POST /api/backups/upload", "GET /api/backups/{key}", "DELETE /api/backups/{key}", "POST /api/backups/{key}/restore",
		"GET /api/crons", "POST /api/crons/{id}", "POST /api/sql",
		// make accounts, passes, links and passwords, and never a session: that is asked for afterwards
		"GET " + prefix + "/signup", "POST " + prefix + "/signup", "GET /sign-up", "POST /sign-up", "GET /link/{secret}", "POST /link/{secret}",
		"GET " + prefix + "/waiting", "DELETE " + prefix + "/waiting", "DELETE " + prefix + "/waiting/pass", "GET /waiting", "POST /waiting",
		// take a file of whoever has the link, and tell nothing but whose account it is for
		"GET /upload/{secret}", "POST /upload/{secret}", "PUT /upload/{secret}",
		// ours
		"GET /privacy", "GET /_/extensions/nodkeep/{path...}",
		"GET " + prefix + "/{$}", "GET " + prefix + "/tools/{name}", "GET " + prefix + "/undo", "GET " + prefix + "/proposals/discard", "GET " + prefix + "/proposals/{id}/{act}", "GET " + prefix + "/import", "GET " + prefix + "/ask", "GET " + prefix + "/ask/{turn}/stop", "GET " + prefix + "/texts/{lang}",
		"GET " + prefix + "/local/audit", "POST " + prefix + "/local/audit", "GET " + prefix + "/local/checks", "GET " + prefix + "/local/assistants", "GET " + prefix + wayPath, "POST " + prefix + wayPath, "GET " + prefix + "/local/address",
	}
}

// TestEveryRouteIsLookedAt fails on a route that nobody has said of whether it
// hands out a session. Who adds one puts it into a list above, and one that
// does gets its row in waysIn.
func TestEveryRouteIsLookedAt(t *testing.T) {
	var rows []string
	for _, w := range slices.Concat(waysIn(), waysOfMFA()) {
		rows = append(rows, w.name)
	}
	known := map[string]bool{}
	for route, ways := range issuers() {
		known[route] = true
		if len(ways) == 0 {
			t.Errorf("%s hands out sessions and has no way", route)
		}
		for _, way := range ways {
			if !slices.Contains(rows, way) {
				t.Errorf("%s: there is no way %q", route, way)
			}
		}
	}
	for route, way := range takers() {
		if known[route] = true; !slices.Contains(rows, way) {
			t.Errorf("%s: there is no way %q", route, way)
		}
	}
	for _, route := range neither() {
		known[route] = true
	}
	i := newInstance(t)
	served := servedRoutes(t, i)
	if len(served) < 60 {
		t.Fatalf("only %d routes were found", len(served))
	}
	for _, route := range served {
		if !known[route] {
			t.Errorf("%s: does it hand out a session, take one, or neither? Put it into a list of this test", route)
		}
		delete(known, route)
	}
	// What the account of a token may do is asked on each, also on public ones.
	i.stand("ann", "suspended")
	i.longAgo()
	token := i.token("ann")
	for _, route := range served {
		if strings.HasSuffix(route, " "+mcpPath) {
			continue // a session is none of its tokens, whatever its account may do: TestMCPBearer
		}
		method, path, ok := strings.Cut(route, " ")
		if !ok {
			method, path = "GET", route
		}
		path = regexp.MustCompile(`\{[^}]*\}`).ReplaceAllStringFunc(path, func(name string) string { return strings.Trim(name, "{}.$") })
		status, a := i.web(method, path, token, "")
		if status != 401 || a.str("data", "text", "key") != "admit.suspended" {
			t.Errorf("%s %s of a suspended account: %d %s", method, path, status, a)
		}
	}
	for route := range known {
		t.Errorf("%s is served no more", route)
	}
}

// servedRoutes are all that a server would serve.
func servedRoutes(t *testing.T, i *instance) (routes []string) {
	errSeen := errors.New("seen")
	i.pb.OnServe().Bind(&hook.Handler[*core.ServeEvent]{Priority: 99999, Func: func(e *core.ServeEvent) error {
		// The router is whole; it is not built, since the instance built one.
		routes = append(routesOf(reflect.ValueOf(e.Router).Elem().FieldByName("RouterGroup"), ""), "/")
		return errSeen
	}})
	if err := apis.Serve(i.pb, apis.ServeConfig{HttpAddr: "127.0.0.1:0"}); !errors.Is(err, errSeen) {
		t.Fatal(err)
	}
	slices.Sort(routes)
	return slices.Compact(routes)
}

// routesOf walks a group, whose children PocketBase keeps to itself.
func routesOf(group reflect.Value, at string) (routes []string) {
	for group.Kind() == reflect.Pointer || group.Kind() == reflect.Interface {
		group = group.Elem()
	}
	if method := group.FieldByName("Method"); method.IsValid() {
		return []string{strings.TrimSpace(method.String() + " " + at + group.FieldByName("Path").String())}
	}
	at += group.FieldByName("Prefix").String()
	children := group.FieldByName("children")
	for n := range children.Len() {
		routes = append(routes, routesOf(children.Index(n), at)...)
	}
	return routes
}
