package assistant

import (
	"context"
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/tools"
)

const (
	// mostCalls is how many calls of one answer are made.
	mostCalls = 16
	// mostArgs is how long the arguments of a call may be, in bytes: more than the rows
	// of an import that a model writes.
	mostArgs = 128 << 10
	// atOnce is how many reads of one answer run side by side.
	atOnce = 4
)

// job is one call of a model, and what becomes of it.
type job struct {
	call gateway.Call
	tool offer.Entry
	args jsontext.Value
	read func(context.Context) (string, error) // what the model is given
	inv  *tools.Invocation                     // what the gate is asked for instead

	done func(error) // ends what was begun to be told of it
	text string
	err  error
}

// round makes the calls of one answer: the reads, some side by side, then the
// changes in their order. The results are in the order of the calls, whatever
// order they came in.
func (t *turn) round(ctx context.Context, calls []gateway.Call) []gateway.ToolResult {
	jobs := make([]*job, len(calls))
	for i, c := range calls {
		jobs[i] = &job{call: c}
		if i >= mostCalls {
			jobs[i].err = tools.Fail(tools.Limit, "assistant.error.round", mostCalls)
			continue
		}
		if len(c.Name)+len(c.Args) > mostArgs {
			jobs[i].err = tools.Fail(tools.TooLarge, "error.too_large", mostArgs)
			continue
		}
		jobs[i].err = t.prepare(jobs[i])
	}
	for _, c := range calls[:min(len(calls), mostCalls)] {
		if len(c.Name)+len(c.Args) <= mostArgs { // no tool sees others
			t.links.called(c.Name + " " + string(c.Args))
		}
	}
	t.reads(ctx, jobs)
	t.writes(ctx, jobs)
	results := make([]gateway.ToolResult, len(jobs))
	for i, j := range jobs {
		results[i] = gateway.ToolResult{Call: j.call.ID, Text: j.text}
		if j.err != nil {
			results[i].Text, results[i].Error = t.failed(j.err), true
		}
		t.given(results[i])
	}
	return results
}

// given notes the addresses that a result tells. What failed, and what was done,
// tells the model its own words again.
func (t *turn) given(r gateway.ToolResult) {
	if !r.Error && !strings.HasPrefix(r.Text, done) {
		t.links.give(r.Text)
	}
}

// prepare finds the tool of a call, and what is to be done for it.
func (t *turn) prepare(j *job) error {
	name, args := j.call.Name, j.call.Args
	if j.call.Invalid {
		return tools.Fail(tools.Invalid, "assistant.error.arguments")
	}
	if name == offer.UseName {
		var in offer.UseIn
		if err := t.decode(name, args, &in); err != nil {
			return err
		}
		inv, err := in.Invocation()
		if err != nil {
			return err
		}
		if name, args = inv.Tool, inv.Args; name == offer.UseName {
			return tools.Fail(tools.Invalid, "assistant.error.use_itself")
		}
	}
	var err error
	if j.tool, err = t.l.c.Menu.Lookup(t.agent, name); err != nil {
		if j.tool.Name != "" && j.tool.Effect != tools.EffectRead {
			err = t.l.c.Runner.Refuse(t.agent.Actor, tools.Invocation{Tool: name, Args: args}, err)
		}
		return err
	}
	j.args = offer.Coerce(args, j.tool.Input)
	switch own := j.tool.Own; {
	case own != nil && own.Calls() != "":
		given, err := own.Args(t.agent, j.args)
		if err != nil {
			return err
		}
		j.inv = &tools.Invocation{Tool: own.Calls(), Args: given}
	case own != nil:
		j.read = t.own(j)
	case j.tool.Effect == tools.EffectRead:
		j.read = func(ctx context.Context) (string, error) {
			out, err := t.call(ctx, tools.Invocation{Tool: j.tool.Name, Args: j.args})
			if err != nil {
				return "", err
			}
			return t.result(j.tool.Name, out)
		}
	default:
		j.inv = &tools.Invocation{Tool: j.tool.Name, Args: j.args}
	}
	if j.inv == nil {
		return nil
	}
	if t.changes++; t.changes > t.limits.Changes {
		t.changes--
		return tools.Fail(tools.Limit, "assistant.error.changes", t.limits.Changes)
	}
	return nil
}

// decode checks the arguments of one of the model's own tools and reads them.
func (t *turn) decode(name string, args jsontext.Value, in any) error {
	e, err := t.l.c.Menu.Lookup(t.agent, name)
	if err != nil {
		return err
	}
	return e.Own.Read(args, in)
}

