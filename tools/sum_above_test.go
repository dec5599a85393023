package tools_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/nodkeep/nodkeep/tools"
)

// rule sets who may list and view a collection.
func (b *bench) rule(collection, rule string) {
	b.tb.Helper()
	col, err := b.FindCollectionByNameOrId(collection)
	if err != nil {
		b.tb.Fatal(err)
	}
	col.ListRule, col.ViewRule = types.Pointer(rule), types.Pointer(rule)
	if err := b.Save(col); err != nil {
		b.tb.Fatalf("%s: %v", rule, err)
	}
}

// exec runs raw SQL.
func (b *bench) exec(sql string, args ...any) {
	b.tb.Helper()
	if _, err := b.DB().NewQuery(fmt.Sprintf(sql, args...)).Execute(); err != nil {
		b.tb.Fatal(err)
	}
}

// together puts the lists of a row in one order: as they come they have none.
func together(rows []tools.Row) []tools.Row {
	for _, row := range rows {
		amounts, ids := row["list(amount)"].([]string), row["list(id)"].([]string)
		pairs := make([]string, len(ids))
		for i := range ids {
			pairs[i] = ids[i] + " " + amounts[i]
		}
		slices.Sort(pairs)
		row["list(amount)"], row["list(id)"] = pairs, nil
	}
	return rows
}

// fillBelow makes subs of all kinds and charges, of which some have no sub, or one
// that is gone; it gives the ids of the subs, these two first.
func (b *bench) fillBelow(rnd *rand.Rand) []string {
	var group, tag string
	b.do(add("lab_groups", map[string]any{"name": "g", "members": []string{b.ann.Person}}, &group))
	b.do(add("lab_tags", map[string]any{"name": "t"}, &tag))
	pick := func(list ...any) any { return list[rnd.IntN(len(list))] }
	subs := []string{"", "gone00000000001"}
	for range 9 {
		var id string
		b.do(add("lab_subs", map[string]any{
			"name": pick("a", "b", "", "%%name"), "amount": rnd.IntN(4), "owner": pick(b.ann.Person, b.bob.Person, ""), "flag": rnd.IntN(2) == 0,
			"group": pick(group, ""), "tags": pick([]string{tag}, nil), "meta": pick(map[string]any{"a": 1}, nil, "x"), "kind": pick("a", "b", nil),
			"day": pick("2020-01-01", "2090-01-01", ""), "note": pick("", "n"),
		}, &id))
		subs = append(subs, id)
	}
	for i := range 60 {
		// One sub has no charges.
		b.exec("INSERT INTO lab_charges (id,sub,amount) VALUES ('charge%09d','%s',%d)", i, subs[rnd.IntN(len(subs)-1)], rnd.IntN(9)-2)
	}
	return subs
}

// someRules makes a rule for subs by chance, and the same for what is below.
func (b *bench) someRules(rnd *rand.Rand) string {
	// %% stands for where the fields are.
	atoms := []string{
		"%flag = false", "%flag = true", "%owner = @request.auth.id", "%owner != @request.auth.id", "@request.auth.id = %owner", "%owner ?= @request.auth.id",
		"%amount > 1", "%amount <= 2", "%name ~ 'a'", "%name !~ 'a'", "%name = ''", "%name != ''", "%name = '%%name'", `%name = "a"`, "%name = null", "%note = %name",
		"%meta.a = 1", "%meta = 'x'", "%meta != null", "%day > @now", "%day < '2050-01-01'", "%kind ~ 'a'", "%name:lower = 'a'", "%tags:length > 0", "%group = ''",
		"@request.auth.id != ''", "@request.auth.status = 'approved'", "@request.auth.handle = 'ann'", "1 = 1", "true = false", "%created < @todayEnd", "%updated > @yearStart",
		// what joins: the long way
		"%owner.handle = 'ann'", "%group.name = 'g'", "%tags.name ?= 't'", "%tags:each = ''", "%group.members ~ @request.auth.id", "@collection.lab_tags.name ?= 't'", "%id != ''", "strftime('%Y', %day) = '2020'",
	}
	var rule strings.Builder
	for i := range 1 + rnd.IntN(4) {
		if i > 0 {
			rule.WriteString([]string{" && ", " || ", "&&"}[rnd.IntN(3)])
		}
		atom := atoms[rnd.IntN(len(atoms))]
		if rnd.IntN(4) == 0 {
			atom = "(" + atom + " || " + atoms[rnd.IntN(24)] + ")"
		}
		rule.WriteString(atom)
	}
	under := func(prefix string) string {
		return strings.ReplaceAll(strings.ReplaceAll(rule.String(), "%Y", "\x00Y"), "%", prefix)
	}
	b.rule("lab_subs", strings.ReplaceAll(under(""), "\x00", "%"))
	b.rule("lab_charges", strings.ReplaceAll(under("sub."), "\x00", "%"))
	return rule.String()
}

