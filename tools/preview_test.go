package tools_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TestPreviewIsSilent tries each way in which a preview was heard of.
func TestPreviewIsSilent(t *testing.T) {
	b := open(t, tools.Config{})
	var heard []string
	note := func(what string) func(e *core.RecordErrorEvent) error {
		return func(e *core.RecordErrorEvent) error { heard = append(heard, what); return e.Next() }
	}
	b.OnRecordAfterCreateError().BindFunc(note("create error"))
	b.OnRecordAfterUpdateError().BindFunc(note("update error"))
	b.OnRecordAfterDeleteError().BindFunc(note("delete error"))
	b.OnRecordAfterCreateSuccess().BindFunc(func(e *core.RecordEvent) error { heard = append(heard, "create success"); return e.Next() })

	var sub string
	full := b.write(func(c *tools.Call) error {
		if err := add("lab_subs", map[string]any{"name": "n", "code": "c1", "owner": b.ann.Person, "doc": file("hello")}, &sub)(c); err != nil {
			return err
		}
		if err := update("lab_subs", &sub, map[string]any{"name": "m"})(c); err != nil {
			return err
		}
		// a save that fails, swallowed by the tool
		if err := add("lab_subs", map[string]any{"code": "c1"}, nil)(c); err == nil {
			return errors.New("the code is taken, and was stored")
		}
		return c.Send("mail", map[string]string{"to": "x"})
	})
	second := b.write(func(c *tools.Call) error {
		return add("lab_charges", map[string]any{"sub": sub, "receipt": file("paid")}, nil)(c)
	})
	gone := b.write(func(c *tools.Call) error { return remove("lab_subs", &sub)(c) })
	failing := b.write(func(c *tools.Call) error {
		return errors.Join(add("lab_tags", map[string]any{"name": "t"}, nil)(c), errors.New("no"))
	})
	before := b.count("nodkeep_audit")
	p, err := b.Runner.Preview(t.Context(), b.ann, full, second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Runner.Preview(t.Context(), b.ann, full, second, gone); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Runner.Preview(t.Context(), b.ann, failing); err == nil {
		t.Error("a tool that fails has a preview")
	}
	if len(heard) > 0 || b.count("lab_subs")+b.count("lab_charges")+b.count("nodkeep_outbox") > 0 || len(b.stored()) > 0 {
		t.Errorf("heard %v; %d subs, files %v", heard, b.count("lab_subs"), b.stored())
	}
	if n := b.count("nodkeep_audit"); n != before {
		t.Errorf("%d entries written", n-before)
	}
	if len(p.Items) != 2 || p.Items[0].Effect != tools.EffectSend || len(p.Items[0].Sends) != 1 || len(p.Items[1].Changes) != 1 {
		t.Errorf("items %+v", p.Items)
	}

	// Stale and digest_required in an apply are silent too.
	code := "c9"
	shifting := b.write(func(c *tools.Call) error { return add("lab_subs", map[string]any{"code": code}, nil)(c) })
	sp, err := b.Runner.Preview(t.Context(), b.ann, shifting)
	if err != nil {
		t.Fatal(err)
	}
	code = "c10"
	if _, err := b.Runner.Apply(t.Context(), b.ann, sp.Digest, shifting); tools.KindOf(err) != tools.Stale {
		t.Error(err)
	}
	if _, err := b.Runner.Apply(t.Context(), b.ann, "", full); tools.KindOf(err) != tools.DigestRequired {
		t.Error(err)
	}
	// The failed save that the tool swallowed is heard in an apply, as anywhere.
	if want := []string{"create error"}; fmt.Sprint(heard) != fmt.Sprint(want) {
		t.Errorf("heard %v, want %v", heard, want)
	}

	heard = nil
	if _, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, full, second); err != nil {
		t.Fatal(err)
	}
	if len(b.stored()) != 2 || b.count("nodkeep_outbox") != 1 || len(heard) != 3 {
		t.Errorf("files %v, heard %v", b.stored(), heard)
	}
}

