package tools_test

import (
	"encoding/json/v2"
	"fmt"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/nodkeep/nodkeep/tools"
)

// private makes lab_subs and their charges visible to their owner only.
func (b *bench) private(t *testing.T) {
	t.Helper()
	for name, rule := range map[string]string{"lab_subs": "owner = @request.auth.id", "lab_charges": "sub.owner = @request.auth.id"} {
		col, err := b.FindCollectionByNameOrId(name)
		if err != nil {
			t.Fatal(err)
		}
		col.ListRule, col.ViewRule = types.Pointer(rule), types.Pointer(rule)
		if err := b.Save(col); err != nil {
			t.Fatal(err)
		}
	}
}

// mentions says whether any JSON of v holds s.
func mentions(t *testing.T, v any, s string) bool {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(b), s)
}

// TestUnseenIsCounted: what a cascade does to records that the person may not
// see is in the digest and the journal, but only a count in what they read.
func TestUnseenIsCounted(t *testing.T) {
	b := open(t, tools.Config{})
	b.private(t)
	var group, mine, bobs string
	b.do(add("lab_groups", map[string]any{"name": "g"}, &group))
	b.do(add("lab_subs", map[string]any{"name": "ann's own", "owner": b.ann.Person, "group": group}, &mine))
	if _, err := b.try(b.bob, b.write(add("lab_subs", map[string]any{"name": "bob's secret", "owner": b.bob.Person, "group": group}, &bobs))); err != nil {
		t.Fatal(err)
	}
	if _, err := b.try(b.bob, b.write(add("lab_charges", map[string]any{"sub": bobs, "amount": 4242}, nil))); err != nil {
		t.Fatal(err)
	}
	before := b.dump()
	del := b.call("lab_destroy", remove("lab_groups", &group))
	p, err := b.Runner.Preview(t.Context(), b.ann, del)
	if err != nil {
		t.Fatal(err)
	}
	item := p.Items[0]
	if item.Unseen != 2 || len(item.Changes) != 2 || mentions(t, p, "bob's secret") || mentions(t, p, bobs) || mentions(t, p, "4242") {
		t.Errorf("unseen %d, %d changes: %v", item.Unseen, len(item.Changes), item)
	}
	rec, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, del)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Unseen != 2 || mentions(t, rec, "bob's secret") {
		t.Errorf("%+v", rec)
	}

	// In the audit each sees the part they may see, also of what is gone.
	entry := func(who tools.Actor) tools.Entry {
		t.Helper()
		page, err := b.Runner.Activity(t.Context(), who, tools.ActivityQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Items {
			if e.ID == rec.Audit[0] {
				return e
			}
		}
		return tools.Entry{}
	}
	ann, bob := entry(b.ann), entry(b.bob)
	if ann.Unseen != 2 || len(ann.Changes) != 2 || mentions(t, ann, "bob's secret") {
		t.Errorf("ann sees %+v", ann)
	}
	if len(bob.Changes) != 3 || !mentions(t, bob, "bob's secret") || mentions(t, bob, "ann's own") || bob.Args != nil {
		t.Errorf("bob sees %+v", bob)
	}
	// An older entry of a record that is gone is shown by what it was.
	page, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{})
	if err != nil || !mentions(t, page, "ann's own") || mentions(t, page, "bob's secret") {
		t.Error(err, page)
	}

	// Undo is the doer's, cascades included; another's needs the rules.
	if _, err := b.Undo(b.bob, rec.Audit...); tools.KindOf(err) != tools.NotFound && tools.KindOf(err) != tools.Forbidden {
		t.Error(err)
	}
	if _, err := b.Undo(b.ann, rec.Audit...); err != nil {
		t.Fatal(err)
	}
	if d := differs(before, b.dump()); d != "" {
		t.Error(d)
	}
}

