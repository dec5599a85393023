package hooks

import (
	"errors"
	"net/http"
	"runtime"
	"strings"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/tools"
)

// bindSignIn finds who signs in by a handle as it was typed: signing up takes
// capitals and spaces around one, which a telephone adds, and stores neither.
func (a *App) bindSignIn() {
	a.pb.OnRecordAuthWithPasswordRequest(users).Bind(&hook.Handler[*core.RecordAuthWithPasswordRequestEvent]{Id: "nodkeepSignIn", Priority: early - 1, Func: func(e *core.RecordAuthWithPasswordRequestEvent) error {
		if e.Record == nil && (e.IdentityField == "" || e.IdentityField == "handle") {
			rec, err := a.pb.FindFirstRecordByData(users, "handle", strings.ToLower(strings.TrimSpace(e.Identity)))
			if err == nil && rec.GetString("handle") != "" { // accounts of an app that was there before have none
				e.Record = rec
			}
		}
		return e.Next()
	}})
}

// mostSigning wait at a time for their password or code to be checked, and
// mostSigningOf of them from one network.
const (
	mostSigning   = 100
	mostSigningOf = 16
)

// maxChecking is how many passwords are checked at a time: that is as slow as
// hashing, and at least a core is for those who are in already.
func maxChecking() int { return max(1, runtime.GOMAXPROCS(0)-1) }

func checksSecret(pattern string) bool {
	return pattern == "POST /api/collections/{collection}/auth-with-password" || pattern == "POST /api/collections/{collection}/auth-with-otp"
}

// inTurn lets those who sign in wait for each other, so that whoever tries a
// thousand passwords takes no time from members; one network takes no more than
// its part of the queue. It looks at every collection, superusers' too.
func (a *App) inTurn() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{
		Id: "nodkeepInTurn", Priority: apis.DefaultBodyLimitMiddlewarePriority + 1, // what is limited is refused at once
		Func: func(e *core.RequestEvent) error {
			if !checksSecret(e.Request.Pattern) {
				return e.Next()
			}
			if err := keepBody(e, maxGuest); err != nil { // who sends slowly takes no place
				return a.fail(e, err)
			}
			network := networkOf(e.RealIP())
			if !a.signing.enter(network, mostSigning, mostSigningOf) {
				e.Set(skipLog, true)
				return a.fail(e, tools.Fail(tools.Limit, "limit.busy"))
			}
			defer a.signing.leave(network)
			leave, err := a.checking.enter(e.Request.Context())
			if err != nil {
				return a.fail(e, err)
			}
			defer leave()
			if strings.HasSuffix(e.Request.Pattern, "/auth-with-otp") {
				return a.checkCode(e)
			}
			return e.Next()
		},
	}
}

// checkCode answers a wrong code alike, whether its id is of a code or of none:
// PocketBase looks at the code only of one that it has, and counts wrong ones only
// of that.
func (a *App) checkCode(e *core.RequestEvent) error {
	slowly := func() { core.NewOTP(a.pb).SetPassword("12345678") }
	if info, err := e.RequestInfo(); err == nil {
		id, _ := info.Body["otpId"].(string)
		otp, err := a.pb.FindOTPById(id)
		if err == nil {
			col, failed := a.pb.FindCachedCollectionByNameOrId(e.Request.PathValue("collection"))
			if failed != nil || otp.CollectionRef() != col.Id || otp.HasExpired(col.OTP.DurationTime()) {
				slowly()
			}
		} else {
			slowly()
		}
	}
	err := e.Next()
	if said, ok := errors.AsType[*router.ApiError](err); ok && said.Status == http.StatusTooManyRequests {
		slowly()
		return e.BadRequestError("Invalid or expired OTP", err)
	}
	return err
}
