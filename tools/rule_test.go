package tools_test

import (
	"encoding/json/v2"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/nodkeep/nodkeep/tools"
)

// world is one set of records to try rules on.
type world struct {
	mine, yours, sub, other, charge, tag string
}

func (b *bench) world(t *testing.T) world {
	t.Helper()
	if _, err := b.DB().NewQuery("DELETE FROM lab_charges; DELETE FROM lab_subs; DELETE FROM lab_tags; DELETE FROM lab_groups").Execute(); err != nil {
		t.Fatal(err)
	}
	put := func(collection string, fields map[string]any) string {
		t.Helper()
		col, err := b.FindCollectionByNameOrId(collection)
		if err != nil {
			t.Fatal(err)
		}
		rec := core.NewRecord(col)
		for k, v := range fields {
			rec.Set(k, v)
		}
		if err := b.Save(rec); err != nil {
			t.Fatal(err)
		}
		return rec.Id
	}
	w := world{}
	w.mine = put("lab_groups", map[string]any{"name": "mine", "members": []string{b.ann.Person, b.bob.Person}})
	w.yours = put("lab_groups", map[string]any{"name": "yours", "members": []string{b.bob.Person}})
	w.tag = put("lab_tags", map[string]any{"name": "tag"})
	w.sub = put("lab_subs", map[string]any{"name": "base", "owner": b.ann.Person, "group": w.mine, "amount": 50})
	w.other = put("lab_subs", map[string]any{"name": "other", "owner": b.bob.Person, "group": w.yours, "amount": 500, "flag": true})
	w.charge = put("lab_charges", map[string]any{"sub": w.sub, "amount": 5})
	put("lab_charges", map[string]any{"sub": w.other, "amount": 9})
	return w
}

// readRules are tried as list and view rules of lab_subs.
var readRules = []*string{
	nil, types.Pointer(""),
	types.Pointer("owner = @request.auth.id"),
	types.Pointer("@request.auth.id != ''"),
	types.Pointer("@request.auth.handle = 'ann'"),
	types.Pointer("@request.auth.status = 'approved'"),
	types.Pointer("@request.auth.collectionName = 'users'"),
	types.Pointer("group.members.id ?= @request.auth.id"),
	types.Pointer("group.name = 'yours'"),
	types.Pointer("lab_charges_via_sub.amount ?> 6"),
	types.Pointer("@request.auth.lab_subs_via_owner.name ?= 'base'"),
	types.Pointer("@collection.lab_tags.name ?= name"),
	types.Pointer("@collection.lab_groups.members.id ?= @request.auth.id && flag = false"),
	types.Pointer("secret = '' && amount < 100"),
	types.Pointer("created < @now"), types.Pointer("created > @now"),
}