// TestFailedApplyLeavesNoFile: what was uploaded goes when the commit fails.
func TestFailedApplyLeavesNoFile(t *testing.T) {
	b := open(t, tools.Config{})
	poisoned := false
	b.OnRecordCreate("lab_subs").BindFunc(func(e *core.RecordEvent) error {
		if err := e.Next(); err != nil || !poisoned {
			return err
		}
		// a deferred constraint fails at COMMIT, after the files were written
		_, err := e.App.DB().NewQuery("PRAGMA defer_foreign_keys=ON; CREATE TABLE IF NOT EXISTS p (id INTEGER PRIMARY KEY); CREATE TABLE IF NOT EXISTS q (p INTEGER REFERENCES p(id)); INSERT INTO q VALUES (99)").Execute()
		return err
	})
	poisoned = true
	_, err := b.Runner.Apply(t.Context(), b.ann, "", b.write(add("lab_subs", map[string]any{"doc": file("x")}, nil)))
	if err == nil || b.count("lab_subs") > 0 || len(b.stored()) > 0 {
		t.Errorf("%v; %d records, files %v", err, b.count("lab_subs"), b.stored())
	}
}

// TestForeignHookAfterCommit: what is written stays written, and the receipt
// says so.
func TestForeignHookAfterCommit(t *testing.T) {
	b := open(t, tools.Config{})
	b.OnRecordAfterCreateSuccess("lab_tags").BindFunc(func(*core.RecordEvent) error { return errors.New("mail server down") })
	rec, err := b.Runner.Apply(t.Context(), b.ann, "", b.write(add("lab_tags", map[string]any{"name": "t"}, nil)))
	if err != nil || len(rec.Audit) != 1 || b.count("lab_tags") != 1 {
		t.Errorf("%+v %v", rec, err)
	}
	if v, err := b.Runner.Verify(t.Context()); err != nil || !v.OK || v.Beyond != 0 {
		t.Error(v, err)
	}
}

// TestRunsNeverMix: previews and applies at once see their own writes only.
func TestRunsNeverMix(t *testing.T) {
	b := open(t, tools.Config{})
	var wg sync.WaitGroup
	for i := range 12 {
		inv := b.write(func(c *tools.Call) error {
			for j := range 5 {
				if err := add("lab_tags", map[string]any{"name": fmt.Sprint(i, ".", j)}, nil)(c); err != nil {
					return err
				}
			}
			return nil
		})
		wg.Go(func() {
			var changes []tools.Change
			if i%3 == 0 {
				rec, err := b.Runner.Apply(t.Context(), b.ann, "", inv)
				if err != nil {
					t.Error(err)
				}
				changes = rec.Changes
			} else {
				p, err := b.Runner.Preview(t.Context(), b.ann, inv)
				if err != nil {
					t.Error(err)
					return
				}
				changes = p.Items[0].Changes
			}
			if len(changes) != 5 {
				t.Errorf("run %d has %d changes", i, len(changes))
			}
			for j, ch := range changes {
				if ch.Now["name"] != fmt.Sprint(i, ".", j) {
					t.Errorf("run %d has %v", i, ch.Now["name"])
				}
			}
		})
	}
	wg.Wait()
	if n := b.count("lab_tags"); n != 20 {
		t.Errorf("%d tags", n)
	}
}

// TestReadLimit: a read that does not come to its end is ended.
func TestReadLimit(t *testing.T) {
	b := open(t, tools.Config{ReadLimit: 200 * time.Millisecond})
	_, err := read(b, b.ann, func(r *tools.Reader) (any, error) {
		for {
			if _, err := r.Rows("lab_tags", tools.Query{}, "name"); err != nil {
				return nil, err
			}
		}
	})
	if tools.KindOf(err) != tools.Limit {
		t.Errorf("%v", err)
	}

	// One statement that would not end is ended, and its connection given back.
	b.exec("INSERT INTO lab_charges (id,amount) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3000) SELECT printf('p%%014d',i),i FROM n")
	b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	b.rule("lab_tags", "@collection.lab_charges:a.amount ?> 0 && @collection.lab_charges:b.amount ?> 0 && @collection.lab_charges:c.amount ?> 9000")
	_, err = read(b, b.ann, func(r *tools.Reader) (any, error) { return r.Sum("lab_tags", tools.Query{}, []string{"name"}, "count") })
	if tools.KindOf(err) != tools.Limit {
		t.Errorf("%v", err)
	}
	if pool, ok := b.ConcurrentDB().(*dbx.DB); !ok || pool.DB().Stats().InUse != 0 {
		t.Error("a read that was ended holds a connection")
	}
	b.do(add("lab_groups", map[string]any{"name": "g"}, nil))
}

