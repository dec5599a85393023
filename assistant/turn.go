package assistant

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"sync"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// Turn is a question that is being answered, or was.
type Turn struct {
	id, conversation, person string
	asked                    string // the words, while it is under way

	record *record
	cancel context.CancelCauseFunc // nil once it is over
}

// ID is the turn's own.
func (t *Turn) ID() string { return t.id }

// Follow gives the events after a number, as they come, until the turn is over,
// or ctx is. An error of f ends it, too.
func (t *Turn) Follow(ctx context.Context, after int, f func(Event) error) error {
	for {
		events, more, over := t.record.after(after)
		for _, e := range events {
			if err := f(e); err != nil {
				return err
			}
			after = e.ID
		}
		if over {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// turn is what a question has while it is answered. It is one goroutine's.
type turn struct {
	l        *Loop
	q        Question
	limits   Limits
	name     string         // of the person
	zone     *time.Location // of the person; nil where they have set none
	row      turnRow
	said     conversation
	is       roster.Assistant
	provider gateway.Provider
	read     *gate.Turn
	agent    gate.Agent
	parts    []gateway.Part // of the files that are shown
	attached []string       // what is told of the files
	handle   *Turn
	ctx      context.Context
	brief    <-chan struct{} // closed once the briefing was made

	mu   sync.Mutex // of the form: reads run side by side
	form *Form

	links     links
	told      string // what had been decided, as the model is told it
	steps     []step
	proposals []string
	changes   int // calls that would change something
	changed   int // those of them that did, or wait to
	uses      uses
	finish    Finish
	begun     time.Time
}

// enter counts a question that is about to begin among the person's turns.
func (l *Loop) enter(person string) (leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, tools.Fail(tools.Unavailable, "assistant.error.closing")
	}
	n := l.starts[person]
	for _, t := range l.running {
		if t.person == person {
			n++
		}
	}
	if n >= l.c.Turns {
		return nil, tools.Fail(tools.Limit, "assistant.error.turns", l.c.Turns).In(5 * time.Second)
	}
	l.starts[person]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.starts[person]--; l.starts[person] == 0 {
			delete(l.starts, person)
		}
	}, nil
}

// start makes a turn known, so that it can be stopped and followed. A conversation
// has one at a time.
func (l *Loop) start(w *turn) (*Turn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, tools.Fail(tools.Unavailable, "assistant.error.closing")
	}
	for _, t := range l.running {
		if t.conversation == w.row.Conversation {
			return nil, tools.Fail(tools.Conflict, "assistant.error.under_way")
		}
	}
	t := &Turn{id: w.row.ID, conversation: w.row.Conversation, person: w.row.Person, asked: w.q.Text, record: newRecord()}
	ctx, cancel := context.WithCancelCause(context.Background())
	t.cancel = cancel
	w.handle, w.ctx = t, w.l.c.Gate.Within(ctx, w.agent)
	l.running[t.id] = t
	l.wait.Add(1)
	return t, nil
}

// forget takes a turn out of those under way. It is waited for until it is told
// to the end.
func (l *Loop) forget(t *Turn) {
	l.mu.Lock()
	delete(l.running, t.id)
	l.mu.Unlock()
	t.cancel(nil)
}

// turn is the handle of one that is written down.
func (l *Loop) turn(ctx context.Context, row turnRow) (*Turn, error) {
	if t := l.live(row.ID); t != nil {
		return t, nil
	}
	if row.State == running {
		// It has ended since its row was read, and was written down before that.
		now, ok, err := l.turnOf(ctx, dbx.HashExp{"id": row.ID, "person": row.Person})
		if err == nil && !ok {
			err = tools.Fail(tools.NotFound, "assistant.error.no_turn")
		}
		if err != nil {
			return nil, err
		}
		row = now
	}
	t := &Turn{id: row.ID, conversation: row.Conversation, person: row.Person}
	if row.Events == "" {
		t.record = l.interrupted(row)
		return t, nil
	}
	b, err := l.c.Keys.Open(l.owner(tools.TurnsTable, row.ID, "events"), row.Events)
	if err != nil {
		return nil, err
	}
	var s stored
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, err
	}
	t.record = restored(s)
	return t, nil
}

// live is a turn that is under way. Each is there before its row is, and until
// that says what came of it.
func (l *Loop) live(id string) *Turn {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running[id]
}

// interrupted are the events of a turn whose server was killed: what it had done
// stands in the activity and among the proposals.
func (l *Loop) interrupted(row turnRow) *record {
	r := newRecord()
	r.instead = true
	w := &turn{l: l, row: row, handle: &Turn{record: r}}
	w.emit(EventStart, Start{Turn: row.ID, Conversation: row.Conversation, Assistant: Asked{ID: row.Assistant, Name: row.Assistant}})
	w.emit(EventError, Problem{Kind: tools.Unavailable, Text: tools.T("assistant.error.interrupted")})
	w.emit(EventTurn, Ended{ID: row.ID, Conversation: row.Conversation, Finish: Interrupted, Proposals: []string{}})
	r.end()
	return r
}

// emit adds an event in the language of the person.
func (t *turn) emit(kind EventKind, v any) {
	b, err := t.json(v)
	if err != nil {
		t.l.c.Log.Error("an event could not be written", "kind", string(kind), "error", err)
		return
	}
	t.handle.record.add(kind, b)
}

// json is a value in the language of the person.
func (t *turn) json(v any) (jsontext.Value, error) {
	return json.Marshal(v, json.WithMarshalers(t.l.c.Catalogue.Marshalers(t.q.Language)), json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

func (t *turn) say(s tools.Text) string { return t.l.c.Catalogue.Say(t.q.Language, s) }
