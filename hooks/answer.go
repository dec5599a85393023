package hooks

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"math"
	"net/http"
	"strconv"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// fault is an error as every client gets it.
type fault struct {
	Status  int         `json:"status"`
	Message tools.Words `json:"message"`
	Data    faultData   `json:"data"`
}

type faultData struct {
	Kind      tools.Kind           `json:"kind"`
	Text      tools.Text           `json:"text"`
	Audit     []string             `json:"audit,omitempty"`     // the receipt of a digest that was used
	Conflicts []tools.UndoConflict `json:"conflicts,omitempty"` // what stands in the way of an undo
	Proposal  *gate.Proposal       `json:"proposal,omitempty"`  // how what was to be decided stands
	*shown
}

// needsNod is digest_required together with the preview that it is about.
type needsNod struct {
	error
	shown shown
}

// Unwrap gives the refusal itself.
func (n needsNod) Unwrap() error { return n.error }

// status is how HTTP says a kind.
func status(k tools.Kind) int {
	switch k {
	case tools.Invalid:
		return http.StatusBadRequest
	case tools.Unauthorized:
		return http.StatusUnauthorized
	case tools.Forbidden:
		return http.StatusForbidden
	case tools.NotFound:
		return http.StatusNotFound
	case tools.Conflict, tools.Stale, tools.DigestRequired:
		return http.StatusConflict
	case tools.Expired:
		return http.StatusGone
	case tools.TooLarge:
		return http.StatusRequestEntityTooLarge
	case tools.Limit:
		return http.StatusTooManyRequests
	case tools.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// own is an error as it may be told. What is none of ours is logged and tells
// nothing; the path is left out of the log, as it may hold a secret.
func (a *App) own(e *core.RequestEvent, err error) *tools.Error {
	if own, ok := errors.AsType[*tools.Error](err); ok {
		return own
	}
	a.pb.Logger().Error("a request failed", "route", e.Request.Pattern, "error", err)
	return tools.Fail(tools.Internal, "error.internal")
}

// fail answers an error.
func (a *App) fail(e *core.RequestEvent, err error) error {
	own := a.own(e, err)
	f := fault{status(own.Kind), tools.Words(own.Text), faultData{Kind: own.Kind, Text: own.Text, Audit: own.Audit, Conflicts: own.Conflicts}}
	if nod, ok := errors.AsType[needsNod](err); ok {
		f.Data.shown = &nod.shown
	}
	if now, ok := errors.AsType[standsAs](err); ok {
		f.Data.Proposal = &now.proposal
	}
	if own.After > 0 {
		e.Response.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(own.After.Seconds()))))
	}
	return a.answer(e, f.Status, f)
}

// answer writes v in the language of the reader.
func (a *App) answer(e *core.RequestEvent, status int, v any) error {
	b, err := json.Marshal(v, json.WithMarshalers(a.catalogue.Marshalers(language(e))), json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	h := e.Response.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept-Language")
	e.Response.WriteHeader(status)
	_, err = e.Response.Write(b)
	return err
}

func language(e *core.RequestEvent) string { return languageOf(e, e.Auth) }

// languageOf is what is asked for, else that of an account, which may be nil.
func languageOf(e *core.RequestEvent, rec *core.Record) string {
	profile := ""
	if rec != nil {
		profile = rec.GetString("language")
	}
	return i18n.Match(e.Request.Header.Get("Accept-Language"), profile)
}
