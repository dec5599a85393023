package hooks

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/tools"
)

// maxGuest is far more than a stranger has to say to sign in, in bytes.
const maxGuest = 256 << 10

// guestBodies bounds what PocketBase reads of somebody whom it does not know:
// it takes 32 MiB and keeps several times as much of them, so that a few dozen
// at once took all the memory. Records of collections that an app opens to
// guests, and batches of them, are as large as PocketBase lets them be.
func (a *App) guestBodies() *hook.Handler[*core.RequestEvent] {
	return &hook.Handler[*core.RequestEvent]{
		Id: "nodkeepGuestBodies", Priority: apis.DefaultBodyLimitMiddlewarePriority - 1, // whose reader would stand around the body that PocketBase keeps
		Func: func(e *core.RequestEvent) error {
			path := routePath(e.Request.Pattern)
			if e.Auth != nil || !within(path, "/api") || within(path, prefix) || within(path, "/api/batch") || strings.Contains(path, "/records") {
				return e.Next()
			}
			if e.Request.ContentLength > maxGuest {
				_, _ = readBody(e, maxGuest) // or the client does not listen
				return a.fail(e, tools.Fail(tools.TooLarge, "error.too_large", maxGuest))
			}
			if b, ok := e.Request.Body.(*router.RereadableReadCloser); ok {
				b.ReadCloser = http.MaxBytesReader(e.Response, b.ReadCloser, maxGuest)
			}
			return e.Next()
		},
	}
}

// keepBody reads a whole body of at most that many bytes, for PocketBase to
// read it again.
func keepBody(e *core.RequestEvent, most int64) error {
	body, err := readBody(e, most)
	if err != nil {
		return err
	}
	if int64(len(body)) > most {
		return tools.Fail(tools.TooLarge, "error.too_large", most)
	}
	e.Request.Body = &router.RereadableReadCloser{ReadCloser: io.NopCloser(bytes.NewReader(body))}
	return nil
}
