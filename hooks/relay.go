package hooks

import (
	"bytes"
	"encoding/json/v2"
	"net/http"

	"github.com/pocketbase/pocketbase/core"
)

// relay asks one of PocketBase's own routes for somebody who uses a page, as
// the front end would for them: all that guards the route guards this, and who
// asks stays who asks, also behind a proxy. What the person holds, a cookie or a
// token, is not sent along.
func (a *App) relay(e *core.RequestEvent, path string, body any) (status int, answer []byte, err error) {
	b, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	r, err := http.NewRequestWithContext(e.Request.Context(), http.MethodPost, "http://nodkeep"+path, bytes.NewReader(b))
	if err != nil {
		return 0, nil, err
	}
	r.Host, r.RemoteAddr, r.TLS = e.Request.Host, e.Request.RemoteAddr, e.Request.TLS
	r.Header.Set("Content-Type", "application/json")
	for _, name := range append([]string{"User-Agent", "Accept-Language"}, a.pb.Settings().TrustedProxy.Headers...) {
		if v := e.Request.Header.Values(name); len(v) > 0 {
			r.Header[http.CanonicalHeaderKey(name)] = v
		}
	}
	w := &answered{header: http.Header{}, status: http.StatusOK}
	a.handler.ServeHTTP(w, r)
	return w.status, w.body.Bytes(), nil
}
