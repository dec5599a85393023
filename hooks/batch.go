package hooks

import (
	"net/http"
	"regexp"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// bindBatch keeps accounts from being made in a batch but by a superuser:
// PocketBase would hash each password, which is slow by design, before anything
// of ours is asked.
func (a *App) bindBatch() {
	records := regexp.MustCompile(`^/api/collections/([^/?]+)/records`)
	a.pb.OnBatchRequest().Bind(&hook.Handler[*core.BatchRequestEvent]{Id: "nodkeepBatch", Priority: early, Func: func(e *core.BatchRequestEvent) error {
		if e.HasSuperuserAuth() {
			return e.Next()
		}
		for _, r := range e.Batch {
			if r == nil {
				continue // PocketBase refuses it
			}
			at := records.FindStringSubmatch(r.URL)
			if at == nil || r.Method == http.MethodPatch || r.Method == http.MethodDelete {
				continue // of accounts that are there
			}
			if col, err := a.pb.FindCachedCollectionByNameOrId(at[1]); err == nil && col.Name == users {
				return a.turnAway(e.RequestEvent, e.Auth, tools.Fail(tools.Forbidden, "http.batch"))
			}
		}
		return e.Next()
	}})
}
