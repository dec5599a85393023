package hooks

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
)

// uploadTime is for a file to come: 10 MB by a slow line.
const uploadTime = 2 * time.Minute

// openUploads makes the store of files for tools.
func (a *App) openUploads() (err error) {
	a.uploads, err = upload.New(upload.Config{
		App: a.pb, Keys: a.keys, Registry: a.registry, Desk: a.desk, Foreign: a.foreign, Base: a.servedAt,
	})
	return err
}

// uploadTools are what agents bring files by, and read statements with.
func (a *App) uploadTools() []offer.Own {
	own := []offer.Own{offer.NewOwn(upload.LinkDef(), func(ctx context.Context, agent gate.Agent, in upload.LinkIn) (upload.Link, error) {
		return a.uploads.Link(ctx, agent.Actor, in)
	})}
	if def, ok := a.uploads.ImportDef(); ok {
		own = append(own, offer.NewOwn(def, func(ctx context.Context, agent gate.Agent, in upload.ImportIn) (upload.Review, error) {
			for _, i := range a.registry.Imports() {
				if err := a.gate.Reaches(agent, i.Apply); err != nil {
					return upload.Review{}, err
				}
			}
			return a.uploads.Import(ctx, agent.Actor, in)
		}))
	}
	return own
}

// uploadRoutes are those of files for tools.
func (a *App) uploadRoutes() []route {
	return []route{
		{"POST", "/uploads", false, a.addUpload},
		{"GET", "/uploads", false, a.listUploads},
		{"POST", "/uploads/link", false, a.linkUpload},
		{"GET", "/uploads/{id}", false, a.getUpload},
		{"DELETE", "/uploads/{id}", false, a.deleteUpload},
	}
}

func (a *App) addUpload(e *core.RequestEvent) (any, error) {
	actor, err := a.member(e)
	if err != nil {
		return nil, err
	}
	return a.incoming(e, func(size int64, body func() (tools.Upload, error)) (upload.Upload, error) {
		return a.uploads.Put(e.Request.Context(), actor.Person, size, body)
	})
}

func (a *App) listUploads(e *core.RequestEvent) (any, error) {
	actor, err := a.member(e)
	if err != nil {
		return nil, err
	}
	items, err := a.uploads.List(e.Request.Context(), actor.Person)
	return map[string]any{"items": items, "next": ""}, err
}

func (a *App) linkUpload(e *core.RequestEvent) (any, error) {
	actor, err := a.member(e)
	if err != nil {
		return nil, err
	}
	body, err := jsonBody(e)
	if err != nil {
		return nil, err
	}
	var in upload.LinkIn
	if len(body) > 0 {
		if err := decode(body, &in); err != nil {
			return nil, err
		}
	}
	return a.uploads.Link(e.Request.Context(), actor, in)
}

func (a *App) getUpload(e *core.RequestEvent) (any, error) {
	actor, err := a.member(e)
	if err != nil {
		return nil, err
	}
	return a.uploads.Get(e.Request.Context(), actor.Person, e.Request.PathValue("id"))
}

func (a *App) deleteUpload(e *core.RequestEvent) (any, error) {
	actor, err := a.member(e)
	if err != nil {
		return nil, err
	}
	return struct{}{}, a.uploads.Delete(e.Request.Context(), actor.Person, e.Request.PathValue("id"))
}

// incoming hands put a file that is sent: as the one part of a form, or as the
// body itself, with its name in the query.
func (a *App) incoming(e *core.RequestEvent, put func(size int64, body func() (tools.Upload, error)) (upload.Upload, error)) (upload.Upload, error) {
	// Not every connection can be told; what PocketBase sets holds there.
	rc := http.NewResponseController(e.Response)
	_ = rc.SetReadDeadline(time.Now().Add(a.coming))
	// One that passes later would end the request.
	defer func() { _ = rc.SetReadDeadline(time.Time{}) }()
	media, params, err := mime.ParseMediaType(e.Request.Header.Get("Content-Type"))
	form, size := err == nil && media == "multipart/form-data", e.Request.ContentLength
	if form && size > upload.MaxBytes && size <= upload.MaxBytes+maxFrame {
		size = upload.MaxBytes // the rest is what a form adds
	}
	up, err := put(size, func() (tools.Upload, error) {
		if form {
			return fileOf(multipart.NewReader(io.LimitReader(rawBody(e), upload.MaxBytes+maxFrame+1), params["boundary"]))
		}
		b, err := io.ReadAll(io.LimitReader(rawBody(e), upload.MaxBytes+1))
		if err != nil {
			return tools.Upload{}, tools.Fail(tools.Invalid, "http.body").Because(err)
		}
		return tools.Upload{Name: e.Request.URL.Query().Get("name"), Data: b}, nil
	})
	if err != nil {
		// A client that is sending does not listen yet.
		_, _ = io.CopyN(io.Discard, rawBody(e), maxDrain)
	}
	return up, err
}

// maxFrame is what a form has around its file, in bytes.
const maxFrame = 16 << 10

// fileOf reads the one file of a form.
func fileOf(form *multipart.Reader) (file tools.Upload, err error) {
	for n := 0; ; n++ {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) && n == 1 {
			return file, nil
		}
		if err == nil && (n > 0 || part.FormName() != "file") || errors.Is(err, io.EOF) {
			return file, tools.Fail(tools.Invalid, "http.upload_form")
		}
		if err == nil {
			file.Name = part.FileName()
			file.Data, err = io.ReadAll(io.LimitReader(part, upload.MaxBytes+1))
		}
		if len(file.Data) > upload.MaxBytes {
			return file, nil // it is said how much there may be
		}
		if err != nil {
			return file, tools.Fail(tools.Invalid, "http.body").Because(err)
		}
	}
}

// sweepUploads deletes files that have expired, and what a crash has left.
func (a *App) sweepUploads() {
	if err := a.uploads.Sweep(context.Background()); err != nil {
		a.pb.Logger().Error("files for tools could not be deleted", "error", err)
	}
}
