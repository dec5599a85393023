package hooks

import (
	"net/http"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// onOAuth2 refuses who is new, before anything is made, and hands a pass to
// whom PocketBase made an account that waits.
func (a *App) onOAuth2(e *core.RecordAuthWithOAuth2RequestEvent) error {
	isNew := e.Record == nil
	if isNew {
		err := a.mayTry(e.RequestEvent)
		if err == nil {
			err = onlyOwnFields(e.CreateData)
		}
		if err != nil {
			return a.turnAway(e.RequestEvent, nil, a.own(e.RequestEvent, err))
		}
	}
	err := e.Next()
	if !isNew || e.Record == nil || !pending(e.Record) {
		return err
	}
	// PocketBase has refused the session, as it must.
	out, failed := a.welcome(e.Record)
	if failed != nil {
		return failed
	}
	return a.answer(e.RequestEvent, http.StatusAccepted, out)
}

// onProvider gives the account of somebody whom a provider knows its standing.
// It is PocketBase that stores it, in its own transaction.
func (a *App) onProvider(e *core.RecordRequestEvent) error {
	rec := e.Record
	rec.Id = core.GenerateDefaultRandomId() // whatever the request says
	handle, err := accounts.Handle(rec.GetString("handle"))
	if err == nil {
		rec.Set("handle", handle)
		err = accounts.Free(e.App, handle, "")
	}
	if err != nil { // what a provider calls them need not be a handle
		from := rec.Email()
		if from == "" {
			from = rec.GetString("name")
		}
		err = makeHandle(e.App, rec, from)
	}
	if err == nil {
		err = a.stand(e.App, rec, a.inEffect().SignUp == signUpOpen)
	}
	if err != nil {
		return a.turnAway(e.RequestEvent, nil, a.own(e.RequestEvent, err))
	}
	tools.Writer(rec, tools.Actor{Door: tools.DoorWeb})
	return e.Next()
}
