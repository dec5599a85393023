package accounts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// TestAssistantFieldByField: what is not given stays, what is empty is said no
// more, what the environment says stays its own, and a key goes with its address.
func TestAssistantFieldByField(t *testing.T) {
	h := newHome(t, tools.Config{})
	refused := func(in args, kind tools.Kind, key string) {
		t.Helper()
		h.refused(h.ann, setName, in, kind, key)
	}
	refused(args{"id": "my cloud", "model": "big"}, tools.Invalid, "nodkeep.error.assistant_id")
	refused(args{"id": "cloud"}, tools.Invalid, "nodkeep.error.nothing")
	refused(args{"id": "cloud", "base_url": "https://a.example"}, tools.Invalid, "nodkeep.error.assistant_model")
	refused(args{"id": "cloud", "model": "big"}, tools.Invalid, "nodkeep.error.assistant_where")
	refused(args{"id": "cloud", "model": "big", "protocol": "openai", "effort": "high", "max_effort": "low"}, tools.Invalid, "nodkeep.error.assistant_effort")
	refused(args{"id": "cloud", "model": "big", "protocol": "openai", "price_input": "1"}, tools.Invalid, "nodkeep.error.assistant_prices")
	refused(args{"id": "cloud", "model": "big", "protocol": "openai", "price_cache_read": "1"}, tools.Invalid, "nodkeep.error.assistant_prices")
	for _, field := range append(assistantFields(), "key") {
		in := args{"id": "cloud", "model": "big", "protocol": "openai"}
		in[field] = "a bad one"
		how := map[string]string{"max_effort": "effort", "price_input": "price", "price_output": "price", "price_cache_read": "price", "price_cache_write": "price"}[field]
		if how == "" {
			how = field
		}
		refused(in, tools.Invalid, "nodkeep.error.assistant_field."+how)
	}

	h.must(h.ann, setName, args{"id": "cloud", "model": "big", "base_url": "https://a.example", "key": "sk-secret-1", "price_input": "3", "price_output": "15"})
	rec, err := h.FindFirstRecordByData(Assistants, "assistant", "cloud")
	if err != nil || !strings.HasPrefix(rec.GetString("key"), "sealed for "+rec.Id) {
		t.Fatal(rec, err)
	}
	h.must(h.ann, setName, args{"id": "cloud", "name": "Cloud", "mode": "write"})
	is := read[AssistantPage](h, h.ann, "nodkeep_assistant_list", nil).Items
	if len(is) != 2 || is[0].ID != "cloud" || is[0].Name != "Cloud" || is[0].Model != "big" || is[0].BaseURL != "https://a.example" || is[0].PriceInput != "3" || !is[0].Key ||
		is[0].From["model"] != FromOperator || is[0].From["effort"] != "" || len(is[0].Locked) != 0 {
		t.Errorf("%+v", is)
	}
	if l := is[1]; l.ID != "local" || l.From["model"] != FromEnvironment || l.Key || strings.Join(l.Locked, " ") != "base_url model key" || !l.Local {
		t.Errorf("%+v", l)
	}
	h.must(h.ann, setName, args{"id": "cloud", "mode": "", "price_input": "", "price_output": ""})
	if is := read[AssistantPage](h, h.ann, "nodkeep_assistant_list", nil).Items[0]; is.Mode != "" || is.PriceOutput != "" || is.Name != "Cloud" || !is.Key {
		t.Errorf("%+v", is)
	}
	for field, v := range map[string]string{"model": "other", "base_url": "https://b.example", "key": "sk-2"} {
		refused(args{"id": "local", field: v}, tools.Conflict, "nodkeep.error.assistant_locked")
	}
	_, err = h.Apply(h.ann, setName, args{"id": "local", "base_url": "https://b.example"})
	if err == nil || !strings.Contains(err.Error(), "ASSISTANT_LOCAL_BASE_URL") {
		t.Errorf("which variable it is: %v", err)
	}
	h.must(h.ann, setName, args{"id": "local", "effort": "low"})

	// To another address the key does not go, unless it comes along.
	out := h.must(h.ann, setName, args{"id": "cloud", "base_url": "https://b.example"})
	if said := h.say("en", out.Cards[0]); output[AssistantSet](t, out).Key || !strings.Contains(said, "for another address") {
		t.Errorf("%+v %s", out.Outputs, said)
	}
	if out := h.must(h.ann, setName, args{"id": "cloud", "base_url": "https://c.example", "key": "sk-3"}); !output[AssistantSet](t, out).Key {
		t.Errorf("%+v", out.Outputs)
	}
	if out := h.must(h.ann, setName, args{"id": "cloud", "key": ""}); output[AssistantSet](t, out).Key {
		t.Errorf("%+v", out.Outputs)
	}
	h.must(h.ann, setName, args{"id": "byname", "model": "m", "protocol": "anthropic", "key": "sk-4"})
	if out := h.must(h.ann, setName, args{"id": "byname", "protocol": "openai"}); output[AssistantSet](t, out).Key {
		t.Error("a key went along to the address of another protocol")
	}
	for _, secret := range []string{"sk-secret-1", "sk-2", "sk-3", "sk-4"} {
		if in := h.holding(secret); len(in) > 0 {
			t.Errorf("%s stands in %v", secret, in)
		}
	}
}

