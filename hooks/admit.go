package hooks

import (
	"cmp"
	"encoding/json/v2"
	"errors"
	"net/http"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// early is before every hook that somebody else would bind.
const early = -999

// authRuleSays is PocketBase's answer where the credentials were right and the
// collection's auth rule does not let in. It says nothing to a person.
const authRuleSays = "The request doesn't satisfy the collection requirements to authenticate."

// bindAdmission refuses a session to every account that is not approved. The
// auth rule of the migration does that too, but superusers pass by it, and it
// is asked only after PocketBase has changed the account.
func (a *App) bindAdmission() {
	// The one hook behind every route that hands out a session.
	a.pb.OnRecordAuthRequest(users).Bind(&hook.Handler[*core.RecordAuthRequestEvent]{Id: "nodkeepAdmit", Priority: early, Func: func(e *core.RecordAuthRequestEvent) error {
		if err := a.admit(e.RequestEvent, e.Record); err != nil {
			return err
		}
		return e.Next()
	}})
	a.pb.OnRecordAuthWithPasswordRequest(users).Bind(&hook.Handler[*core.RecordAuthWithPasswordRequestEvent]{Id: "nodkeepAdmit", Priority: early, Func: func(e *core.RecordAuthWithPasswordRequestEvent) error {
		return a.explain(e.RequestEvent, e.Record, e.Next())
	}})
	a.pb.OnRecordAuthRefreshRequest(users).Bind(&hook.Handler[*core.RecordAuthRefreshRequestEvent]{Id: "nodkeepAdmit", Priority: early, Func: func(e *core.RecordAuthRefreshRequestEvent) error {
		return a.explain(e.RequestEvent, e.Record, e.Next())
	}})
	// These two would mark the address as verified and replace the password
	// before they ask whether the account may sign in.
	a.pb.OnRecordAuthWithOTPRequest(users).Bind(&hook.Handler[*core.RecordAuthWithOTPRequestEvent]{Id: "nodkeepAdmit", Priority: early, Func: func(e *core.RecordAuthWithOTPRequestEvent) error {
		if err := a.admit(e.RequestEvent, e.Record); err != nil {
			return err
		}
		return a.explain(e.RequestEvent, e.Record, e.Next())
	}})
	a.pb.OnRecordAuthWithOAuth2Request(users).Bind(&hook.Handler[*core.RecordAuthWithOAuth2RequestEvent]{Id: "nodkeepAdmit", Priority: early, Func: func(e *core.RecordAuthWithOAuth2RequestEvent) error {
		if e.Record != nil {
			if err := a.admit(e.RequestEvent, e.Record); err != nil {
				return err
			}
		}
		err := e.Next() // makes the record of somebody new
		return a.explain(e.RequestEvent, e.Record, err)
	}})
	// As for an address that has no account: no code, no mail.
	a.pb.OnRecordRequestOTPRequest(users).Bind(&hook.Handler[*core.RecordCreateOTPRequestEvent]{Id: "nodkeepAdmit", Priority: early, Func: func(e *core.RecordCreateOTPRequestEvent) error {
		if e.Record != nil && !approved(e.Record) {
			e.Record = nil
		}
		if e.Record == nil {
			// The same is hashed, so that it takes as long under load too.
			core.NewOTP(e.App).SetPassword(e.Password)
		}
		return e.Next()
	}})
	// The token of a protected file comes in the address, where the middleware
	// does not look.
	a.pb.OnFileDownloadRequest().Bind(&hook.Handler[*core.FileDownloadRequestEvent]{Id: "nodkeepAdmit", Priority: early, Func: func(e *core.FileDownloadRequestEvent) error {
		token := e.Request.URL.Query().Get("token")
		if e.FileField == nil || !e.FileField.Protected || token == "" {
			return e.Next()
		}
		rec, err := a.pb.FindAuthRecordByToken(token, core.TokenTypeFile)
		if err != nil || rec.Collection().Name != users {
			return e.Next()
		}
		if !approved(rec) {
			return e.NotFoundError("", errors.New("the account of the file token is not approved"))
		}
		visit, err := a.enter(e.RequestEvent, rec) // a download may take long, and ends with its account
		if err != nil {
			return e.NotFoundError("", err)
		}
		defer a.visits.leave(visit)
		return e.Next()
	}})
}

// notAdmitted says why an account may have no session; nil lets it in. A status
// that nobody knows does not.
func notAdmitted(kind tools.Kind, rec *core.Record) *tools.Error {
	// For every request of a member: GetString goes through all fields.
	if is, ok := rec.GetRaw("status").(string); ok && is == tools.Approved {
		return nil
	}
	switch rec.GetString("status") {
	case accounts.Waiting:
		return tools.Fail(kind, "admit.waiting")
	case accounts.Refused:
		return tools.Fail(kind, "admit.refused")
	case accounts.Suspended:
		return tools.Fail(kind, "admit.suspended")
	}
	return tools.Fail(kind, "admit.unknown")
}

// admit refuses a session to an account that is not approved, and says why.
func (a *App) admit(e *core.RequestEvent, rec *core.Record) error {
	if why := notAdmitted(tools.Forbidden, rec); why != nil {
		return a.turnAway(e, rec, why)
	}
	return nil
}

// explain says in our words what the auth rule refused. Whoever hears it has
// shown the right credentials; every other error stays as it is.
func (a *App) explain(e *core.RequestEvent, rec *core.Record, err error) error {
	said, ok := errors.AsType[*router.ApiError](err)
	if !ok || rec == nil || said.Status != http.StatusForbidden || said.Message != authRuleSays {
		return err
	}
	return cmp.Or(a.admit(e, rec), err)
}

// turnAway is an error of ours in PocketBase's form, in the language of whoever
// asks for a session, else of the account.
func (a *App) turnAway(e *core.RequestEvent, rec *core.Record, why *tools.Error) error {
	lang := languageOf(e, rec)
	said := a.catalogue.Say(lang, why.Text)
	e.Response.Header().Add("Vary", "Accept-Language")
	out := router.NewApiError(status(why.Kind), said, why)
	out.Message = said // as it is: PocketBase would write it its own way
	out.Data = map[string]any{}
	b, err := json.Marshal(faultData{Kind: why.Kind, Text: why.Text}, json.WithMarshalers(a.catalogue.Marshalers(lang)))
	if err == nil {
		err = json.Unmarshal(b, &out.Data)
	}
	if err != nil {
		return err
	}
	return out
}
