package hooks

import (
	"net/http"

	"github.com/pocketbase/pocketbase/core"
)

// signUpForm is the page to sign up by.
func (a *App) signUpForm(e *core.RequestEvent) error {
	if a.inEffect().SignUp == signUpClosed {
		return a.show(e, closedPage())
	}
	return a.show(e, signUpPage(a.inEffect().SignUp, "", "", nil))
}

// sendSignUp takes what the form says. Whoever waits gets the pass as a cookie.
func (a *App) sendSignUp(e *core.RequestEvent) error {
	if a.inEffect().SignUp == signUpClosed {
		return a.show(e, closedPage())
	}
	in, err := a.newcomerIn(e)
	if err == nil {
		err = a.mayTry(e)
	}
	var out enrolled
	if err == nil {
		out, err = a.takeIn(e, in)
	}
	switch {
	case err != nil:
		return a.show(e, signUpPage(a.inEffect().SignUp, in.Handle, in.Email, err))
	case out.Waiting == nil:
		return a.show(e, joinedPage(out.Handle, false, a.signInAt(out.Handle)))
	}
	a.keepPass(e, out.Waiting.Pass)
	return e.Redirect(http.StatusSeeOther, waitingPath)
}

// newcomerIn is who wants an account, by a form.
func (a *App) newcomerIn(e *core.RequestEvent) (newcomer, error) {
	values, err := a.form(e)
	return newcomer{Handle: values["handle"], Password: values["password"], Email: values["email"], Language: language(e)}, err
}
