package assistant

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json/v2"
	"regexp"
	"slices"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

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
	w := &turn{l: l, q: q, limits: limits, name: cmp.Or(person.GetString("name"), person.GetString("handle")), zone: tools.ZoneOf(person)}
	row, err := w.recall(ctx, person.Id)
	if err != nil {
		return nil, err
	}
	w.brief = l.prepareBriefing(ctx, person.Id, w.q.Scope)
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
	t, err := l.start(w)
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
