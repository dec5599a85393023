package household

import "testing"

func TestMoneyIsMarked(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	rows := []struct {
		tool string
		in   args
		want bool
	}{
		{"household_subscription_add", args{"name": "New", "amount": "1", "cycle": "P1Y", "first_date": "2026-02-28"}, true},
		{"household_subscription_update", args{"id": id, "amount": "9"}, true},
		{"household_subscription_update", args{"id": id, "amount": "9", "price_from": "2026-01-15"}, true},
		{"household_subscription_update", args{"id": id, "cycle": "P1Y"}, true},
		{"household_subscription_update", args{"id": id, "trial_ends_on": "2025-02-15"}, true},
		{"household_subscription_update", args{"id": id, "intro_amount": "1", "intro_until": "2025-02-15"}, true},
		{"household_subscription_update", args{"id": id, "url": "x.example", "account": "a", "remind_days": 5}, false},
		{"household_price_set", args{"subscription": id, "amount": "9", "from": "2026-01-15"}, true},
		{"household_subscription_update", args{"id": id, "first_date": "2025-02-15"}, true},
		{"household_subscription_update", args{"id": id, "anchor_day": 16}, true},
		{"household_subscription_update", args{"id": id, "name": "Netflix Family", "notes": "x", "tags": []string{"a"}, "private": true}, false},
		{"household_subscriptions_bulk_update", args{"ids": []string{id}, "add_tags": []string{"a"}}, false},
		{"household_subscription_cancel", args{"id": id}, true},
		{termsTool, args{"id": id, "notice": "P3M"}, true},
		{noticeTool, args{"id": id}, true},
		{"household_subscription_delete", args{"id": id}, true},
		{pauseTool, args{"id": id, "resumes": day(60)}, true},
		{handOverName, args{"to": "bob"}, false},
		{shareTool, args{"id": id, "shares": []ShareIn{{Member: "bob", Weight: 1}}}, true},
		{confirmTool, args{"subscription": id}, true},
		{skipTool, args{"subscription": id, "due": "2026-01-15"}, true},
		{"household_category_add", args{"name": "Books"}, false},
		{"household_settings_update", args{"currency": "USD"}, false},
		{"household_import_apply", nil, true},
	}
	for _, row := range rows {
		var in any = row.in
		if row.in == nil {
			in = sampleRows()
		}
		p, err := a.Preview(a.As("ann"), row.tool, in)
		if err != nil {
			t.Fatalf("%s: %v", row.tool, err)
		}
		if p.Items[0].Money != row.want {
			t.Errorf("%s %v: money is %v", row.tool, row.in, p.Items[0].Money)
		}
	}
}
