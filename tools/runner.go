package tools

import (
	"cmp"
	"context"
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// Config of a Runner. App, Registry and Keys must be given.
type Config struct {
	App      core.App
	Registry *Registry
	Keys     Keys
	HeadPath string            // where the head of the audit chain is kept; "" is HeadFile of the app's folder
	English  func(Text) string // the sentence of a Text, for errors and logs

	Log *slog.Logger // the app's unless given

	// Decide says what becomes of a call; nil is the person's own row of the
	// gate, which refuses agents.
	Decide Decide

	// Foreign is told when an agent was given text that others wrote, and from
	// where. An error keeps the text from the agent.
	Foreign func(context.Context, Actor, []Text) error
	// Committed is told of each entry that changed records, once that is
	// committed, whoever wrote. It must not wait for anything.
	Committed func(entry string)

	Now       func() time.Time // the clock; time.Now
	Limit     time.Duration    // of a call that writes; 5 s
	ReadLimit time.Duration    // of a read; 30 s
	UndoLimit time.Duration    // of an undo; 30 s
	Ticket    time.Duration    // how long a preview can be applied; 30 min
	Waits     time.Duration    // the same, of a call that an agent asks for by MCP or chat; 24 h
	UndoDays  int              // how long a change can be taken back; 30
}

// Runner runs tools: it is the one door to domain data.
type Runner struct {
	c         Config
	app       core.App
	reg       *Registry
	recorders sync.Map // core.App of an open transaction -> *recorder
	chain     *chain
	turns     turns
	proofs    proofs
	refusals  refusals
	briefs    briefs
}

// Members is the collection of accounts; an approved one is a member.
const Members = "users"

// Approved is the status of an account that may act.
const Approved = "approved"

// NewRunner binds the recorder to the app's hooks. Call it once per app,
// before it serves.
func NewRunner(c Config) (*Runner, error) {
	if c.App == nil || c.Registry == nil {
		return nil, errors.New("a runner needs an app and a registry")
	}
	if c.HeadPath == "" {
		c.HeadPath = HeadFile(c.App.DataDir())
	}
	if c.English == nil {
		c.English = func(t Text) string { return fmt.Sprint(t.Key, " ", t.Args) }
	}
	if c.Decide == nil {
		c.Decide = DecidePerson
	}
	if c.Log == nil {
		c.Log = c.App.Logger()
	}
	clock := c.Now
	if clock == nil {
		clock = time.Now
	}
	c.Now = func() time.Time { return clock().UTC() }
	c.Limit, c.UndoLimit = orDuration(c.Limit, 5*time.Second), orDuration(c.UndoLimit, 30*time.Second)
	c.ReadLimit = orDuration(c.ReadLimit, 30*time.Second)
	c.Ticket, c.Waits = orDuration(c.Ticket, 30*time.Minute), orDuration(c.Waits, 24*time.Hour)
	if c.UndoDays <= 0 {
		c.UndoDays = 30
	}
	r := &Runner{c: c, app: c.App, reg: c.Registry}
	r.chain = &chain{app: c.App, key: c.Keys.Chain[:], path: c.HeadPath, log: c.Log, told: r.changed}
	c.App.Store().Set(recordersKey, &r.recorders)
	r.bindRecorder()
	r.bindSilence()
	r.bindWriters()
	r.keepFiles()
	return r, nil
}

func orDuration(d, or time.Duration) time.Duration {
	if d <= 0 {
		return or
	}
	return d
}

// CheckRules refuses change rules and scopings that cannot be evaluated. It needs the
// collections, so it runs after the migrations.
func (r *Runner) CheckRules() error {
	for collection, rule := range r.reg.rules {
		if err := rule.check(r.app, collection); err != nil {
			return err
		}
	}
	return r.reg.checkScopes(r.app)
}

// Read runs a read tool as the actor.
func (r *Runner) Read(ctx context.Context, a Actor, inv Invocation) (any, error) {
	t, args, err := r.prepare(a, inv)
	if err != nil {
		return nil, r.told(err)
	}
	if t.read == nil {
		return nil, r.told(Fail(Invalid, "error.not_read", inv.Tool))
	}
	person, err := r.reading(ctx, a, t)
	if err != nil {
		return nil, r.told(err)
	}
	ctx, cancel := context.WithTimeout(ctx, r.c.ReadLimit)
	defer cancel()
	if a.Agent != "" {
		if d, err := r.c.Decide(ctx, r.app, a, Weight{Tool: inv.Tool, Effect: EffectRead}); err != nil || d != Run {
			return nil, r.told(cmp.Or(err, error(Fail(Forbidden, "error.refused", inv.Tool))))
		}
	}
	rd := r.reader(ctx, r.app, a, person)
	rd.scope = scopeOf(ctx)
	var out any
	err = guard(func() (err error) {
		out, err = t.read(rd, args)
		return err
	})
	if err == nil {
		err = r.foreign(ctx, a, rd.run.foreign)
	}
	if err != nil {
		return nil, r.told(err)
	}
	return out, nil
}

// Preview runs the calls for real, in order, in one transaction that is rolled
// back, and answers what they changed. It takes read tools too: they show what
// they would answer after the calls before them. An undo is a call of UndoTool
// with an UndoSpec, and comes alone.
func (r *Runner) Preview(ctx context.Context, a Actor, invs ...Invocation) (Preview, error) {
	calls, err := r.prepareAll(ctx, a, invs)
	if err != nil {
		return Preview{}, r.told(err)
	}
	return r.preview(ctx, a, calls)
}

// Apply runs the calls, in order, in one transaction: all or none. With the
// digest of a preview it applies just what that preview showed, once; an error
// of kind Stale says that it would be something else now. Without one it does
// what the person may do with a click; the rest is refused with DigestRequired.
func (r *Runner) Apply(ctx context.Context, a Actor, digest string, invs ...Invocation) (Receipt, error) {
	return r.Nod(ctx, a, Nod{Digest: digest}, invs...)
}

// Nod is a yes to what was shown.
type Nod struct {
	Digest   string
	Proposal string // that waited for it, if one did
	Note     string // how it came, for the audit
	// Then runs in the transaction, when all is done and written down. Its error
	// rolls everything back.
	Then func(tx core.App, r Receipt) error
}

// Nod is Apply for whoever keeps more about the nod than its digest.
func (r *Runner) Nod(ctx context.Context, a Actor, n Nod, invs ...Invocation) (Receipt, error) {
	calls, err := r.prepareAll(ctx, a, invs)
	if err == nil {
		var rec Receipt
		if rec, err = r.apply(ctx, a, n, calls); err == nil {
			return rec, nil
		}
	}
	err = r.told(err)
	r.refused(a, n, invs, err)
	return Receipt{}, err
}

// call is one prepared piece of work inside a run.
type call struct {
	Invocation
	kind   entryKind
	title  Text
	effect Effect
	plugin Plugin
	tool   *Tool
	undoes []string
	do     func(*Call) (any, error)
}

func (r *Runner) prepare(a Actor, inv Invocation) (*Tool, jsontext.Value, error) {
	t := r.reg.tools[inv.Tool]
	if t == nil {
		return nil, nil, Fail(NotFound, "error.no_tool", Quoted(inv.Tool, 80))
	}
	if t.Operator {
		// Whoever may not use it is not told what it takes either.
		if _, err := r.person(r.app, a, t); err != nil {
			return nil, nil, err
		}
	}
	args, err := t.arguments(inv.Args)
	return t, args, err
}

func (r *Runner) prepareAll(ctx context.Context, a Actor, invs []Invocation) ([]call, error) {
	if len(invs) == 0 {
		return nil, Fail(Invalid, "error.no_calls")
	}
	if slices.ContainsFunc(invs, func(i Invocation) bool { return i.Tool == UndoTool }) {
		return r.prepareUndo(ctx, a, invs)
	}
	calls := make([]call, len(invs))
	for i, inv := range invs {
		t, args, err := r.prepare(a, inv)
		if err != nil {
			return nil, placed(err, i)
		}
		calls[i] = call{
			Invocation: Invocation{inv.Tool, args}, kind: kindCall, title: T(t.Title), effect: t.Effect, plugin: r.reg.owner[inv.Tool], tool: t,
			do: func(c *Call) (any, error) {
				if t.read != nil {
					return t.read(&c.Reader, args)
				}
				return t.run(c, args)
			},
		}
	}
	return calls, nil
}

// reader makes the Reader of one run, on the pool or in a transaction.
func (r *Runner) reader(ctx context.Context, app core.App, a Actor, person *core.Record) *Reader {
	return &Reader{Actor: a, ctx: ctx, app: app, run: &run{info: requestInfo(person), now: r.c.Now(), reg: r.reg, refs: map[string]Words{}}}
}

// Told gives an error its English sentence, as a Runner's own have it. What is
// no Error is logged and becomes one that tells nothing of the inside.
func (r *Runner) Told(err error) error {
	if err == nil {
		return nil
	}
	return r.told(err)
}

// told gives an error its English sentence before it leaves. What is no Error
// is logged and becomes one that tells nothing of the inside.
func (r *Runner) told(err error) error {
	e, ok := errors.AsType[*Error](err)
	switch {
	case ok:
	case errors.Is(err, context.Canceled):
		e = Fail(Unavailable, "error.went_away").Because(err)
	case timedOut(err):
		e = Fail(Limit, "error.too_long").Because(err)
	default:
		attrs := []any{"error", err}
		if p, ok := errors.AsType[*panicked](err); ok {
			attrs = append(attrs, "stack", p.stack)
		}
		r.c.Log.Error("a tool failed", attrs...)
		e = Fail(Internal, "error.internal").Because(err)
	}
	if e.english == "" {
		e.english = r.c.English(e.Text)
	}
	return e
}

// timedOut says that an error is a limit that was reached: PocketBase's own
// too, where dbx lists it beside the rollback that then fails.
func timedOut(err error) bool {
	if list, ok := errors.AsType[dbx.Errors](err); ok {
		return slices.ContainsFunc(list, timedOut)
	}
	return errors.Is(err, context.DeadlineExceeded)
}

// panicked is a panic of a tool. What it said may be somebody's words; the
// log gets its type and where it was.
type panicked struct {
	value any
	stack string
}

// Error tells the type of what it said.
func (p *panicked) Error() string { return fmt.Sprintf("panic: %T", p.value) }

// guard turns a panic of a tool into an error.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{p, string(debug.Stack())}
		}
	}()
	return f()
}
