package household

import (
	"encoding/json/v2"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// scopedRead runs a read tool of ann's in a scope, as JSON.
func scopedRead(tb testing.TB, a *toolstest.App, s tools.Scope, tool string, in any) string {
	tb.Helper()
	out, err := a.Runner.Read(tools.WithScope(tb.Context(), s), a.As("ann"), a.Call(tool, in))
	if err != nil {
		tb.Fatalf("%s: %v", tool, err)
	}
	b, err := json.Marshal(out, json.Deterministic(true))
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// telling are words and numbers that stand only in what secrets hides.
func telling(s, private string) bool {
	return strings.Contains(strings.ToLower(s), "secret") || strings.Contains(s, "777") || strings.Contains(s, private)
}

// Without private records switched on, what ann's own assistant is told by any
// tool that reads is what it would be if there were none.
func TestScopeWithoutPrivate(t *testing.T) {
	a := newHome(t)
	private, shared := secrets(t, a)
	reads := everyRead(t, a, shared)
	shares := tools.Scope{}
	brief := func(s tools.Scope) string {
		said, err := a.Runner.Brief(tools.WithScope(t.Context(), s), a.As("ann"))
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(said)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	with := map[string]string{"": brief(shares)}
	if telling(with[""], private) || !telling(brief(tools.Scope{Private: true}), private) {
		t.Errorf("the briefing: %s", with[""])
	}
	for tool, in := range reads {
		with[tool] = scopedRead(t, a, shares, tool, in)
		if tool != "household_import_match" && telling(with[tool], private) { // which gives its own rows back
			t.Errorf("%s tells of it: %s", tool, with[tool])
		}
		switched := scopedRead(t, a, tools.Scope{Private: true}, tool, in)
		if plain, err := json.Marshal(read[any](t, a, "ann", tool, in), json.Deterministic(true)); err != nil || string(plain) != switched {
			t.Errorf("%s is another answer with all switched on: %v", tool, err)
		}
	}
	for _, in := range []args{{"query": "secret"}, {"query": "777.20"}, {"query": "Eve"}} {
		if found := scopedRead(t, a, shares, "household_search", in); !strings.Contains(found, `"items":[]`) {
			t.Errorf("%v finds %s", in, found)
		}
	}
	agent := a.As("ann")
	agent.Agent, agent.Door = "claude", tools.DoorAssistant
	list, err := a.Runner.Activity(tools.WithScope(t.Context(), shares), agent, tools.ActivityQuery{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(list)
	if err != nil || telling(string(b), private) || len(list.Items) == 0 {
		t.Errorf("%d entries, %v: %s", len(list.Items), err, b)
	}

	apply[Gone](t, a, "ann", "household_subscription_delete", args{"id": private})
	for tool, in := range reads {
		if diff := cmp.Diff(scopedRead(t, a, shares, tool, in), with[tool]); diff != "" {
			t.Errorf("%s is different with it: %s", tool, diff)
		}
	}
	if diff := cmp.Diff(brief(shares), with[""]); diff != "" {
		t.Errorf("the briefing is different with it: %s", diff)
	}
}

// What names it is refused as what there is none of, whatever tool it is.
func TestScopeRefusesPrivate(t *testing.T) {
	a := newHome(t)
	private, shared := secrets(t, a)
	before := dump(t, a)
	nobody := strings.Repeat("x", 15)
	for _, scope := range []tools.Scope{{}, {Private: true, Only: map[string][]string{subscriptions: {shared}}}} {
		ctx := tools.WithScope(t.Context(), scope)
		for tool, in := range everyNaming(shared, "bob") {
			run := func(id string) error {
				if known, _ := a.Registry.Tool(tool); known.Effect == tools.EffectRead {
					_, err := a.Runner.Read(ctx, a.As("ann"), a.Call(tool, in(id)))
					return err
				}
				_, err := a.Runner.Preview(ctx, a.As("ann"), a.Call(tool, in(id)))
				return err
			}
			err, other := run(private), run(nobody)
			if tools.KindOf(err) != tools.NotFound || tools.KindOf(other) != tools.NotFound || strings.ReplaceAll(err.Error(), private, nobody) != other.Error() {
				t.Errorf("%+v, %s: %v; for nobody's: %v", scope, tool, err, other)
			}
			if err := run(shared); tools.KindOf(err) == tools.NotFound {
				t.Errorf("%+v, %s does not find what is in: %v", scope, tool, err)
			}
		}
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// Tools reckon with what is in scope as they do without one: its prices, pauses,
// charges, the household's currency and its rates.
func TestScopeOfOne(t *testing.T) {
	a := newHome(t)
	private, shared := secrets(t, a)
	other := add(t, a, "ann", args{"name": "Elsewhere", "amount": "555.55", "merchant": "Elsewhere", "notes": "555"}).ID
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": shared, "amount": "17.99", "price_from": day(-20)})
	apply[Settings](t, a, "ann", "household_settings_update", args{"currency": "USD", "time_zone": "Europe/Berlin"})
	for id, unasked := range map[string]bool{shared: false, private: true} {
		scope, err := a.Runner.Scope(t.Context(), a.As("ann"), "record", []tools.Ref{{Collection: subscriptions, ID: id}}, unasked)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(scope.Only)); !slices.Equal(got, []string{categories, methods, subscriptions}) || len(scope.Only[subscriptions]) != 1 {
			t.Errorf("it reaches %v", scope.Only)
		}
		for _, in := range []struct {
			tool string
			in   any
		}{{"household_subscription_get", args{"id": id}}, {"household_settings_get", nil}, {"household_rate_list", nil}} {
			b, err := json.Marshal(read[any](t, a, "ann", in.tool, in.in), json.Deterministic(true))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(b), scopedRead(t, a, scope, in.tool, in.in)); diff != "" {
				t.Errorf("%s of one is another answer: %s", in.tool, diff)
			}
		}
		for tool, in := range everyRead(t, a, id) {
			if got := scopedRead(t, a, scope, tool, in); strings.Contains(got, "Elsewhere") || strings.Contains(got, "555") || strings.Contains(got, other) {
				t.Errorf("%s tells of another: %s", tool, got)
			}
		}
	}
	if _, err := a.Runner.Scope(t.Context(), a.As("ann"), "record", []tools.Ref{{Collection: subscriptions, ID: private}}, false); tools.KindOf(err) != tools.Invalid || !strings.Contains(err.Error(), "Secret Club is private") {
		t.Errorf("a private one that was not switched on: %v", err)
	}
	if _, err := a.Runner.Scope(t.Context(), a.As("bob"), "record", []tools.Ref{{Collection: subscriptions, ID: private}}, true); tools.KindOf(err) != tools.NotFound || telling(err.Error(), "Club") {
		t.Errorf("another's private one: %v", err)
	}
}

// What a call makes private it can go on with: its answer and its change are
// what they are without a scope.
func TestScopeMakesPrivate(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "17.99", "price_from": day(-20)})
	narrow := tools.WithScope(t.Context(), tools.Scope{})
	for _, calls := range [][]tools.Invocation{
		{a.Call("household_subscription_update", args{"id": id, "private": true}), a.Call("household_subscription_get", args{"id": id})},
		{a.Call("household_subscription_update", args{"id": id, "private": true, "amount": "19.99", "price_from": day(1)})},
		{a.Call("household_subscription_add", args{"name": "Own", "amount": "5", "currency": "EUR", "cycle": "P1M", "first_date": day(-40), "private": true, "tags": []string{"x"}})},
		{a.Call("household_subscriptions_bulk_update", args{"ids": []string{id}, "private": true}), a.Call(pauseTool, args{"id": id, "from": day(100)})},
	} {
		whole, err := a.Runner.Preview(t.Context(), a.As("ann"), calls...)
		if err != nil {
			t.Fatal(err)
		}
		scoped, err := a.Runner.Preview(narrow, a.As("ann"), calls...)
		if err != nil {
			t.Fatal(calls[0].Tool, err)
		}
		if diff := cmp.Diff(undrawn(t, whole.Items), undrawn(t, scoped.Items)); diff != "" {
			t.Errorf("%s: %s", calls[0].Tool, diff)
		}
	}
}

// undrawn are items as JSON, without the ids of what is new.
func undrawn(tb testing.TB, items []tools.Item) string {
	b, err := json.Marshal(items, json.Deterministic(true))
	if err != nil {
		tb.Fatal(err)
	}
	text := string(b)
	for _, it := range items {
		for _, c := range it.Changes {
			if c.Op == tools.OpCreate {
				text = strings.ReplaceAll(text, c.ID, "new")
			}
		}
	}
	return text
}

// Whatever hangs on a subscription is a part of it.
func TestScopesKnowEveryCollection(t *testing.T) {
	a := newHome(t)
	cols, err := a.FindAllCollections()
	if err != nil {
		t.Fatal(err)
	}
	subs, err := a.FindCollectionByNameOrId(subscriptions)
	if err != nil {
		t.Fatal(err)
	}
	for _, col := range cols {
		for _, f := range col.Fields {
			rel, ok := f.(*core.RelationField)
			if !ok || rel.CollectionId != subs.Id || col.Id == subs.Id {
				continue
			}
			if got := (Plugin{}).Scopes()[col.Name]; got.Part != rel.Name {
				t.Errorf("%s names a subscription and is %+v", col.Name, got)
			}
		}
	}
}
