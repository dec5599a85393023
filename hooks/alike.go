package hooks

import (
	"net/http"
	"sync"
	"time"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/tools"
)

const (
	// evenly is how long an answer takes that would tell by its time whether an
	// address has an account: well above the hash and the write that PocketBase
	// makes for one that has.
	evenly = 500 * time.Millisecond
	// mostHeld answers are held at a time, and mostHeldOf of them for one
	// network: no more than are hashed for within evenly on a small machine.
	mostHeld   = 100
	mostHeldOf = 4
	// maxAlike is far more than an address takes, in bytes.
	maxAlike = 16 << 10
)

// answersAlike says which routes do more for an address that has an account.
func answersAlike(pattern string) bool {
	switch pattern {
	case "POST /api/collections/{collection}/request-otp",
		"POST /api/collections/{collection}/request-password-reset",
		"POST /api/collections/{collection}/request-verification":
		return true
	}
	return false
}

// alike holds the answers of those routes until the same time has passed for
// all: which accounts there are is nobody's business. It looks at every
// collection, superusers being accounts too.
func (a *App) alike() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{
		Id: "nodkeepAlike", Priority: apis.DefaultBodyLimitMiddlewarePriority + 1, // what is limited is refused at once
		Func: func(e *core.RequestEvent) error {
			if !answersAlike(e.Request.Pattern) {
				return e.Next()
			}
			// Who sends slowly takes no place.
			if err := keepBody(e, maxAlike); err != nil {
				return a.fail(e, err)
			}
			network := networkOf(e.RealIP())
			if !a.held.enter(network, mostHeld, mostHeldOf) {
				return a.fail(e, tools.Fail(tools.Limit, "limit.busy"))
			}
			defer a.held.leave(network)
			return a.hold(e)
		},
	}
}

// hold keeps what is answered until its moment has come; what takes longer
// waits for the next. Nobody waits for somebody who went away.
func (a *App) hold(e *core.RequestEvent) error {
	start, out := time.Now(), e.Response
	kept := &answered{header: out.Header(), status: http.StatusOK}
	tracked := &router.ResponseWriter{ResponseWriter: kept}
	e.Response = tracked
	err := e.Next()
	e.Response = out
	wait := time.NewTimer(a.evenly - time.Since(start)%a.evenly)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-e.Request.Context().Done():
	}
	if !tracked.Written() {
		return err // which becomes the answer
	}
	// PocketBase answers an unknown address well and returns an error with the
	// address beside, which would only be logged.
	out.WriteHeader(kept.status)
	_, err = out.Write(kept.body.Bytes())
	return err
}

// held counts those who are kept waiting, by what they have in common: a
// network, or a token. Its zero value is ready.
type held[K comparable] struct {
	mu  sync.Mutex
	all int
	of  map[K]int
}

func (h *held[K]) enter(by K, all, each int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all >= all || h.of[by] >= each {
		return false
	}
	if h.of == nil {
		h.of = map[K]int{}
	}
	h.all++
	h.of[by]++
	return true
}

func (h *held[K]) leave(by K) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all--
	if h.of[by]--; h.of[by] == 0 {
		delete(h.of, by)
	}
}
