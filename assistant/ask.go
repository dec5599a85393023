package assistant

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json/v2"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// clientID is how clients name their questions.
var clientID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)

// Ask begins the turn of a question, or gives the one that the client began with
// the same id before. ctx bounds the beginning alone. Errors are of kind invalid,
// too_large, not_found, forbidden, conflict (a turn of the conversation is under
// way, or the id was used for another question), limit and unavailable.
func (l *Loop) Ask(ctx context.Context, person *core.Record, q Question) (*Turn, error) {
	q.Door = cmp.Or(q.Door, tools.DoorAssistant)
	if err := l.check(&q); err != nil {
		return nil, l.c.Runner.Told(err)
	}
	t, err := l.ask(ctx, person, q)
	return t, l.c.Runner.Told(err)
}

func (l *Loop) ask(ctx context.Context, person *core.Record, q Question) (*Turn, error) {
	asked := l.sum(q)
	alone, err := l.alone(ctx, person.Id, q.Client)
	if err != nil {
		return nil, err
	}
	defer alone()
	if t, err := l.again(ctx, person.Id, q.Client, asked); t != nil || err != nil {
		return t, err
	}
	leave, err := l.enter(person.Id)
	if err != nil {
		return nil, err
	}
	defer leave()
	limits := l.c.Limits()
	if wait, ok := l.pace.try(person.Id, l.now(), limits); !ok {
		return nil, tools.Fail(tools.Limit, "assistant.error.often", seconds(wait)).In(wait)
	}
	brief := l.prepareBriefing(ctx, person.Id, q.Scope)
	w := &turn{l: l, brief: brief, q: q, limits: limits, name: cmp.Or(person.GetString("name"), person.GetString("handle"))}
	row, err := w.recall(ctx, person.Id)
	if err != nil {
		return nil, err
	}
	if err := w.choose(ctx, person.Id, row); err != nil {
		return nil, err
	}
	if err := w.gather(ctx); err != nil {
		return nil, err
	}
	now := tools.Stamp(l.now())
	fresh := row.ID == ""
	if fresh {
		row = conversationRow{ID: core.GenerateDefaultRandomId(), Person: person.Id, Assistant: w.is.ID, Created: now}
	}
	w.row = turnRow{
		ID: core.GenerateDefaultRandomId(), Person: person.Id, Conversation: row.ID, Client: q.Client, Asked: asked, Assistant: w.is.ID, Created: now,
	}
	t, err := l.start(ctx, w)
	if err != nil {
		return nil, err
	}
	if err := l.begin(ctx, w.row, row, fresh); err != nil {
		l.forget(t)
		l.wait.Done()
		return nil, err
	}
	go w.run()
	return t, nil
}

// check refuses what is no question, and fills in what was left out.
func (l *Loop) check(q *Question) error {
	limits := l.c.Limits()
	q.Text = typed(q.Text)
	size := len(q.Text)
	for _, a := range q.Answers {
		size += len(a)
	}
	switch {
	case !clientID.MatchString(q.Client):
		return tools.Fail(tools.Invalid, "assistant.error.client")
	case size > limits.Message:
		return tools.Fail(tools.TooLarge, "assistant.error.long", size, limits.Message)
	case q.Text == "" && len(q.Answers) == 0:
		return tools.Fail(tools.Invalid, "assistant.error.empty")
	case q.Text != "" && len(q.Answers) > 0:
		return tools.Fail(tools.Invalid, "assistant.error.both")
	case len(q.Answers) > 0 && q.Conversation == "":
		return tools.Fail(tools.Invalid, "assistant.error.no_form")
	case q.Effort != "" && !slices.Contains(gateway.Efforts(), q.Effort):
		return tools.Fail(tools.Invalid, "assistant.error.effort", tools.Quoted(string(q.Effort), 40))
	case !slices.Contains([]Of{"", All, Ticked, Record, Tree}, q.Scope.Of):
		return tools.Fail(tools.Invalid, "assistant.error.scope", tools.Quoted(string(q.Scope.Of), 40))
	case len(q.Scope.Records) == 0 && q.Scope.Of != All && q.Scope.Of != "":
		return tools.Fail(tools.Invalid, "assistant.error.scope_none")
	case q.Scope.Of == Record && len(q.Scope.Records) != 1:
		return tools.Fail(tools.Invalid, "assistant.error.scope_one")
	}
	return nil
}

// sum tells one question from another, and nobody who has no key what was asked.
func (l *Loop) sum(q Question) string {
	q.Client = ""
	for i := range q.Files {
		sum := sha256.Sum256(q.Files[i].Data)
		q.Files = slices.Clone(q.Files)
		q.Files[i].Data = sum[:]
	}
	b, err := json.Marshal(q, json.Deterministic(true))
	if err != nil {
		return ""
	}
	return hex.EncodeToString(l.c.Keys.MAC("question", string(b))[:16])
}

