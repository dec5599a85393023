package hooks

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"net/http"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/stream"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

const (
	// exportFormat and exportVersion tell programs what an export is.
	exportFormat, exportVersion = "nodkeep.person", 1
	// exportPage is how many records of it are in memory at a time.
	exportPage = 50
	// exportsAtOnce are made at a time, of each person one.
	exportsAtOnce = 4
)

// exportMe writes all that the instance keeps of a person, page by page, for
// whoever has signed in themselves: an agent has no use for all of it.
func (a *App) exportMe(e *core.RequestEvent) (any, error) {
	who, err := a.member(e)
	if err == nil {
		err = mayConfirm(e)
	}
	if err != nil {
		return nil, err
	}
	if !a.exports.enter(who.Person, exportsAtOnce, 1) {
		return nil, tools.Fail(tools.Limit, "export.busy")
	}
	defer a.exports.leave(who.Person)
	now := a.clock().UTC()
	out := stream.New(e.Response, askAlive) // its writes end with a reader that does not read
	h := e.Response.Header()
	stream.Head(h)
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="nodkeep-%s-%s.json"`, e.Auth.GetString("handle"), now.Format(time.DateOnly)))
	h.Add("Vary", "Accept-Language")
	e.Response.WriteHeader(http.StatusOK)
	options := []json.Options{json.WithMarshalers(a.catalogue.Marshalers(language(e))), json.Deterministic(true), jsontext.AllowInvalidUTF8(true)}
	x := &ownExport{App: a, e: e, who: who, enc: jsontext.NewEncoder(out, append(options, jsontext.WithIndent("\t"))...), options: options}
	if err := x.write(now); err != nil {
		if e.Request.Context().Err() == nil {
			a.pb.Logger().Error("an export could not be written to its end", "error", err)
		}
		panic(http.ErrAbortHandler) // so that nobody takes what there is for the whole
	}
	if out.Flush() == nil {
		_ = http.NewResponseController(e.Response).SetWriteDeadline(time.Time{}) // the connection may be used again
	}
	return written{}, nil
}

// ownExport is an export that is being written.
type ownExport struct {
	*App
	e       *core.RequestEvent
	who     tools.Actor
	enc     *jsontext.Encoder
	options []json.Options
}

// write writes the whole. A failure of the encoder stays, so what matters is that
// each page asks for it.
func (x *ownExport) write(now time.Time) error {
	steps := []func() error{
		func() error { return x.enc.WriteToken(jsontext.BeginObject) },
		func() error { return x.field("format", exportFormat) },
		func() error { return x.field("version", exportVersion) },
		func() error { return x.field("created", now) },
		func() error { return x.field("instance", x.servedAt()) },
		func() error { return x.field("says", tools.Words(tools.T("export.says"))) },
		func() error { return x.field("account", x.account()) },
		x.keptRows,
		func() error {
			return pages(x, "conversations", func(cursor string) ([]assistant.Conversation, string, error) {
				if x.loop == nil {
					return nil, "", nil
				}
				return x.loop.Conversations(x.e.Request.Context(), x.who.Person, exportPage, cursor)
			})
		},
		func() error {
			return pages(x, "proposals", func(cursor string) ([]gate.Proposal, string, error) {
				page, err := x.gate.Proposals(x.e.Request.Context(), x.who, gate.Query{Cursor: cursor, Limit: exportPage})
				return page.Items, page.Next, err
			})
		},
		func() error { return x.activity("activity", tools.ActivityQuery{Person: x.who.Person}) },
		func() error {
			return x.activity("activity_on_account", tools.ActivityQuery{Records: []string{x.who.Person}})
		},
		x.plugins,
		func() error { return x.field("complete", true) },
		func() error { return x.enc.WriteToken(jsontext.EndObject) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// account is the account as its person may know it: with what is hidden from
// others of how it stands, and never what it is proved by.
func (x *ownExport) account() map[string]any {
	rec := x.e.Auth.Fresh().IgnoreEmailVisibility(true)
	all := rec.PublicExport()
	for _, name := range []string{"status", "operator", "approved"} {
		all[name] = rec.Get(name)
	}
	all["profile"] = accounts.ProfileOf(rec)
	return all
}

func (x *ownExport) activity(name string, q tools.ActivityQuery) error {
	q.Limit = exportPage
	return pages(x, name, func(cursor string) ([]tools.Entry, string, error) {
		q.Cursor = cursor
		page, err := x.runner.Activity(x.e.Request.Context(), x.who, q)
		return page.Items, page.Next, err
	})
}

func (x *ownExport) field(name string, v any) error {
	if err := x.enc.WriteToken(jsontext.String(name)); err != nil {
		return err
	}
	return json.MarshalEncode(x.enc, v, x.options...)
}

// pages writes a list of which one page at a time is read.
func pages[T any](x *ownExport, name string, page func(cursor string) (items []T, next string, err error)) error {
	if err := x.enc.WriteToken(jsontext.String(name)); err != nil {
		return err
	}
	if err := x.enc.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for cursor, first := "", true; first || cursor != ""; first = false {
		if err := x.e.Request.Context().Err(); err != nil { // the session has ended
			return err
		}
		items, next, err := page(cursor)
		if err != nil {
			return err
		}
		for _, item := range items {
			if err := json.MarshalEncode(x.enc, item, x.options...); err != nil {
				return err
			}
		}
		cursor = next
	}
	return x.enc.WriteToken(jsontext.EndArray)
}
