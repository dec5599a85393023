package tools_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TestPreviewAndApplyAgree: what is derived from new ids, files, order or the
// hidden is the same in an apply as it was in its preview.
func TestPreviewAndApplyAgree(t *testing.T) {
	b := open(t, tools.Config{})
	with := func(f func(c *tools.Call, sub *core.Record)) func(*tools.Call) error {
		return func(c *tools.Call) error {
			sub := c.New("lab_subs")
			sub.Set("name", "n")
			if err := c.Save(sub); err != nil {
				return err
			}
			f(c, sub)
			return c.Save(sub)
		}
	}
	for name, f := range map[string]func(*tools.Call) error{
		"json":      with(func(_ *tools.Call, s *core.Record) { s.Set("meta", map[string]any{"me": s.Id, "l": []string{s.Id}}) }),
		"part":      with(func(_ *tools.Call, s *core.Record) { s.Set("note", "see #"+strings.ToUpper(s.Id[:6])) }),
		"file":      with(func(_ *tools.Call, s *core.Record) { s.Set("doc", file("abc")) }),
		"invalid":   with(func(_ *tools.Call, s *core.Record) { s.Set("note", "a\xffb") }),
		"autodates": with(func(_ *tools.Call, s *core.Record) { time.Sleep(3 * time.Millisecond) }),
		"sorted": func(c *tools.Call) error {
			for i := range 4 {
				if err := add("lab_tags", map[string]any{"name": fmt.Sprint(i)}, nil)(c); err != nil {
					return err
				}
			}
			tags, err := c.List("lab_tags", tools.Query{Sort: "-id"})
			for i, tag := range tags {
				tag.Set("name", fmt.Sprint("now ", i))
				err = errors.Join(err, c.Save(tag))
			}
			return err
		},
		"sent": func(c *tools.Call) error { return c.Send("mail", map[string]any{"b": 1, "a": []string{"x"}}) },
	} {
		inv := b.write(f)
		p, err := b.Runner.Preview(t.Context(), b.ann, inv)
		if err != nil {
			t.Fatal(name, err)
		}
		rec, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, inv)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, ch := range rec.Changes {
			if ch.ID != p.Items[0].Changes[i].ID {
				t.Errorf("%s: made %s, the preview showed %s", name, ch.ID, p.Items[0].Changes[i].ID)
			}
		}
	}
}

// TestStale: whatever is otherwise than it was shown, nothing is applied.
func TestStale(t *testing.T) {
	b := open(t, tools.Config{})
	var id, tag string
	b.do(add("lab_subs", map[string]any{"name": "a", "amount": 1, "secret": "s", "doc": file("1")}, &id))
	b.do(add("lab_tags", map[string]any{"name": "t"}, &tag))
	text, doc := "x", "2"
	change := b.write(func(c *tools.Call) error {
		return update("lab_subs", &id, map[string]any{"name": text, "doc": file(doc)})(c)
	})
	del := b.call("lab_destroy", remove("lab_subs", &id))
	sent := "hello"
	send := b.write(func(c *tools.Call) error { return c.Send("mail", sent) })
	for name, row := range map[string]struct {
		inv   tools.Invocation
		meddl func()
	}{
		"another value":              {change, func() { text = "y" }},
		"another file":               {change, func() { doc = "3" }},
		"before is otherwise":        {change, func() { b.do(update("lab_subs", &id, map[string]any{"name": "b"})) }},
		"a delete of something else": {del, func() { b.do(update("lab_subs", &id, map[string]any{"amount": 2})) }},
		"a hidden field":             {del, func() { b.do(update("lab_subs", &id, map[string]any{"secret": "other"})) }},
		"something linked since":     {del, func() { b.do(add("lab_charges", map[string]any{"sub": id}, nil)) }},
		"another message":            {send, func() { sent = "bye" }},
	} {
		p, err := b.Runner.Preview(t.Context(), b.ann, row.inv)
		if err != nil {
			t.Fatal(name, err)
		}
		row.meddl()
		before := b.dump()
		if _, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, row.inv); tools.KindOf(err) != tools.Stale {
			t.Errorf("%s: %v", name, err)
		}
		if d := differs(before, b.dump()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	// What the update does not touch may change meanwhile.
	p, err := b.Runner.Preview(t.Context(), b.ann, change)
	if err != nil {
		t.Fatal(err)
	}
	b.do(update("lab_subs", &id, map[string]any{"amount": 77}))
	if _, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, change); err != nil {
		t.Errorf("another field changed: %v", err)
	}
}

