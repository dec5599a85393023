package tools_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TestBriefIsKept: a briefing is made once for many questions, and anew once a
// record changed, whoever changed it, or a quarter of an hour is over. It is nobody
// else's, and what was read for it is told each time.
func TestBriefIsKept(t *testing.T) {
	var mu sync.Mutex
	made, late, read := 0, time.Duration(0), 0
	quarter := time.Now().Truncate(15 * time.Minute)
	says := func(r *tools.Reader) ([]tools.Text, error) {
		mu.Lock()
		defer mu.Unlock()
		made++
		r.Foreign(tools.T("ex.text", "a note"))
		return []tools.Text{tools.T("ex.text", r.Actor.Person, made)}, nil
	}
	b := open(t, tools.Config{
		Decide: func(context.Context, core.App, tools.Actor, tools.Weight) (tools.Decision, error) {
			return tools.Run, nil
		},
		Foreign: func(context.Context, tools.Actor, []tools.Text) error { read++; return nil },
		Now:     func() time.Time { mu.Lock(); defer mu.Unlock(); return quarter.Add(late) },
	}, extra{name: "ex", brief: says})
	agent := tools.Actor{Person: b.ann.Person, Door: tools.DoorAssistant, Agent: "model"}
	want := func(ctx context.Context, a tools.Actor, n int, what string) {
		t.Helper()
		got, err := b.Runner.Brief(ctx, a)
		if err != nil || len(got) != 1 || fmt.Sprint(got[0].Args) != fmt.Sprint([]any{a.Person, n}) {
			t.Errorf("%s: %v %v, want the one that was made as number %d", what, got, err, n)
		}
	}
	ctx := t.Context()
	want(ctx, agent, 1, "the first")
	want(ctx, agent, 1, "again")
	if read != 2 {
		t.Errorf("what was read is told %d times, want 2", read)
	}
	other := agent
	other.Person = b.bob.Person
	want(ctx, other, 2, "another person")
	want(tools.WithScope(ctx, tools.Scope{}), agent, 3, "without what is private")
	want(tools.WithScope(ctx, tools.Scope{}), agent, 3, "without what is private, again")
	want(tools.WithScope(ctx, tools.Scope{Private: true, Only: map[string][]string{}}), agent, 4, "of some records")
	want(tools.WithScope(ctx, tools.Scope{Private: true, Only: map[string][]string{}}), agent, 5, "of some records, again")
	want(ctx, agent, 1, "all again")
	b.do(func(c *tools.Call) error {
		rec := c.New("lab_groups")
		rec.Set("name", "x")
		return c.Save(rec)
	})
	want(ctx, agent, 6, "after a tool of somebody else")
	rec, err := b.FindFirstRecordByData("lab_groups", "name", "x")
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("name", "y")
	if err := b.Save(rec); err != nil {
		t.Fatal(err)
	}
	want(ctx, agent, 7, "after a hand in the dashboard")
	for _, step := range []time.Duration{15*time.Minute - time.Second, time.Second, -time.Hour} {
		mu.Lock()
		late += step
		mu.Unlock()
		n := 7
		if step <= time.Second {
			n = made + 1
		}
		want(ctx, agent, n, "after "+step.String())
	}
}