// TestAnothersEntry: what a person has no part in does not exist for them.
func TestAnothersEntry(t *testing.T) {
	b := open(t, tools.Config{})
	b.private(t)
	rec, err := b.try(b.bob, b.write(add("lab_subs", map[string]any{"name": "bob's", "owner": b.bob.Person}, nil)))
	if err != nil {
		t.Fatal(err)
	}
	page, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{Tool: "lab_write"})
	if err != nil || len(page.Items) != 0 {
		t.Errorf("%v %+v", err, page.Items)
	}
	_, err = b.Runner.PreviewUndo(t.Context(), b.ann, tools.UndoSpec{Audit: rec.Audit})
	_, none := b.Runner.PreviewUndo(t.Context(), b.ann, tools.UndoSpec{Audit: []string{"aaaaaaaaaaaaaaa"}})
	if err == nil || none == nil || err.Error() != none.Error() {
		t.Errorf("%v and %v are told apart", err, none)
	}
	// A shared one may be taken back by anybody whom the change rule lets.
	rec, err = b.try(b.bob, b.write(add("lab_tags", map[string]any{"name": "shared"}, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Undo(b.ann, rec.Audit...); err != nil {
		t.Error(err)
	}
}

// TestHiddenFieldsStay out of cards, changes and the audit's answers, but are
// in the journal: an undo needs them.
func TestHiddenFieldsStay(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	rec := b.do(add("lab_subs", map[string]any{"name": "a", "secret": "s3cret"}, &id))
	page, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Runner.Preview(t.Context(), b.ann, b.call("lab_destroy", remove("lab_subs", &id)))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{rec, page, p} {
		if mentions(t, v, "s3cret") {
			t.Errorf("%+v", v)
		}
	}
	if rec.Changes[0].Hidden != 1 || page.Items[0].Changes[0].Hidden != 1 || p.Items[0].Changes[0].Hidden != 1 {
		t.Errorf("not counted: %+v", rec.Changes[0])
	}
	del, err := b.try(b.ann, b.call("lab_destroy", remove("lab_subs", &id)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Undo(b.ann, del.Audit...); err != nil {
		t.Fatal(err)
	}
	back, err := b.FindRecordById("lab_subs", id)
	if err != nil || back.GetString("secret") != "s3cret" {
		t.Error(err, back)
	}
}

// TestActivityPages through many entries, each once, newest first.
func TestActivityPages(t *testing.T) {
	b := open(t, tools.Config{})
	b.private(t)
	for i := range 25 {
		b.do(add("lab_tags", map[string]any{"name": fmt.Sprint(i)}, nil))
		if _, err := b.try(b.bob, b.write(add("lab_subs", map[string]any{"owner": b.bob.Person}, nil))); err != nil {
			t.Fatal(err)
		}
	}
	seen, cursor := 0, ""
	for {
		page, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{Tool: "lab_write", Limit: 10, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Items {
			if want := fmt.Sprint(24 - seen); !mentions(t, e, `"`+want+`"`) {
				t.Errorf("entry %d is %+v", seen, e)
			}
			seen++
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if seen != 25 {
		t.Errorf("%d entries", seen)
	}
	if _, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{Cursor: "x"}); tools.KindOf(err) != tools.Invalid {
		t.Error(err)
	}
}

// TestOperatorSeesThatThereWasOne, and nothing of it.
func TestOperatorSeesThatThereWasOne(t *testing.T) {
	b := open(t, tools.Config{})
	b.private(t)
	ann := b.Member("ann")
	ann.Set("operator", true)
	if err := b.Save(ann); err != nil {
		t.Fatal(err)
	}
	rec, err := b.try(b.bob, b.write(add("lab_subs", map[string]any{"name": "bob's", "owner": b.bob.Person}, nil)))
	if err != nil {
		t.Fatal(err)
	}
	page, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{Limit: 1})
	if err != nil || len(page.Items) != 1 || page.Items[0].ID != rec.Audit[0] || page.Items[0].Unseen != 1 {
		t.Fatalf("%v %+v", err, page.Items)
	}
	if mentions(t, page, "bob") || mentions(t, page, b.bob.Person) || mentions(t, page, "lab_") {
		t.Errorf("%+v", page.Items[0])
	}
	if _, err := b.Undo(b.ann, rec.Audit...); tools.KindOf(err) != tools.NotFound {
		t.Error(err)
	}
}

// TestUndoOfWhatBecameAnothers: a person who could see what they changed, and
// no longer can, does not reach it through their own old entry.
func TestUndoOfWhatBecameAnothers(t *testing.T) {
	for name, since := range map[string]map[string]any{
		"handed over and hidden":   {"name": "ann's secret"},
		"a field of the entry too": {"note": "ann's note"},
	} {
		b := open(t, tools.Config{})
		for _, col := range []string{"lab_subs"} {
			c, err := b.FindCollectionByNameOrId(col)
			if err != nil {
				t.Fatal(err)
			}
			c.ListRule, c.ViewRule = types.Pointer("flag = false || owner = @request.auth.id"), types.Pointer("flag = false || owner = @request.auth.id")
			if err := b.Save(c); err != nil {
				t.Fatal(err)
			}
		}
		var id string
		b.must(b.try(b.bob, b.write(add("lab_subs", map[string]any{"name": "app", "owner": b.bob.Person}, &id))))
		passed := b.must(b.try(b.bob, b.write(update("lab_subs", &id, map[string]any{"owner": b.ann.Person, "note": "from bob"}))))
		since["flag"] = true
		b.do(update("lab_subs", &id, since))
		before := b.dump()
		_, err := b.Runner.Undo(t.Context(), b.bob, "", tools.UndoSpec{Audit: passed.Audit})
		if tools.KindOf(err) != tools.NotFound || len(conflicts(err)) > 0 {
			t.Errorf("%s: %v %v", name, err, conflicts(err))
		}
		if d := differs(before, b.dump()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestUnseenIsBound: what the person may not see is in what they agree to.
func TestUnseenIsBound(t *testing.T) {
	b := open(t, tools.Config{})
	b.private(t)
	var group, bobs string
	b.do(add("lab_groups", map[string]any{"name": "g"}, &group))
	b.must(b.try(b.bob, b.write(add("lab_subs", map[string]any{"owner": b.bob.Person, "group": group}, &bobs))))
	del := b.call("lab_destroy", remove("lab_groups", &group))
	p, err := b.Runner.Preview(t.Context(), b.ann, del)
	if err != nil {
		t.Fatal(err)
	}
	b.must(b.try(b.bob, b.write(update("lab_subs", &bobs, map[string]any{"amount": 9}))))
	if _, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, del); tools.KindOf(err) != tools.Stale {
		t.Error(err)
	}
}

// TestPrivatePastStaysPrivate: sharing a record tells neither what it was in
// the entry that shares it, nor what hung on it while it was private.
func TestPrivatePastStaysPrivate(t *testing.T) {
	b := open(t, tools.Config{})
	shared := "flag = true || owner = @request.auth.id"
	for name, rule := range map[string]string{"lab_subs": shared, "lab_charges": "sub.flag = true || sub.owner = @request.auth.id"} {
		col, err := b.FindCollectionByNameOrId(name)
		if err != nil {
			t.Fatal(err)
		}
		col.ListRule, col.ViewRule = types.Pointer(rule), types.Pointer(rule)
		if err := b.Save(col); err != nil {
			t.Fatal(err)
		}
	}
	var sub, kept string
	b.do(add("lab_subs", map[string]any{"name": "Secret clinic", "note": "burnout", "owner": b.ann.Person}, &sub))
	gone := b.do(func(c *tools.Call) error {
		return add("lab_charges", map[string]any{"sub": sub, "amount": 777}, nil)(c)
	})
	b.must(b.Undo(b.ann, gone.Audit...))
	b.do(func(c *tools.Call) error {
		return add("lab_charges", map[string]any{"sub": sub, "amount": 888}, &kept)(c)
	})
	b.do(update("lab_subs", &sub, map[string]any{"name": "Health", "note": "", "flag": true}))
	b.do(update("lab_subs", &sub, map[string]any{"name": "Health club"}))
	b.do(update("lab_charges", &kept, map[string]any{"amount": 889}))

	page, err := b.Runner.Activity(t.Context(), b.bob, tools.ActivityQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"Secret clinic", "burnout", "777"} {
		if mentions(t, page, secret) {
			t.Errorf("bob is told %q", secret)
		}
	}
	for _, told := range []string{"Health club", "889"} {
		if !mentions(t, page, told) {
			t.Errorf("bob is not told %q, which happened before his eyes", told)
		}
	}
	if own, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{}); err != nil || !mentions(t, own, "Secret clinic") || !mentions(t, own, "777") {
		t.Error("ann is not told what she did", err)
	}
}