// TestSumAbove: asked of what is above or of each record, a sum is the same,
// whatever the rule, the person and the filter.
func TestSumAbove(t *testing.T) {
	b := open(t, tools.Config{})
	rnd := rand.New(rand.NewPCG(7, 7))
	subs := b.fillBelow(rnd)
	queries := []tools.Query{
		{},
		{Filter: "amount > {:n}", Params: map[string]any{"n": 2}},
		{Filter: "amount > 0 && (sub = {:s} || id ~ 'charge00000001')", Params: map[string]any{"s": subs[3]}},
		{Filter: "sub = ''"},
		{Filter: "sub != '' || amount = 1", Limit: 3, Offset: 1},
		{In: map[string][]string{"sub": subs[:5]}},
		{In: map[string][]string{"sub": subs[1:4]}, Filter: "amount >= 0", Limit: 2},
		{In: map[string][]string{"id": {"charge000000001", "charge000000002", "charge000000003"}}},
		{Filter: "sub.name = 'a'"},
		{Filter: "sub.tags.name ?= 't'"},
		{Sort: "-amount"},
		{Filter: "no_such = 1"},
	}
	sums := []string{"count", "amount", "min(amount)", "max(id)", "list(id)", "list(amount)"}
	short, long, some := 0, 0, 0
	for range 90 {
		rule := b.someRules(rnd)
		for _, q := range queries {
			for _, who := range []tools.Actor{b.ann, b.bob} {
				_, err := read(b, who, func(r *tools.Reader) (any, error) {
					above, ok, records, err := tools.SumBothWays(r, "lab_charges", q, []string{"sub"}, sums...)
					if !ok {
						long++
						return nil, err
					}
					if short++; len(records) > 0 {
						some++
					}
					if diff := cmp.Diff(together(records), together(above)); diff != "" {
						t.Errorf("%s with %+v:\n%s", rule, q, diff)
					}
					return nil, err
				})
				if err != nil && q.Filter != "no_such = 1" {
					t.Fatal(rule, q, err)
				}
			}
		}
	}
	t.Logf("%d short, of them %d with an answer; %d long", short, some, long)
	if some < 50 || long < 50 {
		t.Errorf("%d short ways with an answer, %d long ones", some, long)
	}
}

