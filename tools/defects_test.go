package tools_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/subscriptions"
	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/nodkeep/nodkeep/tools"
)

// What attacks on the engine found, one test each.

// TestUndoneAtTheThirdStep: an entry whose undo was taken back, and that again, is undone.
func TestUndoneAtTheThirdStep(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_subs", map[string]any{"name": "a"}, &id))
	e := b.do(update("lab_subs", &id, map[string]any{"name": "b"})).Audit[0]
	u1 := b.must(b.Undo(b.ann, e)).Audit[0]
	u2 := b.must(b.Undo(b.ann, u1)).Audit[0]
	u3 := b.must(b.Undo(b.ann, u2)).Audit[0]
	page, _ := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{})
	for _, i := range page.Items {
		if i.ID == e && i.UndoneBy == "" {
			t.Errorf("e is undone (by u1 %s, which holds since u3 %s undid u2), but UndoneBy is empty", u1, u3)
		}
	}
	_, err := b.Undo(b.ann, e)
	if tools.KindOf(err) != tools.Conflict {
		t.Error("undoing it again:", err)
	}
}

// TestUndoTakesNoPlannedRecordAlong: a cascade of an undo must not take a record of which a name was to come back.
func TestUndoTakesNoPlannedRecordAlong(t *testing.T) {
	b := open(t, tools.Config{})
	var sub, group string
	b.do(add("lab_subs", map[string]any{"name": "s"}, &sub))
	e := b.do(func(c *tools.Call) error {
		return errors.Join(add("lab_groups", map[string]any{"name": "g"}, &group)(c), update("lab_subs", &sub, map[string]any{"name": "t"})(c))
	}).Audit[0]
	// bob links the sub to the new group
	b.must(b.try(b.bob, b.write(update("lab_subs", &sub, map[string]any{"group": group, "amount": 7}))))
	_, err := b.Undo(b.ann, e)
	_, gone := b.FindRecordById("lab_subs", sub)
	if c := conflicts(err); len(c) == 0 || c[0].Reason.Key != "undo.linked" || gone != nil {
		t.Errorf("%v %+v; the record: %v", err, c, gone)
	}
}

// TestUndoOfAnothersUpdateAndDelete: what changed and then deleted a record can be taken back by whom the rules let.
func TestUndoOfAnothersUpdateAndDelete(t *testing.T) {
	b := open(t, tools.Config{})
	var sub string
	b.do(add("lab_subs", map[string]any{"name": "s"}, &sub))
	e := b.must(b.try(b.bob, b.call("lab_destroy", func(c *tools.Call) error {
		return errors.Join(update("lab_subs", &sub, map[string]any{"name": "x"})(c), remove("lab_subs", &sub)(c))
	}))).Audit[0]
	_, err := b.Undo(b.ann, e)
	if err != nil {
		t.Errorf("ann, whom every rule allows: %v %v", err, conflicts(err))
	}
}

// TestUndoAsksWas: also where the first step of the record was a delete.
func TestUndoAsksWas(t *testing.T) {
	b := open(t, tools.Config{})
	var sub string
	b.must(b.try(b.bob, b.write(add("lab_subs", map[string]any{"name": "s", "owner": b.bob.Person}, &sub))))
	e := b.must(b.try(b.bob, b.call("lab_destroy", remove("lab_subs", &sub)))).Audit[0]
	u := b.must(b.Undo(b.bob, e)).Audit[0]
	e3 := b.must(b.try(b.bob, b.write(update("lab_subs", &sub, map[string]any{"name": "bobs"})))).Audit[0]
	b.Registry.SetRule("lab_subs", tools.Rule{Was: "owner = @request.auth.id", Becomes: ""})
	_, err := b.Undo(b.ann, e3)
	t.Log("ann alone on e3:", err)
	_, err = b.Undo(b.ann, e, u, e3)
	rec, _ := b.FindRecordById("lab_subs", sub)
	t.Log("with delete+restore before it:", err, conflicts(err), rec.GetString("name"))
	if err == nil {
		t.Error("ann changed bob's record past Was")
	}
}

