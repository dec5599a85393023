package hooks

import (
	"net/http"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// The page of who waits, and the cookie of its pass, which goes nowhere else.
const (
	waitingPath = "/waiting"
	passCookie  = "nodkeep_pass"
)

// heldPass is the pass that this device holds.
func heldPass(e *core.RequestEvent) string {
	c, err := e.Request.Cookie(passCookie)
	if err != nil {
		return ""
	}
	return c.Value
}

// waitingRoom shows a person where they stand.
func (a *App) waitingRoom(e *core.RequestEvent) error {
	w, err := a.look(heldPass(e), heard(e))
	if err != nil {
		return a.noPass(e, err)
	}
	switch {
	case w.Status == tools.Approved:
		if heard(e) {
			a.dropCookie(e)
		}
		return a.show(e, approvedPage(w.Handle, a.signInAt(w.Handle)))
	case w.Status == accounts.Refused:
		return a.show(e, refusedPage())
	case e.Request.URL.Query().Has("delete"):
		return a.show(e, deletePage(w.Handle))
	}
	return a.show(e, waitingPage(waitingView{w.Handle, w.Words, days(waitingTime)}))
}

// leaveRoom does what the waiting page's buttons say.
func (a *App) leaveRoom(e *core.RequestEvent) error {
	values, err := a.form(e)
	if err != nil {
		return a.show(e, refusedFormPage(err))
	}
	done := deletedPage()
	switch values["do"] {
	case "delete":
		err = a.leave(heldPass(e))
	case "forget":
		done, err = forgottenPage(), a.forget(heldPass(e))
	default:
		return e.Redirect(http.StatusSeeOther, waitingPath)
	}
	if err != nil {
		return a.noPass(e, err)
	}
	a.dropCookie(e)
	return a.show(e, done)
}

// noPass is where a pass opens nothing.
func (a *App) noPass(e *core.RequestEvent, err error) error {
	if kind := tools.KindOf(err); kind != tools.Unauthorized && kind != tools.Expired {
		return a.show(e, refusedFormPage(err))
	}
	a.dropCookie(e)
	return a.show(e, unknownPassPage())
}

// keepPass keeps a pass on the device that asked for it.
func (a *App) keepPass(e *core.RequestEvent, pass string) {
	a.setCookie(e, passCookie, pass, waitingPath, int(passTime.Seconds()), http.SameSiteStrictMode)
}

func (a *App) dropCookie(e *core.RequestEvent) {
	a.setCookie(e, passCookie, "", waitingPath, -1, http.SameSiteStrictMode)
}
