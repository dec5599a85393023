package hooks

import (
	"strings"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
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
