package tools_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/nodkeep/nodkeep/tools"
)

// TestUndoConflicts names what stands in the way, by record and field, and
// changes nothing.
func TestUndoConflicts(t *testing.T) {
	for name, row := range map[string]struct {
		since func(b *bench, w *ids) // what happened since
		of    func(b *bench, w *ids) []string
		want  string // collection, fields and reason of the first conflict
	}{
		"a field changed": {
			func(b *bench, w *ids) { b.do(update("lab_subs", &w.sub, map[string]any{"name": "other", "amount": 3})) },
			func(b *bench, w *ids) []string {
				return b.do(update("lab_subs", &w.sub, map[string]any{"name": "new"})).Audit
			},
			"lab_subs [name] undo.changed",
		},
		"gone": {
			func(b *bench, w *ids) { b.must(b.try(b.ann, b.call("lab_destroy", remove("lab_subs", &w.sub)))) },
			func(b *bench, w *ids) []string {
				return b.do(update("lab_subs", &w.sub, map[string]any{"name": "new"})).Audit
			},
			"lab_subs [] undo.gone",
		},
		"linked since, would cascade": {
			func(b *bench, w *ids) { b.do(add("lab_charges", map[string]any{"sub": w.made}, nil)) },
			func(b *bench, w *ids) []string {
				return b.do(add("lab_subs", map[string]any{"name": "made"}, &w.made)).Audit
			},
			"lab_charges [] undo.linked",
		},
		"linked since, would be unset": {
			func(b *bench, w *ids) { b.do(update("lab_subs", &w.sub, map[string]any{"tags": []string{w.made}})) },
			func(b *bench, w *ids) []string {
				return b.do(add("lab_tags", map[string]any{"name": "made"}, &w.made)).Audit
			},
			"lab_subs [tags] undo.linked",
		},
		"a unique value taken": {
			func(b *bench, w *ids) { b.do(add("lab_subs", map[string]any{"code": "one"}, nil)) },
			func(b *bench, w *ids) []string {
				return b.do(update("lab_subs", &w.sub, map[string]any{"code": "two"})).Audit
			},
			"lab_subs [code] undo.refused",
		},
		"a relation's target gone": {
			func(b *bench, w *ids) { b.must(b.try(b.ann, b.call("lab_destroy", remove("lab_groups", &w.group)))) },
			func(b *bench, w *ids) []string {
				return b.do(update("lab_subs", &w.sub, map[string]any{"group": ""})).Audit
			},
			"lab_subs [group] undo.refused",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, tools.Config{})
			w := &ids{}
			b.do(add("lab_groups", map[string]any{"name": "g"}, &w.group))
			b.do(add("lab_subs", map[string]any{"name": "s", "code": "one", "group": w.group}, &w.sub))
			audit := row.of(b, w)
			row.since(b, w)
			before := b.dump()
			_, err := b.Runner.PreviewUndo(t.Context(), b.ann, tools.UndoSpec{Audit: audit})
			found := conflicts(err)
			if tools.KindOf(err) != tools.Conflict || len(found) == 0 {
				t.Fatal(err)
			}
			if got := fmt.Sprint(found[0].Collection, " ", found[0].Fields, " ", found[0].Reason.Key); got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
			if said := fmt.Sprint(found[0].Reason.Args); strings.Contains(said, "error.") {
				t.Errorf("a key is shown instead of a sentence: %s", said)
			}
			if _, err := b.Runner.Undo(t.Context(), b.ann, "", tools.UndoSpec{Audit: audit}); tools.KindOf(err) != tools.Conflict {
				t.Error(err)
			}
			if d := differs(before, b.dump()); d != "" {
				t.Error(d)
			}
		})
	}
}

type ids struct{ group, sub, made string }

func (b *bench) must(rec tools.Receipt, err error) tools.Receipt {
	b.tb.Helper()
	if err != nil {
		b.tb.Fatal(err)
	}
	return rec
}

// TestUndoSwap: two unique values that were exchanged come back.
func TestUndoSwap(t *testing.T) {
	b := open(t, tools.Config{})
	var one, two string
	b.do(add("lab_subs", map[string]any{"code": "A"}, &one))
	b.do(add("lab_subs", map[string]any{"code": "B"}, &two))
	before := b.dump()
	rec := b.do(func(c *tools.Call) error {
		for _, step := range [][2]string{{one, "tmp"}, {two, "A"}, {one, "B"}} {
			if err := update("lab_subs", &step[0], map[string]any{"code": step[1]})(c); err != nil {
				return err
			}
		}
		return nil
	})
	if _, err := b.Undo(b.ann, rec.Audit...); err != nil {
		t.Fatal(err, conflicts(err))
	}
	if d := differs(before, b.dump()); d != "" {
		t.Error(d)
	}
}

