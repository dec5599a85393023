package hooks

import (
	"errors"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// How many attempts to sign up a network has in a while, and how many networks
// are remembered.
const (
	signUpTries    = 20
	signUpWindow   = 10 * time.Minute
	signUpNetworks = 10_000
)

// maxSignUp bounds the body of a sign-up, in bytes.
const maxSignUp = 16 << 10

// mayTry refuses an attempt to sign up before it costs anything: no password
// is hashed and, of a flood, no query made.
func (a *App) mayTry(e *core.RequestEvent) error {
	if a.inEffect().SignUp == signUpClosed {
		return unlogged(e, tools.Fail(tools.Forbidden, "signup.closed"))
	}
	if wait, ok := a.tries.try(e.RealIP()); !ok {
		return unlogged(e, tooOften(wait))
	}
	return unlogged(e, a.hasRoom(a.pb))
}

// skipLog is where PocketBase looks whether an answer need not be logged. A
// flood of refusals would be all that the log remembers, and from many networks
// all that its file holds.
const skipLog = "__skipSuccessActivityLogger"

// unlogged lets a refusal, which says all that there is to say, out of the log.
func unlogged(e *core.RequestEvent, err error) error {
	if _, ok := errors.AsType[*tools.Error](err); ok {
		e.Set(skipLog, true)
	}
	return err
}

// hasRoom refuses to let more people wait than an operator can look at.
func (a *App) hasRoom(app core.App) error {
	if a.inEffect().SignUp != signUpApproval {
		return nil
	}
	n, err := countWaiting(app)
	if err == nil && n >= int64(a.inEffect().Waiting) {
		err = tools.Fail(tools.Limit, "signup.full")
	}
	return err
}

// signUp is the front end's way in: handle and password, an address if the
// person wants.
func (a *App) signUp(e *core.RequestEvent) (any, error) {
	if err := a.mayTry(e); err != nil {
		return nil, err
	}
	body, err := jsonUpTo(e, maxSignUp)
	if err != nil {
		return nil, err
	}
	if len(body) > maxSignUp {
		return nil, tools.Fail(tools.TooLarge, "error.too_large", maxSignUp)
	}
	var in newcomer
	if err := decode(body, &in); err != nil {
		return nil, err
	}
	return a.takeIn(e, in)
}

// takeIn makes the account of somebody who signs up, and answers what they
// are given.
func (a *App) takeIn(e *core.RequestEvent, in newcomer) (enrolled, error) {
	rec, err := a.newAccount(in)
	if err != nil {
		return enrolled{}, err
	}
	if err := a.hash(e.Request.Context(), rec, in.Password); err != nil {
		return enrolled{}, err
	}
	return a.enroll(rec, a.inEffect().SignUp == signUpOpen, nil)
}
