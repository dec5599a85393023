package hooks

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/router"
)

const (
	extFolder   = "ext"      // holds the pages of plugins, each in a folder of its name
	startPath   = "/start"   // the page without scripts that says what runs here
	frontMark   = "kit.js"   // a folder with it holds our front end, and no other app's
	besideApp   = "/nodkeep" // where the front end is when / belongs to an app
	publicsName = "pb_public"
)

// bindFront serves what people see: our front end at /, unless an app has
// pages of its own there; then it is beside them.
func (a *App) bindFront(r *router.Router[*core.RequestEvent]) error {
	own, dir := a.appPages()
	taken := r.HasRoute("GET", "/{$}") || r.HasRoute("GET", "/") || r.HasRoute("GET", "/{path...}")
	if own != nil && !taken {
		r.GET("/{path...}", apis.Static(own, true))
		taken = true
	}
	if a.Public == nil {
		if !taken {
			r.GET("/{$}", a.page)
		}
		return nil
	}
	if !r.HasRoute("GET", startPath) {
		r.GET(startPath, a.page)
	}
	a.front = newFront(a.Public, dir, a.webbers())
	at := ""
	if taken {
		at = besideApp
		a.front.at = at
		r.GET(at, func(e *core.RequestEvent) error { return e.Redirect(http.StatusTemporaryRedirect, at+"/") })
	}
	paths, err := a.front.paths()
	if err != nil {
		return err
	}
	for _, path := range paths {
		if r.HasRoute("GET", at+path) {
			return fmt.Errorf("the route GET %s%s is taken by something else", at, path)
		}
		r.GET(at+path, func(e *core.RequestEvent) error { return a.front.serve(e, at) }).Unbind(apis.DefaultActivityLoggerMiddlewareId)
	}
	return nil
}

// inFront is where the front end shows what a page under /nod does, for whoever
// is signed in there; "" where there is none.
func (a *App) inFront(e *core.RequestEvent) string {
	if a.front == nil {
		return ""
	}
	to := a.front.at + "/#/inbox"
	if id := e.Request.PathValue("id"); proposalID.MatchString(id) {
		to += "/" + id
	}
	return to
}

// frontPath is where people go on: our front end, or what is at / instead.
func (a *App) frontPath() string {
	if a.front == nil {
		return "/"
	}
	return a.front.at + "/"
}

// signInAt is where somebody signs in, with their handle filled in. It stands
// behind the #, so that it is sent to nobody; "" is where there is no front end.
func (a *App) signInAt(handle string) string {
	if a.front == nil {
		return ""
	}
	return a.frontPath() + "#/?as=" + url.QueryEscape(handle)
}

// appPages finds the folder of web pages: an app's own, or one with the files
// of our front end, which is served instead of those in the program, so that
// who works on them sees each change at once.
func (a *App) appPages() (own fs.FS, dir string) {
	dir = a.publicDir
	if dir == "" {
		dir = filepath.Join(filepath.Dir(a.dir), publicsName)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, ""
	}
	if _, err := os.Stat(filepath.Join(dir, frontMark)); err == nil {
		return nil, dir
	}
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return nil, ""
	}
	return os.DirFS(dir), ""
}
