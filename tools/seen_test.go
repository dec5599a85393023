package tools_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// below asks for the charges of subs.
func below(subs ...string) tools.Query {
	return tools.Query{In: map[string][]string{"sub": subs}, Sort: "-amount"}
}

// found are the ids of the subs that a run has handed out.
func found(c *tools.Call) (ids []string, err error) {
	recs, err := c.List("lab_subs", tools.Query{})
	for _, rec := range recs {
		ids = append(ids, rec.Id)
	}
	return ids, err
}

var errDone = errors.New("seen enough")

// TestBelowWhatWasSeen: what belongs to records that a run has handed out is
// read without its rule, and is what the rule would give.
func TestBelowWhatWasSeen(t *testing.T) {
	b := open(t, tools.Config{})
	rnd := rand.New(rand.NewPCG(5, 5))
	b.fillBelow(rnd)
	quick, some := 0, 0
	for range 120 {
		rule := b.someRules(rnd)
		for _, who := range []tools.Actor{b.ann, b.bob} {
			var ids []string
			var fast []tools.Row
			_, err := b.Runner.Apply(t.Context(), who, "", b.write(func(c *tools.Call) (err error) {
				if ids, err = found(c); err != nil {
					return err
				}
				for _, id := range ids {
					if tools.SeesAbove(&c.Reader, "lab_charges", below(id)) {
						quick++
					}
					rows, err := c.Rows("lab_charges", below(id), "sub", "amount")
					if err != nil {
						return err
					}
					fast = append(fast, rows...)
				}
				return errDone
			}))
			if !errors.Is(err, errDone) {
				t.Fatalf("%s: %v, %v", rule, err, errors.Unwrap(err))
			}
			asked, err := read(b, who, func(r *tools.Reader) ([]tools.Row, error) {
				var all []tools.Row
				for _, id := range ids {
					if tools.SeesAbove(r, "lab_charges", below(id)) {
						t.Error("a read, whose moments differ, does not ask the rule")
					}
					rows, err := r.Rows("lab_charges", below(id), "sub", "amount")
					if err != nil {
						return nil, err
					}
					all = append(all, rows...)
				}
				return all, nil
			})
			if err != nil {
				t.Fatalf("%s: %v, %v", rule, err, errors.Unwrap(err))
			}
			if diff := cmp.Diff(asked, fast); diff != "" {
				t.Errorf("%s:\n%s", rule, diff)
			}
			if len(fast) > 0 {
				some++
			}
		}
	}
	if quick < 50 || some < 30 {
		t.Errorf("%d times without the rule, %d times with an answer", quick, some)
	}
}

// TestBelowAsksAgain: the rule is asked where the run has not handed out all
// that is above, has written since, or where the rules are not the same.
func TestBelowAsksAgain(t *testing.T) {
	b := open(t, tools.Config{})
	var mine, other string
	b.do(add("lab_subs", map[string]any{"name": "mine", "flag": true}, &mine))
	b.do(add("lab_subs", map[string]any{"name": "other", "flag": true}, &other))
	for _, sub := range []string{mine, other} {
		b.do(add("lab_charges", map[string]any{"sub": sub, "amount": 1}, nil))
	}
	b.rule("lab_subs", "flag = true")
	b.rule("lab_charges", "sub.flag = true")
	check := func(c *tools.Call, want bool, when string, query tools.Query) {
		t.Helper()
		if tools.SeesAbove(&c.Reader, "lab_charges", query) != want {
			t.Errorf("%s: without the rule is not %v", when, want)
		}
	}
	b.do(func(c *tools.Call) error {
		check(c, false, "nothing was handed out", below(mine))
		rec, err := c.Find("lab_subs", mine)
		if err != nil {
			return err
		}
		check(c, true, "the one was handed out", below(mine))
		check(c, false, "one of two was", below(mine, other))
		check(c, false, "there is more than one", below(mine, mine))
		check(c, false, "no sub is wanted", tools.Query{})
		check(c, false, "none of no subs", below())
		check(c, false, "the charge is wanted", tools.Query{In: map[string][]string{"id": {mine}}})
		rec.Id = other // what a tool does to a record in memory changes nothing
		check(c, false, "another has taken its id", below(other))
		rec.Id = mine

		rec.Set("flag", false)
		if err := c.Save(rec); err != nil {
			return err
		}
		check(c, false, "it has been hidden since", below(mine))
		rows, err := c.Rows("lab_charges", below(mine))
		if len(rows) > 0 {
			t.Errorf("the charges of what is hidden are found: %v", rows)
		}
		return err
	})
	for _, row := range []struct{ above, below, filter string }{
		{"flag = true", "sub.flag = true || sub.name = 'mine'", ""},
		{"name != @request.body.none", "sub.name != @request.body.none", ""}, // PocketBase looks the field up where the rule is
		{"name != @request.query.none", "sub.name != @request.query.none", ""},
		{"created < @now", "sub.created < @now", ""}, // it need not be so any more
		{"@second < 60", "@second < 60", ""},
		{"@collection.lab_subs.flag ?= flag", "@collection.lab_subs.flag ?= sub.flag", ""},
		{"flag = true", "sub.flag = true", "sub.flag = true"}, // joins along with the rule
	} {
		b.rule("lab_subs", row.above)
		b.rule("lab_charges", row.below)
		b.do(func(c *tools.Call) error {
			_, err := c.Find("lab_subs", other)
			query := below(other)
			query.Filter = row.filter
			check(c, false, row.below+" with "+row.filter, query)
			return err
		})
	}
}