// TestUndoTwice: what was taken back cannot be taken back again, until its
// undo is itself taken back.
func TestUndoTwice(t *testing.T) {
	b := open(t, tools.Config{})
	rec := b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	undo := b.must(b.Undo(b.ann, rec.Audit...))
	if _, err := b.Undo(b.ann, rec.Audit...); tools.KindOf(err) != tools.Conflict {
		t.Error(err)
	}
	page, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{})
	if err != nil || page.Items[1].UndoneBy != undo.Audit[0] || page.Items[0].Undoes[0] != rec.Audit[0] {
		t.Errorf("%v %+v", err, page.Items)
	}
	redo := b.must(b.Undo(b.ann, undo.Audit...))
	if b.count("lab_tags") != 1 {
		t.Error("not there again")
	}
	again := b.must(b.Undo(b.ann, rec.Audit...))
	if b.count("lab_tags") != 0 || len(again.Audit) != 1 || len(redo.Audit) != 1 {
		t.Error("still there")
	}
	for _, bad := range []tools.UndoSpec{{}, {Audit: []string{"x"}, Agent: "y"}, {Audit: []string{"none"}}, {Agent: "nobody"}} {
		if _, err := b.Runner.PreviewUndo(t.Context(), b.ann, bad); err == nil {
			t.Errorf("%+v", bad)
		}
	}
}

// TestUndoNeedsItsCard where it deletes: an undo is a change like any other.
func TestUndoNeedsItsCard(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	made := b.do(add("lab_tags", map[string]any{"name": "t"}, &id))
	renamed := b.do(update("lab_tags", &id, map[string]any{"name": "u"}))
	if _, err := b.Runner.Undo(t.Context(), b.ann, "", tools.UndoSpec{Audit: renamed.Audit}); err != nil {
		t.Error(err)
	}
	if _, err := b.Runner.Undo(t.Context(), b.ann, "", tools.UndoSpec{Audit: made.Audit}); tools.KindOf(err) != tools.DigestRequired {
		t.Error(err)
	}
	p, err := b.Runner.PreviewUndo(t.Context(), b.ann, tools.UndoSpec{Audit: made.Audit})
	if err != nil || p.Items[0].Effect != tools.EffectDestroy || len(p.Items[0].Changes) != 1 || p.Items[0].Changes[0].Op != tools.OpDelete {
		t.Errorf("%+v %v", p, err)
	}
}

// TestUndoOfAnAgent takes back all that one agent did since a time, leaving
// out what was taken back already.
func TestUndoOfAnAgent(t *testing.T) {
	b := open(t, tools.Config{Decide: func(context.Context, core.App, tools.Actor, tools.Weight) (tools.Decision, error) {
		return tools.Run, nil
	}})
	agent := b.ann
	agent.Agent, agent.AgentName, agent.Door = "agent1", "An agent", tools.DoorMCP
	var id string
	first := b.must(b.Runner.Apply(t.Context(), agent, "", b.write(add("lab_tags", map[string]any{"name": "before"}, &id))))
	time.Sleep(5 * time.Millisecond)
	since := time.Now()
	before := b.dump()
	var taken []string
	for i := range 4 {
		rec := b.must(b.Runner.Apply(t.Context(), agent, "", b.write(add("lab_tags", map[string]any{"name": fmt.Sprint(i)}, nil))))
		if i == 1 {
			taken = rec.Audit
		}
	}
	b.must(b.Runner.Apply(t.Context(), agent, "", b.write(update("lab_tags", &id, map[string]any{"name": "renamed"}))))
	b.must(b.Undo(b.ann, taken...))
	own := b.do(add("lab_groups", map[string]any{"name": "ann's own"}, nil))
	spec := tools.UndoSpec{Agent: "agent1", Since: since}
	if _, err := b.Runner.PreviewUndo(t.Context(), b.bob, spec); tools.KindOf(err) != tools.NotFound {
		t.Error("bob takes back what ann's agent did:", err)
	}
	p, err := b.Runner.PreviewUndo(t.Context(), b.ann, spec)
	if err != nil || len(p.Items[0].Changes) != 4 {
		t.Fatalf("%+v %v", p, err)
	}
	rec := b.must(b.Runner.Undo(t.Context(), b.ann, p.Digest, spec))
	after := b.dump()
	for k := range after {
		if strings.HasPrefix(k, "lab_groups") {
			delete(after, k)
		}
	}
	if d := differs(before, after); d != "" {
		t.Error(d)
	}
	if len(rec.Audit) != 1 || len(own.Audit) != 1 || len(first.Audit) != 1 {
		t.Error(rec)
	}
}