// TestFilesDroppedTwiceStay: a file that was dropped, brought back and dropped again waits from the last time on.
func TestFilesDroppedTwiceStay(t *testing.T) {
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	b := open(t, tools.Config{Now: func() time.Time { return now }})
	var sub string
	b.do(add("lab_subs", map[string]any{"name": "s", "doc": file("hello")}, &sub))
	e := b.do(update("lab_subs", &sub, map[string]any{"doc": ""})).Audit[0]
	now = now.AddDate(0, 0, 29)
	u1 := b.must(b.Undo(b.ann, e)).Audit[0]
	u2 := b.must(b.Undo(b.ann, u1)).Audit[0]
	now = now.AddDate(0, 0, 2) // day 31
	if err := b.Runner.PruneFiles(now.AddDate(0, 0, -30)); err != nil {
		t.Fatal(err)
	}
	_, err := b.Undo(b.ann, u2)
	rec, _ := b.FindRecordById("lab_subs", sub)
	if err != nil || rec.GetString("doc") == "" || len(b.stored()) != 1 {
		t.Errorf("%v; the record names %q, stored are %v", err, rec.GetString("doc"), b.stored())
	}
}

// TestHeadCannotBeWritten: a write whose head cannot be written is a write all the same.
func TestHeadCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	b := openIn(t, dir, tools.Config{}, newLab())
	path := tools.HeadFile(dir)
	_ = os.Remove(path)
	_ = os.Mkdir(path, 0o700)
	col, _ := b.FindCollectionByNameOrId("lab_subs")
	rec := core.NewRecord(col)
	rec.Set("name", "s")
	rec.Set("doc", file("hello"))
	err := b.Save(rec)
	n := b.count("lab_subs")
	if err != nil || n != 1 || rec.IsNew() || len(b.stored()) != 1 {
		t.Errorf("%v; %d rows, new %v, files %v", err, n, rec.IsNew(), b.stored())
	}
}

// TestPanicAfterCommit: a foreign hook that panics after the commit takes neither receipt nor head.
func TestPanicAfterCommit(t *testing.T) {
	b := open(t, tools.Config{})
	b.OnRecordAfterCreateSuccess("lab_tags").BindFunc(func(e *core.RecordEvent) error {
		if e.Record.GetString("name") == "boom" {
			panic("foreign")
		}
		return e.Next()
	})
	rec, err := b.try(b.ann, b.write(add("lab_tags", map[string]any{"name": "boom"}, nil)))
	if err != nil || len(rec.Audit) != 1 {
		t.Fatalf("no receipt: %+v %v", rec, err)
	}
	for range 3 {
		b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	}
	v, err := b.Runner.Verify(t.Context())
	if err != nil || !v.OK || v.Beyond > 0 || b.count("lab_tags") != 4 {
		t.Errorf("%+v %v, %d tags", v, err, b.count("lab_tags"))
	}
}

// TestSilenceWhereSQLiteRolledBack: a preview is silent also where SQLite rolled back by itself.
func TestSilenceWhereSQLiteRolledBack(t *testing.T) {
	const limit = 300 * time.Millisecond
	b := open(t, tools.Config{Limit: limit})
	_, err := b.DB().NewQuery(`INSERT INTO lab_charges (id,amount) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3000) SELECT printf('p%014d',i),i FROM n;
		CREATE TRIGGER slow AFTER INSERT ON lab_tags WHEN new.name = 'slow' BEGIN SELECT count(*) FROM lab_charges a, lab_charges b, lab_charges c; END`).Execute()
	if err != nil {
		t.Fatal(err)
	}
	var heard []string
	b.OnRecordAfterCreateError().BindFunc(func(e *core.RecordErrorEvent) error {
		heard = append(heard, fmt.Sprintf("%s: %v (%T)", e.Record.GetString("name"), e.Error, e.Error))
		return e.Next()
	})
	_, err = b.Runner.Preview(t.Context(), b.ann, b.write(func(c *tools.Call) error {
		return errors.Join(add("lab_groups", map[string]any{"name": "first"}, nil)(c), add("lab_tags", map[string]any{"name": "slow"}, nil)(c))
	}))
	if tools.KindOf(err) != tools.Limit {
		t.Error(err)
	}
	time.Sleep(100 * time.Millisecond) // what was left behind fails
	if len(heard) > 0 {
		t.Errorf("heard of a preview: %v", heard)
	}
}

