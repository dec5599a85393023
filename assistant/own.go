package assistant

import (
	"context"
	"encoding/json/v2"
	"fmt"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/assistant/screen"
	"github.com/nodkeep/nodkeep/tools"
)

// own is how a tool that no plugin brings is run.
func (t *turn) own(j *job) func(context.Context) (string, error) {
	switch j.tool.Name {
	case offer.FindName:
		return func(context.Context) (string, error) { return t.find(j) }
	case offer.ScreenName:
		return func(ctx context.Context) (string, error) { return t.screen(ctx, j) }
	case offer.AskName:
		return func(context.Context) (string, error) { return t.askBack(j) }
	}
	return func(ctx context.Context) (string, error) {
		out, err := j.tool.Own.Run(ctx, t.agent, j.args)
		if err != nil {
			return "", err
		}
		return t.result(j.tool.Name, out)
	}
}

// find looks for tools that are not listed. What it answers is ours, but for what
// an app says of its own tools.
func (t *turn) find(j *job) (string, error) {
	var in offer.FindIn
	if err := t.decode(offer.FindName, j.args, &in); err != nil {
		return "", err
	}
	found := t.l.c.Menu.Find(t.agent, in.Words, in.Limit)
	if len(found) == 0 {
		return "There is no such tool. Try other words, or say that it cannot be done.", nil
	}
	b, err := json.Marshal(found, json.Deterministic(true))
	return string(b), err
}

// screen draws what a reading tool answers now. The model is told that it is
// shown, and not what.
func (t *turn) screen(ctx context.Context, j *job) (string, error) {
	var in offer.ScreenIn
	if err := t.decode(offer.ScreenName, j.args, &in); err != nil {
		return "", err
	}
	inv, err := in.Invocation()
	if err != nil {
		return "", err
	}
	e, err := t.l.c.Menu.Lookup(t.agent, inv.Tool)
	if err != nil {
		return "", err
	}
	tool, known := t.l.c.Registry.Tool(inv.Tool)
	if !known || e.Effect != tools.EffectRead {
		return "", tools.Fail(tools.Invalid, "screen.not_read", tools.Quoted(inv.Tool, 80))
	}
	inv.Args = offer.Coerce(inv.Args, e.Input)
	out, err := t.call(ctx, inv)
	if err != nil {
		return "", err
	}
	drawn, err := screen.Draw(screen.Source{Tool: tool, Output: out, Catalogue: t.l.c.Catalogue, Language: t.q.Language}, in.Form, in.Columns)
	if err != nil {
		return "", err
	}
	t.emit(EventScreen, drawn)
	says := fmt.Sprintf("The person is shown it: %s, %d rows", drawn.Form, len(drawn.Rows))
	if drawn.More > 0 {
		says += fmt.Sprintf(", %d more are left out", drawn.More)
	}
	return says + ". Do not repeat what it shows.", nil
}

// askBack makes a form of the model's questions, once in a turn. It ends with
// it: what is answered comes with the next question.
func (t *turn) askBack(j *job) (string, error) {
	var in offer.AskIn
	if err := t.decode(offer.AskName, j.args, &in); err != nil {
		return "", err
	}
	asked, err := in.Form()
	if err != nil {
		return "", err
	}
	form := &Form{ID: core.GenerateDefaultRandomId()}
	for i, q := range asked {
		for n, c := range q.Choices {
			q.Choices[n] = t.links.checked(c)
		}
		form.Questions = append(form.Questions, FormQuestion{ID: fmt.Sprintf("q%d", i+1), Text: t.links.checked(q.Text), Choices: q.Choices})
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.form != nil {
		return "", tools.Fail(tools.Conflict, "assistant.error.asked")
	}
	t.form = form
	t.emit(EventForm, form)
	return "The person is asked. Their answers come with their next message.", nil
}
