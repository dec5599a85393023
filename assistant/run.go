package assistant

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// run answers the question, whatever happens, and writes down what came of it.
func (t *turn) run() {
	t.begun = t.l.now()
	ctx, cancel := context.WithTimeoutCause(t.ctx, t.limits.Turn, errTime)
	defer cancel()
	var tally budget.Tally
	ctx = budget.WithTally(ctx, &tally)
	told := func(Facts) {}
	if o := t.l.c.Observer; o != nil {
		t.quietly(func() {
			ctx, told = o.Turn(ctx, Info{
				Turn: t.row.ID, Conversation: t.row.Conversation, Assistant: t.is.ID, Model: t.is.Model, Host: t.is.Host,
			})
		})
	}
	t.links.instead = t.say(tools.T("assistant.link_left_out"))
	t.emit(EventStart, Start{Turn: t.row.ID, Conversation: t.row.Conversation, Assistant: t.shownAs(), Warning: t.warning()})
	err := guarded(func() error { return t.answer(ctx) })
	t.handle.record.say(t.links.rest())
	if err != nil {
		if problem := t.problem(ctx, err); problem != nil {
			t.emit(EventError, problem)
		}
	}
	t.end(told, tally.Sums())
}

// answer asks the model, and runs what it calls, until it has answered. An error
// is why it did not come to that.
func (t *turn) answer(ctx context.Context) error {
	messages, err := t.opening(ctx)
	if err != nil {
		return err
	}
	listed := t.l.c.Menu.Listed(t.agent)
	for n := 1; ; n++ {
		res, err := t.ask(ctx, gateway.Request{
			System: system(), Messages: messages, Tools: listed, Effort: t.q.Effort, CacheKey: t.row.Person,
		})
		if err != nil {
			return err
		}
		if t.empty(res) {
			res.Finish = ""
		}
		switch res.Finish {
		case gateway.ToolUse:
		case gateway.Stop:
			t.finish = Answered
			return nil
		case gateway.MaxTokens:
			return tools.Fail(tools.Limit, "assistant.error.cut", t.is.Name)
		case gateway.Refused:
			t.finish = Refusal
			return tools.Fail(tools.Forbidden, "assistant.error.refused", t.is.Name)
		case gateway.ContextWindow:
			return tools.Fail(tools.TooLarge, "roster.say.context", t.is.Name, t.is.Host)
		default:
			return tools.Fail(tools.Unavailable, "roster.say.empty", t.is.Name, t.is.Host)
		}
		s := step{Text: res.Text, Calls: res.Calls, Results: t.round(ctx, res.Calls)}
		if n == t.limits.Calls-1 {
			last := &s.Results[len(s.Results)-1]
			last.Text += "\n\nThis was the last look-up for this question: answer the person now, without tools."
		}
		t.steps = append(t.steps, s)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case t.form != nil:
			t.finish = AskedBack
			return nil
		case n >= t.limits.Calls:
			return tools.Fail(tools.Limit, "assistant.error.calls", t.limits.Calls)
		}
		messages[len(messages)-1].Cache = false
		messages = append(messages,
			gateway.Message{Role: gateway.Assistant, Text: res.Text, Calls: res.Calls, Raw: res.Raw},
			gateway.Message{Role: gateway.Tools, Results: s.Results, Cache: true})
	}
}

// empty says that a model came to an end with nothing: no call, no word of an
// answer, and no card that says it all.
func (t *turn) empty(res gateway.Result) bool {
	if res.Finish == gateway.ToolUse {
		return len(res.Calls) == 0
	}
	return res.Finish == gateway.Stop && strings.TrimSpace(res.Text) == "" && len(t.proposals) == 0
}

// opening is what the first request of the turn says.
func (t *turn) opening(ctx context.Context) ([]gateway.Message, error) {
	t.told = t.decisions(ctx)
	around, err := t.surroundings(ctx)
	if err != nil {
		return nil, err
	}
	messages := t.said.messages(t.q.Scope.Private)
	for _, m := range messages {
		for _, p := range m.Parts {
			t.links.give(p.Text)
		}
		for _, c := range m.Calls {
			t.links.called(c.Name + " " + string(c.Args))
		}
		for _, r := range m.Results {
			t.given(r)
		}
	}
	parts := slices.Concat(textParts(t.told, around), t.parts, textParts(t.q.Text))
	for _, p := range parts {
		t.links.give(p.Text)
	}
	return append(messages, gateway.Message{Role: gateway.User, Parts: parts, Cache: true}), nil
}

// ask makes one call of the model, and shows what it says as it comes.
func (t *turn) ask(ctx context.Context, r gateway.Request) (gateway.Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.limits.Call, errCall)
	defer cancel()
	res, err := t.heard(ctx, r)
	t.handle.record.say(t.links.rest())
	if err != nil && ctx.Err() != nil {
		return res, errors.Join(context.Cause(ctx), err)
	}
	return res, err
}

