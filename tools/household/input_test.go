package household

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

func TestBadInput(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", args{"first_date": "2025-01-15"}).ID
	weekly := add(t, a, "ann", args{"name": "Weekly", "cycle": "P1W"}).ID
	apply[Category](t, a, "ann", "household_category_add", args{"name": "Music"})
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "17.99", "price_from": "2025-06-15"})
	gone := add(t, a, "ann", args{"name": "Gone", "first_date": day(-3)}).ID
	apply[Cancelled](t, a, "ann", "household_subscription_cancel", args{"id": gone, "last_day": day(9)})
	before := dump(t, a)
	many := make([]string, 501)
	for i := range many {
		many[i] = fmt.Sprintf("id%013d", i)
	}
	full := func(in args) args {
		all := args{"name": "X", "amount": "1", "cycle": "P1M", "first_date": "2026-01-31"}
		for k, v := range in {
			all[k] = v
		}
		return all
	}
	rows := func(change func(*tools.Recurring)) tools.ImportRows {
		in := sampleRows()
		change(&in.Subscriptions[0])
		return in
	}
	const addTool, update, cancel = "household_subscription_add", "household_subscription_update", "household_subscription_cancel"
	calls := []struct {
		tool  string
		in    any
		kind  tools.Kind
		words string // separated by |
	}{
		{addTool, full(args{"amount": "1000000000000000000"}), tools.Invalid, "amount|90,071,992,547,409.91 EUR"},
		{addTool, full(args{"amount": "1e18"}), tools.Invalid, "amount|15.99"},
		{addTool, full(args{"amount": "90071992547409.92"}), tools.Invalid, "amount|90,071,992,547,409.91 EUR"},
		{addTool, full(args{"amount": "-3.00"}), tools.Invalid, "amount|below zero"},
		{addTool, full(args{"amount": "15.999"}), tools.Invalid, "amount|decimal places|EUR has 2"},
		{addTool, full(args{"amount": "150.5", "currency": "JPY"}), tools.Invalid, "amount|decimal places|JPY has 0"},
		{addTool, full(args{"amount": "15,99"}), tools.Invalid, "amount|point|15.99"},
		{addTool, full(args{"amount": 15.99}), tools.Invalid, "amount|string|15.99"},
		{addTool, full(args{"currency": "ABC"}), tools.Invalid, "currency|ABC|EUR"},
		{addTool, full(args{"currency": "eur"}), tools.Invalid, "currency|EUR"},
		{addTool, full(args{"first_date": "2026-02-31"}), tools.Invalid, "first_date|2026-02-31|YYYY-MM-DD"},
		{addTool, full(args{"first_date": "31.01.2026"}), tools.Invalid, "first_date|YYYY-MM-DD"},
		{addTool, full(args{"first_date": ""}), tools.Invalid, "first_date|YYYY-MM-DD"},
		{addTool, full(args{"first_date": "0001-01-01"}), tools.Invalid, "first_date|1900"},
		{addTool, full(args{"cycle": "P0M"}), tools.Invalid, "cycle|P1M"},
		{addTool, full(args{"cycle": "P1D"}), tools.Invalid, "cycle|P1M"},
		{addTool, full(args{"cycle": "monthly"}), tools.Invalid, "cycle|P1M"},
		{addTool, full(args{"cycle": "P101Y"}), tools.Invalid, "cycle|P1M"},
		{addTool, full(args{"anchor_day": 32}), tools.Invalid, "anchor_day|31"},
		{addTool, full(args{"anchor_day": -1}), tools.Invalid, "anchor_day|31"},
		{addTool, full(args{"anchor_day": 15, "cycle": "P2W"}), tools.Invalid, "anchor_day|P2W"},
		{addTool, full(args{"ends_on": "2026-01-30"}), tools.Invalid, "ends_on|first_date"},
		{addTool, full(args{"name": "  "}), tools.Invalid, "name|empty"},
		{addTool, full(args{"name": strings.Repeat("ä", 121)}), tools.Invalid, "name|120"},
		{addTool, full(args{"name": "a\x00b"}), tools.Invalid, "name|control"},
		{addTool, full(args{"notes": strings.Repeat("n", 5001)}), tools.Invalid, "notes|5000"},
		{addTool, full(args{"category": "Nope"}), tools.Invalid, "category|household_category_add"},
		{addTool, full(args{"tags": []string{"\u200b"}}), tools.Invalid, "tags|empty"},
		{addTool, full(args{"name": "\u200b\u200d\ufeff"}), tools.Invalid, "name|empty"},
		{addTool, full(args{"name": "\u202e\u2066\u3164"}), tools.Invalid, "name|empty"},
		{addTool, full(args{"tags": []string{strings.Repeat("t", 10_000)}}), tools.Invalid, "tags[0] is too long|40 characters at most"},
		{addTool, full(args{"tags": many[:21]}), tools.Invalid, "tags|20"},
		{addTool, full(args{"status": "cancelled"}), tools.Invalid, "status|unknown"},
		{addTool, args{"name": "X", "cycle": "P1M", "first_date": "2026-01-31"}, tools.Invalid, "amount|missing"},
		{update, args{"id": id}, tools.Invalid, "nothing to change"},
		{update, args{"id": "nobody"}, tools.Invalid, "nothing to change"},
		{update, args{"id": "nobody", "name": "X"}, tools.NotFound, "nobody"},
		{update, args{"id": id, "status": "cancelled"}, tools.Invalid, "status|unknown"},
		{update, args{"id": id, "notes": "x", "clear": []string{"notes"}}, tools.Invalid, "notes|cleared"},
		{update, args{"id": id, "clear": []string{"notes", "notes"}}, tools.Invalid, "clear|notes"},
		{update, args{"id": id, "clear": []string{"name"}}, tools.Invalid, "clear|notes"},
		{update, args{"id": id, "owner": "xxxxxxxxxxxxxxx"}, tools.Invalid, "owner"},
		{update, args{"id": id, "owner": "nobody"}, tools.Invalid, "owner|nobody"},
		{update, args{"id": id, "price_from": "2026-01-15"}, tools.Invalid, "price_from|amount"},
		{update, args{"id": id, "amount": "1", "price_from": "2024-12-31"}, tools.Invalid, "price_from|first_date"},
		{update, args{"id": id, "currency": "USD"}, tools.Invalid, "currency|amount"},
		{update, args{"id": id, "currency": "USD", "amount": "1"}, tools.Invalid, "currency|Netflix|EUR"},
		{update, args{"id": id, "first_date": "2025-06-15"}, tools.Invalid, "first_date|15 June 2025"},
		{update, args{"id": id, "anchor_day": 15, "cycle": "P1W"}, tools.Invalid, "anchor_day|P1W"},
		{update, args{"id": weekly, "anchor_day": 15}, tools.Invalid, "anchor_day|P1W"},
		{cancel, args{"id": id, "last_day": "2026-02-30"}, tools.Invalid, "last_day"},
		{cancel, args{"id": id, "last_day": "2025-01-14"}, tools.Invalid, "last_day|first_date"},
		{cancel, args{"id": id, "cancelled_on": "yesterday"}, tools.Invalid, "cancelled_on"},
		{cancel, args{"id": ""}, tools.NotFound, ""},
		{"household_subscription_delete", args{"id": "nobody"}, tools.NotFound, "nobody"},
		{"household_subscription_get", args{"id": "nobody"}, tools.NotFound, "nobody"},
		{"household_subscriptions_bulk_update", args{"ids": many, "private": false}, tools.Invalid, "ids|501|500"},
		{"household_subscriptions_bulk_delete", args{"ids": many}, tools.Invalid, "ids|501|500"},
		{"household_subscriptions_bulk_delete", args{"ids": []string{}}, tools.Invalid, "ids|empty"},
		{"household_subscriptions_bulk_delete", args{"ids": []string{id, id}}, tools.Invalid, "ids|twice"},
		{"household_subscriptions_bulk_delete", args{"ids": []string{id, ""}}, tools.Invalid, "ids|empty"},
		{"household_subscriptions_bulk_delete", args{"ids": []string{id, weekly, "nobody"}}, tools.NotFound, "nobody"},
		{"household_subscriptions_bulk_update", args{"ids": []string{id, weekly, "nobody"}, "add_tags": []string{"x"}}, tools.NotFound, "nobody"},
		{"household_subscriptions_bulk_update", args{"ids": []string{id}}, tools.Invalid, "nothing to change"},
		{"household_subscriptions_bulk_update", args{"ids": []string{id}, "category": "music", "clear": []string{"category"}}, tools.Invalid, "category|cleared"},
		{"household_subscriptions_bulk_update", args{"ids": []string{id}, "amount": "1"}, tools.Invalid, "amount|unknown"},
		{"household_subscription_list", args{"limit": 201}, tools.Invalid, "limit|200"},
		{"household_subscription_list", args{"limit": -1}, tools.Invalid, "limit|200"},
		{"household_subscription_list", args{"cursor": "50"}, tools.Invalid, "cursor|next"},
		{"household_subscription_list", args{"status": "resting"}, tools.Invalid, "status|current"},
		{"household_subscription_list", args{"payment_method": "Visa"}, tools.Invalid, "payment_method|Visa"},
		{"household_subscription_list", args{"owner": "nobody"}, tools.Invalid, "owner|nobody"},
		{"household_charge_list", args{"from": "2026-02-29"}, tools.Invalid, "from"},
		{"household_charge_list", args{"from": "2026-02-02", "to": "2026-02-01"}, tools.Invalid, "to|from"},
		{"household_upcoming", args{"days": 401}, tools.Invalid, "days|400"},
		{"household_upcoming", args{"days": -1}, tools.Invalid, "days|400"},
		{"household_category_add", args{"name": " MUSIC "}, tools.Conflict, "Music"},
		{"household_category_add", args{"name": ""}, tools.Invalid, "name|empty"},
		{"household_settings_update", args{}, tools.Invalid, "nothing to change"},
		{"household_settings_update", args{"time_zone": "Mars/Olympus"}, tools.Invalid, "time_zone|Europe/Berlin"},
		{"household_settings_update", args{"time_zone": "Local"}, tools.Invalid, "time_zone|Europe/Berlin"},
		{"household_settings_update", args{"time_zone": "localtime"}, tools.Invalid, "time_zone|Europe/Berlin"},
		{"household_settings_update", args{"time_zone": "posixrules"}, tools.Invalid, "time_zone|Europe/Berlin"},
		{"household_settings_update", args{"time_zone": "right/Europe/Berlin"}, tools.Invalid, "time_zone|Europe/Berlin"},
		{"household_settings_update", args{"time_zone": "./Europe/Berlin"}, tools.Invalid, "time_zone|Europe/Berlin"},
		{"household_settings_update", args{"time_zone": "../../etc/passwd"}, tools.Invalid, "time_zone|Europe/Berlin"},
		{"household_settings_update", args{"currency": "XYZ"}, tools.Invalid, "currency|XYZ"},
		{"household_settings_update", args{"language": "fr"}, tools.Invalid, "language|en, de, es"},
		{"household_tag_rename", args{"from": "nothing", "to": "x"}, tools.NotFound, "from|nothing"},
		{"household_tag_rename", args{"from": "x", "to": "x"}, tools.Invalid, "to|x"},
		{"household_tag_rename", args{"from": "%", "to": "x"}, tools.NotFound, "from|%"},
		{"household_import_apply", args{"file": "f", "fingerprint": "x", "subscriptions": []any{}}, tools.Invalid, "subscriptions|empty"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Amount = "-1" }), tools.Invalid, "subscriptions[0].amount|below zero"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Amount = "1.999" }), tools.Invalid, "subscriptions[0].amount|decimal places"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Currency = "eur" }), tools.Invalid, "subscriptions[0].currency|EUR"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Merchant = " " }), tools.Invalid, "subscriptions[0].merchant|empty"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.LastDate = tools.Date{} }), tools.Invalid, "subscriptions[0].last_date"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.LastDate.Year = 2020 }), tools.Invalid, "subscriptions[0].last_date|first_date"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.AnchorDay = 40 }), tools.Invalid, "anchor_day|31"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Evidence[1].Amount = "8,99" }), tools.Invalid, "subscriptions[0].evidence[1].amount"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Prices[1].Amount = "x" }), tools.Invalid, "subscriptions[0].prices[1].amount"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Known = "nobody"; r.Status = tools.StatusKnown }), tools.NotFound, "nobody"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Merchant = "\u200b\u202e" }), tools.Invalid, "subscriptions[0].merchant|empty"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Prices[0].Amount = "-8.99" }), tools.Invalid, "subscriptions[0].prices[0].amount|below zero"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Evidence[0].Amount = "--8.99" }), tools.Invalid, "subscriptions[0].evidence[0].amount|below zero"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.LastDate = date(day(32)) }), tools.Invalid, "subscriptions[0].last_date|in the future"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Evidence[2].Date = date("2099-01-01") }), tools.Invalid, "subscriptions[0].evidence[2].date|1 January 2099|in the future"},
		{"household_import_apply", rows(func(r *tools.Recurring) { r.Prices[1].From = date(day(40)) }), tools.Invalid, "subscriptions[0].prices[1].from|in the future"},
		{cancel, args{"id": gone}, tools.Conflict, "Gone|cancelled already|last_day"},
		{cancel, args{"id": gone, "last_day": day(9), "cancelled_on": day(-3)}, tools.Conflict, "Gone|cancelled already"},
	}
	for _, c := range calls {
		entries := audited(t, a)
		refused(t, a, c.tool, c.in, c.kind, strings.Split(c.words, "|")...)
		want := 1
		if reads(c.tool) {
			want = 0
		}
		if got := audited(t, a) - entries; got != want {
			t.Errorf("%s %v left %d audit entries, want %d", c.tool, c.in, got, want)
		}
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%s %v stored something: %s", c.tool, c.in, diff)
		}
	}
}

// audited counts the entries of the audit.
func audited(tb testing.TB, a *toolstest.App) (n int) {
	tb.Helper()
	if err := a.DB().Select("count(*)").From("nodkeep_audit").Row(&n); err != nil {
		tb.Fatal(err)
	}
	return n
}
