package household

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

const handOverName = "household_hand_over"

func TestHandOver(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	ann, bob := a.Member("ann").Id, a.Member("bob").Id
	first := add(t, a, "ann", nil).ID
	apply[Divided](t, a, "ann", shareTool, args{"id": first, "shares": []ShareIn{{Member: "ann", Weight: 1}, {Member: "bob", Weight: 1}}})
	over := add(t, a, "ann", args{"name": "Over", "ends_on": "2026-01-31"}).ID
	secret := add(t, a, "ann", args{"name": "Secret", "private": true}).ID
	bobs := add(t, a, "bob", args{"name": "Paper"}).ID
	before := dump(t, a)
	want := "Hand 2 subscriptions over to bob: Netflix, Over\nThey cost 15.99 EUR a month\n1 private one stays yours, and goes with your account\n"
	if said := card(t, a, "ann", handOverName, args{"to": "bob"}); !strings.HasPrefix(said, want) {
		t.Errorf("it says %s", said)
	}
	out, receipt := apply[HandedOver](t, a, "ann", handOverName, args{"to": bob})
	if out.Count != 2 || out.To.Handle != "bob" || out.To.ID != bob || out.Private != 1 {
		t.Errorf("%+v", out)
	}
	for id, owner := range map[string]string{first: bob, over: bob, bobs: bob} {
		if got := get(t, a, "ann", id); string(got.Owner) != owner || got.Private {
			t.Errorf("%s belongs to %s", got.Name, got.Owner)
		}
	}
	if got := get(t, a, "ann", secret); string(got.Owner) != ann || !got.Private {
		t.Errorf("%s belongs to %s", got.Name, got.Owner)
	}
	if got := get(t, a, "bob", first).Shares; len(got) != 2 || string(got[0].Member) != ann || got[0].Amount != "8.00" {
		t.Errorf("the shares are %+v", got)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	if out, _ := apply[HandedOver](t, a, "ann", handOverName, args{"to": "bob", "ids": []string{over}}); out.Count != 1 || out.Items[0].ID != over || len(out.PerMonth) != 0 {
		t.Errorf("%+v", out)
	}
}

func TestBadHandOver(t *testing.T) {
	a := newHome(t)
	mine := add(t, a, "ann", nil).ID
	secret := add(t, a, "ann", args{"name": "Secret", "private": true}).ID
	bobs := add(t, a, "bob", args{"name": "Paper"}).ID
	hidden := add(t, a, "bob", args{"name": "Hidden", "private": true}).ID
	before := dump(t, a)
	calls := []struct {
		in    args
		kind  tools.Kind
		words string
	}{
		{args{"to": "carla"}, tools.Invalid, "to|carla"},
		{args{"to": ""}, tools.Invalid, "to"},
		{args{}, tools.Invalid, "to|missing"},
		{args{"to": "ann"}, tools.Invalid, "to|already"},
		{args{"to": "bob", "ids": []string{mine, bobs}}, tools.Forbidden, "ids|Paper"},
		{args{"to": "bob", "ids": []string{mine, secret}}, tools.Invalid, "ids|Secret"},
		{args{"to": "bob", "ids": []string{mine, hidden}}, tools.NotFound, hidden},
		{args{"to": "bob", "ids": []string{mine, mine}}, tools.Invalid, "ids|twice"},
	}
	for _, c := range calls {
		refused(t, a, handOverName, c.in, c.kind, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%v stored something: %s", c.in, diff)
		}
	}
	apply[HandedOver](t, a, "ann", handOverName, args{"to": "bob"})
	refused(t, a, handOverName, args{"to": "bob"}, tools.Conflict, "no shared subscription")
}