// TestPreviewedDeleteIsNotBroadcast: PocketBase keeps the message of a delete that did not happen.
func TestPreviewedDeleteIsNotBroadcast(t *testing.T) {
	b := open(t, tools.Config{})
	if _, err := apis.NewRouter(b.App); err != nil {
		t.Fatal(err)
	}
	var id string
	b.do(add("lab_tags", map[string]any{"name": "old name"}, &id))
	client := subscriptions.NewDefaultClient()
	ann, _ := b.FindRecordById("users", b.ann.Person)
	client.Set(apis.RealtimeClientAuthKey, ann)
	client.Subscribe("lab_tags/*")
	b.SubscriptionsBroker().Register(client)
	for range 3 {
		if _, err := b.Runner.Preview(t.Context(), b.ann, b.call("lab_destroy", remove("lab_tags", &id))); err != nil {
			t.Fatal(err)
		}
	}
	if kept := client.Get("delete/lab_tags/" + id); kept != nil {
		t.Errorf("after 3 previews the subscriber holds %d messages", len(kept.([]subscriptions.Message)))
	}
	b.must(b.try(b.ann, b.call("lab_destroy", remove("lab_tags", &id))))
	<-client.Channel()
	n := 1
	for done := false; !done; {
		select {
		case <-client.Channel():
			n++
		case <-time.After(300 * time.Millisecond):
			done = true
		}
	}
	if n != 1 {
		t.Errorf("one delete was broadcast %d times", n)
	}
}

// TestListedIsNotViewable: a record that may be listed but not viewed cannot be changed.
func TestListedIsNotViewable(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.must(b.try(b.bob, b.write(add("lab_tags", map[string]any{"name": "bobs"}, &id))))
	col, _ := b.FindCollectionByNameOrId("lab_tags")
	col.ViewRule = types.Pointer("name = 'nobody'")
	if err := b.Save(col); err != nil {
		t.Fatal(err)
	}
	_, err := b.try(b.ann, b.write(update("lab_tags", &id, map[string]any{"name": "x"})))
	if tools.KindOf(err) != tools.NotFound {
		t.Errorf("by Find: %v", err)
	}
	_, err = b.try(b.ann, b.write(func(c *tools.Call) error {
		recs, err := c.List("lab_tags", tools.Query{})
		if err != nil || len(recs) == 0 {
			return errors.Join(err, errors.New("none"))
		}
		recs[0].Set("name", "changed")
		return c.Save(recs[0])
	}))
	if tools.KindOf(err) != tools.NotFound {
		t.Errorf("by List: %v", err)
	}
}

// TestRetryAfterExpiry: is told the receipt.
func TestRetryAfterExpiry(t *testing.T) {
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	b := open(t, tools.Config{Now: func() time.Time { return now }})
	inv := b.write(add("lab_tags", map[string]any{"name": "t"}, nil))
	p, _ := b.Runner.Preview(t.Context(), b.ann, inv)
	now = now.Add(29*time.Minute + 59*time.Second)
	if _, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, inv); err != nil {
		t.Fatal(err)
	}
	now = now.Add(3 * time.Second)
	_, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, inv)
	if e, ok := errors.AsType[*tools.Error](err); !ok || e.Kind != tools.Conflict || len(e.Audit) != 1 {
		t.Errorf("the retry is told %q, not its receipt", err)
	}
}

// TestFieldRenamedSince: is a conflict, not an empty value.
func TestFieldRenamedSince(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_tags", map[string]any{"name": "precious"}, &id))
	e := b.must(b.try(b.ann, b.call("lab_destroy", remove("lab_tags", &id)))).Audit[0]
	col, _ := b.FindCollectionByNameOrId("lab_tags")
	col.Fields.GetByName("name").SetName("title")
	if err := b.Save(col); err != nil {
		t.Fatal(err)
	}
	_, err := b.Undo(b.ann, e)
	rec, _ := b.FindRecordById("lab_tags", id)
	if c := conflicts(err); len(c) != 1 || c[0].Reason.Key != "undo.no_field" || rec != nil {
		t.Errorf("%v %+v %v", err, c, rec)
	}
}

// TestPrivateHistoryStaysPrivate: what was done while a record was private is not told once it is shared.
func TestPrivateHistoryStaysPrivate(t *testing.T) {
	b := open(t, tools.Config{})
	col, _ := b.FindCollectionByNameOrId("lab_subs")
	rule := types.Pointer("flag = true || owner = @request.auth.id")
	col.ListRule, col.ViewRule = rule, rule
	if err := b.Save(col); err != nil {
		t.Fatal(err)
	}
	var id string
	b.must(b.try(b.bob, b.write(add("lab_subs", map[string]any{"name": "divorce lawyer", "owner": b.bob.Person}, &id))))
	b.must(b.try(b.bob, b.write(update("lab_subs", &id, map[string]any{"name": "lawyer"}))))
	b.must(b.try(b.bob, b.write(update("lab_subs", &id, map[string]any{"flag": true}))))
	page, _ := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{})
	if mentions(t, page, "divorce") {
		t.Error("ann reads what the record was while it was private")
	}
}

