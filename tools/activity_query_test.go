package tools_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// TestActivityNarrowed by each of what it can be narrowed to, and by several.
func TestActivityNarrowed(t *testing.T) {
	b := open(t, tools.Config{})
	b.private(t)
	var tag, sub string
	b.do(add("lab_tags", map[string]any{"name": "one"}, &tag))
	b.do(update("lab_tags", &tag, map[string]any{"name": "two"}))
	b.do(add("lab_subs", map[string]any{"name": "other", "owner": b.ann.Person}, &sub))
	if _, err := b.try(b.bob, b.write(update("lab_tags", &tag, map[string]any{"name": "three"}))); err != nil {
		t.Fatal(err)
	}
	if _, err := b.try(b.ann, b.write(func(*tools.Call) error { return tools.Fail(tools.Invalid, "lab.Secret") })); err == nil {
		t.Fatal("not refused")
	}
	list := func(who tools.Actor, q tools.ActivityQuery) []tools.Entry {
		t.Helper()
		page, err := b.Runner.Activity(t.Context(), who, q)
		if err != nil {
			t.Fatal(err)
		}
		return page.Items
	}
	all := list(b.ann, tools.ActivityQuery{Tool: "lab_write"})
	if len(all) != 5 {
		t.Fatalf("%d entries", len(all))
	}
	mid := all[2].Created // "other" was made
	for name, row := range map[string]struct {
		q    tools.ActivityQuery
		want int
	}{
		"refused":                {tools.ActivityQuery{State: "refused"}, 1},
		"applied":                {tools.ActivityQuery{State: "applied", Tool: "lab_write"}, 4},
		"discarded":              {tools.ActivityQuery{State: "discarded"}, 0},
		"a record":               {tools.ActivityQuery{Records: []string{tag}}, 3},
		"two records":            {tools.ActivityQuery{Records: []string{tag, sub}}, 4},
		"a record that is none":  {tools.ActivityQuery{Records: []string{"none"}}, 0},
		"a person":               {tools.ActivityQuery{Person: b.bob.Person, Tool: "lab_write"}, 1},
		"a handle":               {tools.ActivityQuery{Person: "bob", Tool: "lab_write"}, 1},
		"nobody":                 {tools.ActivityQuery{Person: "nobody"}, 0},
		"a person and a record":  {tools.ActivityQuery{Person: "ann", Records: []string{tag}}, 2},
		"until":                  {tools.ActivityQuery{Until: mid, Tool: "lab_write"}, countBefore(all, mid)},
		"since":                  {tools.ActivityQuery{Since: mid, Tool: "lab_write"}, 5 - countBefore(all, mid)},
		"since what is to come":  {tools.ActivityQuery{Since: time.Now().Add(time.Hour)}, 0},
		"a record and a refusal": {tools.ActivityQuery{State: "refused", Records: []string{tag}}, 0},
	} {
		if got := list(b.ann, row.q); len(got) != row.want {
			t.Errorf("%s: %d entries, want %d", name, len(got), row.want)
		}
	}
	if e := list(b.ann, tools.ActivityQuery{Person: "bob", Tool: "lab_write"})[0]; e.Handle != "bob" {
		t.Errorf("it is by %q", e.Handle)
	}
	for name, q := range map[string]tools.ActivityQuery{"state": {State: "done"}, "records": {Records: make([]string, 51)}} {
		if _, err := b.Runner.Activity(t.Context(), b.ann, q); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	// One entry by its id; what a person has no part in is not there.
	if e, err := b.Runner.Entry(t.Context(), b.ann, all[1].ID); err != nil || e.ID != all[1].ID || e.Handle != "bob" && e.Handle != "ann" {
		t.Errorf("%+v %v", e, err)
	}
	var bobs string
	rec, err := b.try(b.bob, b.write(add("lab_subs", map[string]any{"name": "bob's", "owner": b.bob.Person}, &bobs)))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{rec.Audit[0], "none", ""} {
		if _, err := b.Runner.Entry(t.Context(), b.ann, id); tools.KindOf(err) != tools.NotFound {
			t.Errorf("%q: %v", id, err)
		}
	}
	if got := list(b.ann, tools.ActivityQuery{Records: []string{bobs}}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func countBefore(all []tools.Entry, at time.Time) (n int) {
	for _, e := range all {
		if e.Created.Before(at) {
			n++
		}
	}
	return n
}

// TestActivityTellsNothingByFinding: an operator, who sees that there was an
// entry and nothing of it, does not find out whose it is by asking for them.
func TestActivityTellsNothingByFinding(t *testing.T) {
	b := open(t, tools.Config{})
	b.private(t)
	ann := b.Member("ann")
	ann.Set("operator", true)
	if err := b.Save(ann); err != nil {
		t.Fatal(err)
	}
	var secret string
	rec, err := b.try(b.bob, b.write(add("lab_subs", map[string]any{"owner": b.bob.Person}, &secret)))
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		q     tools.ActivityQuery
		found bool
	}{
		"all":       {tools.ActivityQuery{}, true},
		"by state":  {tools.ActivityQuery{State: "applied"}, true},
		"by tool":   {tools.ActivityQuery{Tool: "lab_write"}, false},
		"by person": {tools.ActivityQuery{Person: "bob"}, false},
		"by record": {tools.ActivityQuery{Records: []string{secret}}, false},
	} {
		page, err := b.Runner.Activity(t.Context(), b.ann, row.q)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, e := range page.Items {
			found = found || e.ID == rec.Audit[0]
			if e.ID == rec.Audit[0] && e.Handle != "" {
				t.Errorf("%s: it says that it was %s", name, e.Handle)
			}
		}
		if found != row.found {
			t.Errorf("%s: found is %t", name, found)
		}
	}
}

// TestActivityOfLongEntries: what changed a record is found, and listed first,
// in an entry that is too long to be read whole.
func TestActivityOfLongEntries(t *testing.T) {
	b := open(t, tools.Config{})
	var late string
	b.do(func(c *tools.Call) error {
		for n := range 600 {
			id := ""
			if err := add("lab_tags", map[string]any{"name": fmt.Sprint("t", n)}, &id)(c); err != nil {
				return err
			}
			late = id
		}
		return nil
	})
	page, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{Records: []string{late}})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%v %d entries", err, len(page.Items))
	}
	if c := page.Items[0].Changes[0]; c.ID != late || !page.Items[0].More {
		t.Errorf("first is %s", c.Label)
	}
}

// TestActivityIsIndexed: no page looks at every entry or step.
func TestActivityIsIndexed(t *testing.T) {
	b := open(t, tools.Config{})
	for name, q := range map[string]tools.ActivityQuery{
		"idx_nodkeep_audit_state":  {State: "refused"},
		"idx_nodkeep_audit_agent":  {Agent: "a"},
		"idx_nodkeep_audit_tool":   {Tool: "a"},
		"idx_nodkeep_audit_person": {Person: "a"},
		"idx_nodkeep_steps_of":     {Records: []string{"a"}},
		"idx_nodkeep_audit_seq":    {},
	} {
		if plan := tools.PlanOfActivity(b.Runner, q); !strings.Contains(plan, name) || strings.Contains(plan, "SCAN nodkeep") {
			t.Errorf("%s: %s", name, plan)
		}
	}
}