// TestReadsAsPocketBase: what a Reader lists and finds is just what
// PocketBase's own API gives the same person.
func TestReadsAsPocketBase(t *testing.T) {
	b := open(t, tools.Config{})
	call := b.api()
	w := b.world(t)
	col, err := b.FindCollectionByNameOrId("lab_subs")
	if err != nil {
		t.Fatal(err)
	}
	rules := slices.Clone(readRules)
	for _, rule := range readRules { // and behind what is known of whoever acts
		if rule != nil && *rule != "" {
			for _, known := range []string{member, "@request.auth.status = 'approved'"} {
				rules = append(rules, types.Pointer(known+" && "+*rule), types.Pointer(known+" || "+*rule))
			}
		}
	}
	for _, rule := range rules {
		name := "nil"
		if rule != nil {
			name = *rule
		}
		t.Run(name, func(t *testing.T) {
			col.ListRule, col.ViewRule = rule, rule
			if err := b.Save(col); err != nil {
				t.Fatal(err)
			}
			for _, who := range []string{"ann", "bob"} {
				token := b.token(b.Member(who))
				_, body := call("GET", "lab_subs/records?skipTotal=1", token, nil)
				var page struct{ Items []struct{ ID string } }
				_ = json.Unmarshal([]byte(body), &page, json.MatchCaseInsensitiveNames(true))
				want := map[string]bool{}
				for _, item := range page.Items {
					want["list "+item.ID] = true
				}
				for _, id := range []string{w.sub, w.other} {
					if code, _ := call("GET", "lab_subs/records/"+id, token, nil); code == http.StatusOK {
						want["view "+id] = true
					}
				}
				got := map[string]bool{}
				b.reads["try"] = func(r *tools.Reader) (any, error) {
					recs, err := r.List("lab_subs", tools.Query{})
					for _, rec := range recs {
						got["list "+rec.Id] = true
					}
					for _, id := range []string{w.sub, w.other} {
						switch _, err := r.Find("lab_subs", id); tools.KindOf(err) {
						case tools.NotFound:
						default:
							if err != nil {
								return nil, err
							}
							got["view "+id] = true
						}
					}
					sums, serr := r.Sum("lab_subs", tools.Query{}, nil, "count", "amount")
					if serr != nil {
						return nil, serr
					}
					n := int64(0)
					if len(sums) == 1 {
						n = sums[0]["count"].(int64)
					}
					if n != int64(len(recs)) {
						t.Errorf("%s: the sum counts %d, the list has %d", who, n, len(recs))
					}
					return nil, err
				}
				if _, err := b.Read(b.As(who), "lab_read", run{"try"}); err != nil {
					t.Fatal(err)
				}
				if !maps.Equal(got, want) {
					t.Errorf("%s: got %v, PocketBase gives %v", who, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
				}
			}
		})
	}
}

// changeRules are tried as change rules, and as PocketBase's own.
var changeRules = []string{
	"", "owner = @request.auth.id", "flag = false", "amount <= 100", "@request.auth.handle = 'ann'",
	"group.members.id ?= @request.auth.id", "lab_charges_via_sub.amount ?> 1", "lab_charges_via_sub.id = ''",
	"@request.auth.lab_subs_via_owner.name ?= 'base'", "@collection.lab_tags.name != name", "@collection.lab_subs.amount ?> 400",
	"created > @now", "created <= @now",
}

// TestChangesAsPocketBase: Becomes lets a create through just as the same
// create rule does, Was an update and a delete as the update and delete rules.
func TestChangesAsPocketBase(t *testing.T) {
	b := open(t, tools.Config{})
	call, token := b.api(), b.token(b.Member("ann"))
	for _, rule := range changeRules {
		t.Run(rule, func(t *testing.T) {
			col, err := b.FindCollectionByNameOrId("lab_subs")
			if err != nil {
				t.Fatal(err)
			}
			col.CreateRule, col.UpdateRule, col.DeleteRule = &rule, &rule, &rule
			if err := b.Save(col); err != nil {
				t.Fatal(err)
			}
			// try makes the world anew for each of the two, and compares.
			try := func(what string, theirs func(w world) int, ours func(w world) tools.Invocation) {
				t.Helper()
				code := theirs(b.world(t))
				_, err := b.try(b.ann, ours(b.world(t)))
				if (code < 300) != (err == nil) {
					t.Errorf("%s: PocketBase %d, the tool %v", what, code, err)
				}
			}
			for _, of := range []string{"sub", "other"} {
				id := func(w world) *string { return map[string]*string{"sub": &w.sub, "other": &w.other}[of] }
				b.Registry.SetRule("lab_subs", tools.Rule{Was: rule})
				for _, set := range changes {
					try(fmt.Sprint("update of ", of, " by ", set), func(w world) int {
						code, _ := call("PATCH", "lab_subs/records/"+*id(w), token, b.resolve(set, w))
						return code
					}, func(w world) tools.Invocation {
						return b.write(update("lab_subs", id(w), b.resolve(set, w)))
					})
				}
				try("delete of "+of, func(w world) int {
					code, _ := call("DELETE", "lab_subs/records/"+*id(w), token, nil)
					return code
				}, func(w world) tools.Invocation { return b.write(remove("lab_subs", id(w))) })
			}
			b.Registry.SetRule("lab_subs", tools.Rule{Becomes: rule})
			for _, set := range changes {
				if asksTheStored(rule) {
					continue
				}
				try(fmt.Sprint("create ", set), func(w world) int {
					code, _ := call("POST", "lab_subs/records", token, b.resolve(set, w))
					return code
				}, func(w world) tools.Invocation { return b.write(add("lab_subs", b.resolve(set, w), nil)) })
			}
		})
	}
}

// changes are what is set in a record.
var changes = []map[string]any{{"name": "z"}, {"owner": "bob"}, {"flag": true}, {"amount": 700}, {"group": "yours"}, {"group": "mine", "owner": "ann"}}

// asksTheStored are rules that PocketBase cannot answer for a create, since it
// asks before there is a record: its times are not set yet, and nothing can
// point to it. Becomes asks after the write.
func asksTheStored(rule string) bool {
	return strings.HasPrefix(rule, "created") || strings.Contains(rule, "_via_sub.id")
}

func (b *bench) resolve(set map[string]any, w world) map[string]any {
	out := maps.Clone(set)
	for k, v := range out {
		switch fmt.Sprint(k, v) {
		case "ownerann":
			out[k] = b.ann.Person
		case "ownerbob":
			out[k] = b.bob.Person
		case "groupmine":
			out[k] = w.mine
		case "groupyours":
			out[k] = w.yours
		}
	}
	return out
}

// TestRulesThatStopTheStart: a change rule that only an HTTP request could
// answer, or that cannot be read, is refused before anything runs.
func TestRulesThatStopTheStart(t *testing.T) {
	for rule, want := range map[string]string{
		"@request.body.amount <= 100":      "@request.body",
		"@request.query.x = '1'":           "@request.query",
		"@request.headers.x = '1'":         "@request.headers",
		"@request.method = 'PATCH'":        "@request.method",
		"@request.context = 'default'":     "@request.context",
		"@request.body.name:isset = false": "@request.body",
		"nosuch = 1":                       "nosuch",
		"name = ":                          "lab_subs",
	} {
		b := open(t, tools.Config{})
		b.rules["lab_subs"] = tools.Rule{Becomes: rule}
		reg, err := tools.NewRegistry(b.lab)
		if err != nil {
			t.Fatal(err)
		}
		runner, err := tools.NewRunner(tools.Config{App: b.App, Registry: reg})
		if err != nil {
			t.Fatal(err)
		}
		if err := runner.CheckRules(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

// TestFiltersReachNothingElse: a filter cannot probe what is hidden, the
// request or other collections.
func TestFiltersReachNothingElse(t *testing.T) {
	b := open(t, tools.Config{})
	b.do(add("lab_subs", map[string]any{"name": "a", "secret": "s3cret"}, nil))
	for _, q := range []tools.Query{
		{Filter: "secret ~ 's3'"},
		{Sort: "secret"},
		{Filter: "@request.auth.id != ''"},
		{Filter: "@collection.users.email ?~ 'a'"},
		{Filter: "owner.password != ''"},
		{Filter: "name = "},
		{Filter: "name = 'a'; DELETE FROM lab_subs"},
		{Sort: "1; DELETE FROM lab_subs"},
	} {
		b.reads["q"] = func(r *tools.Reader) (any, error) { return r.List("lab_subs", q) }
		if _, err := b.Read(b.ann, "lab_read", run{"q"}); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%+v: %v", q, err)
		}
		b.reads["s"] = func(r *tools.Reader) (any, error) { return r.Sum("lab_subs", q, []string{"name"}, "count") }
		if _, err := b.Read(b.ann, "lab_read", run{"s"}); tools.KindOf(err) != tools.Invalid && q.Filter != "" {
			t.Errorf("sum %+v: %v", q, err)
		}
	}
	for _, group := range []string{"secret", "name; DROP", "month(secret)", "nosuch", "max(name)"} {
		b.reads["g"] = func(r *tools.Reader) (any, error) { return r.Sum("lab_subs", tools.Query{}, []string{group}, "count") }
		if _, err := b.Read(b.ann, "lab_read", run{"g"}); tools.KindOf(err) != tools.Invalid {
			t.Errorf("group %s: %v", group, err)
		}
	}
	if b.count("lab_subs") != 1 {
		t.Error("gone")
	}
}

// TestSum adds up under rules with and without joins.
func TestSum(t *testing.T) {
	b := open(t, tools.Config{})
	w := b.world(t)
	for i := range 4 {
		b.do(add("lab_subs", map[string]any{"name": "s", "group": w.mine, "amount": 10 * (i + 1), "day": fmt.Sprintf("2026-%02d-05", 1+i%2), "owner": b.ann.Person}, nil))
	}
	col, err := b.FindCollectionByNameOrId("lab_subs")
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{"@request.auth.id != ''", "group.members.id ?= @request.auth.id || owner = @request.auth.id"} {
		col.ListRule = &rule
		if err := b.Save(col); err != nil {
			t.Fatal(err)
		}
		b.reads["sum"] = func(r *tools.Reader) (any, error) {
			return r.Sum("lab_subs", tools.Query{Filter: "name = 's'"}, []string{"month(day)"}, "amount", "count")
		}
		out, err := b.Read(b.ann, "lab_read", run{"sum"})
		want := "[map[amount:40 count:2 month(day):2026-01] map[amount:60 count:2 month(day):2026-02]]"
		if err != nil || fmt.Sprint(out) != want {
			t.Errorf("%s: %v %v", rule, out, err)
		}
	}
}