// TestHooksKnowOfUndo: a plugin's hook does not do again what is put back too.
func TestHooksKnowOfUndo(t *testing.T) {
	b := open(t, tools.Config{})
	b.OnRecordCreateExecute("lab_subs").BindFunc(func(e *core.RecordEvent) error {
		if err := e.Next(); err != nil || tools.Restoring(e) {
			return err
		}
		col, err := e.App.FindCachedCollectionByNameOrId("lab_charges")
		if err != nil {
			return err
		}
		charge := core.NewRecord(col)
		charge.Set("sub", e.Record.Id)
		return e.App.Save(charge)
	})
	var id string
	b.do(add("lab_subs", map[string]any{"name": "s"}, &id))
	before := b.dump()
	rec := b.must(b.try(b.ann, b.call("lab_destroy", remove("lab_subs", &id))))
	b.must(b.Undo(b.ann, rec.Audit...))
	if d := differs(before, b.dump()); d != "" || b.count("lab_charges") != 1 {
		t.Error(d, b.count("lab_charges"))
	}
}

// TestAccountsAreNotUndone, and it is said.
func TestAccountsAreNotUndone(t *testing.T) {
	b := open(t, tools.Config{})
	col, err := b.FindCollectionByNameOrId("users")
	if err != nil {
		t.Fatal(err)
	}
	col.UpdateRule = types.Pointer("id = @request.auth.id")
	if err := b.Save(col); err != nil {
		t.Fatal(err)
	}
	ann := b.Member("ann")
	if code, body := b.api()("PATCH", "users/records/"+ann.Id, b.token(ann), map[string]any{"name": "Ann"}); code != 200 {
		t.Fatal(code, body)
	}
	var entry string
	if err := b.DB().NewQuery("SELECT id FROM nodkeep_audit ORDER BY seq DESC LIMIT 1").Row(&entry); err != nil {
		t.Fatal(err)
	}
	_, err = b.Runner.PreviewUndo(t.Context(), b.ann, tools.UndoSpec{Audit: []string{entry}})
	if c := conflicts(err); len(c) != 1 || c[0].Reason.Key != "undo.account" {
		t.Error(err, c)
	}
}

// TestUndoWindow: what is older cannot be taken back, since files may be gone.
func TestUndoWindow(t *testing.T) {
	b := open(t, tools.Config{})
	rec := b.do(add("lab_tags", map[string]any{"name": "t"}, nil))
	if d := time.Until(rec.UndoUntil); d < 29*24*time.Hour || d > 31*24*time.Hour {
		t.Error(d)
	}
	if _, err := b.DB().NewQuery("UPDATE nodkeep_audit SET at = '2020-01-01 00:00:00.000Z' WHERE id = '" + rec.Audit[0] + "'").Execute(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Undo(b.ann, rec.Audit...); tools.KindOf(err) != tools.Expired {
		t.Error(err)
	}
}

// TestUndoNamesWhatHangsOn: a record is named that the undo would take along
// with what it hangs on, also where its rule asks for just that.
func TestUndoNamesWhatHangsOn(t *testing.T) {
	b := open(t, tools.Config{})
	col, err := b.FindCollectionByNameOrId("lab_charges")
	if err != nil {
		t.Fatal(err)
	}
	rule := types.Pointer("sub.name = 'made' && amount < 10")
	col.ListRule, col.ViewRule = rule, rule
	if err := b.Save(col); err != nil {
		t.Fatal(err)
	}
	var sub, charge string
	audit := b.do(add("lab_subs", map[string]any{"name": "made"}, &sub)).Audit
	b.do(add("lab_charges", map[string]any{"sub": sub, "amount": 1}, &charge))
	_, err = b.Runner.PreviewUndo(t.Context(), b.ann, tools.UndoSpec{Audit: audit})
	if found := conflicts(err); len(found) != 1 || found[0].ID != charge || found[0].Reason.Key != "undo.linked" {
		t.Errorf("%v: %+v", err, found)
	}
	hidden := core.NewRecord(col)
	hidden.Load(map[string]any{"sub": sub, "amount": 10})
	if err := b.Save(hidden); err != nil {
		t.Fatal(err)
	}
	_, err = b.Runner.PreviewUndo(t.Context(), b.ann, tools.UndoSpec{Audit: audit})
	if found := conflicts(err); len(found) != 2 || found[0].ID != charge || found[1].ID != "" || found[1].Reason.Key != "card.unseen" {
		t.Errorf("%v: %+v", err, found)
	}
}