// TestGhostsJudgeOnlyGhosts: records that live are judged by what is.
func TestGhostsJudgeOnlyGhosts(t *testing.T) {
	b := open(t, tools.Config{})
	col, _ := b.FindCollectionByNameOrId("lab_subs")
	rule := types.Pointer("@collection.lab_groups.members.id ?= @request.auth.id")
	col.ListRule, col.ViewRule = rule, rule
	if err := b.Save(col); err != nil {
		t.Fatal(err)
	}
	var group, own, sub string
	b.do(add("lab_groups", map[string]any{"name": "g", "members": []string{b.bob.Person}}, &group))
	b.do(add("lab_groups", map[string]any{"name": "mine", "members": []string{b.ann.Person}}, &own))
	b.do(add("lab_subs", map[string]any{"name": "s"}, &sub))
	b.must(b.try(b.ann, b.call("lab_destroy", func(c *tools.Call) error {
		return errors.Join(remove("lab_groups", &group)(c), update("lab_subs", &sub, map[string]any{"name": "after bob was put out"})(c))
	})))
	b.reads["x"] = func(r *tools.Reader) (any, error) { _, err := r.Find("lab_subs", sub); return nil, err }
	_, err := b.Runner.Read(t.Context(), b.bob, tools.Invocation{Tool: "lab_read", Args: []byte(`{"code":"x"}`)})
	if tools.KindOf(err) != tools.NotFound {
		t.Error("bob finds the sub:", err)
	}
	page, _ := b.Runner.Activity(t.Context(), b.bob, tools.ActivityQuery{})
	if mentions(t, page, "after bob was put out") {
		t.Error("bob reads in the activity what he may not find")
	}
}