// TestTimeLimit: a tool that spins, sleeps, or waits for the database is over
// at its limit, leaves nothing, and the next write waits for nothing. None of
// them would end by itself.
func TestTimeLimit(t *testing.T) {
	const limit = 300 * time.Millisecond
	b := open(t, tools.Config{Limit: limit})
	_, err := b.DB().NewQuery(`INSERT INTO lab_charges (id,amount) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3000) SELECT printf('p%014d',i),i FROM n;
		CREATE TRIGGER slow AFTER INSERT ON lab_tags WHEN new.name = 'slow' BEGIN SELECT count(*) FROM lab_charges a, lab_charges b, lab_charges c; END`).Execute()
	if err != nil {
		t.Fatal(err)
	}
	b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	var over atomic.Bool
	release := make(chan bool)
	var left sync.WaitGroup // what is left behind
	b.OnRecordCreateExecute("lab_groups").BindFunc(func(e *core.RecordEvent) error {
		switch e.Record.GetString("name") {
		case "sleeping hook":
			<-release
		case "slow hook":
			// PocketBase's own queries end at QueryTimeout, which is the limit.
			if _, err := e.App.CountRecords("lab_tags", dbx.NewExp("1 = (SELECT count(*) FROM lab_charges a, lab_charges b, lab_charges c)")); err != nil {
				return err
			}
		}
		return e.Next()
	})
	group := func(name string) func(*tools.Call) error { return add("lab_groups", map[string]any{"name": name}, nil) }
	for name, f := range map[string]func(*tools.Call) error{
		"spin": func(*tools.Call) error {
			for !over.Load() {
			}
			return nil
		},
		"sleep":         func(*tools.Call) error { <-release; return nil },
		"sleeping hook": group("sleeping hook"),
		"slow hook":     group("slow hook"),
		"slow query":    add("lab_tags", map[string]any{"name": "slow"}, nil),
		"never ending": func(c *tools.Call) error {
			for !over.Load() {
				if _, err := c.List("lab_tags", tools.Query{}); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			left.Add(1)
			_, err := b.Runner.Apply(t.Context(), b.ann, "", b.write(func(c *tools.Call) error {
				defer left.Done()
				return errors.Join(group("first")(c), f(c))
			}))
			if tools.KindOf(err) != tools.Limit {
				t.Errorf("%v", err)
			}
			b.do(group("next"))
		})
	}
	over.Store(true)
	close(release)
	left.Wait() // what was left behind comes to its end and writes nothing
	if n := b.count("lab_groups"); n != 6 {
		t.Errorf("%d groups, want the 6 that came next", n)
	}
}

