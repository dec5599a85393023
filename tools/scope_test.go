package tools_test

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// scoped is a lab with records to narrow: by name, their collection and id.
// "hidden" and what hangs on it is private, "orphan" hangs on nothing.
type scoped struct {
	*bench
	ids map[string]tools.Ref
}

func openScoped(tb testing.TB) *scoped {
	b := open(tb, tools.Config{})
	s := &scoped{b, map[string]tools.Ref{}}
	s.put("tag", "lab_tags", nil)
	s.put("g1", "lab_groups", nil)
	s.put("g2", "lab_groups", nil)
	s.put("a", "lab_subs", map[string]any{"group": s.ids["g1"].ID, "tags": []string{s.ids["tag"].ID}, "doc": file("a")})
	s.put("b", "lab_subs", map[string]any{"group": s.ids["g2"].ID, "doc": file("b")})
	s.put("hidden", "lab_subs", map[string]any{"group": s.ids["g1"].ID, "flag": true, "doc": file("hidden")})
	for _, name := range []string{"a", "b", "hidden"} {
		s.put(name+"1", "lab_charges", map[string]any{"sub": s.ids[name].ID, "amount": 1})
	}
	s.put("orphan", "lab_charges", map[string]any{"amount": 1})
	return s
}

func (s *scoped) put(name, collection string, fields map[string]any) {
	s.tb.Helper()
	if fields == nil {
		fields = map[string]any{}
	}
	if collection != "lab_charges" {
		fields["name"] = name
	}
	var id string
	s.do(add(collection, fields, &id))
	s.ids[name] = tools.Ref{Collection: collection, ID: id}
}

// only is a scope of those of the names.
func (s *scoped) only(names ...string) map[string][]string {
	all := map[string][]string{}
	for _, n := range names {
		ref := s.ids[n]
		all[ref.Collection] = append(all[ref.Collection], ref.ID)
	}
	return all
}

// read runs f as a read tool in a scope.
func (s *scoped) read(scope *tools.Scope, f func(*tools.Reader) error) error {
	s.tb.Helper()
	ctx := s.tb.Context()
	if scope != nil {
		ctx = tools.WithScope(ctx, *scope)
	}
	s.reads["scoped"] = func(r *tools.Reader) (any, error) { return nil, f(r) }
	_, err := s.Runner.Read(ctx, s.ann, s.Call("lab_read", run{"scoped"}))
	return err
}

// finders are the methods of a Reader that find records of plugins: what each
// finds among the names.
func (s *scoped) finders() map[string]func(*tools.Reader) ([]string, error) {
	each := func(found func(r *tools.Reader, collection string) ([]string, error)) func(*tools.Reader) ([]string, error) {
		return func(r *tools.Reader) (names []string, err error) {
			for _, collection := range labTables {
				ids, err := found(r, collection)
				if err != nil {
					return nil, err
				}
				for name, ref := range s.ids {
					if ref.Collection == collection && slices.Contains(ids, ref.ID) {
						names = append(names, name)
					}
				}
			}
			return names, nil
		}
	}
	one := func(find func(r *tools.Reader, ref tools.Ref) error) func(*tools.Reader) ([]string, error) {
		return func(r *tools.Reader) (names []string, err error) {
			for name, ref := range s.ids {
				err := find(r, ref)
				if err != nil && tools.KindOf(err) != tools.NotFound {
					return nil, err
				}
				if err == nil {
					names = append(names, name)
				}
			}
			return names, nil
		}
	}
	rows := func(key string, list []tools.Row, err error) (ids []string, _ error) {
		for _, row := range list {
			ids = append(ids, row.GetString(key))
		}
		return ids, err
	}
	return map[string]func(*tools.Reader) ([]string, error){
		"Find": one(func(r *tools.Reader, ref tools.Ref) error { _, err := r.Find(ref.Collection, ref.ID); return err }),
		"List": each(func(r *tools.Reader, collection string) (ids []string, err error) {
			recs, err := r.List(collection, tools.Query{})
			for _, rec := range recs {
				ids = append(ids, rec.Id)
			}
			return ids, err
		}),
		"Rows": each(func(r *tools.Reader, collection string) ([]string, error) {
			list, err := r.Rows(collection, tools.Query{})
			return rows("id", list, err)
		}),
		"Rows of some": each(func(r *tools.Reader, collection string) ([]string, error) {
			var all []string
			for _, ref := range s.ids {
				all = append(all, ref.ID)
			}
			list, err := r.Rows(collection, tools.Query{In: map[string][]string{"id": all}, Filter: "id != ''"})
			return rows("id", list, err)
		}),
		"Sum": each(func(r *tools.Reader, collection string) ([]string, error) {
			list, err := r.Sum(collection, tools.Query{}, []string{"id"}, "count")
			return rows("id", list, err)
		}),
		// From above, where that is a way.
		"Sum of parts": func(r *tools.Reader) (names []string, err error) {
			list, err := r.Sum("lab_charges", tools.Query{}, []string{"sub"}, "count")
			for name, ref := range s.ids {
				for _, row := range list {
					if row.GetString("sub") == ref.ID {
						names = append(names, name+"1")
					}
				}
			}
			return names, err
		},
	}
}

