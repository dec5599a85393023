package tools_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TestLimits are what is promised, unless a Config says otherwise.
func TestLimits(t *testing.T) {
	b := open(t, tools.Config{})
	got := b.Runner.Limits()
	want := tools.Config{Limit: 5 * time.Second, UndoLimit: 30 * time.Second, Ticket: 30 * time.Minute, UndoDays: 30}
	if got.Limit != want.Limit || got.UndoLimit != want.UndoLimit || got.Ticket != want.Ticket || got.UndoDays != want.UndoDays {
		t.Errorf("%v %v %v %d", got.Limit, got.UndoLimit, got.Ticket, got.UndoDays)
	}
}

// TestPersonIsReadAgain inside the transaction: who was suspended, changed or
// deleted since the preview is who they are now.
func TestPersonIsReadAgain(t *testing.T) {
	for name, change := range map[string]func(b *bench, ann *core.Record) error{
		"suspended": func(b *bench, ann *core.Record) error { ann.Set("status", "suspended"); return b.Save(ann) },
		"deleted":   func(b *bench, ann *core.Record) error { return b.Delete(ann) },
		"no longer in the rule": func(b *bench, ann *core.Record) error {
			ann.Set("handle", "anne")
			return b.Save(ann)
		},
	} {
		l := newLab()
		l.rules["lab_tags"] = tools.Rule{Becomes: "@request.auth.handle = 'ann'"}
		b := openIn(t, t.TempDir()+"/data", tools.Config{}, l)
		inv := b.write(add("lab_tags", map[string]any{"name": "t"}, nil))
		p, err := b.Runner.Preview(t.Context(), b.ann, inv)
		if err != nil {
			t.Fatal(err)
		}
		if err := change(b, b.Member("ann")); err != nil {
			t.Fatal(err)
		}
		_, err = b.Runner.Apply(t.Context(), b.ann, p.Digest, inv)
		if k := tools.KindOf(err); err == nil || (k != tools.Forbidden && k != tools.Unauthorized) || b.count("lab_tags") != 0 {
			t.Errorf("%s: %v, %d tags", name, err, b.count("lab_tags"))
		}
		if name == "deleted" {
			if _, err := b.Runner.Read(t.Context(), b.ann, tools.Invocation{Tool: "lab_read", Args: []byte(`{"code":"x"}`)}); tools.KindOf(err) != tools.Unauthorized {
				t.Error(err)
			}
		}
	}
}

// TestVolatileFields do not keep a nod from being used.
func TestVolatileFields(t *testing.T) {
	b := open(t, tools.Config{})
	name := "one"
	inv := b.write(func(c *tools.Call) error { return add("lab_groups", map[string]any{"name": name}, nil)(c) })
	p, err := b.Runner.Preview(t.Context(), b.ann, inv)
	if err != nil {
		t.Fatal(err)
	}
	name = "two"
	if _, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, inv); err != nil {
		t.Error(err)
	}
}

// TestConflictSaysWho changed it since.
func TestConflictSaysWho(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_subs", map[string]any{"name": "a"}, &id))
	e := b.do(update("lab_subs", &id, map[string]any{"name": "b"}))
	b.must(b.try(b.bob, b.write(update("lab_subs", &id, map[string]any{"name": "c"}))))
	_, err := b.Undo(b.ann, e.Audit...)
	if c := conflicts(err); len(c) != 1 || c[0].By != "bob" {
		t.Errorf("%v %+v", err, c)
	}
}

// TestUndoExcept leaves out what is excepted.
func TestUndoExcept(t *testing.T) {
	b := open(t, tools.Config{})
	var audit []string
	for range 3 {
		audit = append(audit, b.do(add("lab_tags", map[string]any{"name": "t"}, nil)).Audit...)
	}
	spec := tools.UndoSpec{Audit: audit, Except: audit[1:2]}
	p, err := b.Runner.PreviewUndo(t.Context(), b.ann, spec)
	if err != nil || len(p.Items[0].Changes) != 2 {
		t.Fatalf("%+v %v", p, err)
	}
	b.must(b.Runner.Undo(t.Context(), b.ann, p.Digest, spec))
	if b.count("lab_tags") != 1 {
		t.Error(b.count("lab_tags"))
	}
	if _, err := b.Runner.PreviewUndo(t.Context(), b.ann, tools.UndoSpec{Audit: make([]string, 501)}); tools.KindOf(err) != tools.Invalid {
		t.Error(err)
	}
}

// TestReadsDoNotWait for a write that is under way.
func TestReadsDoNotWait(t *testing.T) {
	b := open(t, tools.Config{})
	b.reads["tags"] = func(r *tools.Reader) (any, error) { return r.List("lab_tags", tools.Query{}) }
	inside, over := make(chan bool), make(chan bool)
	go func() {
		_, _ = b.Runner.Preview(context.Background(), b.ann, b.write(func(c *tools.Call) error {
			err := add("lab_tags", map[string]any{"name": "t"}, nil)(c)
			close(inside)
			<-over
			return err
		}))
	}()
	<-inside
	out, err := b.Read(b.bob, "lab_read", run{"tags"})
	close(over)
	if recs, ok := out.([]*core.Record); err != nil || !ok || len(recs) != 0 {
		t.Errorf("%v %v: a read sees what is not committed, or waits", out, err)
	}
}

// TestLongArgumentsAreHashed in the audit.
func TestLongArgumentsAreHashed(t *testing.T) {
	b := open(t, tools.Config{})
	inv := b.write(add("lab_tags", nil, nil))
	inv.Args = append(inv.Args[:len(inv.Args)-1], (strings.Repeat(" ", 20<<10) + "}")...)
	long := b.call("lab_write", add("lab_tags", nil, nil))
	name := strings.Repeat("x", 20<<10)
	b.code[name] = add("lab_tags", nil, nil)
	long.Args = []byte(`{"code":"` + name + `"}`)
	rec := b.must(b.Runner.Apply(t.Context(), b.ann, "", long))
	var args string
	if err := b.DB().Select("args").From("nodkeep_audit").Where(dbx.HashExp{"id": rec.Audit[0]}).Row(&args); err != nil || !strings.Contains(args, "sha256") || len(args) > 200 {
		t.Errorf("%.80q %v", args, err)
	}
	b.wellFormed(t)
}

// TestLogsHoldNoWords of people: neither what a tool was given nor what it
// panicked with.
func TestLogsHoldNoWords(t *testing.T) {
	var mu sync.Mutex
	var logged strings.Builder
	b := open(t, tools.Config{Log: slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return logged.Write(p)
	}), &slog.HandlerOptions{Level: slog.LevelDebug}))})
	word := "my-secret-diary"
	for _, f := range []func(*tools.Call) error{
		func(*tools.Call) error { panic(word) },
		func(*tools.Call) error { return tools.Fail(tools.Invalid, "error.json", word) },
		add("lab_subs", map[string]any{"kind": word}, nil),
		func(*tools.Call) error { panic(errors.New(word)) },
	} {
		if _, err := b.Runner.Apply(t.Context(), b.ann, "", b.write(f)); err == nil {
			t.Error("it should fail")
		}
	}
	if !strings.Contains(logged.String(), "a tool failed") || strings.Contains(logged.String(), word) {
		t.Errorf("logged: %s", logged.String())
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
