package tools_test

import (
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

const member = "@request.auth.id != '' && @request.auth.collectionName = 'users' && @request.auth.status = 'approved'"

// TestRuleStaysOpen: of a rule is left out what is known of whoever acts, at its
// beginning and nowhere else.
func TestRuleStaysOpen(t *testing.T) {
	b := open(t, tools.Config{})
	for rule, want := range map[string]string{
		"":                                       "",
		member:                                   "",
		member + " && flag = true":               "flag = true",
		member + " && flag = true || amount = 1": "flag = true || amount = 1",
		member + " && (flag = true || amount = 1)":                    "(flag = true || amount = 1)",
		"@request.auth.status = 'approved' && @request.auth.id != ''": "",
		member + " || flag = true":                                    "@request.auth.status = 'approved' || flag = true",
		"flag = true && " + member:                                    "flag = true && " + member,
		"(" + member + ")":                                            "(" + member + ")",
		"@request.auth.id != '' || flag = true":                       "@request.auth.id != '' || flag = true",
		"@request.auth.id != ''&& flag = true":                        "@request.auth.id != ''&& flag = true",
		"@request.auth.id != '' // && flag = true":                    "@request.auth.id != '' // && flag = true",
		"@request.auth.status = 'approved'x":                          "@request.auth.status = 'approved'x",
		"@request.auth.status = 'waiting' && flag = true":             "@request.auth.status = 'waiting' && flag = true",
		"@request.auth.status != 'approved'":                          "@request.auth.status != 'approved'",
	} {
		_, err := read(b, b.ann, func(r *tools.Reader) (any, error) {
			if got := tools.Open(r, rule); got != want {
				t.Errorf("%s: %q is asked, want %q", rule, got, want)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestSuspendedWithinARun: what is known of the person holds until the run has
// written: a hook may have suspended them.
func TestSuspendedWithinARun(t *testing.T) {
	b := open(t, tools.Config{})
	var id string
	b.do(add("lab_subs", map[string]any{"name": "a", "flag": true}, &id))
	b.rule("lab_subs", member+" && flag = true")
	b.OnRecordCreateExecute("lab_tags").BindFunc(func(e *core.RecordEvent) error {
		ann, err := e.App.FindRecordById(tools.Members, b.ann.Person)
		if err != nil {
			return err
		}
		ann.Set("status", "suspended")
		if err := e.App.Save(ann); err != nil {
			return err
		}
		return e.Next()
	})
	b.do(func(c *tools.Call) error {
		before, err := c.List("lab_subs", tools.Query{})
		if err != nil || len(before) != 1 {
			t.Errorf("%d before, %v", len(before), err)
		}
		if err := add("lab_tags", map[string]any{"name": "t"}, nil)(c); err != nil {
			return err
		}
		after, err := c.List("lab_subs", tools.Query{})
		if err != nil || len(after) != 0 {
			t.Errorf("%d after, %v", len(after), err)
		}
		if _, err := c.Find("lab_subs", id); tools.KindOf(err) != tools.NotFound {
			t.Errorf("found after: %v", err)
		}
		return nil
	})
	_, err := read(b, b.ann, func(r *tools.Reader) (any, error) { return r.List("lab_subs", tools.Query{}) })
	if tools.KindOf(err) != tools.Forbidden {
		t.Errorf("a suspended member reads: %v", err)
	}
}
