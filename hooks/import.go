package hooks

import (
	"context"
	"encoding/json/v2"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/reader"
	"github.com/nodkeep/nodkeep/tools"
)

// statement is a file that a person gave us, and what they answered about it.
type statement struct {
	Name    string            `json:"name"`
	Text    string            `json:"text"`
	Answers map[string]string `json:"answers"`
	data    []byte
}

// readImport reads a statement and says what is new in it. It writes nothing.
func (a *App) readImport(e *core.RequestEvent) (any, error) {
	actor, err := a.member(e)
	if err != nil {
		return nil, err
	}
	st, err := readStatement(e)
	if err != nil {
		return nil, err
	}
	ctx := e.Request.Context()
	file := reader.File{Name: st.Name, Data: st.data, Today: tools.DateOf(time.Now())}
	imports := a.registry.Imports()
	if len(imports) > 0 {
		if err := a.home(ctx, actor, imports[0], &file); err != nil {
			return nil, err
		}
	}
	review, err := reader.Read(ctx, file, st.Answers)
	if err != nil {
		return nil, err
	}
	if len(imports) > 0 && len(review.Subscriptions) > 0 {
		err = a.match(ctx, actor, imports[0], &review)
	}
	return review, err
}

// home tells the reader what the file leaves unsaid.
func (a *App) home(ctx context.Context, actor tools.Actor, imp tools.Import, file *reader.File) error {
	if imp.Home == "" {
		return nil
	}
	var home struct {
		Currency string     `json:"currency"`
		Today    tools.Date `json:"today"`
	}
	if err := a.ask(ctx, actor, imp.Home, struct{}{}, &home); err != nil {
		return err
	}
	file.Currency = home.Currency
	if !home.Today.IsZero() {
		file.Today = home.Today
	}
	return nil
}

// match asks the plugin which rows it knows already, as the person. It is
// asked without the evidence, which may be long and tells it nothing.
func (a *App) match(ctx context.Context, actor tools.Actor, imp tools.Import, review *tools.Review) error {
	rows := tools.ImportRows{File: review.File, Fingerprint: review.Fingerprint, Subscriptions: make([]tools.Recurring, len(review.Subscriptions))}
	for i, s := range review.Subscriptions {
		s.Evidence = nil
		rows.Subscriptions[i] = s
	}
	var known struct {
		Subscriptions []tools.Recurring `json:"subscriptions"`
	}
	if err := a.ask(ctx, actor, imp.Match, rows, &known); err != nil {
		return err
	}
	if len(known.Subscriptions) != len(review.Subscriptions) {
		return errors.New(imp.Match + " did not give back every row")
	}
	for i, s := range known.Subscriptions {
		review.Subscriptions[i].Status, review.Subscriptions[i].Known = s.Status, s.Known
	}
	return nil
}

// ask runs a read tool as the person, with values of any type.
func (a *App) ask(ctx context.Context, actor tools.Actor, tool string, in, out any) error {
	args, err := json.Marshal(in)
	if err != nil {
		return err
	}
	answer, err := a.runner.Read(ctx, actor, tools.Invocation{Tool: tool, Args: args})
	if err != nil {
		return err
	}
	b, err := json.Marshal(answer, json.WithMarshalers(a.catalogue.Marshalers("en")))
	if err != nil {
		return err
	}
	return json.Unmarshal(b, out)
}

// readStatement takes a file as a part of a form, or a text in JSON.
func readStatement(e *core.RequestEvent) (statement, error) {
	media, params, err := mime.ParseMediaType(e.Request.Header.Get("Content-Type"))
	switch {
	case err == nil && media == "multipart/form-data":
		return formStatement(multipart.NewReader(rawBody(e), params["boundary"]))
	case err == nil && media == "application/json":
	default:
		return statement{}, tools.Fail(tools.Invalid, "http.import_type")
	}
	// A text of JSON can be twice as long as what it says.
	b, err := readBody(e, 2*reader.MaxBytes)
	if err != nil {
		return statement{}, err
	}
	if len(b) > 2*reader.MaxBytes {
		return statement{}, tools.Fail(tools.TooLarge, "error.too_large", reader.MaxBytes)
	}
	st := statement{}
	if err := json.Unmarshal(b, &st, json.RejectUnknownMembers(true)); err != nil {
		return statement{}, decodeError(err)
	}
	st.data = []byte(st.Text)
	return st, nil
}

func formStatement(form *multipart.Reader) (st statement, err error) {
	found := false
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return st, tools.Fail(tools.Invalid, "http.body").Because(err)
		}
		b, err := io.ReadAll(io.LimitReader(part, reader.MaxBytes+1))
		if err != nil {
			return st, tools.Fail(tools.Invalid, "http.body").Because(err)
		}
		switch part.FormName() {
		case "file":
			st.Name, st.data, found = part.FileName(), b, true
		case "text":
			st.data, found = b, true
		case "answers":
			if err := decode(b, &st.Answers); err != nil {
				return st, err
			}
		default:
			return st, tools.Fail(tools.Invalid, "http.import_type")
		}
	}
	if !found {
		return st, tools.Fail(tools.Invalid, "http.import_type")
	}
	return st, nil
}