// again is the turn that a client began with this id before; nil if it did not.
func (l *Loop) again(ctx context.Context, person, client, asked string) (*Turn, error) {
	row, ok, err := l.turnOf(ctx, dbx.HashExp{"person": person, "client": client})
	if err != nil || !ok {
		return nil, err
	}
	if row.Asked != asked {
		return nil, tools.Fail(tools.Conflict, "assistant.error.client_used")
	}
	return l.turn(ctx, row)
}

// Turn is one of a person's turns, under way or over since a while. Another's is
// not found.
func (l *Loop) Turn(ctx context.Context, person, id string) (*Turn, error) {
	row, ok, err := l.turnOf(ctx, dbx.HashExp{"person": person, "id": id})
	if err == nil && !ok {
		err = tools.Fail(tools.NotFound, "assistant.error.no_turn")
	}
	if err != nil {
		return nil, l.c.Runner.Told(err)
	}
	t, err := l.turn(ctx, row)
	return t, l.c.Runner.Told(err)
}

// Stop ends a turn for its person. One that is over stays as it is.
func (l *Loop) Stop(ctx context.Context, person, id string) error {
	t, err := l.Turn(ctx, person, id)
	if err == nil && t.cancel != nil {
		t.cancel(errStopped)
	}
	return err
}

// recall reads the conversation that the question goes on with. One that is too
// old is none any more: a new one begins.
func (w *turn) recall(ctx context.Context, person string) (row conversationRow, err error) {
	if w.q.Conversation == "" {
		return row, nil
	}
	row, said, ok, err := w.l.conversation(ctx, person, w.q.Conversation)
	if err != nil || !ok {
		if err == nil && len(w.q.Answers) > 0 {
			err = tools.Fail(tools.Expired, "assistant.error.form_over")
		}
		return conversationRow{}, err
	}
	w.said = said
	return row, w.answered(row.Assistant)
}

// answered makes the words of a question out of the answers to a form.
func (w *turn) answered(asked string) error {
	form := w.said.Form
	w.said.Form = nil
	if len(w.q.Answers) == 0 {
		return nil
	}
	if form == nil || w.q.Assistant != "" && w.q.Assistant != asked {
		return tools.Fail(tools.Expired, "assistant.error.form_over")
	}
	w.q.Scope = w.said.About // the question goes on, about the same
	var lines []string
	left := len(w.q.Answers)
	for _, fq := range form.Questions {
		a, ok := w.q.Answers[fq.ID]
		a = typed(a)
		if !ok || a == "" {
			lines = append(lines, fq.Text+" –")
			continue
		}
		left--
		if len(fq.Choices) > 0 && !slices.Contains(fq.Choices, a) && utf8.RuneCountInString(a) > 500 {
			return tools.Fail(tools.Invalid, "assistant.error.answer", fq.Text)
		}
		lines = append(lines, fq.Text+" "+a)
	}
	if left > 0 || len(lines) == 0 {
		return tools.Fail(tools.Invalid, "assistant.error.answers")
	}
	w.q.Text = strings.Join(lines, "\n")
	return nil
}

// choose finds the assistant, and who it is for the gate.
func (w *turn) choose(ctx context.Context, person string, row conversationRow) (err error) {
	id := cmp.Or(w.q.Assistant, row.Assistant)
	if id == "" {
		if id, err = w.l.c.Choose(ctx, person); err != nil {
			return err
		}
	}
	if w.is, w.provider, err = w.l.c.For(ctx, person, id); err != nil {
		return err
	}
	taint, err := w.said.taint()
	if err != nil {
		return err
	}
	w.read = gate.NewTurn(taint...)
	w.agent, err = w.l.c.Gate.Assistant(ctx, tools.Actor{
		Person: person, Door: w.q.Door, Agent: w.is.ID, AgentName: w.is.Name, Model: w.is.Model,
	}, w.read)
	if err != nil {
		return err
	}
	w.agent.Language = w.q.Language
	return w.narrow(ctx)
}

// narrow makes the scope of the question that of all that the agent reads.
func (w *turn) narrow(ctx context.Context) error {
	s := w.q.Scope
	if s.Private && (s.Of == All || s.Of == "") {
		return nil // all that the person sees
	}
	scope, err := w.l.c.Runner.Scope(ctx, w.agent.Actor, string(cmp.Or(s.Of, All)), s.Records, s.Private)
	if err != nil {
		return err
	}
	w.agent.Scope = &scope
	return nil
}

// warning says to whom private records go.
func (w *turn) warning() *tools.Text {
	if !w.q.Scope.Private || w.is.Local {
		return nil
	}
	t := tools.T("assistant.warning.private", w.is.Name, w.is.Host)
	return &t
}

func (w *turn) shownAs() Asked {
	return Asked{ID: w.is.ID, Name: w.is.Name, Model: w.is.Model, Local: w.is.Local, Scripted: w.is.Scripted()}
}
