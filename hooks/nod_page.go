package hooks

import (
	"net/http"
	"regexp"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// doLeave signs out.
const doLeave = "leave"

var proposalID = regexp.MustCompile(`^[a-z0-9]{15}$`)

// nodHere is the page that is asked for: nothing that somebody sends leads
// anywhere else.
func nodHere(e *core.RequestEvent) string {
	if id := e.Request.PathValue("id"); proposalID.MatchString(id) {
		return nodPath + "/" + id
	}
	return nodPath
}

// viewer is who uses a page of these, and what they sent.
type viewer struct {
	*core.Record
	actor  tools.Actor
	values map[string]string
}

// handle is what the page calls them.
func (v viewer) handle() string {
	if h := v.GetString("handle"); h != "" {
		return h
	}
	return v.Email()
}

// nodding shows a page to whoever is signed in on this device, and to others
// the way to sign in, on the same address. A token says nothing here.
func (a *App) nodding(page func(*core.RequestEvent, viewer) error) func(*core.RequestEvent) error {
	return func(e *core.RequestEvent) error {
		e.Auth = nil
		var values map[string]string
		if e.Request.Method == http.MethodPost {
			var err error
			if values, err = a.form(e); err != nil {
				return a.show(e, refusedFormPage(err))
			}
		}
		held := heldSession(e)
		rec, err := a.sessionOf(held)
		if err == nil {
			visit, failed := a.enter(e, rec) // it ends with its account
			if err = failed; err == nil {
				defer a.visits.leave(visit)
			}
		}
		do := values["do"]
		switch {
		case err != nil && tools.KindOf(err) != tools.Unauthorized:
			return a.show(e, refusedFormPage(err))
		case err != nil:
			return a.signInHere(e, values, held, err)
		case do == doLeave:
			a.keepSession(e, "", -time.Second)
			return e.Redirect(http.StatusSeeOther, nodHere(e))
		case do == doPassword || do == doMail || do == doCode: // signed in meanwhile, in another window
			return e.Redirect(http.StatusSeeOther, nodHere(e))
		}
		e.Auth = rec // its language
		return page(e, viewer{rec, tools.Actor{Person: rec.Id, Door: tools.DoorWeb}, values})
	}
}

// signInHere is a page for whom it does not know: why is said to who was known.
func (a *App) signInHere(e *core.RequestEvent, values map[string]string, held string, why error) error {
	switch values["do"] {
	case doPassword, doMail, doCode:
		rec, next, err := a.signIn(e, values)
		switch {
		case err != nil:
			return a.show(e, a.signInPage(signing{}, err))
		case rec != nil:
			return a.welcomeBack(e, rec)
		}
		return a.show(e, next)
	}
	if held == "" && values == nil {
		why = nil // nobody expected to be known
	}
	if held != "" {
		a.keepSession(e, "", -time.Second)
	}
	return a.show(e, a.signInPage(signing{Front: a.inFront(e)}, why))
}