// TestDigestBelongs: a digest is one person's, for one set of tools, and none
// that we did not make counts.
func TestDigestBelongs(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_tags", map[string]any{"name": "t"}, &id))
	del := b.call("lab_destroy", remove("lab_tags", &id))
	same := b.call("lab_write", remove("lab_tags", &id))
	p, err := b.Runner.Preview(t.Context(), b.ann, del)
	if err != nil {
		t.Fatal(err)
	}
	flip := func(i int) string {
		c := byte('A')
		if p.Digest[i] == c {
			c = 'B'
		}
		return p.Digest[:i] + string(c) + p.Digest[i+1:]
	}
	for name, row := range map[string]struct {
		actor  tools.Actor
		digest string
		inv    tools.Invocation
		want   tools.Kind
	}{
		"another person":                  {b.bob, p.Digest, del, tools.Stale},
		"another tool":                    {b.ann, p.Digest, same, tools.Stale},
		"another nonce":                   {b.ann, flip(2), del, tools.Stale},
		"another mac":                     {b.ann, flip(40), del, tools.Stale},
		"no digest":                       {b.ann, "", del, tools.DigestRequired},
		"no digest, a write that deletes": {b.ann, "", same, tools.DigestRequired},
		"garbage":                         {b.ann, "abc", del, tools.Invalid},
		"cut":                             {b.ann, p.Digest[:20], del, tools.Invalid},
		"an agent":                        {tools.Actor{Person: b.ann.Person, Agent: "tok", Door: tools.DoorMCP}, p.Digest, del, tools.Forbidden},
	} {
		if _, err := b.Runner.Apply(t.Context(), row.actor, row.digest, row.inv); tools.KindOf(err) != row.want {
			t.Errorf("%s: %v, want %s", name, err, row.want)
		}
	}
	if b.count("lab_tags") != 1 {
		t.Error("it is gone")
	}
}

// TestDigestExpires: a ticket that ran out is refused, also if its time is
// written anew.
func TestDigestExpires(t *testing.T) {
	clock := time.Now()
	b := open(t, tools.Config{Now: func() time.Time { return clock }})
	inv := b.write(add("lab_tags", map[string]any{"name": "t"}, nil))
	p, err := b.Runner.Preview(t.Context(), b.ann, inv)
	if err != nil {
		t.Fatal(err)
	}
	clock = clock.Add(29 * time.Minute)
	if _, err := b.Runner.Preview(t.Context(), b.ann, inv); err != nil {
		t.Fatal(err)
	}
	clock = clock.Add(2 * time.Minute)
	if _, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, inv); tools.KindOf(err) != tools.Expired {
		t.Error(err)
	}
}

// TestOneOfMany: of many applies of one digest at once, one is done; the rest
// are told its receipt. For an add as for a delete.
func TestOneOfMany(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_subs", map[string]any{"name": "a"}, &id))
	for name, inv := range map[string]tools.Invocation{
		"add":    b.write(add("lab_tags", map[string]any{"name": "t"}, nil)),
		"delete": b.call("lab_destroy", remove("lab_subs", &id)),
	} {
		p, err := b.Runner.Preview(t.Context(), b.ann, inv)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var audit []string
		told := map[string]int{}
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				rec, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, inv)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					audit = append(audit, rec.Audit...)
					return
				}
				e, ok := errors.AsType[*tools.Error](err)
				if !ok || e.Kind != tools.Conflict || len(e.Audit) != 1 {
					t.Errorf("%s: %v", name, err)
					return
				}
				told[e.Audit[0]]++
			})
		}
		wg.Wait()
		if len(audit) != 1 || told[audit[0]] != 49 {
			t.Errorf("%s: applied %v, told %v", name, audit, told)
		}
	}
	if b.count("lab_tags") != 1 || b.count("lab_subs") != 0 {
		t.Error("not once")
	}
}

// TestSeveralCalls: calls of one run are previewed together, the later may
// need the earlier, and they apply all or none.
func TestSeveralCalls(t *testing.T) {
	b := open(t, tools.Config{})
	var sub string
	first := b.write(add("lab_subs", map[string]any{"name": "a"}, &sub))
	second := b.write(func(c *tools.Call) error { return add("lab_charges", map[string]any{"sub": sub}, nil)(c) })
	fails := b.write(func(*tools.Call) error { return tools.Fail(tools.Invalid, "error.json", "no") })
	if _, err := b.Runner.Apply(t.Context(), b.ann, "", first, second, fails); tools.KindOf(err) != tools.Invalid {
		t.Error(err)
	}
	if b.count("lab_subs") != 0 {
		t.Error("half of it was done")
	}
	p, err := b.Runner.Preview(t.Context(), b.ann, first, second)
	if err != nil || len(p.Items) != 2 {
		t.Fatal(p, err)
	}
	if _, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, second, first); err == nil {
		t.Error("another order was applied")
	}
	if _, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, first); tools.KindOf(err) != tools.Stale {
		t.Error(err)
	}
	rec, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, first, second)
	if err != nil || len(rec.Audit) != 2 || b.count("lab_charges") != 1 {
		t.Error(rec, err)
	}
	if _, err := b.Undo(b.ann, rec.Audit...); err != nil || b.count("lab_subs") != 0 {
		t.Error(err)
	}
}
