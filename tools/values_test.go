package tools_test

import (
	"fmt"
	"testing"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// TestOddValues: what an existing app may hold, put there by raw SQL, comes
// back after a delete and its undo as PocketBase itself would read it.
func TestOddValues(t *testing.T) {
	b := open(t, tools.Config{})
	for i, v := range []struct{ column, sql string }{
		{"amount", "9007199254740993"},
		{"amount", "'abc'"},
		{"amount", "9e999"},
		{"meta", "NULL"},
		{"meta", `'{"a": 1}'`},
		{"meta", "'{bad'"},
		{"kind", "''"},
		{"kind", `'["zz"]'`},
		{"day", "'2026-01-01'"},
		{"pos", `'{"lat":1,"lon":2}'`},
		{"name", "'a'||x'ff'"},
		{"name", "x'00ff'"},
		{"pics", "''"},
		{"tags", `'["a","a"]'`},
		{"flag", "1.0"},
		{"owner", "'missing'"},
		{"note", "char(0x2028)"},
	} {
		id := fmt.Sprintf("value%010d", i)
		if _, err := b.DB().NewQuery(fmt.Sprintf("INSERT INTO lab_subs (id,[[%s]]) VALUES ('%s',%s)", v.column, id, v.sql)).Execute(); err != nil {
			t.Logf("%v: %v", v, err)
			continue
		}
		rec, err := b.FindRecordById("lab_subs", id)
		if err != nil {
			t.Fatal(err)
		}
		before, err := rec.DBExport(b)
		if err != nil {
			t.Fatal(err)
		}
		del, err := b.try(b.ann, b.call("lab_destroy", remove("lab_subs", &id)))
		if err != nil {
			t.Errorf("%v: %v", v, err)
			continue
		}
		if _, err := b.Undo(b.ann, del.Audit...); err != nil {
			// A value that PocketBase would not store is a conflict, never a
			// silent change.
			if tools.KindOf(err) != tools.Conflict {
				t.Errorf("%v: %v", v, err)
			}
			continue
		}
		rec, err = b.FindRecordById("lab_subs", id)
		if err != nil {
			t.Fatal(err)
		}
		after, err := rec.DBExport(b)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(before[v.column]) != fmt.Sprint(after[v.column]) {
			t.Errorf("%v: %q became %q", v, before[v.column], after[v.column])
		}
	}
	var n int
	if err := b.DB().Select("count(*)").From("nodkeep_steps").Where(dbx.NewExp("before LIKE '%$base64%'")).Row(&n); err != nil || n == 0 {
		t.Error("invalid text is not kept as base64", err)
	}
	b.wellFormed(t)
}
