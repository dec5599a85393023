package household

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestUnknownIDsNameTheirArgument: a tool says which argument names nothing that
// the person sees, in the same words whether it is there or not.
func TestUnknownIDsNameTheirArgument(t *testing.T) {
	a := newHome(t)
	mine := add(t, a, "ann", nil).ID
	private := add(t, a, "bob", args{"name": "Secret", "private": true}).ID
	secret := charge(t, a, private, "2026-03-01", 100, nil)
	with := func(in args, field, id string) args {
		all := args{field: id}
		for k, v := range in {
			all[k] = v
		}
		return all
	}
	for _, c := range []struct {
		tool, field string
		in          args
	}{
		{"household_subscription_get", "id", nil},
		{"household_subscription_update", "id", args{"name": "N"}},
		{"household_subscription_delete", "id", nil},
		{"household_subscription_cancel", "id", nil},
		{"household_subscription_pause", "id", nil},
		{"household_subscription_resume", "id", nil},
		{"household_subscription_terms", "id", args{"min_term": "P1Y"}},
		{"household_subscription_share", "id", args{"shares": []args{{"person": "Eve", "weight": 1}}}},
		{"household_subscription_replace", "id", args{"by": mine}},
		{"household_subscription_replace", "by", args{"id": mine}},
		{"household_notice_given", "id", nil},
		{"household_trial_decide", "id", args{"decision": keep}},
		{"household_logo_set", "id", args{"clear": true}},
		{"household_price_set", "subscription", args{"amount": "1.00", "from": "2026-03-01"}},
		{"household_price_delete", "subscription", args{"from": "2026-03-01"}},
		{"household_charge_add", "subscription", args{"date": "2026-03-01", "amount": "1.00"}},
		{"household_charge_confirm", "subscription", nil},
		{"household_charge_skip", "subscription", args{"due": "2026-03-01"}},
		{"household_charge_update", "id", args{"amount": "1.00"}},
		{"household_charge_delete", "id", nil},
		{"household_reminder_done", "subscription", args{"kind": "charge", "on": "2026-03-01"}},
		{"household_charge_list", "subscription", nil},
		{"household_calendar", "subscription", nil},
		{"household_spending", "subscription", nil},
		{"household_price_changes", "subscription", nil},
	} {
		there, missing := private, "nothere00000001"
		if strings.HasSuffix(c.tool, "charge_update") || strings.HasSuffix(c.tool, "charge_delete") {
			there = secret
		}
		for _, id := range []string{there, missing} {
			_, err := a.Preview(a.As("ann"), c.tool, with(c.in, c.field, id))
			if tools.KindOf(err) != tools.NotFound || !strings.HasPrefix(err.Error(), c.field+": there is no ") || !strings.Contains(err.Error(), " "+id+".") {
				t.Errorf("%s: %v", c.tool, err)
			}
		}
	}
}
