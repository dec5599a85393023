package tools_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// names says what a scope lets through, by name.
func (s *scoped) names(scope tools.Scope) (names []string) {
	for name, ref := range s.ids {
		if slices.Contains(scope.Only[ref.Collection], ref.ID) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s *scoped) refs(names ...string) []tools.Ref {
	refs := make([]tools.Ref, len(names))
	for i, n := range names {
		refs[i] = s.ids[n]
	}
	return refs
}

// TestScopeReach: what a question is about is what it names, what that names and,
// of a tree, what names it. Parts need not be named; the scope finds them.
func TestScopeReach(t *testing.T) {
	s := openScoped(t)
	s.put("tag2", "lab_tags", nil)
	s.put("c", "lab_subs", map[string]any{"tags": []string{s.ids["tag"].ID, s.ids["tag2"].ID}})
	rows := []struct {
		of      string
		refs    []string
		private bool
		want    string
	}{
		{"", nil, false, "all"},
		{"all", nil, true, "all"},
		{"all", []string{"a"}, false, "all"},
		{"record", []string{"a"}, false, "a g1 tag"},
		{"ticked", []string{"a", "b", "a"}, false, "a b g1 g2 tag"},
		{"record", []string{"a1"}, false, "a a1 g1 tag"},
		{"record", []string{"g1"}, false, "g1"},
		{"record", []string{"hidden"}, true, "g1 hidden"},
		{"tree", []string{"g1"}, false, "a g1 tag"},
		{"tree", []string{"g1"}, true, "a g1 hidden tag"},
		{"tree", []string{"g1", "g2"}, true, "a b g1 g2 hidden tag"},
		{"tree", []string{"tag"}, false, "a c g1 tag tag2"},
		{"tree", []string{"a"}, false, "a g1 tag"},
	}
	for _, row := range rows {
		got, err := s.Runner.Scope(t.Context(), s.ann, row.of, s.refs(row.refs...), row.private)
		what := strings.Join(s.names(got), " ")
		if got.Only == nil {
			what = "all"
		}
		if err != nil || what != row.want || got.Private != row.private {
			t.Errorf("%s %v, private %v: %s (%v), not %s", row.of, row.refs, row.private, what, err, row.want)
		}
		// What it comes to is what a run then finds.
		if got.Only != nil {
			for _, name := range row.refs {
				err := s.read(&got, func(r *tools.Reader) error { _, err := r.Find(s.ids[name].Collection, s.ids[name].ID); return err })
				if err != nil {
					t.Errorf("%s %v does not find %s: %v", row.of, row.refs, name, err)
				}
			}
		}
	}
}

// TestScopeReachRefuses: what the person may not see is not found, as what there
// is none of; what is private must be switched on; and there are bounds.
func TestScopeReachRefuses(t *testing.T) {
	s := openScoped(t)
	s.rule("lab_subs", "name != 'b'")
	of := func(kind string, private bool, refs ...tools.Ref) error {
		_, err := s.Runner.Scope(t.Context(), s.ann, kind, refs, private)
		return err
	}
	nobody := strings.Repeat("x", 15)
	var same []string
	for _, ref := range []tools.Ref{s.ids["b"], {"lab_subs", nobody}, {"lab_none", nobody}, {"users", s.ann.Person}, {"nodkeep_audit", nobody}, {"", ""}, {s.ids["a"].Collection, s.ids["g1"].ID}} {
		for _, kind := range []string{"all", "ticked", "record", "tree"} {
			err := of(kind, true, ref)
			if tools.KindOf(err) != tools.NotFound {
				t.Errorf("%s %v: %v", kind, ref, err)
				continue
			}
			if ref.ID == "" {
				continue
			}
			same = append(same, strings.NewReplacer(ref.ID, nobody, ref.Collection, "it").Replace(fmt.Sprint(err)))
		}
		if slices.IndexFunc(same, func(m string) bool { return m != same[0] }) >= 0 {
			t.Errorf("%v is told apart: %q", ref, same)
		}
	}
	for _, name := range []string{"hidden", "hidden1", "orphan"} {
		err := of("record", false, s.ids[name])
		if tools.KindOf(err) != tools.Invalid || !strings.Contains(err.Error(), "is private") {
			t.Errorf("%s: %v", name, err)
		}
		if err := of("record", true, s.ids[name]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := slices.Repeat([]tools.Ref{s.ids["a"]}, 51)
	for what, err := range map[string]error{"51 refs": of("ticked", true, many...), "no refs": of("ticked", true), "no open record": of("record", true), "no kind": of("some", true)} {
		if tools.KindOf(err) != tools.Invalid {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := of("ticked", true, many[:50]...); err != nil {
		t.Error(err)
	}
	var bulk strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&bulk, ",('sub%012d','%s','x',0)", i, s.ids["g2"].ID)
	}
	s.exec("INSERT INTO lab_subs (id,[[group]],name,flag) VALUES %s", bulk.String()[1:])
	if err := of("tree", true, s.ids["g2"]); tools.KindOf(err) != tools.TooLarge {
		t.Errorf("1,001 records: %v", err)
	}
	s.exec("DELETE FROM lab_subs WHERE id = 'sub000000000000'")
	scope, err := s.Runner.Scope(t.Context(), s.ann, "tree", s.refs("g2"), true)
	if err != nil || len(scope.Only["lab_subs"]) != 999 {
		t.Errorf("%d of 1,000 records: %v", len(scope.Only["lab_subs"]), err)
	}
	// Parts do not count.
	s.exec("INSERT INTO lab_charges (id,sub,amount) SELECT 'c'||substr(id,2), id, 1 FROM lab_subs WHERE name = 'x'")
	if _, err := s.Runner.Scope(t.Context(), s.ann, "tree", s.refs("g2"), true); err != nil {
		t.Error(err)
	}
}

// TestScopeNamed: records are named as cards name them, those in scope alone.
func TestScopeNamed(t *testing.T) {
	s := openScoped(t)
	got, err := s.Runner.Named(t.Context(), s.ann, s.refs("hidden", "a", "g1"))
	if diff := cmp.Diff([]tools.Words{tools.W("hidden"), tools.W("a"), tools.W("g1")}, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	narrow := tools.WithScope(t.Context(), tools.Scope{})
	if _, err := s.Runner.Named(narrow, s.ann, s.refs("a", "hidden")); tools.KindOf(err) != tools.NotFound {
		t.Errorf("a private one is named: %v", err)
	}
	if _, err := s.Runner.Named(narrow, s.ann, s.refs("a")); err != nil {
		t.Error(err)
	}
	if _, err := s.Runner.Named(t.Context(), s.ann, slices.Repeat(s.refs("a"), 51)); tools.KindOf(err) != tools.Invalid {
		t.Errorf("51 are named: %v", err)
	}
}

// scoping is a plugin with a scoping to try.
type scoping map[string]tools.Scoping

func (scoping) Name() string                       { return "lab" }
func (scoping) Tools() []tools.Tool                { return nil }
func (s scoping) Scopes() map[string]tools.Scoping { return s }

// TestScopings: one that cannot be evaluated, or is another's, stops the start.
func TestScopings(t *testing.T) {
	b := open(t, tools.Config{})
	for _, row := range []struct {
		scoping scoping
		want    string
	}{
		{scoping{"lab_subs": {Shared: "flag = false"}, "lab_charges": {Part: "sub"}, "lab_tags": {Always: true}, "lab_groups": {}}, ""},
		{scoping{"users": {Always: true}}, "not its collection"},
		{scoping{"lab_subs": {Always: true, Shared: "flag = false"}}, "more than one"},
		{scoping{"lab_subs": {Part: "group", Shared: "flag = false"}}, "more than one"},
		{scoping{"lab_subs": {Shared: "owner = @request.auth.id"}}, "fields only"},
		{scoping{"lab_subs": {Shared: "@collection.lab_tags.name = name"}}, "fields only"},
		{scoping{"lab_subs": {Shared: "no_such = 1"}}, "no_such"},
		{scoping{"lab_subs": {Part: "tags"}}, "no one record"},
		{scoping{"lab_subs": {Part: "name"}}, "no one record"},
		{scoping{"lab_subs": {Part: "owner"}}, "another's"},
		{scoping{"lab_none": {Part: "sub"}}, "no such collection"},
		{scoping{"lab_none": {Always: true}}, "no such collection"},
	} {
		reg, err := tools.NewRegistry(row.scoping)
		if err == nil {
			err = tools.CheckScopes(reg, b.App.App)
		}
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v: %v, not %q", row.scoping, err, row.want)
		}
	}
}
