package hooks

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// maxPlainForm bounds the body of a form of a plain page.
const maxPlainForm = 16 << 10

// fromHere refuses what a page of another site sent, by what the browser says
// of where it comes from.
func (a *App) fromHere(e *core.RequestEvent) error {
	check := http.NewCrossOriginProtection()
	// Behind a proxy that asks us by another name than the browser asked it.
	if u, err := url.Parse(a.settings.URL); err == nil && u.Host != "" {
		if err := check.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
			return err
		}
	}
	if err := check.Check(e.Request); err != nil {
		return tools.Fail(tools.Forbidden, "plain.foreign").Because(err)
	}
	return nil
}

// form reads what a plain page sent, and refuses before it is read what another
// site sent.
func (a *App) form(e *core.RequestEvent) (map[string]string, error) {
	if err := a.fromHere(e); err != nil {
		return nil, err
	}
	e.Request.Body = http.MaxBytesReader(e.Response, rawBody(e), maxPlainForm)
	if err := e.Request.ParseForm(); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, tools.Fail(tools.TooLarge, "error.too_large", maxPlainForm)
		}
		return nil, tools.Fail(tools.Invalid, "http.body").Because(err)
	}
	values := make(map[string]string, len(e.Request.PostForm))
	for name, v := range e.Request.PostForm {
		if len(v) != 1 {
			return nil, tools.Fail(tools.Invalid, "error.arguments", tools.T("body.twice", tools.Quoted(name, 40)))
		}
		values[name] = v[0]
	}
	return values, nil
}

// setCookie keeps something on the person's device that no script reads; site
// says what of other sites sends it along. Seconds below zero take it away. An
// instance that is reached by plain HTTP, as one at home, cannot keep it to HTTPS.
func (a *App) setCookie(e *core.RequestEvent, name, value, path string, seconds int, site http.SameSite) {
	http.SetCookie(e.Response, &http.Cookie{
		Name: name, Value: value, Path: path, MaxAge: seconds, HttpOnly: true, SameSite: site,
		Secure: a.https() || e.Request.TLS != nil,
	})
}
