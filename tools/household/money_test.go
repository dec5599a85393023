package household

import (
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// neverMoney are the tools that change nothing which is paid, and why.
func neverMoney() map[string]string {
	const kind = "what a payment is filed under or paid with is not what is paid"
	return map[string]string{
		"household_category_update": kind, "household_category_merge": kind, "household_category_delete": kind,
		"household_payment_method_add": kind, "household_payment_method_update": kind, "household_payment_method_merge": kind, "household_payment_method_delete": kind,
		"household_tag_rename": kind, "household_tag_delete": kind,
		"household_logo_set":      "a picture",
		"household_reminder_done": "that somebody has seen a reminder",
		"household_rate_import":   "rates convert what is shown; what is paid stays in its currency",
	}
}

func TestMoneyIsMarked(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": id, "amount": "17.99", "from": "2026-06-15"})
	paid := charge(t, a, add(t, a, "ann", args{"name": "Paid"}).ID, "2025-06-15", 1599, nil)
	rests, tried := add(t, a, "ann", args{"name": "Rests"}).ID, add(t, a, "ann", args{"name": "Tried", "trial_ends_on": day(9), "first_date": ""}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": rests, "from": day(-9)})
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
		{"household_price_delete", args{"subscription": id, "from": "2026-06-15"}, true},
		{resumeTool, args{"id": rests}, true},
		{decideTool, args{"id": tried, "decision": lose}, true},
		{replaceTool, args{"id": id, "by": rests}, true},
		{bulkCancelName, args{"ids": []string{id, rests}}, true},
		{bulkPauseName, args{"ids": []string{id}}, true},
		{bulkResumeName, args{"ids": []string{rests}}, true},
		{"household_subscriptions_bulk_delete", args{"ids": []string{id}}, true},
		{chargeAddName, args{"subscription": id, "date": day(-2), "amount": "1"}, true},
		{updateTool, args{"id": paid, "amount": "2"}, true},
		{deleteTool, args{"id": paid}, true},
		{allTool, args{"from": "2025-01-01"}, true},
		{"household_restore", args{"household": smallPart()}, true},
		{"household_category_add", args{"name": "Books"}, false},
		{"household_settings_update", args{"currency": "USD"}, false},
		{"household_import_apply", nil, true},
	}
	listed := map[string]bool{}
	for _, row := range rows {
		listed[row.tool] = true
	}
	for _, tool := range a.Registry.Tools() {
		if tool.Effect != tools.EffectRead && listed[tool.Name] == (neverMoney()[tool.Name] != "") {
			t.Errorf("%s: say whether it is about money, in one of the lists", tool.Name)
		}
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