// TestSumAboveOnlyWhere: the short way is taken where the rules say the same
// and the index is there, and nowhere else.
func TestSumAboveOnlyWhere(t *testing.T) {
	b := open(t, tools.Config{})
	b.do(add("lab_subs", map[string]any{"name": "a", "owner": b.ann.Person}, nil))
	for _, row := range []struct {
		above, below string
		want         bool
	}{
		{"flag = true && owner = @request.auth.id", "sub.flag = true && sub.owner = @request.auth.id", true},
		{"flag=true&&owner = @request.auth.id // theirs", "sub.flag = true\n && sub.owner=@request.auth.id", true},
		{"(flag = true) && name = 'a'", "(sub.flag = true) && sub.name = \"a\"", true},
		{"@request.auth.status = 'approved' && name ~ 'a'", "@request.auth.status = 'approved' && sub.name ~ 'a'", true},
		{"flag = true && name = 'a'", "sub.flag = true || sub.name = 'a'", false},
		{"flag = true && name = 'a'", "(sub.flag = true) && sub.name = 'a'", false},
		{"flag = true && name = 'a'", "sub.name = 'a' && sub.flag = true", false},
		{"flag = true && name = 'a'", "sub.flag = true", false},
		{"flag = true", "sub.flag = false", false},
		{"flag = true", "sub.flag != true", false},
		{"amount = 1", "amount = 1", false},
		{"name = 'a'", "sub.name = 'sub.a'", false},
		{"name = 'sub.a'", "sub.name = 'a'", false},
		{"name = 'a'", "sub.note = 'a'", false},
		{"owner = @request.auth.id", "sub.owner = @request.auth.handle", false},
		{"id = 'a'", "sub.id = 'a'", false},
		{"name != 'x'", "sub.name != 'x'", false}, // what has nothing above is seen, too
		{"", "", false},
		{"@request.auth.id != ''", "@request.auth.id != ''", false},
		{"owner.handle = 'ann'", "sub.owner.handle = 'ann'", false},
		{"@collection.lab_tags.name = 'ann'", "@collection.lab_tags.name = 'ann'", false},
		// In both, or in neither, PocketBase takes the word for a number.
		{"name = 'a' && note != @request.auth.amount", "sub.name = 'a' && sub.note != @request.auth.amount", true},
	} {
		b.rule("lab_subs", row.above)
		b.rule("lab_charges", row.below)
		_, err := read(b, b.ann, func(r *tools.Reader) (any, error) {
			_, ok, _, err := tools.SumBothWays(r, "lab_charges", tools.Query{}, []string{"sub"}, "count")
			if ok != row.want {
				t.Errorf("%s above, %s below: short is %v", row.above, row.below, ok)
			}
			return nil, err
		})
		if err != nil {
			t.Error(row.below, err)
		}
	}

	// The order of the tables is what makes it short.
	b.rule("lab_subs", "flag = true || owner = @request.auth.id")
	b.rule("lab_charges", "sub.flag = true || sub.owner = @request.auth.id")
	plan, err := read(b, b.ann, func(r *tools.Reader) ([]string, error) {
		for _, group := range [][]string{{"sub", "amount"}, {"amount"}, {}, {"month(sub)"}} {
			if tools.PlanFromAbove(r, "lab_charges", tools.Query{}, group) != nil {
				t.Errorf("a sum by %v is taken from above", group)
			}
		}
		return tools.PlanFromAbove(r, "lab_charges", tools.Query{Filter: "amount > 1"}, []string{"sub"}), nil
	})
	want := []string{"SCAN lab_subs USING INDEX sqlite_autoindex_lab_subs_1", "SEARCH lab_charges USING INDEX idx_lab_charges_sub (sub=?)"}
	if diff := cmp.Diff(want, plan); diff != "" || err != nil {
		t.Error(err, diff)
	}

	// Without the index, with one that SQLite cannot use, or with nobody's rule.
	short := func() (ok bool) {
		_, err := read(b, b.ann, func(r *tools.Reader) (any, error) {
			_, is, _, err := tools.SumBothWays(r, "lab_charges", tools.Query{}, []string{"sub"}, "count")
			ok = is
			return nil, err
		})
		if err != nil {
			t.Error(err)
		}
		return ok
	}
	if !short() {
		t.Error("not short with the index")
	}
	for _, index := range []string{"", "CREATE INDEX idx_lab_charges_sub ON lab_charges (amount, sub)", "CREATE INDEX idx_lab_charges_sub ON lab_charges (sub) WHERE amount > 0", "CREATE INDEX idx_lab_charges_sub ON lab_charges (sub COLLATE NOCASE)"} {
		col, err := b.FindCollectionByNameOrId("lab_charges")
		if err != nil {
			t.Fatal(err)
		}
		col.RemoveIndex("idx_lab_charges_sub")
		if index != "" {
			col.Indexes = append(col.Indexes, index)
		}
		if err := b.Save(col); err != nil {
			t.Fatal(err)
		}
		if short() {
			t.Errorf("short with the index %q", index)
		}
	}
	for _, name := range []string{"lab_subs", "lab_charges"} {
		col, err := b.FindCollectionByNameOrId(name)
		if err != nil {
			t.Fatal(err)
		}
		col.ListRule = nil
		if err := b.Save(col); err != nil {
			t.Fatal(err)
		}
		if short() {
			t.Errorf("short though nobody may list %s", name)
		}
	}
}