// heard is an answer of the model, shown as it comes: what comes once it has
// ended is no part of it.
func (t *turn) heard(ctx context.Context, r gateway.Request) (gateway.Result, error) {
	var mu sync.Mutex
	over, first := false, t.handle.record.said() != ""
	defer func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
	}()
	return t.provider.Stream(ctx, r, func(d gateway.Delta) {
		mu.Lock()
		defer mu.Unlock()
		if d.Text == "" || over {
			return
		}
		if first {
			first = false
			t.handle.record.say("\n\n")
		}
		t.handle.record.say(t.links.pass(d.Text))
	})
}

// problem is what a person is told of an error; nil where they know.
func (t *turn) problem(ctx context.Context, err error) *Problem {
	if t.finish == "" {
		t.finish = Broken
	}
	cause := context.Cause(ctx)
	var e *tools.Error
	switch {
	case errors.Is(cause, errStopped):
		t.finish = Stopped
		return nil
	case errors.Is(cause, errEvicted):
		e = tools.Fail(tools.Forbidden, "error.not_approved")
	case errors.Is(cause, errClosing):
		t.finish = Interrupted
		e = tools.Fail(tools.Unavailable, "assistant.error.closing")
	case errors.Is(cause, errTime):
		e = tools.Fail(tools.Limit, "assistant.error.turn_time", int(t.limits.Turn.Seconds()))
	case errors.Is(err, errCall):
		e = tools.Fail(tools.Limit, "assistant.error.call_time", t.is.Name, int(t.limits.Call.Seconds()))
	default:
		e = roster.Problem(t.is, err)
		if e.Kind == tools.Internal {
			t.l.c.Log.Error("a turn failed", "error", err)
		}
	}
	p := &Problem{Kind: e.Kind, Text: e.Text}
	if e.Kind == tools.Limit && t.finish == Broken {
		t.finish = Limited
	}
	if r, ok := errors.AsType[*budget.Reached](err); ok && !r.Never {
		p.RetryAfter = seconds(r.Until.Sub(t.l.now()))
	} else if e.After > 0 {
		p.RetryAfter = seconds(e.After)
	}
	return p
}

var errCall = errors.New("the model took too long")

// end writes down what came of the turn, lets the next one begin, and says that
// it is over.
func (t *turn) end(told func(Facts), spent budget.Sums) {
	r := t.handle.record
	text := r.said()
	took := max(0, t.l.now().Sub(t.begun)) // a clock may be set back
	ended := Ended{
		ID: t.row.ID, Conversation: t.row.Conversation, Text: text, Finish: t.finish, Usage: Usage{t.begun.Format(time.DateOnly), t.row.Person, t.is.ID, CountsOf(spent, t.l.c.Currency)}, Proposals: slices.Concat([]string{}, t.proposals),
	}
	facts := Facts{
		Turn: t.row.ID, Conversation: t.row.Conversation, Model: t.is.Model, Finish: t.finish, Usage: ended.Usage,
		Tools: t.uses.all, Changes: t.changed, Proposals: ended.Proposals, Took: took,
	}
	t.quietly(func() { told(facts) })
	if t.l.c.Asked != nil {
		t.quietly(func() { t.l.c.Asked(context.WithoutCancel(t.ctx), t.agent.Actor, facts) })
	}
	t.remember(text)
	last, err := t.json(ended)
	if err == nil {
		s := r.store()
		s.Events = append(slices.Clone(s.Events), kept{Kind: EventTurn, Data: last})
		err = t.l.finish(t.row, t.said, s)
	}
	if err != nil {
		t.l.c.Log.Error("a turn could not be written down", "error", err)
	}
	t.l.forget(t.handle)
	r.add(EventTurn, last)
	r.end()
	t.l.wait.Done()
}

// quietly tells somebody else of the turn: what they make of it ends no server.
func (t *turn) quietly(f func()) {
	if err := guarded(func() error { f(); return nil }); err != nil {
		t.l.c.Log.Error("a turn could not be noted", "error", err)
	}
}

// remember adds the turn to what was said, as later turns are told it.
func (t *turn) remember(text string) {
	p := past{Turn: t.row.ID, Asked: t.q.Text, Told: t.told, Answer: cut(text, slimText), Finish: t.finish, Private: t.q.Scope.Private}
	for _, s := range t.steps {
		p.Steps = append(p.Steps, s.slim())
	}
	t.said.add(p)
	t.said.Form, t.said.About = t.form, t.q.Scope
	for _, id := range t.proposals {
		t.said.Open = append(t.said.Open, open{id, t.q.Scope.Private})
	}
	if taint := t.read.Taint(); len(taint) > 0 {
		stored, err := tools.Store(taint)
		if err != nil { // it would be forgotten what was read
			t.l.c.Log.Error("a conversation could not be kept", "error", err)
			t.said = conversation{}
			return
		}
		t.said.Taint = stored
	}
}
