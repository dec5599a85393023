package hooks

import (
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// bindSignUp decides who may make an account past the tools.
func (a *App) bindSignUp() {
	a.pb.OnRecordCreateRequest(users).BindFunc(func(e *core.RecordRequestEvent) error {
		if e.Auth == nil || !e.Auth.IsSuperuser() {
			return apis.NewForbiddenError(a.catalogue.Say(language(e.RequestEvent), tools.T("signup.closed")), nil)
		}
		return e.Next()
	})
}
