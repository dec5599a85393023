package household

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// nouns are the two collections that share their code, by what their tools
// begin with.
func nouns() map[string]noun {
	return map[string]noun{"household_category_": categoryNoun(), "household_payment_method_": methodNoun()}
}

func badge(tb testing.TB, a *toolstest.App, prefix, name string) string {
	tb.Helper()
	out, _ := apply[Badge](tb, a, "ann", prefix+"add", args{"name": name})
	return out.ID
}

// put gives a subscription a category or a payment method.
func put(tb testing.TB, a *toolstest.App, id, field, value string) {
	tb.Helper()
	rec, err := a.FindRecordById(subscriptions, id)
	if err != nil {
		tb.Fatal(err)
	}
	rec.Set(field, value)
	if err := a.Save(rec); err != nil {
		tb.Fatal(err)
	}
}

func has(tb testing.TB, a *toolstest.App, field, value string) (n int64) {
	tb.Helper()
	n, err := a.CountRecords(subscriptions, dbx.HashExp{field: value})
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

func TestNamedAddUpdateList(t *testing.T) {
	for prefix, n := range nouns() {
		t.Run(n.collection, func(t *testing.T) {
			a := newHome(t)
			first, _ := apply[Badge](t, a, "ann", prefix+"add", args{"name": "  Séries ", "color": "#E5f", "icon": "👨‍👩‍👧"})
			if diff := cmp.Diff(Badge{first.ID, "Séries", "#ee55ff", "👨‍👩‍👧"}, first); diff != "" {
				t.Error(diff)
			}
			second := badge(t, a, prefix, "apps")
			put(t, a, add(t, a, "ann", nil).ID, n.field, first.ID)
			put(t, a, add(t, a, "ann", args{"private": true}).ID, n.field, first.ID)
			for who, count := range map[string]int{"ann": 2, "bob": 1} {
				out := read[namedListOut](t, a, who, prefix+"list", args{"limit": 1})
				rest := read[namedListOut](t, a, who, prefix+"list", args{"cursor": out.Next, "limit": 1})
				want := []Counted{{Badge{second, "apps", "", ""}, 0}, {first, count}}
				if diff := cmp.Diff(want, append(out.Items, rest.Items...)); diff != "" || rest.Next != "" {
					t.Errorf("%s: %s", who, diff)
				}
			}
			// By its name, which another writing of it finds too.
			out, _ := apply[Renamed](t, a, "bob", prefix+"update", args{"id": "SE\u0301RIES", "name": "SÉRIES", "color": "#ABCDEF", "clear": []string{"icon"}})
			if diff := cmp.Diff(Badge{first.ID, "SÉRIES", "#abcdef", ""}, out.Badge); diff != "" {
				t.Error(diff)
			}
			if out, _ := apply[Renamed](t, a, "bob", prefix+"update", args{"id": first.ID, "icon": "tv"}); out.Name != "SÉRIES" || out.Icon != "tv" || out.Color != "#abcdef" {
				t.Errorf("%+v", out)
			}
			if got := title(t, a, "ann", prefix+"update", args{"id": first.ID, "name": "TV"}); !strings.Contains(got, "SÉRIES to TV") {
				t.Error(got)
			}
		})
	}
}

// A merge moves what the acting person sees and what they do not, shows only
// how many of those there are, and is undone as one.
func TestNamedMerge(t *testing.T) {
	for prefix, n := range nouns() {
		t.Run(n.collection, func(t *testing.T) {
			a := newHome(t)
			from, into := badge(t, a, prefix, "Films"), badge(t, a, prefix, "Streaming")
			put(t, a, add(t, a, "ann", args{"name": "Shared"}).ID, n.field, from)
			put(t, a, add(t, a, "ann", args{"name": "Secret", "private": true}).ID, n.field, from)
			put(t, a, add(t, a, "ann", args{"name": "There"}).ID, n.field, into)
			before := dump(t, a)

			in := args{"from": "FILMS", "into": into}
			p, err := a.Preview(a.As("bob"), prefix+"merge", in)
			if err != nil {
				t.Fatal(err)
			}
			item := p.Items[0]
			card := a.Catalogue.English(item.Card.Title)
			for _, line := range item.Card.Lines {
				card += "\n" + a.Catalogue.English(line)
			}
			if item.Effect != tools.EffectDestroy || item.Unseen != 1 || len(item.Changes) != 2 || item.Output.(Merged).Count != 1 {
				t.Errorf("%s, %d unseen, %d changes, %+v", item.Effect, item.Unseen, len(item.Changes), item.Output)
			}
			if !strings.Contains(card, "Films into Streaming: one subscription") || !strings.Contains(card, "1 record") || strings.Contains(card, "Secret") {
				t.Error(card)
			}

			_, receipt := apply[Merged](t, a, "bob", prefix+"merge", in)
			if has(t, a, n.field, into) != 3 || has(t, a, n.field, from) != 0 {
				t.Errorf("%d are there, %d are left", has(t, a, n.field, into), has(t, a, n.field, from))
			}
			if _, err := a.FindRecordById(n.collection, from); err == nil {
				t.Error("it is still there")
			}
			after := dump(t, a)
			undone, err := a.Undo(a.As("bob"), receipt.Audit...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, dump(t, a)); diff != "" {
				t.Error(diff)
			}
			if _, err := a.Undo(a.As("bob"), undone.Audit...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(after, dump(t, a)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What a superuser merges in the dashboard moves too, in one entry of the
// audit.
func TestNamedMergeByAnyWriter(t *testing.T) {
	a := newHome(t)
	const prefix = "household_category_"
	from, into, third := badge(t, a, prefix, "A"), badge(t, a, prefix, "B"), badge(t, a, prefix, "C")
	put(t, a, add(t, a, "ann", args{"private": true}).ID, "category", from)
	rec, err := a.FindRecordById(categories, from)
	if err != nil {
		t.Fatal(err)
	}
	entries := audited(t, a)
	rec.Set("merged_into", into)
	if err := a.Save(rec); err != nil {
		t.Fatal(err)
	}
	if has(t, a, "category", into) != 1 || audited(t, a) != entries+1 {
		t.Errorf("%d moved, %d entries", has(t, a, "category", into), audited(t, a)-entries)
	}
	before := dump(t, a)
	for _, ids := range [][]string{{third, from}, {into, third}, {into, from}, {third, third}} { // a chain at each end, a ring, itself
		rec, err := a.FindRecordById(categories, ids[0])
		if err != nil {
			t.Fatal(err)
		}
		rec.Set("merged_into", ids[1])
		if err := a.Save(rec); err == nil {
			t.Errorf("%v was merged", ids)
		}
	}
	refused(t, a, prefix+"merge", args{"from": third, "into": "a"}, tools.Conflict, "into: A", "merged into B")
	refused(t, a, prefix+"merge", args{"from": "b", "into": "a"}, tools.Conflict, "into: A", "merged into B")
	refused(t, a, prefix+"merge", args{"from": "b", "into": third}, tools.Conflict, "from: A", "merged into B")
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	// What came to it since moves with a merge that is said again.
	put(t, a, add(t, a, "ann", args{"name": "Late"}).ID, "category", from)
	apply[Merged](t, a, "ann", prefix+"merge", args{"from": "a", "into": "b"})
	if has(t, a, "category", into) != 2 {
		t.Errorf("%d have it", has(t, a, "category", into))
	}
}

// Two of one name, from before names were compared in every script, can be
// merged.
func TestNamedMergeOfTwins(t *testing.T) {
	a := newHome(t)
	one, two := badge(t, a, "household_category_", "Straße"), badge(t, a, "household_category_", "Other")
	if _, err := a.NonconcurrentDB().NewQuery("UPDATE household_categories SET name = 'STRAẞE' WHERE id = {:id}").Bind(dbx.Params{"id": two}).Execute(); err != nil {
		t.Fatal(err)
	}
	put(t, a, add(t, a, "ann", nil).ID, "category", two)
	apply[Merged](t, a, "ann", "household_category_merge", args{"from": "STRAẞE", "into": "Straße"})
	if has(t, a, "category", one) != 1 {
		t.Error("nothing moved")
	}
}

func TestCategoryDelete(t *testing.T) {
	a := newHome(t)
	music := badge(t, a, "household_category_", "Music")
	put(t, a, add(t, a, "ann", args{"name": "Shared"}).ID, "category", music)
	put(t, a, add(t, a, "ann", args{"name": "Secret", "private": true}).ID, "category", music)
	before := dump(t, a)
	p, err := a.Preview(a.As("bob"), "household_category_delete", args{"id": "music"})
	if err != nil {
		t.Fatal(err)
	}
	if item := p.Items[0]; item.Unseen != 1 || item.Effect != tools.EffectDestroy || a.Catalogue.English(item.Card.Lines[0]) != "One subscription stays, without a category" {
		t.Errorf("%+v", item)
	}
	_, receipt := apply[Deleted](t, a, "bob", "household_category_delete", args{"id": "music"})
	if has(t, a, "category", "") != 2 {
		t.Error("something still has it")
	}
	if _, err := a.Undo(a.As("bob"), receipt.Audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// A payment method in use stays, for any writer; what the person does not see
// is counted and never named.
func TestMethodInUseStays(t *testing.T) {
	a := newHome(t)
	const tool = "household_payment_method_delete"
	card := badge(t, a, "household_payment_method_", "Visa")
	secret := add(t, a, "ann", args{"name": "Secret", "private": true}).ID
	put(t, a, secret, "payment_method", card)
	refused(t, a, tool, args{"id": "visa"}, tools.Conflict, "id: Visa pays for Secret.") // ann sees it
	_, hidden := a.Apply(a.As("bob"), tool, args{"id": card})
	if tools.KindOf(hidden) != tools.Conflict || strings.Contains(hidden.Error(), "Secret") || !strings.Contains(hidden.Error(), "one subscription that may be private") {
		t.Error(hidden)
	}
	for i := range 7 {
		put(t, a, add(t, a, "ann", args{"name": fmt.Sprint("Sub ", i)}).ID, "payment_method", card)
	}
	_, many := a.Apply(a.As("bob"), tool, args{"id": card})
	if tools.KindOf(many) != tools.Conflict || !strings.Contains(many.Error(), "Sub 0, Sub 1, Sub 2, Sub 3, Sub 4 and 2 more") || strings.Contains(many.Error(), "Secret") {
		t.Error(many)
	}
	rec, findErr := a.FindRecordById(methods, card)
	if findErr != nil {
		t.Fatal(findErr)
	}
	if err := a.Delete(rec); tools.KindOf(err) != tools.Conflict {
		t.Errorf("a superuser deletes it: %v", err)
	}
	apply[Merged](t, a, "bob", "household_payment_method_merge", args{"from": card, "into": badge(t, a, "household_payment_method_", "Giro")})
	if has(t, a, "payment_method", "") != 0 {
		t.Error("something lost it")
	}
}

func TestNamedBadInput(t *testing.T) {
	for prefix, n := range nouns() {
		t.Run(n.collection, func(t *testing.T) {
			a := newHome(t)
			badge(t, a, prefix, "Straße")
			badge(t, a, prefix, "Café")
			badge(t, a, prefix, strings.Repeat("x", 15)) // as long as an id
			before := dump(t, a)
			calls := []struct {
				tool  string
				in    args
				kind  tools.Kind
				words string
			}{
				{"add", args{"name": "STRA\u1e9eE"}, tools.Conflict, "name|Straße"},
				{"add", args{"name": "cafe\u0301"}, tools.Conflict, "name|Café"},
				{"add", args{"name": "\u200b \u202e"}, tools.Invalid, "name|empty"},
				{"add", args{"name": "\u0301\ufe0f"}, tools.Invalid, "name|empty"},
				{"add", args{"name": strings.Repeat("ä", 61)}, tools.Invalid, "name|60"},
				{"add", args{"name": "a\x07b"}, tools.Invalid, "name|control"},
				{"add", args{"name": "N", "color": "red"}, tools.Invalid, "color|red|#rrggbb"},
				{"add", args{"name": "N", "color": "#12"}, tools.Invalid, "color|#12"},
				{"add", args{"name": "N", "color": "#12345g"}, tools.Invalid, "color|#12345g"},
				{"add", args{"name": "N", "color": "ffffff"}, tools.Invalid, "color|ffffff"},
				{"add", args{"name": "N", "icon": "\x1b["}, tools.Invalid, "icon|control"},
				{"add", args{"name": "N", "icon": "\u200d"}, tools.Invalid, "icon|empty"},
				{"add", args{"name": "N", "icon": strings.Repeat("i", 17)}, tools.Invalid, "icon|16"},
				{"update", args{"id": "Café"}, tools.Invalid, "nothing"},
				{"update", args{"id": "nobody", "name": "N"}, tools.NotFound, "id|nobody"},
				{"update", args{"id": "", "name": "N"}, tools.NotFound, "id"},
				{"update", args{"id": "café", "name": "straße"}, tools.Conflict, "name|Straße"},
				{"update", args{"id": "café", "name": " "}, tools.Invalid, "name|Café|empty"},
				{"update", args{"id": "café", "color": "blue"}, tools.Invalid, "color|Café|blue"},
				{"update", args{"id": "café", "icon": "\x00"}, tools.Invalid, "icon|Café|control"},
				{"update", args{"id": "café", "icon": "x", "clear": []string{"icon"}}, tools.Invalid, "icon|cleared"},
				{"update", args{"id": "café", "clear": []string{"name"}}, tools.Invalid, "clear|color"},
				{"merge", args{"from": "café", "into": "CAFÉ"}, tools.Invalid, "into|Café|itself"},
				{"merge", args{"from": "nobody", "into": "Café"}, tools.NotFound, "from|nobody"},
				{"merge", args{"from": "Café", "into": "nobody"}, tools.NotFound, "into|nobody"},
				{"delete", args{"id": "nobody"}, tools.NotFound, "id|nobody"},
				{"delete", args{"id": strings.Repeat("n", 10_000)}, tools.NotFound, "id|nnn"},
			}
			for _, c := range calls {
				refused(t, a, prefix+c.tool, c.in, c.kind, strings.Split(c.words, "|")...)
				if diff := cmp.Diff(before, dump(t, a)); diff != "" {
					t.Fatalf("%s %v stored something: %s", c.tool, c.in, diff)
				}
			}
			for _, values := range []args{{"name": "STRA\u1e9eE"}, {"name": "cafe\u0301"}, {"name": "N", "color": "#FFF"}, {"name": "N", "icon": "\u200b"}, {"name": "\u0301"}} {
				if err := a.Save(record(t, a.App, n.collection, values)); err == nil {
					t.Errorf("%v was stored", values)
				}
			}
		})
	}
}