// TestAcceptWhileOthersWrite: the head never goes back.
func TestAcceptWhileOthersWrite(t *testing.T) {
	b := open(t, tools.Config{})
	b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	if err := os.WriteFile(tools.HeadFile(b.DataDir()), []byte("damaged\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Runner.ForgetHead()
	inv := b.write(add("lab_tags", map[string]any{"name": "t"}, nil))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 25 {
				if _, err := b.Runner.Apply(t.Context(), b.ann, "", inv); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if _, err := b.Runner.Accept(t.Context(), b.ann, "mended"); err != nil {
		t.Error(err)
	}
	wg.Wait()
	b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	if v, err := b.Runner.Verify(t.Context()); err != nil || !v.OK || v.Beyond > 0 {
		t.Errorf("%+v %v", v, err)
	}
}

// TestHiddenFieldsReachNoPlugin: Presenter and WithCard are not given hidden fields.
func TestHiddenFieldsReachNoPlugin(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_subs", map[string]any{"name": "a", "secret": "s3cret"}, &id))
	rec := b.do(update("lab_subs", &id, map[string]any{"name": "b"}))
	if rec.Changes[0].Now["secret"] != nil {
		t.Errorf("a card's code is given the hidden field: %v", rec.Changes[0].Now["secret"])
	}
}

// TestConflictsHideFields: a conflict names no hidden field.
func TestConflictsHideFields(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_subs", map[string]any{"name": "a", "secret": "one"}, &id))
	e := b.do(update("lab_subs", &id, map[string]any{"secret": "two"})).Audit[0]
	b.do(update("lab_subs", &id, map[string]any{"secret": "three"}))
	_, err := b.Undo(b.ann, e)
	if c := conflicts(err); len(c) != 1 || len(c[0].Fields) != 0 || mentions(t, c, "secret") {
		t.Errorf("%v %+v", err, c)
	}
}

// TestInsideErrorsAreNoConflict: what fails inside is not told as a conflict.
func TestInsideErrorsAreNoConflict(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_tags", map[string]any{"name": "a"}, &id))
	e := b.do(update("lab_tags", &id, map[string]any{"name": "b"})).Audit[0]
	if _, err := b.DB().NewQuery("CREATE TRIGGER full BEFORE UPDATE ON lab_tags BEGIN SELECT RAISE(ABORT, 'database or disk is full: /srv/secret/path'); END").Execute(); err != nil {
		t.Fatal(err)
	}
	_, err := b.Undo(b.ann, e)
	if tools.KindOf(err) != tools.Internal || len(conflicts(err)) > 0 || strings.Contains(err.Error(), "/srv") {
		t.Errorf("%v %v", err, conflicts(err))
	}
}

// TestSwallowedHookAfterWrite: a check after the write that fails ends the run, even if the tool goes on.
func TestSwallowedHookAfterWrite(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_tags", map[string]any{"name": "a"}, &id))
	b.OnRecordUpdateExecute("lab_tags").BindFunc(func(e *core.RecordEvent) error {
		if err := e.Next(); err != nil {
			return err
		}
		return errors.New("a check after the write")
	})
	rec, err := b.try(b.ann, b.write(func(c *tools.Call) error {
		_ = update("lab_tags", &id, map[string]any{"name": "unseen"})(c)
		return nil
	}))
	now, _ := b.FindRecordById("lab_tags", id)
	if err == nil || now.GetString("name") != "a" || len(rec.Changes) > 0 {
		t.Errorf("%v; the name is %q, %d changes", err, now.GetString("name"), len(rec.Changes))
	}
}

// TestPruneSparesWhatItCannotAsk: a failing query does not mean that nobody names a file.
func TestPruneSparesWhatItCannotAsk(t *testing.T) {
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	b := open(t, tools.Config{Now: func() time.Time { return now }})
	var sub string
	b.do(add("lab_subs", map[string]any{"name": "s", "doc": file("hello")}, &sub))
	e := b.do(update("lab_subs", &sub, map[string]any{"doc": ""})).Audit[0]
	b.must(b.Undo(b.ann, e))
	now = now.AddDate(0, 0, 31)
	_, _ = b.DB().NewQuery("ALTER TABLE lab_subs RENAME TO away").Execute() // any failing query
	err := b.Runner.PruneFiles(now.AddDate(0, 0, -30))
	_, _ = b.DB().NewQuery("ALTER TABLE away RENAME TO lab_subs").Execute()
	rec, _ := b.FindRecordById("lab_subs", sub)
	if len(b.stored()) == 0 {
		t.Errorf("prune: %v; %s names %q, which is deleted", err, sub, rec.GetString("doc"))
	}
}

// TestJournalFailsInAnothersTransaction: no row without its entry, even where the other ignores the error.
func TestJournalFailsInAnothersTransaction(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	b := openIn(t, dir, tools.Config{}, newLab())
	if _, err := b.DB().NewQuery("CREATE TRIGGER no BEFORE INSERT ON nodkeep_audit BEGIN SELECT RAISE(ABORT, 'full'); END").Execute(); err != nil {
		t.Fatal(err)
	}
	before := b.count("nodkeep_audit")
	col, _ := b.FindCollectionByNameOrId("lab_tags")
	err := b.RunInTransaction(func(tx core.App) error {
		rec := core.NewRecord(col)
		rec.Set("name", "x")
		t.Log("save:", tx.Save(rec))
		return nil
	})
	if b.count("lab_tags") == 1 && b.count("nodkeep_audit") == before {
		t.Errorf("committed without an entry: %v", err)
	}
}

// TestLongTextsDiffer: two long texts that differ at the end do not read the same.
func TestLongTextsDiffer(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	long := strings.Repeat("lorem ipsum ", 30)
	b.do(add("lab_subs", map[string]any{"name": "s", "note": long}, &id))
	p, err := b.Runner.Preview(t.Context(), b.ann, b.write(update("lab_subs", &id, map[string]any{"note": long + " PAY MALLORY"})))
	if err != nil {
		t.Fatal(err)
	}
	f := p.Items[0].Changes[0].Fields[0]
	if fmt.Sprint(f.Before) == fmt.Sprint(f.After) {
		t.Errorf("before and after read the same on the card: …%.40v", fmt.Sprint(f.After)[150:])
	}
	p, _ = b.Runner.Preview(t.Context(), b.ann, b.write(func(c *tools.Call) error { return c.Send("mail", map[string]string{"to": "mallory@example.com"}) }))
	t.Logf("card of a send: %+v", p.Items[0].Card)
}

// TestToolThatGoesOnWriting: what a goroutine of a tool writes after its end is
// in no card, so the run is not applied.
func TestToolThatGoesOnWriting(t *testing.T) {
	b := open(t, tools.Config{})
	begun, over := make(chan bool), make(chan bool)
	b.OnRecordCreateExecute("lab_groups").BindFunc(func(e *core.RecordEvent) error {
		err := e.Next()
		close(begun)
		<-over
		return err
	})
	_, err := b.Runner.Apply(t.Context(), b.ann, "", b.write(func(c *tools.Call) error {
		go func() { _ = add("lab_groups", map[string]any{"name": "late"}, nil)(c) }()
		<-begun
		return nil
	}))
	close(over)
	if err == nil || b.count("lab_groups") != 0 {
		t.Error(err, b.count("lab_groups"))
	}
}
