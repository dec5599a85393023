package hooks

import (
	"context"
	"encoding/json/v2"
	"errors"
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
	leave, err := a.takePlace(e.Request.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	st, err := a.readStatement(e)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(e.Request.Context(), a.reading)
	defer cancel()
	file := reader.File{Name: st.Name, Data: st.data, Today: tools.DateOf(time.Now())}
	imports := a.registry.Imports()
	if len(imports) > 0 {
		if err := a.home(ctx, actor, imports[0], &file); err != nil {
			return nil, err
		}
	}
	review, err := reader.Read(ctx, file, st.Answers)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, tools.Fail(tools.Limit, "http.import_slow").Because(err)
	}
	if err != nil {
		return nil, err
	}
	if len(imports) > 0 && len(review.Subscriptions) > 0 {
		err = a.match(ctx, actor, imports[0], &review)
	}
	return review, err
}

// What reading files may cost the instance: each takes memory of several times
// its size.
const (
	maxImports  = 2
	importWait  = 5 * time.Second  // for a place among them
	readingTime = 20 * time.Second // for the file to come, and again for it to be read
)

// takePlace waits for one of the places that there are for imports.
func (a *App) takePlace(ctx context.Context) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, importWait)
	defer cancel()
	select {
	case a.imports <- struct{}{}:
		return func() { <-a.imports }, nil
	case <-ctx.Done():
		return nil, tools.Fail(tools.Unavailable, "http.import_busy")
	}
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