// TestBelowHookedWrite: a write that was refused counts as one, since a hook may
// have changed what it liked.
func TestBelowHookedWrite(t *testing.T) {
	b := open(t, tools.Config{})
	b.moreBelow()
	var sub string
	b.do(add("lab_subs", map[string]any{"name": "mine", "flag": true}, &sub))
	b.do(add("lab_charges", map[string]any{"sub": sub, "amount": 1}, nil))
	b.rule("lab_subs", "flag = true")
	b.rule("lab_charges", "sub.flag = true")
	b.Registry.SetRule("lab_subs", tools.Rule{Was: "flag = true"})
	b.do(func(c *tools.Call) error {
		rec, err := c.Find("lab_subs", sub)
		if err != nil {
			return err
		}
		if rows, err := c.Rows("lab_charges", below(sub)); err != nil || len(rows) != 1 {
			t.Errorf("%v %v", rows, err)
		}
		if err := add("lab_tags", map[string]any{"name": "refused"}, nil)(c); err == nil {
			t.Error("the hook refuses nothing")
		}
		if rows, err := c.Rows("lab_charges", below(sub)); err != nil || len(rows) > 0 {
			t.Errorf("what was hidden by a hook is found: %v %v", rows, err)
		}
		if err := c.Save(rec); tools.KindOf(err) != tools.Forbidden {
			t.Errorf("what must hold before a change is not asked again: %v", err)
		}
		return nil
	})
}

// TestBelowRuleMoves: what could be seen by the rule of before need not be seen
// by the one that stands now.
func TestBelowRuleMoves(t *testing.T) {
	b := open(t, tools.Config{})
	var sub string
	b.do(add("lab_subs", map[string]any{"name": "mine", "flag": true}, &sub))
	b.do(add("lab_charges", map[string]any{"sub": sub, "amount": 1}, nil))
	b.rule("lab_subs", "flag = true")
	b.rule("lab_charges", "sub.flag = true")
	_, err := b.try(b.ann, b.write(func(c *tools.Call) error {
		if _, err := c.Find("lab_subs", sub); err != nil {
			return err
		}
		for name, rule := range map[string]string{"lab_subs": "flag = false", "lab_charges": "sub.flag = false"} {
			col, err := tools.AppOf(c).FindCollectionByNameOrId(name)
			if err != nil {
				return err
			}
			col.ListRule, col.ViewRule = &rule, &rule
			if err := tools.AppOf(c).Save(col); err != nil {
				return err
			}
		}
		if rows, err := c.Rows("lab_charges", below(sub)); err != nil || len(rows) > 0 {
			t.Errorf("%v %v", rows, err)
		}
		return errDone
	}))
	if !errors.Is(err, errDone) {
		t.Error(err)
	}
}