// call reads with a tool, past the gate.
func (t *turn) call(ctx context.Context, inv tools.Invocation) (any, error) {
	inv, err := t.resolved(ctx, inv)
	if err != nil {
		return nil, err
	}
	got, err := t.l.c.Gate.Call(ctx, t.agent, inv)
	return got.Output, err
}

// resolved puts the content of files in the place of their ids.
func (t *turn) resolved(ctx context.Context, inv tools.Invocation) (tools.Invocation, error) {
	return t.l.c.Uploads.Resolve(ctx, t.agent.Actor, inv)
}

// reads makes the calls that change nothing.
func (t *turn) reads(ctx context.Context, jobs []*job) {
	var all sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for _, j := range jobs {
		if j.err != nil || j.read == nil {
			continue
		}
		t.started(j)
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			ctx, done := t.watched(ctx, j)
			err := guarded(func() (err error) {
				j.text, err = j.read(ctx)
				return err
			})
			j.err = err
			done(err)
			t.ended(j)
		})
	}
	all.Wait()
}

// guarded makes a panic an error: no question takes others with it. What it says
// may be somebody's words; the log gets its type, and where it was.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %T\n%s", p, debug.Stack())
		}
	}()
	return f()
}

// writes makes the calls that change something, together.
func (t *turn) writes(ctx context.Context, jobs []*job) {
	var todo []*job
	var calls []tools.Invocation
	for _, j := range jobs {
		if j.err != nil || j.inv == nil {
			continue
		}
		inv, err := t.resolved(ctx, *j.inv)
		if err != nil {
			j.err = t.l.c.Runner.Refuse(t.agent.Actor, *j.inv, err)
			t.started(j)
			t.ended(j)
			continue
		}
		todo, calls = append(todo, j), append(calls, inv)
	}
	if len(todo) == 0 {
		return
	}
	for _, j := range todo {
		t.started(j)
		_, j.done = t.watched(ctx, j)
	}
	told := map[string]bool{}
	for i, s := range t.l.c.Gate.Round(ctx, t.agent, calls...) {
		j := todo[i]
		switch {
		case s.Err != nil:
			j.err = s.Err
		case s.Receipt != nil:
			t.emit(EventProposal, gate.Did(t.agent, calls[i], *s.Receipt, t.l.now()))
			j.text, j.err = t.did(j.tool.Name, s)
		case s.Proposal != nil:
			j.text = waits
			if id := s.Proposal.ID; !told[id] {
				told[id] = true
				t.proposals = append(t.proposals, id)
				t.emit(EventProposal, s.Proposal)
			}
		}
		if s.Err == nil {
			t.changed++
		}
		j.done(j.err)
		t.ended(j)
	}
}

// waits is what a model is told of a call that a person must say yes to. What
// the card shows is for the person alone.
const waits = "It waits for the person, who is shown it on a card. Nothing has happened yet: do not say that it is done, and do not call it again."

// done begins what it is told of one that ran.
const done = "Done. The person sees on a card what changed, and can undo it."

// did is what a model is told of a change that ran.
func (t *turn) did(tool string, s gate.Step) (string, error) {
	text, err := t.result(tool, struct {
		Status string   `json:"status"`
		Output any      `json:"output"`
		Audit  []string `json:"audit"`
	}{"done", s.Output, s.Receipt.Audit})
	if err != nil {
		return "", err
	}
	return done + "\n" + text, nil
}

// result is what a tool answered, as a model is given it: data, and no more of it
// than it can read.
func (t *turn) result(source string, out any) (string, error) {
	raw, err := t.json(out)
	if err != nil {
		return "", err
	}
	text, note := string(raw), ""
	if most := t.limits.Result; len(text) > most {
		note = fmt.Sprintf("\nThis is cut: it is %d bytes of %d. What is missing was not given to you. Ask for less, by the arguments of the tool: a smaller limit, then the next page, or a narrower filter.", most, len(text))
		text = cut(text, most)
	}
	return data(source, text) + note, nil
}

// failed is what a model is told of an error: in English, and as data, since
// errors name what people wrote.
func (t *turn) failed(err error) string {
	own, _ := errors.AsType[*tools.Error](t.l.c.Runner.Told(err)) // it gives no other
	says := own.Error()
	for _, c := range own.Conflicts {
		says += "\n- " + c.Collection + " " + c.ID // why is for the person: it may speak of what the question is not about
	}
	return "It failed (" + string(own.Kind) + "):\n" + data("error", cut(says, 2000))
}
