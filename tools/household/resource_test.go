package household

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// Each subscription has an address, at which is what household_subscription_get
// gives, and nothing for who may not see it.
func TestSubscriptionHasAnAddress(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", args{"private": true}).ID
	uri := "nodkeep://household/subscriptions/" + id
	got, err := a.Runner.Resource(t.Context(), a.As("ann"), uri)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain(t, get(t, a, "ann", id)), plain(t, got)); diff != "" {
		t.Error(diff)
	}
	if _, err := a.Runner.Resource(t.Context(), a.As("bob"), uri); tools.KindOf(err) != tools.NotFound {
		t.Errorf("bob: %v", err)
	}
}

// TestEachEntityHasAnAddress: what the tools list can be read by address too,
// each as the person sees it.
func TestEachEntityHasAnAddress(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", args{"private": true, "tags": []string{"secret"}}).ID
	for path, tool := range map[string]string{
		"subscriptions/" + id + "/charges": "household_charge_list", "categories": "household_category_list",
		"payment_methods": "household_payment_method_list", "tags": "household_tag_list", "reminders": "household_reminder_list",
	} {
		in := args{}
		if tool == "household_charge_list" {
			in["subscription"] = id
		}
		want, err := a.Read(a.As("ann"), tool, in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Runner.Resource(t.Context(), a.As("ann"), "nodkeep://household/"+path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if diff := cmp.Diff(plain(t, want), plain(t, got)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	if got, err := a.Runner.Resource(t.Context(), a.As("bob"), "nodkeep://household/tags"); err != nil || len(plain(t, got).(map[string]any)["items"].([]any)) > 0 {
		t.Errorf("bob sees %v, %v", got, err)
	}
	if _, err := a.Runner.Resource(t.Context(), a.As("bob"), "nodkeep://household/subscriptions/"+id+"/charges"); tools.KindOf(err) != tools.NotFound {
		t.Errorf("bob: %v", err)
	}
}
