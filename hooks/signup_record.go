package hooks

import (
	"net/http"
	"slices"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
	"github.com/spf13/cast"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// bindSignUp holds PocketBase's own ways to make an account to the same rules.
func (a *App) bindSignUp() {
	a.pb.OnRecordCreateRequest(users).Bind(&hook.Handler[*core.RecordRequestEvent]{Id: "nodkeepSignUp", Priority: early, Func: a.onCreate})
	a.pb.OnRecordAuthWithOAuth2Request(users).Bind(&hook.Handler[*core.RecordAuthWithOAuth2RequestEvent]{Id: "nodkeepSignUp", Priority: early + 1, Func: a.onOAuth2})
}

// createPattern is PocketBase's route for new records.
const createPattern = "POST /api/collections/{collection}/records"

// limitSignUp asks before PocketBase reads the record, and so hashes the
// password in it.
func (a *App) limitSignUp() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{Id: "nodkeepSignUp", Priority: apis.DefaultSecurityHeadersMiddlewarePriority + 3, Func: func(e *core.RequestEvent) error {
		if e.Request.Pattern != createPattern || e.HasSuperuserAuth() {
			return e.Next()
		}
		col, err := a.pb.FindCachedCollectionByNameOrId(e.Request.PathValue("collection"))
		if err != nil || col.Name != users {
			return e.Next()
		}
		leave, err := a.mayCreate(e)
		if err != nil {
			return a.fail(e, err)
		}
		defer leave()
		return e.Next()
	}}
}

// mayCreate takes a place for the hashing that follows.
func (a *App) mayCreate(e *core.RequestEvent) (leave func(), err error) {
	if err := a.mayTry(e); err != nil {
		return nil, err
	}
	if err := keepBody(e, maxSignUp); err != nil {
		return nil, err
	}
	info, err := e.RequestInfo()
	if err != nil {
		return nil, tools.Fail(tools.Invalid, "http.body").Because(err)
	}
	if err := onlyOwnFields(info.Body); err != nil {
		return nil, err
	}
	if password := cast.ToString(info.Body["password"]); password != "" {
		if err := fits(password); err != nil { // PocketBase would only say that it failed
			return nil, err
		}
	}
	if form := e.Request.MultipartForm; form != nil && len(form.File) > 0 { // which are not in the body
		return nil, tools.Fail(tools.Invalid, "error.arguments", tools.T("signup.files"))
	}
	leave, err = a.hashing.enter(e.Request.Context())
	return leave, unlogged(e, err)
}

// onlyOwnFields refuses what nobody says of themselves, in whatever form of
// PocketBase's modifiers: standing, role, token key. Nor the id: that of an
// account that is gone may still stand in the audit, and a handle looks like one.
// Nor what an app has added to accounts: a field of its own may be a role too.
func onlyOwnFields(body map[string]any) error {
	own := []string{
		"handle", "language", "name", core.FieldNameEmail, core.FieldNameEmailVisibility, core.FieldNamePassword, "passwordConfirm",
	}
	for name := range body {
		if !slices.Contains(own, name) {
			return tools.Fail(tools.Invalid, "error.arguments", tools.T("signup.field", tools.Quoted(name, 60)))
		}
	}
	return nil
}

// onCreate takes in who signs up by PocketBase's record API. A superuser makes
// accounts there as an operator does.
func (a *App) onCreate(e *core.RecordRequestEvent) error {
	rec := e.Record
	if e.HasSuperuserAuth() {
		if rec.GetString("status") == "" {
			rec.Set("status", tools.Approved)
		}
		return e.Next()
	}
	info, err := e.RequestInfo()
	if err != nil {
		return err
	}
	if info.Context == core.RequestInfoContextOAuth2 {
		return a.onProvider(e)
	}
	if info.Body["password"] != info.Body["passwordConfirm"] {
		return a.fail(e.RequestEvent, tools.Fail(tools.Invalid, "nodkeep.error.account", tools.T("signup.confirm")))
	}
	rec.Id = core.GenerateDefaultRandomId() // the words are sealed for it
	if err = accounts.SetLanguage(rec, rec.GetString("language")); err == nil {
		err = a.checkHandle(a.pb, rec)
	}
	if err == nil && a.inEffect().SignUp == signUpOpen {
		rec.Set("status", tools.Approved)
		tools.Writer(rec, tools.Actor{Door: tools.DoorWeb})
		return e.Next()
	}
	var out enrolled
	if err == nil {
		out, err = a.enroll(rec, false, nil)
	}
	if err != nil {
		return a.fail(e.RequestEvent, err)
	}
	return a.answer(e.RequestEvent, http.StatusAccepted, out)
}
