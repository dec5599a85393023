package hooks

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/mails"
	"github.com/pocketbase/pocketbase/tools/hook"
	"github.com/pocketbase/pocketbase/tools/routine"
	"github.com/pocketbase/pocketbase/tools/security"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// Who may sign up, as NODKEEP_SIGN_UP says.
const (
	signUpOpen     = "open"
	signUpApproval = "approval"
	signUpClosed   = "closed"
)

// How many attempts to sign up a network has in a while, and how many networks
// are remembered.
const (
	signUpTries    = 20
	signUpWindow   = 10 * time.Minute
	signUpNetworks = 10_000
)

// maxHashing is how many passwords of strangers are hashed at a time: the rest
// of the machine is for members, also where it has two cores.
const maxHashing = 1

// maxSignUp bounds the body of a sign-up, in bytes.
const maxSignUp = 16 << 10

// mayTry refuses an attempt to sign up before it costs anything: no password
// is hashed and, of a flood, no query made.
func (a *App) mayTry(e *core.RequestEvent) error {
	if a.settings.SignUp == signUpClosed {
		return tools.Fail(tools.Forbidden, "signup.closed")
	}
	if wait, ok := a.tries.try(e.RealIP()); !ok {
		e.Set(skipLog, true)
		return tooOften(wait)
	}
	return a.hasRoom(a.pb)
}

// skipLog is where PocketBase looks whether an answer need not be logged. A
// flood of refusals would be all that the log remembers.
const skipLog = "__skipSuccessActivityLogger"

// hasRoom refuses to let more people wait than an operator can look at.
func (a *App) hasRoom(app core.App) error {
	if a.settings.SignUp != signUpApproval {
		return nil
	}
	n, err := countWaiting(app)
	if err == nil && n >= int64(a.settings.Waiting) {
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
	return a.enroll(rec, a.settings.SignUp == signUpOpen, nil)
}

// newcomer is who wants an account. The password may be left out where people
// sign in with codes by mail.
type newcomer struct {
	Handle   string `json:"handle"`
	Password string `json:"password"`
	Email    string `json:"email"`
	Language string `json:"language"`
}

// newAccount checks what a newcomer says. The record has no password yet.
func (a *App) newAccount(in newcomer) (*core.Record, error) {
	col, err := a.pb.FindCachedCollectionByNameOrId(users)
	if err != nil {
		return nil, err
	}
	rec := core.NewRecord(col)
	rec.Id = core.GenerateDefaultRandomId() // the words are sealed for it
	rec.Set("handle", in.Handle)
	rec.SetEmail(strings.TrimSpace(in.Email))
	if err := accounts.SetLanguage(rec, in.Language); err != nil {
		return nil, err
	}
	if in.Password == "" && !a.signsInByMail(rec) {
		return nil, tools.Fail(tools.Invalid, "nodkeep.error.account", tools.T("nodkeep.error.bad.password"))
	}
	return rec, a.checkHandle(a.pb, rec)
}

// mails says that the instance can send mail.
func (a *App) mails() bool { return a.pb.Settings().SMTP.Enabled }

func (a *App) signsInByMail(rec *core.Record) bool {
	return rec.Email() != "" && a.mails() && rec.Collection().OTP.Enabled
}

// checkHandle wants a handle that nobody has, or makes one of the address of
// somebody who signs up by mail and left it out.
func (a *App) checkHandle(app core.App, rec *core.Record) error {
	handle := rec.GetString("handle")
	if strings.TrimSpace(handle) == "" && rec.Email() != "" && a.mails() {
		return makeHandle(app, rec, rec.Email())
	}
	handle, err := accounts.Handle(handle)
	if err != nil {
		return err
	}
	rec.Set("handle", handle)
	return accounts.Free(app, handle, rec.Email())
}

// hash sets the password. It is slow by design, so few do it at a time.
func (a *App) hash(ctx context.Context, rec *core.Record, password string) error {
	leave, err := a.hashing.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if password == "" {
		password = security.RandomString(30) // nobody knows it: who signs in by mail may set one
	}
	if n := len(password); n < 8 || n > 71 { // bytes, as bcrypt counts; before the work
		return tools.Fail(tools.Invalid, "nodkeep.error.account", tools.T("nodkeep.error.bad.password"))
	}
	rec.SetPassword(password)
	return nil
}

// verify sends the mail that confirms an address, where there is one and mail
// can be sent. It says nothing of the person, and lets nobody in.
func (a *App) verify(rec *core.Record) {
	if rec.Email() == "" || !a.mails() {
		return
	}
	routine.FireAndForget(func() {
		if err := mails.SendRecordVerification(a.pb, rec); err != nil {
			a.pb.Logger().Warn("a mail to confirm an address could not be sent", "reason", reasonOf(err))
		}
	})
}

// bindSignUp holds PocketBase's own ways to make an account to the same rules.
func (a *App) bindSignUp() {
	a.pb.OnRecordCreateRequest(users).Bind(&hook.Handler[*core.RecordRequestEvent]{Id: "nodkeepSignUp", Priority: early, Func: a.onCreate})
	approve := &hook.Handler[*core.RecordEvent]{Id: "nodkeepApproved", Func: func(e *core.RecordEvent) error {
		// Whoever lets somebody in: never means never.
		if approved(e.Record) {
			e.Record.Set("words", "")
			if e.Record.GetDateTime("approved").IsZero() {
				e.Record.Set("approved", time.Now().UTC())
			}
		}
		return e.Next()
	}}
	a.pb.OnRecordCreateExecute(users).Bind(approve)
	a.pb.OnRecordUpdateExecute(users).Bind(approve)
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
	if form := e.Request.MultipartForm; form != nil && len(form.File) > 0 { // which are not in the body
		return nil, tools.Fail(tools.Invalid, "error.arguments", tools.T("signup.files"))
	}
	return a.hashing.enter(e.Request.Context())
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
	err = a.checkHandle(a.pb, rec)
	if err == nil && a.settings.SignUp == signUpOpen {
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
