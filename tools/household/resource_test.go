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
