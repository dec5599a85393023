package tools_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// getters are what a core.Record and a tools.Row have in common.
type getters interface {
	GetString(string) string
	GetInt(string) int
	GetFloat(string) float64
	GetBool(string) bool
}

var (
	_ getters = (*core.Record)(nil)
	_ getters = tools.Row(nil)
)

func got(g getters, field string) string {
	return fmt.Sprintf("%q %d %v %v", g.GetString(field), g.GetInt(field), g.GetFloat(field), g.GetBool(field))
}

// read runs f as a read tool.
func read[T any](b *bench, who tools.Actor, f func(*tools.Reader) (T, error)) (T, error) {
	b.tb.Helper()
	b.reads["generic"] = func(r *tools.Reader) (any, error) { return f(r) }
	out, err := b.Read(who, "lab_read", run{"generic"})
	v, _ := out.(T)
	return v, err
}

// fill stores records with values of every kind, and what raw SQL may have
// left behind.
func (b *bench) fill() {
	b.tb.Helper()
	var group, tag string
	b.do(add("lab_groups", map[string]any{"name": "g", "members": []string{b.ann.Person, b.bob.Person}}, &group))
	b.do(add("lab_tags", map[string]any{"name": "t"}, &tag))
	b.do(add("lab_subs", map[string]any{
		"name": "full", "code": "c", "amount": 12.5, "owner": b.ann.Person, "group": group, "tags": []string{tag},
		"meta": map[string]any{"a": []int{1}}, "note": "<b>x</b>", "pos": map[string]float64{"lat": 1.5, "lon": 2}, "kind": []string{"a", "c"},
		"doc": file("doc"), "pics": []any{file("1"), file("2")}, "day": "2026-02-28 10:00:00.000Z", "flag": true,
	}, nil))
	b.do(add("lab_subs", map[string]any{"name": "", "amount": 3, "meta": "null"}, nil))
	b.do(add("lab_subs", map[string]any{"name": "17", "amount": -1e20, "meta": ""}, nil))
	b.do(add("lab_subs", map[string]any{"name": "true", "amount": 9007199254740991, "meta": "text", "day": "2026-01-01"}, nil))
	for i, v := range []struct{ column, sql string }{
		{"amount", "'abc'"},
		{"amount", "9007199254740993"},
		{"meta", "NULL"},
		{"meta", "''"},
		{"meta", `'{"a": 1}'`},
		{"meta", "'{bad'"},
		{"meta", "12"},
		{"kind", "''"},
		{"kind", `'["zz"]'`},
		{"day", "'2026-01-01'"},
		{"day", "'no day'"},
		{"name", "x'00ff'"},
		{"name", "'a'||char(31)||'b'"},
		{"owner", "'missing'"},
		{"owner", `'["a","b"]'`},
		{"flag", "1.0"},
		{"flag", "0"},
		{"pics", "''"},
	} {
		sql := fmt.Sprintf("INSERT INTO lab_subs (id,[[%s]]) VALUES ('raw%012d',%s)", v.column, i, v.sql)
		if _, err := b.DB().NewQuery(sql).Execute(); err != nil {
			b.tb.Fatal(v, err)
		}
	}
}

