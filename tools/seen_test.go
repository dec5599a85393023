package tools_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

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
				if tools.SeesAbove(&c.Reader, "lab_charges", below(ids...)) {
					quick++
				}
				if fast, err = c.Rows("lab_charges", below(ids...), "sub", "amount"); err != nil {
					return err
				}
				return errDone
			}))
			if !errors.Is(err, errDone) {
				t.Fatal(rule, err)
			}
			asked, err := read(b, who, func(r *tools.Reader) ([]tools.Row, error) {
				if tools.SeesAbove(r, "lab_charges", below(ids...)) {
					t.Error("a read, whose moments differ, does not ask the rule")
				}
				return r.Rows("lab_charges", below(ids...), "sub", "amount")
			})
			if err != nil {
				t.Fatal(rule, err)
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
	b.rule("lab_charges", "sub.flag = true || sub.name = 'mine'")
	b.do(func(c *tools.Call) error {
		_, err := c.Find("lab_subs", other)
		check(c, false, "the rules differ", below(other))
		return err
	})
}