// TestManyAssistants: 50 at a time, and none whose settings another's would be.
func TestManyAssistants(t *testing.T) {
	h := newHome(t, tools.Config{})
	for n := range 51 {
		h.record(Assistants, args{"assistant": fmt.Sprintf("a%02d", n), "model": "m", "protocol": "openai"})
	}
	page := read[AssistantPage](h, h.ann, "nodkeep_assistant_list", nil)
	if len(page.Items) != 50 || page.Next == "" {
		t.Errorf("%d, then %q", len(page.Items), page.Next)
	}
	rest := read[AssistantPage](h, h.ann, "nodkeep_assistant_list", args{"cursor": page.Next})
	if len(rest.Items) != 2 || rest.Items[0].ID != "a50" || rest.Items[1].ID != "local" || rest.Next != "" {
		t.Errorf("%+v", rest)
	}
	if err := alike(map[string]map[string]string{"my-box": nil}, "my-box"); err != nil {
		t.Error(err)
	}
	if err := alike(map[string]map[string]string{"my-box": nil}, "my_box"); tools.KindOf(err) != tools.Conflict {
		t.Error(err)
	}
}

// TestASealedKeyFitsItsPreview, though it is sealed otherwise each time.
func TestASealedKeyFitsItsPreview(t *testing.T) {
	h := newHome(t, tools.Config{})
	inv := h.Call(setName, args{"id": "cloud", "model": "big", "protocol": "openai", "key": "sk-1"})
	p, err := h.Runner.Preview(t.Context(), h.ann, inv)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Runner.Apply(t.Context(), h.ann, p.Digest, inv); err != nil {
		t.Error(err)
	}
	if said := fmt.Sprintf("%+v", p.Items[0].Output) + fmt.Sprintf("%+v %+v", p.Items[0].Changes, p.Items[0].Card); strings.Contains(said, "sk-1") || strings.Contains(said, "sealed for") {
		t.Errorf("the preview shows it: %s", said)
	}
}

// TestRemovingAnAssistant wants a nod, and takes the grants along.
func TestRemovingAnAssistant(t *testing.T) {
	h := newHome(t, tools.Config{})
	h.refused(h.ann, removeName, args{"id": "cloud"}, tools.NotFound, "nodkeep.error.no_assistant")
	h.refused(h.ann, removeName, args{"id": "local"}, tools.Conflict, "nodkeep.error.assistant_fixed")
	h.must(h.ann, setName, args{"id": "cloud", "model": "big", "protocol": "openai", "key": "sk-1"})
	h.must(h.ann, setName, args{"id": "local", "effort": "low"})
	for _, id := range []string{"cloud", "local"} {
		h.must(h.ann, grantName, args{"assistant": id, "allow": true, "accounts": []string{"bob"}})
		if _, err := h.Runner.Apply(t.Context(), h.ann, "", h.Call(removeName, args{"id": id})); tools.KindOf(err) != tools.DigestRequired {
			t.Errorf("%s went without a nod: %v", id, err)
		}
		h.must(h.ann, removeName, args{"id": id})
	}
	left := read[GrantPage](h, h.ann, "nodkeep_grant_list", nil).Items
	if len(left) != 1 || left[0].Assistant != "local" || h.count("SELECT count(*) FROM nodkeep_assistants") != 0 {
		t.Errorf("%+v", left)
	}
}