// TestScope: whatever a run asks by, it finds what is in its scope and nothing
// else.
func TestScope(t *testing.T) {
	s := openScoped(t)
	all := slices.Sorted(maps.Keys(s.ids))
	rows := []struct {
		name  string
		scope *tools.Scope
		want  []string
	}{
		{"none", nil, all},
		{"everything", &tools.Scope{Private: true}, all},
		{"shared", &tools.Scope{}, []string{"a", "a1", "b", "b1", "g1", "g2", "tag"}},
		{"one", &tools.Scope{Only: s.only("a")}, []string{"a", "a1", "tag"}},
		{"two", &tools.Scope{Only: s.only("b", "g1")}, []string{"b", "b1", "g1", "tag"}},
		{"a part", &tools.Scope{Only: s.only("b1")}, []string{"b1", "tag"}},
		{"a private one unasked", &tools.Scope{Only: s.only("hidden", "hidden1", "orphan", "b")}, []string{"b", "b1", "tag"}},
		{"a private one", &tools.Scope{Only: s.only("hidden", "orphan"), Private: true}, []string{"hidden", "hidden1", "orphan", "tag"}},
		{"nothing", &tools.Scope{Only: map[string][]string{}, Private: true}, []string{"tag"}},
	}
	for _, row := range rows {
		for by, find := range s.finders() {
			err := s.read(row.scope, func(r *tools.Reader) error {
				got, err := find(r)
				slices.Sort(got)
				got = append([]string{}, got...)
				want := append([]string{}, row.want...)
				if by == "Sum of parts" {
					want = slices.DeleteFunc(want, func(n string) bool { return !strings.HasSuffix(n, "1") || n == "g1" })
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s by %s: %s", row.name, by, diff)
				}
				return err
			})
			if err != nil {
				t.Errorf("%s by %s: %v", row.name, by, err)
			}
		}
	}
}