// TestRowsAreRecords: for every field of every record of the lab a row says
// what the record says.
func TestRowsAreRecords(t *testing.T) {
	b := open(t, tools.Config{})
	b.fill()
	for _, name := range append([]string{tools.Members}, labTables...) {
		col, err := b.FindCollectionByNameOrId(name)
		if err != nil {
			t.Fatal(err)
		}
		var fields []string
		for _, f := range col.Fields {
			if !f.GetHidden() {
				fields = append(fields, f.GetName())
			}
		}
		_, err = read(b, b.ann, func(r *tools.Reader) (any, error) {
			recs, err := r.List(name, tools.Query{})
			if err != nil {
				return nil, err
			}
			rows, err := r.Rows(name, tools.Query{}, fields...)
			if err != nil {
				return nil, err
			}
			if len(rows) != len(recs) || (name != "lab_charges" && len(rows) == 0) {
				t.Fatalf("%s: %d rows, %d records", name, len(rows), len(recs))
			}
			for i, rec := range recs {
				for _, f := range append(fields, "no_such") {
					if row, want := got(rows[i], f), got(rec, f); row != want {
						t.Errorf("%s.%s of %s: %s, the record has %s", name, f, rec.Id, row, want)
					}
					if row, want := fmt.Sprintf("%T %v", rows[i][f], rows[i][f]), fmt.Sprintf("%T %v", rec.Get(f), rec.Get(f)); row != want {
						t.Errorf("%s.%s of %s is %s, in the record %s", name, f, rec.Id, row, want)
					}
				}
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestRowsNarrow: rows come in the order and with the limits of List, also
// where a filter joins, once each; what may not be read is refused.
func TestRowsNarrow(t *testing.T) {
	b := open(t, tools.Config{})
	var tags [3]string
	for i := range tags {
		b.do(add("lab_tags", map[string]any{"name": fmt.Sprint("t", i)}, &tags[i]))
	}
	for i := range 6 {
		b.do(add("lab_subs", map[string]any{"name": fmt.Sprint(i % 4), "amount": i, "tags": tags[:i%4], "owner": b.ann.Person}, nil))
	}
	ids := func(recs []*core.Record) (all []string) {
		for _, rec := range recs {
			all = append(all, rec.Id+rec.GetString("name"))
		}
		return all
	}
	for _, q := range []tools.Query{
		{},
		{Sort: "-name"},
		{Sort: "name,-amount", Limit: 2},
		{Sort: "-amount", Limit: 2, Offset: 1},
		{Offset: 4},
		{Filter: "tags.name ?~ 't'", Sort: "-name"},
		{Filter: "tags.name ?= {:t} && amount > 1", Params: map[string]any{"t": "t1"}, Sort: "tags.name"},
		{In: map[string][]string{"name": {"1", "2"}}, Sort: "-id"},
		{Filter: "owner.handle = 'ann'", Limit: 3},
		{Filter: "name = 'nobody'"},
	} {
		_, err := read(b, b.ann, func(r *tools.Reader) (any, error) {
			recs, err := r.List("lab_subs", q)
			if err != nil {
				return nil, err
			}
			rows, err := r.Rows("lab_subs", q, "name")
			if err != nil {
				return nil, err
			}
			var have []string
			for _, row := range rows {
				if len(row) != 2 {
					t.Errorf("%+v: %v", q, row)
				}
				have = append(have, row.GetString("id")+row.GetString("name"))
			}
			if diff := cmp.Diff(ids(recs), have); diff != "" {
				t.Errorf("%+v:\n%s", q, diff)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, field := range []string{"secret", "no_such", "name]]; --", "tags.name", "*"} {
		_, err := read(b, b.ann, func(r *tools.Reader) ([]tools.Row, error) { return r.Rows("lab_subs", tools.Query{}, "name", field) })
		if tools.KindOf(err) != tools.Invalid {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, field := range []string{"password", "tokenKey"} {
		_, err := read(b, b.ann, func(r *tools.Reader) ([]tools.Row, error) { return r.Rows(tools.Members, tools.Query{}, field) })
		if tools.KindOf(err) != tools.Invalid {
			t.Errorf("%s: %v", field, err)
		}
	}
	b.private(t)
	rows, err := read(b, b.bob, func(r *tools.Reader) ([]tools.Row, error) { return r.Rows("lab_subs", tools.Query{}, "name") })
	if err != nil || len(rows) != 0 {
		t.Error("what may not be listed is in the rows", rows, err)
	}
}

// TestSumOf: least, most and all of a group, with values that could be taken
// for something else, and lists that go together.
func TestSumOf(t *testing.T) {
	b := open(t, tools.Config{})
	odd := []string{"a", "", "3:x", "ü\x1f", "a,b", "l\x00ng", "['x']"}
	for i, name := range odd {
		b.do(add("lab_subs", map[string]any{"name": name, "amount": float64(i) - 1.5, "day": fmt.Sprintf("2026-0%d-01", i+1), "flag": i%2 == 0, "tags": nil}, nil))
	}
	rows, err := read(b, b.ann, func(r *tools.Reader) ([]tools.Row, error) {
		return r.Sum("lab_subs", tools.Query{}, []string{"year(day)"}, "count", "amount", "min(amount)", "max(amount)", "min(day)", "max(name)", "list(name)", "list(amount)", "list(day)", "list(flag)")
	})
	if err != nil || len(rows) != 1 {
		t.Fatal(err, rows)
	}
	row := rows[0]
	if row.GetInt("count") != 7 || row.GetFloat("min(amount)") != -1.5 || row.GetFloat("max(amount)") != 4.5 || row.GetString("min(day)") != "2026-01-01 00:00:00.000Z" || row.GetString("max(name)") != "ü\x1f" {
		t.Error(row)
	}
	names, amounts, days, flags := row["list(name)"].([]string), row["list(amount)"].([]string), row["list(day)"].([]string), row["list(flag)"].([]string)
	if len(names) != 7 || len(amounts) != 7 || len(days) != 7 || len(flags) != 7 {
		t.Fatal(row)
	}
	for i := range names {
		k := slices.Index(odd, names[i])
		if k < 0 || amounts[i] != fmt.Sprint(float64(k)-1.5) && amounts[i] != fmt.Sprintf("%.1f", float64(k)-1.5) || days[i] != fmt.Sprintf("2026-0%d-01 00:00:00.000Z", k+1) || (flags[i] == "1") != (k%2 == 0) {
			t.Errorf("%q does not go with %s, %s and %s", names[i], amounts[i], days[i], flags[i])
		}
	}

	// Without a group there is one row, and nothing in it where there is nothing.
	rows, err = read(b, b.ann, func(r *tools.Reader) ([]tools.Row, error) {
		return r.Sum("lab_subs", tools.Query{Filter: "name = 'nobody'"}, nil, "count", "list(name)", "max(amount)")
	})
	if err != nil || len(rows) != 1 || rows[0].GetInt("count") != 0 || rows[0]["max(amount)"] != nil || len(rows[0]["list(name)"].([]string)) != 0 {
		t.Error(rows, err)
	}
	// Limit and Offset count groups.
	rows, err = read(b, b.ann, func(r *tools.Reader) ([]tools.Row, error) {
		return r.Sum("lab_subs", tools.Query{Limit: 2, Offset: 3}, []string{"month(day)"}, "count")
	})
	if err != nil || len(rows) != 2 || rows[0].GetString("month(day)") != "2026-04" {
		t.Error(rows, err)
	}
	for _, name := range []string{"list(secret)", "min(no_such)", "list()", "max(amount", "sum(amount)", "list(name); --", "avg(amount)", "min(secret)"} {
		_, err := read(b, b.ann, func(r *tools.Reader) ([]tools.Row, error) {
			return r.Sum("lab_subs", tools.Query{}, []string{"name"}, name)
		})
		if tools.KindOf(err) != tools.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMembers: approved members by handle, and who of them is an operator.
func TestMembers(t *testing.T) {
	b := open(t, tools.Config{})
	for _, row := range []struct{ handle, status string }{{"zoe", "approved"}, {"wait", "waiting"}, {"out", "suspended"}, {"amy", "approved"}} {
		rec := b.Member(row.handle)
		rec.Set("status", row.status)
		if err := b.Save(rec); err != nil {
			t.Fatal(err)
		}
	}
	members, err := read(b, b.ann, (*tools.Reader).Members)
	if err != nil {
		t.Fatal(err)
	}
	want := []tools.Member{{ID: b.Member("amy").Id, Handle: "amy"}, {ID: b.ann.Person, Handle: "ann"}, {ID: b.bob.Person, Handle: "bob"}, {ID: b.Member("zoe").Id, Handle: "zoe"}}
	if diff := cmp.Diff(want, members); diff != "" {
		t.Error(diff)
	}
	operator := func(r *tools.Reader) (bool, error) { return r.Operator(), nil }
	if is, err := read(b, b.ann, operator); err != nil || is {
		t.Error(is, err)
	}
	ann := b.Member("ann")
	ann.Set("operator", true)
	if err := b.Save(ann); err != nil {
		t.Fatal(err)
	}
	if is, err := read(b, b.ann, operator); err != nil || !is {
		t.Error(is, err)
	}
	if is, err := read(b, b.bob, operator); err != nil || is {
		t.Error(is, err)
	}
}