// TestGrants for several at once, for everybody, twice, and back.
func TestGrants(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	h.Member("cy")
	give := func(in args) GrantSet {
		t.Helper()
		in["assistant"] = "local"
		return output[GrantSet](t, h.must(h.ann, grantName, in))
	}
	has := func(want ...string) {
		t.Helper()
		var got []string
		for _, g := range read[GrantPage](h, h.ann, "nodkeep_grant_list", args{"assistant": "local"}).Items {
			got = append(got, g.Handle)
		}
		slices.Sort(got) // those of one moment come in any order
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	for name, in := range map[string]args{
		"nobody": {"assistant": "local", "allow": true}, "both": {"assistant": "local", "allow": true, "everybody": true, "accounts": []string{"bob"}},
		"too many": {"assistant": "local", "allow": true, "accounts": make([]string, 201)},
	} {
		if _, err := h.Apply(h.ann, grantName, in); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	h.refused(h.ann, grantName, args{"assistant": "none", "allow": true, "everybody": true}, tools.NotFound, "nodkeep.error.no_assistant")
	h.refused(h.ann, grantName, args{"assistant": "local", "allow": true, "accounts": []string{"bob", "nobody"}}, tools.NotFound, "nodkeep.error.no_account")
	has()
	if out := give(args{"allow": true, "accounts": []string{"bob", bob.Person, "cy"}}); out.Changed != 2 || strings.Join(out.People, " ") != "bob cy" {
		t.Errorf("%+v", out)
	}
	if out := give(args{"allow": true, "accounts": []string{"bob"}}); out.Changed != 0 {
		t.Errorf("%+v", out)
	}
	if rec := h.must(h.ann, grantName, args{"assistant": "local", "allow": true, "accounts": []string{"bob"}}); !rec.UndoUntil.IsZero() {
		t.Errorf("undo takes nothing back, and it is promised until %s", rec.UndoUntil)
	}
	has("bob", "cy")
	give(args{"allow": true, "everybody": true})
	has("bob", "cy", "")
	if _, err := h.Runner.Apply(t.Context(), h.ann, "", h.Call(grantName, args{"assistant": "local", "allow": false, "accounts": []string{"bob"}})); tools.KindOf(err) != tools.DigestRequired {
		t.Errorf("a grant went without a nod: %v", err)
	}
	if out := h.must(h.ann, grantName, args{"assistant": "local", "allow": false, "accounts": []string{"bob"}}); !strings.Contains(h.say("en", out.Cards[0]), "Everybody may use it still") {
		t.Error(h.say("en", out.Cards[0]))
	}
	give(args{"allow": false, "everybody": true})
	has("cy")
	if got := read[GrantPage](h, h.ann, "nodkeep_grant_list", args{"account": "bob"}).Items; len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestNamesInAListStayOut of the audit, where they would outlast the account.
func TestNamesInAListStayOut(t *testing.T) {
	h := newHome(t, tools.Config{})
	const handle = "quetzalcoatl"
	id := h.Member(handle).Id
	h.must(h.ann, grantName, args{"assistant": "local", "allow": true, "accounts": []string{handle, "bob", h.As("bob").Person}})
	_, err := h.Apply(h.ann, budgetName, args{"accounts": []string{handle, "plumed"}, "day_cost": "1"})
	if err == nil {
		t.Fatal("nobody is called so")
	}
	if err := h.Delete(h.account(id)); err != nil {
		t.Fatal(err)
	}
	h.gone(id)
	for _, text := range []string{handle, "plumed"} {
		if in := h.holding(text); len(in) > 0 {
			t.Errorf("%s still stands in %v", text, in)
		}
	}
	if h.count("SELECT count(*) FROM nodkeep_audit WHERE args LIKE '%"+h.As("bob").Person+"%'") == 0 {
		t.Error("the id of an account that is there is withheld too")
	}
}

// TestAsManyAsMayBe are set at once within the time that a tool has.
func TestAsManyAsMayBe(t *testing.T) {
	h := newHome(t, tools.Config{})
	var all []string
	for n := range maxAtOnce {
		all = append(all, h.record(tools.Members, args{"handle": fmt.Sprintf("m%03d", n), "status": tools.Approved}).Id)
	}
	for _, row := range []struct {
		tool string
		in   args
	}{
		{budgetName, args{"everybody": true, "day_cost": "1"}},
		{budgetName, args{"accounts": all, "month_cost": "5"}},
		{budgetName, args{"accounts": all, "default": true}},
		{grantName, args{"assistant": "local", "allow": true, "accounts": all}},
		{grantName, args{"assistant": "local", "allow": false, "accounts": all}},
	} {
		rec := h.must(h.ann, row.tool, row.in)
		if said := h.say("en", rec.Cards[0]); row.in["accounts"] != nil && !strings.Contains(said, "and 195 more") {
			t.Errorf("%.300s", said)
		}
	}
	if n := h.count("SELECT count(*) FROM nodkeep_grants") + h.count("SELECT count(*) FROM nodkeep_budgets"); n != 1 {
		t.Errorf("%d are left", n)
	}
}