// TestTimedOut: what was ended at a limit of PocketBase's took too long, and is no
// failure of the inside; dbx says it beside a rollback that fails.
func TestTimedOut(t *testing.T) {
	b := open(t, tools.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	slow := b.RunInTransaction(func(tx core.App) error {
		_, err := tx.NonconcurrentDB().NewQuery("INSERT INTO lab_tags (id) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<1e9) SELECT max(i) FROM n").WithContext(ctx).Execute()
		return err
	})
	if slow == nil {
		t.Fatal("it was not slow")
	}
	_, err := read(b, b.ann, func(*tools.Reader) (any, error) { return nil, fmt.Errorf("a look-up: %w", slow) })
	if tools.KindOf(err) != tools.Limit {
		t.Errorf("%v, of %v", err, slow)
	}
}

// TestCascadeBeyondLimit: a delete whose cascade takes too long says so and
// changes nothing.
func TestCascadeBeyondLimit(t *testing.T) {
	b := open(t, tools.Config{Limit: 400 * time.Millisecond})
	var id string
	b.do(add("lab_subs", map[string]any{"name": "big"}, &id))
	_, err := b.DB().NewQuery("INSERT INTO lab_charges (id,sub,amount) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<30000) SELECT printf('p%014d',i),'" + id + "',i FROM n").Execute()
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Runner.Preview(t.Context(), b.ann, b.call("lab_destroy", remove("lab_subs", &id)))
	if tools.KindOf(err) != tools.Limit {
		t.Error(err)
	}
	if b.count("lab_charges") != 30000 || b.count("lab_subs") != 1 {
		t.Error("something is gone")
	}
}

// TestPocketBaseInternals pins what keeping files relies on.
func TestPocketBaseInternals(t *testing.T) {
	b := open(t, tools.Config{})
	// replaced by id: if PocketBase renames its handler, files go at once
	if n := b.OnModelAfterDeleteSuccess().Length(); n == 0 {
		t.Fatal("no handler")
	}
	var id string
	b.do(add("lab_subs", map[string]any{"doc": file("one"), "pics": []any{file("p")}}, &id))
	b.do(update("lab_subs", &id, map[string]any{"doc": file("two"), "pics": nil}))
	if _, err := b.try(b.ann, b.call("lab_destroy", remove("lab_subs", &id))); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // PocketBase deletes in the background
	if n := len(b.stored()); n != 3 {
		t.Fatalf("%d of 3 files are left", n)
	}
	// A file goes once nothing can bring it back, and not before.
	if err := b.Runner.PruneFiles(time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if n := len(b.stored()); n != 3 {
		t.Errorf("%d files after a prune of what is older", n)
	}
	if err := b.Runner.PruneFiles(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if l := b.stored(); len(l) != 0 {
		t.Errorf("left %v", l)
	}
	if _, err := os.Stat(filepath.Join(b.DataDir(), "storage")); err != nil {
		t.Error(err)
	}
}

// TestNamedFilesStay: a file that a restored record names again is not pruned.
func TestNamedFilesStay(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_subs", map[string]any{"doc": file("one")}, &id))
	rec, err := b.try(b.ann, b.call("lab_destroy", remove("lab_subs", &id)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Undo(b.ann, rec.Audit...); err != nil {
		t.Fatal(err)
	}
	if err := b.Runner.PruneFiles(time.Now().Add(time.Hour)); err != nil || len(b.stored()) != 1 {
		t.Error(err, b.stored())
	}
}

// TestErasedFilesGo: once what the audit knew of a record is erased, its files
// wait for nothing; what a record names, and what others may undo, stays.
func TestErasedFilesGo(t *testing.T) {
	b := open(t, tools.Config{})
	var gone, kept, bobs string
	b.do(add("lab_subs", map[string]any{"doc": file("gone")}, &gone))
	b.do(add("lab_subs", map[string]any{"doc": file("before")}, &kept))
	b.do(update("lab_subs", &kept, map[string]any{"doc": file("after")}))
	for _, w := range []struct {
		who tools.Actor
		inv tools.Invocation
	}{
		{b.ann, b.call("lab_destroy", remove("lab_subs", &gone))},
		{b.bob, b.write(add("lab_subs", map[string]any{"doc": file("bob")}, &bobs))},
		{b.bob, b.call("lab_destroy", remove("lab_subs", &bobs))},
	} {
		if _, err := b.try(w.who, w.inv); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Runner.DropErased(); err != nil || len(b.stored()) != 4 {
		t.Fatalf("%v, %v before anything was erased", err, b.stored())
	}
	if _, err := b.Runner.ErasePerson(t.Context(), b.ann.Person); err != nil {
		t.Fatal(err)
	}
	if err := b.Runner.DropErased(); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, name := range b.stored() {
		content, err := os.ReadFile(filepath.Join(b.DataDir(), "storage", name))
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, string(content))
	}
	slices.Sort(left)
	if !slices.Equal(left, []string{"after", "bob"}) {
		t.Errorf("left are %v", left)
	}
}
