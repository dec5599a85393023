package hooks

import (
	"net/http"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
)

// openUpload shows whose file a link takes, and the form for it.
func (a *App) openUpload(e *core.RequestEvent) error {
	person, err := a.uploads.For(e.Request.Context(), e.Request.PathValue("secret"))
	if err != nil {
		return a.show(e, a.uploadWrong("", err))
	}
	return a.show(e, uploadPage(a.handleOf(person), nil))
}

// fillUpload takes the one file of a link, from its page or from a program.
func (a *App) fillUpload(e *core.RequestEvent) error {
	secret, page := e.Request.PathValue("secret"), strings.Contains(e.Request.Header.Get("Accept"), "text/html")
	up, person, err := a.fillLink(e, secret)
	switch {
	case err != nil && page:
		return a.show(e, a.uploadWrong(person, err))
	case err != nil:
		return a.fail(e, err)
	case page:
		return a.show(e, uploadedPage())
	}
	// No more than who sent it knows already, and how tools call it.
	return a.answer(e, http.StatusOK, map[string]any{"upload": up.ID, "size": up.Size, "expires": up.Expires})
}

// fillLink takes the file of a link, for the person whose link it is: what they
// have under way ends with their account, this too.
func (a *App) fillLink(e *core.RequestEvent, secret string) (up upload.Upload, person string, err error) {
	if err := a.fromHere(e); err != nil {
		return up, "", err
	}
	if person, err = a.uploads.For(e.Request.Context(), secret); err == nil {
		r, visit, _ := a.visits.enter(person, e.Response, e.Request)
		defer a.visits.leave(visit)
		e.Request = r
	}
	up, err = a.incoming(e, func(size int64, body func() (tools.Upload, error)) (upload.Upload, error) {
		return a.uploads.Fill(e.Request.Context(), secret, size, body)
	})
	return up, person, err
}

// uploadWrong is the page for a link that does not work, or the form again.
func (a *App) uploadWrong(person string, err error) plain {
	switch {
	case tools.KindOf(err) == tools.Expired:
		return note(http.StatusGone, "plain.gone.title", tools.T("plain.upload.gone"))
	case person == "":
		return refusedFormPage(err)
	}
	return uploadPage(a.handleOf(person), err)
}