// TestBelowViews: a view may hold one id twice, so its rule is always asked.
func TestBelowViews(t *testing.T) {
	b := open(t, tools.Config{})
	var sub string
	b.do(add("lab_subs", map[string]any{"name": "mine", "flag": true}, &sub))
	b.do(add("lab_charges", map[string]any{"sub": sub, "amount": 1}, nil))
	col := core.NewViewCollection("lab_view")
	col.ViewQuery = "SELECT id, sub, amount FROM lab_charges"
	if err := b.Save(col); err != nil {
		t.Fatal(err)
	}
	b.rule("lab_subs", "flag = true")
	b.rule("lab_view", "sub.flag = true")
	b.do(func(c *tools.Call) error {
		_, err := c.Find("lab_subs", sub)
		if tools.SeesAbove(&c.Reader, "lab_view", below(sub)) {
			t.Error("the rule of a view is not asked")
		}
		if rows, err := c.Rows("lab_view", below(sub)); err != nil || len(rows) != 1 {
			t.Errorf("%v %v", rows, err)
		}
		return err
	})
}

// TestRulesWithComments: a comment in a rule, whatever is in it, neither swallows
// nor opens what a Call asks along.
func TestRulesWithComments(t *testing.T) {
	b := open(t, tools.Config{})
	var sub string
	b.do(add("lab_subs", map[string]any{"name": "mine", "flag": true}, &sub))
	b.Registry.SetRule("lab_subs", tools.Rule{Was: "flag = true // don't", Becomes: "flag = true // )"})
	for rule, want := range map[string]bool{
		"flag = true": true, "flag = true // don't": true, "flag = true // )": true, "flag = true // (": true, "flag = true // 'x'\n": true,
		"flag = false // ) || (1=1": false, "flag = false //' (": false,
	} {
		b.rule("lab_subs", rule)
		b.do(func(c *tools.Call) error {
			rec, err := c.Find("lab_subs", sub)
			if (err == nil) != want || (err != nil && tools.KindOf(err) != tools.NotFound) {
				t.Errorf("%s: %v", rule, err)
			}
			if err != nil {
				return nil
			}
			return c.Save(rec)
		})
	}
}

// moreBelow links charges by more than one field, and has hooks change subs behind
// the back of all tools: with a save, and with one that they refuse.
func (b *bench) moreBelow() {
	b.tb.Helper()
	id := func(name string) string {
		col, err := b.FindCollectionByNameOrId(name)
		if err != nil {
			b.tb.Fatal(err)
		}
		return col.Id
	}
	col, err := b.FindCollectionByNameOrId("lab_charges")
	if err != nil {
		b.tb.Fatal(err)
	}
	col.Fields.Add(&core.RelationField{Name: "other", CollectionId: id("lab_subs"), MaxSelect: 1}, &core.RelationField{Name: "parent", CollectionId: col.Id, MaxSelect: 1},
		&core.RelationField{Name: "payer", CollectionId: id("users"), MaxSelect: 1}, &core.RelationField{Name: "marks", CollectionId: id("lab_tags"), MaxSelect: 9}, &core.NumberField{Name: "email"})
	if err := b.Save(col); err != nil {
		b.tb.Fatal(err)
	}
	flip := func(e *core.RecordEvent) error {
		_, err := e.App.DB().NewQuery("UPDATE lab_subs SET flag = NOT flag, amount = 3 - amount, name = CASE name WHEN 'a' THEN 'b' ELSE 'a' END, day = CASE day WHEN '' THEN '2090' ELSE '' END").Execute()
		return err
	}
	b.OnRecordValidate("lab_tags").BindFunc(func(e *core.RecordEvent) error {
		if e.Record.GetString("name") == "refused" {
			return errors.Join(flip(e), errDone)
		}
		return e.Next()
	})
	b.OnRecordCreate("lab_tags").BindFunc(func(e *core.RecordEvent) error {
		if err := e.Next(); err != nil {
			return err
		}
		return flip(e)
	})
}