// TestScopeFile: a file is found where its record is.
func TestScopeFile(t *testing.T) {
	s := openScoped(t)
	rec, err := s.FindRecordById("lab_subs", s.ids["hidden"].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, private := range []bool{true, false} {
		err := s.read(&tools.Scope{Private: private}, func(r *tools.Reader) error { _, err := r.File(rec, "doc"); return err })
		if (err == nil) != private || !private && tools.KindOf(err) != tools.NotFound {
			t.Errorf("private %v: %v", private, err)
		}
	}
}

// TestScopeKnowsEveryMethod: each method of a Reader and of a Call is looked at:
// it finds what is in scope, or it reads no records of plugins. A new one fails
// here until somebody has said which.
func TestScopeKnowsEveryMethod(t *testing.T) {
	const (
		finds = "is among the finders, or has a test of its own"
		none  = "reads no record"
		known = "tells of accounts, which are no part of a question: whose they are is asked, not what for"
		after = "changes what was found, or what is named by its id: then it must be in scope"
	)
	looked := map[string]string{
		"Find": finds, "List": finds, "Rows": finds, "Sum": finds, "File": finds,
		"Context": none, "Now": none, "Foreign": none, "Zone": none,
		"Members": known, "Member": known, "Operator": known, "Accounts": known, "CountAccounts": known, "HasAccount": known,
		"New": none, "Send": none, "Secret": none, "Attach": none, "Prove": known,
		"Save": after, "Delete": after,
	}
	for _, of := range []reflect.Type{reflect.TypeFor[*tools.Reader](), reflect.TypeFor[*tools.Call]()} {
		for i := range of.NumMethod() {
			if name := of.Method(i).Name; looked[name] == "" {
				t.Errorf("%s.%s: does it find what is out of scope?", of, name)
			}
		}
	}
	s := openScoped(t)
	for name, how := range looked {
		if _, ok := s.finders()[name]; !ok && how == finds && name != "File" {
			t.Errorf("%s is not among the finders", name)
		}
	}
	for i := range reflect.TypeFor[tools.Reader]().NumField() {
		if f := reflect.TypeFor[tools.Reader]().Field(i); f.IsExported() && f.Name != "Actor" {
			t.Errorf("a Reader shows %s", f.Name)
		}
	}
}

// TestScopeFilters: a query's own filter and order tell nothing of what is out of
// scope by what is in it.
func TestScopeFilters(t *testing.T) {
	s := openScoped(t)
	s.put("below", "lab_charges", map[string]any{"sub": s.ids["a"].ID})
	count := func(scope *tools.Scope, collection string, q tools.Query) (n int, err error) {
		err = s.read(scope, func(r *tools.Reader) error {
			recs, err := r.List(collection, q)
			n = len(recs)
			return err
		})
		return n, err
	}
	scope := &tools.Scope{Only: s.only("a", "b", "g2")} // not g1, which a names
	rows := []struct {
		collection string
		query      tools.Query
		all, in    int // found without the scope, and in it; -1 is refused
	}{
		{"lab_subs", tools.Query{Filter: "group.name = 'g1'"}, 2, 0},
		{"lab_subs", tools.Query{Filter: "group.name != 'g1'"}, 1, 1},
		{"lab_subs", tools.Query{Filter: "group.name = {:g}", Params: map[string]any{"g": "g2"}}, 1, 1},
		{"lab_subs", tools.Query{Filter: "name = 'x.y' || (amount = 0.0 && group.name:lower = 'g1')"}, 2, 0},
		{"lab_subs", tools.Query{Sort: "group.name"}, 3, 1},
		{"lab_subs", tools.Query{Filter: "tags.name ?= 'tag'"}, 1, -1},
		{"lab_subs", tools.Query{Filter: "lab_charges_via_sub.amount ?> 0"}, 3, -1},
		{"lab_charges", tools.Query{Filter: "sub.group.name = 'g1'"}, 3, -1},
		{"lab_charges", tools.Query{Filter: "sub.name = 'a'"}, 2, 2},
		{"lab_subs", tools.Query{Filter: "meta.x = 1 || name = 'a'"}, 1, 1},
	}
	for _, row := range rows {
		if n, err := count(nil, row.collection, row.query); n != row.all || err != nil {
			t.Errorf("%+v finds %d: %v", row.query, n, err)
		}
		n, err := count(scope, row.collection, row.query)
		if row.in < 0 && tools.KindOf(err) != tools.Invalid || row.in >= 0 && (n != row.in || err != nil) {
			t.Errorf("%+v in scope finds %d: %v", row.query, n, err)
		}
	}
}

// TestScopeOfEverything: a scope that narrows nothing changes no byte of what is
// asked of the database, and one that does changes it.
func TestScopeOfEverything(t *testing.T) {
	s := openScoped(t)
	asked := func(scope *tools.Scope) (all []string) {
		db := s.ConcurrentDB().(*dbx.DB)
		db.QueryLogFunc = func(_ context.Context, _ time.Duration, text string, _ *sql.Rows, _ error) {
			all = append(all, drawnPlace.ReplaceAllString(text, "?"))
		}
		defer func() { db.QueryLogFunc = nil }()
		err := s.read(scope, func(r *tools.Reader) error {
			for _, collection := range labTables {
				_, _ = r.Find(collection, s.ids["a"].ID)
				_, _ = r.List(collection, tools.Query{Sort: "id"})
				_, _ = r.Rows(collection, tools.Query{Filter: "id != ''"})
				_, _ = r.Sum(collection, tools.Query{}, nil, "count")
			}
			_, err := r.Sum("lab_charges", tools.Query{}, []string{"sub"}, "amount")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	plain := asked(nil)
	if diff := cmp.Diff(plain, asked(&tools.Scope{Private: true})); diff != "" || len(plain) < 10 {
		t.Errorf("%d queries: %s", len(plain), diff)
	}
	if cmp.Equal(plain, asked(&tools.Scope{})) {
		t.Error("a scope without private records asks the same")
	}
}

// TestScopeOfWrites: a call changes what is in scope, and finds again what it
// made itself, whatever that has become. What is named by its id alone is not
// there.
func TestScopeOfWrites(t *testing.T) {
	s := openScoped(t)
	apply := func(scope tools.Scope, f func(*tools.Call) error) error {
		_, err := s.Runner.Apply(tools.WithScope(t.Context(), scope), s.ann, "", s.write(f))
		return err
	}
	hidden, a, b := s.ids["hidden"].ID, s.ids["a"].ID, s.ids["b"].ID
	for name, scope := range map[string]tools.Scope{"shared": {}, "one": {Only: s.only("a"), Private: true}} {
		if err := apply(scope, update("lab_subs", &hidden, map[string]any{"note": "x"})); tools.KindOf(err) != tools.NotFound {
			t.Errorf("%s: %v", name, err)
		}
		// One that was found elsewhere, as a plugin could make it.
		other, err := s.FindRecordById("lab_subs", hidden)
		if err != nil {
			t.Fatal(err)
		}
		other.Set("note", "y")
		if err := apply(scope, func(c *tools.Call) error { return c.Save(other) }); tools.KindOf(err) != tools.NotFound {
			t.Errorf("%s: saved past it: %v", name, err)
		}
		if err := apply(scope, func(c *tools.Call) error { return c.Delete(other) }); tools.KindOf(err) != tools.NotFound {
			t.Errorf("%s: deleted past it: %v", name, err)
		}
		err = apply(scope, func(c *tools.Call) error {
			for _, flag := range []bool{false, true} {
				sub := c.New("lab_subs")
				sub.Set("flag", flag)
				if err := c.Save(sub); err != nil {
					return err
				}
				charge := c.New("lab_charges")
				charge.Set("sub", sub.Id)
				if err := c.Save(charge); err != nil {
					return err
				}
				if _, err := c.Find("lab_subs", sub.Id); err != nil {
					return fmt.Errorf("made with flag %v: %w", flag, err)
				}
				if below, err := c.List("lab_charges", tools.Query{In: map[string][]string{"sub": {sub.Id}}}); len(below) != 1 {
					return fmt.Errorf("below one with flag %v are %d: %w", flag, len(below), err)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := apply(tools.Scope{}, func(c *tools.Call) error {
		if err := update("lab_subs", &a, map[string]any{"flag": true})(c); err != nil {
			return err
		}
		below, err := c.List("lab_charges", tools.Query{In: map[string][]string{"sub": {a}}})
		if len(below) != 1 {
			return fmt.Errorf("what hangs on what became private: %d, %w", len(below), err)
		}
		_, err = c.Find("lab_subs", hidden)
		if tools.KindOf(err) != tools.NotFound {
			return fmt.Errorf("another is found: %w", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	// What a cascade or a hook wrote is not what the call wrote.
	err = apply(tools.Scope{Private: true, Only: s.only("b")}, func(c *tools.Call) error {
		if err := update("lab_subs", &b, map[string]any{"note": "x"})(c); err != nil {
			return err
		}
		_, err := c.Find("lab_groups", s.ids["g2"].ID)
		return err
	})
	if tools.KindOf(err) != tools.NotFound {
		t.Errorf("what it names: %v", err)
	}
}

// TestScopeShowsPeopleAll: a card, a receipt and a digest tell the person what
// was really done, whatever the scope; an undo takes all of it back.
func TestScopeShowsPeopleAll(t *testing.T) {
	s := openScoped(t)
	before := s.dump()
	g1 := s.ids["g1"].ID
	narrow := tools.WithScope(t.Context(), tools.Scope{Only: s.only("g1")})
	inv := s.call("lab_destroy", remove("lab_groups", &g1)) // cascades to a and hidden
	p, err := s.Runner.Preview(narrow, s.ann, inv)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := s.Runner.Preview(t.Context(), s.ann, inv)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wide.Items[0].Card, p.Items[0].Card); diff != "" || p.Items[0].Unseen > 0 || len(p.Items[0].Changes) != 5 {
		t.Errorf("%d changes, %d unseen: %s", len(p.Items[0].Changes), p.Items[0].Unseen, diff)
	}
	// What a person is given for one is good for the other: it is the same change.
	receipt, err := s.Runner.Apply(narrow, s.ann, wide.Digest, inv)
	if err != nil || len(receipt.Changes) != 5 {
		t.Fatal(err, receipt.Changes)
	}
	spec := tools.UndoSpec{Audit: receipt.Audit}
	back, err := s.Runner.PreviewUndo(narrow, s.ann, spec)
	if err == nil {
		_, err = s.Runner.Undo(narrow, s.ann, back.Digest, spec)
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := differs(before, s.dump()); d != "" {
		t.Error(d)
	}
}

// drawnPlace is a place for a value whose name is drawn, in a query.
var drawnPlace = regexp.MustCompile(`'[^']*'|\{:\w+\}`)

// TestScopeUnsaid: of what not every member sees, and whose plugin does not say
// what others see, nothing is told unless it is switched on.
func TestScopeUnsaid(t *testing.T) {
	s := openScoped(t)
	for rule, open := range map[string]bool{
		"@request.auth.id != ''": true,
		"@request.auth.collectionName = 'users' && @request.auth.status = 'approved'": true,
		"@request.auth.status = 'approved' && members ?= @request.auth.id || 1 = 1":   false,
		"name != 'x'": false,
	} {
		s.rule("lab_groups", rule)
		for _, private := range []bool{false, true} {
			err := s.read(&tools.Scope{Private: private}, func(r *tools.Reader) error {
				recs, err := r.List("lab_groups", tools.Query{})
				if found := len(recs) == 2; found != (open || private) {
					t.Errorf("%s, private %v: %d found", rule, private, len(recs))
				}
				return err
			})
			if err != nil {
				t.Error(rule, err)
			}
		}
	}
}

// TestScopeSumsFromBelow: the short way of a sum asks nothing of the scope, and
// is not taken under one.
func TestScopeSumsFromBelow(t *testing.T) {
	s := openScoped(t)
	s.rule("lab_subs", "amount >= 0")
	s.rule("lab_charges", "sub.amount >= 0")
	for _, row := range []struct {
		scope *tools.Scope
		short bool
		rows  int
	}{{nil, true, 3}, {&tools.Scope{Private: true}, true, 3}, {&tools.Scope{}, false, 2}, {&tools.Scope{Only: s.only("a")}, false, 1}} {
		err := s.read(row.scope, func(r *tools.Reader) error {
			_, short, _, err := tools.SumBothWays(r, "lab_charges", tools.Query{}, []string{"sub"}, "count")
			if err != nil {
				return err
			}
			list, err := r.Sum("lab_charges", tools.Query{}, []string{"sub"}, "count")
			if short != row.short || len(list) != row.rows {
				t.Errorf("%+v: short is %v, %d rows", row.scope, short, len(list))
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
