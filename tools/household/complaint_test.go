package household

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// An error about a value names its field, its record and its place in a list,
// in every language, and nothing is stored.
func TestErrorsNameFieldAndRecord(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	id := add(t, a, "ann", args{"tags": []string{"tv"}}).ID
	paper := add(t, a, "bob", args{"name": "Paper"}).ID
	free := add(t, a, "ann", args{"name": "Freebie", "trial_ends_on": "2026-04-01", "first_date": "2026-04-02"}).ID
	alien := add(t, a, "bob", args{"name": "Alien", "private": true}).ID
	music, _ := apply[Badge](t, a, "ann", "household_category_add", args{"name": "Music"})
	visa, _ := apply[Badge](t, a, "ann", "household_payment_method_add", args{"name": "Visa"})
	kept := add(t, a, "ann", args{"name": "Kept", "trial_ends_on": "2026-04-01", "first_date": "2026-04-02"}).ID
	apply[Decided](t, a, "ann", decideTool, args{"id": kept, "decision": "keep"})
	tried := add(t, a, "ann", args{"name": "Tried", "trial_ends_on": "2025-04-01", "first_date": "2025-04-02"}).ID
	gone := add(t, a, "ann", args{"name": "Gone"}).ID
	apply[Noticed](t, a, "ann", noticeTool, args{"id": gone, "last_day": "2026-12-31"})
	apply[any](t, a, "ann", "household_subscription_update", args{"id": id, "payment_method": "Visa"})
	paid, _ := apply[ChargeDone](t, a, "ann", "household_charge_confirm", args{"subscription": id, "due": "2026-02-15"})
	apply[Paused](t, a, "ann", pauseTool, args{"id": id, "from": "2026-06-01", "resumes": "2026-07-01"})
	many := []string{id, free, alien, paper}
	huge := strings.Repeat("ü", 5000)
	tags := []string{"ok", huge}
	ids := []string{id, paper}
	row := func(change func(*tools.Recurring)) tools.ImportRows {
		in := sampleRows()
		change(&in.Subscriptions[1])
		return in
	}
	const addTool, subUpdate, bulkUpdateName = "household_subscription_add", "household_subscription_update", "household_subscriptions_bulk_update"
	rows := []struct {
		tool  string
		in    any
		words string // separated by |
	}{
		// The list of what is refused, and its kin.
		{shareTool, args{"id": id, "shares": []args{{"person": "Oma", "fixed": "1.00"}}}, "shares|Netflix"},
		{shareTool, args{"id": id, "shares": []args{{"person": "Oma", "weight": 1}, {"person": "Opa", "fixed": "x"}}}, "shares[1].fixed|Netflix"},
		{shareTool, args{"id": id, "shares": []args{{"person": "Oma", "weight": 1}, {"person": huge, "weight": 1}}}, "shares[1].person|Netflix"},
		{shareTool, args{"id": id, "shares": []args{{"person": "Oma", "weight": 1}, {"person": "oma", "weight": 1}}}, "shares[1].person|Netflix"},
		{shareTool, args{"id": id, "shares": []args{{"member": "zoe", "weight": 1}}}, "shares[0].member|Netflix"},
		{shareTool, args{"id": id}, "shares|Netflix"},
		{pauseTool, args{"id": id, "from": "2026-05-01", "resumes": "2026-04-01"}, "resumes|Netflix"},
		{pauseTool, args{"id": id, "from": "2026-06-15", "resumes": "2026-08-01"}, "from|Netflix"},
		{pauseTool, args{"id": id, "from": "tomorrow"}, "from|Netflix"},
		{bulkPauseName, args{"ids": ids, "from": "2026-05-01", "resumes": "2026-04-01"}, "resumes|Netflix"},
		{bulkPauseName, args{"ids": []string{paper, id}, "from": "2026-06-15", "resumes": "2026-08-01"}, "from|Netflix"},
		{bulkPauseName, args{"ids": ids, "from": "tomorrow"}, "from|Netflix|Paper"},
		{bulkResumeName, args{"ids": ids, "on": "tomorrow"}, "on|Netflix|Paper"},
		{bulkCancelName, args{"ids": ids, "last_day": "tomorrow"}, "last_day|Netflix"},
		{"household_subscription_resume", args{"id": id, "on": "tomorrow"}, "on|Netflix"},
		{addTool, args{"name": "New One", "amount": "1", "cycle": "P1M", "trial_from": "2026-05-01", "trial_ends_on": "2026-04-01"}, "trial_ends_on|New One"},
		{subUpdate, args{"id": id, "trial_from": "2026-05-01", "trial_ends_on": "2026-04-01"}, "trial_ends_on|Netflix"},
		{"household_price_set", args{"subscription": id, "amount": "20", "from": "2026-02-01"}, "from|Netflix"},
		{"household_price_set", args{"subscription": id, "amount": "20", "from": "2026-02-30"}, "from|Netflix"},
		{"household_price_set", args{"subscription": id, "amount": "20,00", "from": "2026-05-01"}, "amount|Netflix"},
		{"household_price_delete", args{"subscription": id, "from": "x"}, "from|Netflix"},
		{subUpdate, args{"id": id, "amount": "20", "price_from": "2026-02-01"}, "price_from|Netflix"},
		{"household_category_merge", args{"from": "Music", "into": "music"}, "into|Music"},
		{"household_payment_method_merge", args{"from": "Visa", "into": visa.ID}, "into|Visa"},
		{subUpdate, args{"id": id, "currency": "USD", "amount": "20"}, "currency|Netflix"},
		{subUpdate, args{"id": id, "currency": "USD"}, "currency|Netflix"},
		{addTool, args{"name": "New One", "amount": "1", "cycle": "P1M", "first_date": "2026-03-01", "tags": tags}, "tags[1]|New One"},
		{subUpdate, args{"id": id, "tags": tags}, "tags[1]|Netflix"},
		{bulkUpdateName, args{"ids": ids, "add_tags": tags}, "add_tags[1]|Netflix|Paper"},
		{bulkUpdateName, args{"ids": ids, "remove_tags": tags}, "remove_tags[1]|Netflix|Paper"},
		{bulkUpdateName, args{"ids": ids, "remove_tags": []string{"tv", " "}}, "remove_tags[1]|Netflix|Paper"},
		{bulkUpdateName, args{"ids": ids, "remind_days": 91}, "remind_days|Netflix|Paper"},
		{bulkUpdateName, args{"ids": ids, "category": huge}, "category|Netflix|Paper"},
		{bulkUpdateName, args{"ids": ids, "owner": "zoe"}, "owner|Netflix|Paper"},
		{bulkUpdateName, args{"ids": ids, "category": "Music", "clear": []string{"tags", "category"}}, "category|Netflix|Paper"},
		{"household_tag_delete", args{"tag": huge}, "tag"},
		{"household_tag_rename", args{"from": huge, "to": "x"}, "from"},
		{"household_tag_rename", args{"from": "tv", "to": huge}, "to"},
		{"household_payment_method_delete", args{"id": "Visa"}, "id|Visa|Netflix"},
		{bulkUpdateName, args{"ids": many, "add_tags": []string{"x"}}, "ids[2]|" + alien},
		{"household_subscriptions_bulk_delete", args{"ids": many}, "ids[2]|" + alien},
		{bulkCancelName, args{"ids": many}, "ids[2]|" + alien},
		{bulkPauseName, args{"ids": many}, "ids[2]|" + alien},
		{bulkResumeName, args{"ids": many}, "ids[2]|" + alien},
		{"household_hand_over", args{"to": "bob", "ids": many}, "ids[2]|" + alien},
		{"household_charges_bulk_confirm", args{"ids": many}, "ids[2]|" + alien},
		{"household_subscriptions_bulk_delete", args{"ids": []string{id, paper, id}}, "ids[2]|" + id},
		{"household_subscriptions_bulk_delete", args{"ids": []string{id, ""}}, "ids[1]"},
		{"household_charges_bulk_confirm", args{"ids": ids, "from": "2026-03-01", "to": "2026-02-01"}, "to|from|Netflix|Paper"},
		{"household_charges_bulk_confirm", args{"ids": ids, "to": "2027-01-01"}, "to|Netflix|Paper"},
		{"household_charges_bulk_confirm", args{"ids": ids, "from": "2020-01-01", "to": "2020-02-01"}, "Netflix|Paper"},
		{"household_hand_over", args{"to": "bob", "ids": []string{id, paper}}, "ids|Paper"},

		// Every other tool that changes a record.
		{addTool, args{"name": "New One", "amount": "x", "cycle": "P1M", "first_date": "2026-03-01"}, "amount|New One"},
		{addTool, args{"name": "New One", "amount": "1", "cycle": "P1X", "first_date": "2026-03-01"}, "cycle|New One"},
		{addTool, args{"name": "New One", "amount": "1", "cycle": "P1M", "first_date": "x"}, "first_date|New One"},
		{addTool, args{"name": "New One", "amount": "1", "cycle": "P1M"}, "first_date|New One"},
		{addTool, args{"name": "New One", "amount": "1", "cycle": "P1M", "first_date": "2026-03-01", "ends_on": "2026-02-01"}, "ends_on|New One"},
		{addTool, args{"name": "New One", "amount": "1", "cycle": "P1M", "first_date": "2026-03-01", "anchor_day": 32}, "anchor_day|New One"},
		{addTool, args{"name": huge, "amount": "1", "cycle": "P1M", "first_date": "2026-03-01"}, "name|üüüüüüüü"},
		{addTool, args{"name": "New One", "amount": "1", "cycle": "P1M", "first_date": "2026-03-01", "private": true, "owner": "bob"}, "private|New One"},
		{subUpdate, args{"id": id, "name": " "}, "name|Netflix"},
		{subUpdate, args{"id": id, "amount": "-1"}, "amount|Netflix"},
		{subUpdate, args{"id": id, "cycle": "P1X"}, "cycle|Netflix"},
		{subUpdate, args{"id": id, "cycle": "P1W", "anchor_day": 3}, "anchor_day|Netflix"},
		{subUpdate, args{"id": id, "first_date": "2026-13-01"}, "first_date|Netflix"},
		{subUpdate, args{"id": id, "price_from": "2026-05-01"}, "price_from|Netflix"},
		{subUpdate, args{"id": id, "intro_amount": "1"}, "intro_until|Netflix"},
		{subUpdate, args{"id": id, "category": "Nope"}, "category|Netflix"},
		{subUpdate, args{"id": id, "url": "ftp://x"}, "url|Netflix"},
		{subUpdate, args{"id": id, "notes": "x", "clear": []string{"notes"}}, "notes|Netflix"},
		{subUpdate, args{"id": id, "clear": []string{"url", "url"}}, "clear|url|Netflix"},
		{subUpdate, args{"id": id, "clear": []string{"name"}}, "clear|name|Netflix"},
		{subUpdate, args{"id": id, "owner": ""}, "owner|Netflix"},
		{subUpdate, args{"id": id, "remind_days": 99}, "remind_days|Netflix"},
		{subUpdate, args{"id": paper, "private": true}, "private|Paper"},
		{"household_subscription_cancel", args{"id": id, "last_day": "x"}, "last_day|Netflix"},
		{"household_subscription_cancel", args{"id": id, "last_day": "2024-01-01"}, "last_day|Netflix"},
		{"household_subscription_cancel", args{"id": id, "cancelled_on": "x"}, "cancelled_on|Netflix"},
		{"household_notice_given", args{"id": id, "on": "x"}, "on|Netflix"},
		{"household_notice_given", args{"id": id, "last_day": "2026-03-01"}, "last_day|Netflix"},
		{"household_subscription_terms", args{"id": id, "from": "x"}, "from|Netflix"},
		{"household_subscription_terms", args{"id": id, "notice": "P1X"}, "notice|Netflix"},
		{"household_subscription_terms", args{"id": id, "notice": "P1M", "clear": []string{"notice"}}, "notice|Netflix"},
		{"household_subscription_terms", args{"id": id, "clear": []string{"name"}}, "clear|name|Netflix"},
		{"household_subscription_replace", args{"id": id, "by": id}, "by|Netflix"},
		{"household_subscription_replace", args{"id": id, "by": paper, "last_day": "x"}, "last_day|Netflix"},
		{"household_logo_set", args{"id": id, "clear": true}, "clear|Netflix"},
		{"household_logo_set", args{"id": id, "clear": true, "logo": args{"name": "a.png", "data": "aGFsbG8="}}, "logo|Netflix"},
		{"household_logo_set", args{"id": id, "logo": args{"name": "a.png", "data": "aGFsbG8="}}, "logo|Netflix"},
		{"household_charge_confirm", args{"subscription": id, "due": "x"}, "due|Netflix"},
		{"household_charge_confirm", args{"subscription": id, "date": "2027-01-01"}, "date|Netflix"},
		{"household_charge_confirm", args{"subscription": id, "due": "2026-03-15", "amount": "x"}, "amount|Netflix"},
		{"household_charge_confirm", args{"subscription": id, "due": "2026-03-15", "text": huge}, "text|Netflix"},
		{"household_charge_confirm", args{"subscription": free}, "due|Freebie"},
		{"household_charge_skip", args{"subscription": id, "due": "2026-02-16"}, "due|Netflix"},
		{"household_charge_skip", args{"subscription": id, "due": "2026-04-15", "text": huge}, "text|Netflix"},
		{"household_charge_add", args{"subscription": id, "date": "x", "amount": "1"}, "date|Netflix"},
		{"household_charge_add", args{"subscription": id, "date": "2026-03-01", "amount": "x"}, "amount|Netflix"},
		{"household_charge_add", args{"subscription": id, "date": "2026-03-01", "amount": "1", "currency": "eur"}, "currency|Netflix"},
		{"household_charge_update", args{"id": paid.ID, "date": "x"}, "date|Netflix"},
		{"household_charge_update", args{"id": paid.ID, "amount": "x"}, "amount|Netflix"},
		{"household_charge_update", args{"id": paid.ID, "due": "2026-02-16"}, "due|Netflix"},
		{"household_charge_update", args{"id": paid.ID, "text": "x", "clear": []string{"text"}}, "text|Netflix"},
		{decideTool, args{"id": id, "decision": "keep"}, "id:|Netflix"},
		{decideTool, args{"id": kept, "decision": "keep"}, "decision|Kept"},
		{decideTool, args{"id": tried, "decision": "drop"}, "decision|Tried"},
		{"household_price_set", args{"subscription": id, "amount": "15.99", "from": "2026-05-01"}, "amount|Netflix"},
		{resumeTool, args{"id": paper}, "on:|Paper"},
		{cancelTool, args{"id": gone}, "last_day|Gone"},
		{noticeTool, args{"id": gone, "last_day": "2026-12-31"}, "on:|Gone"},
		{"household_reminder_done", args{"kind": "charge", "subscription": id, "on": "x"}, "on|Netflix"},
		{"household_category_update", args{"id": music.ID, "color": "blue"}, "color|Music"},
		{"household_category_update", args{"id": music.ID, "name": huge}, "name|Music"},
		{"household_category_update", args{"id": music.ID, "color": "#fff", "clear": []string{"color"}}, "color|Music"},
		{"household_payment_method_update", args{"id": "Visa", "icon": huge}, "icon|Visa"},
		{"household_category_add", args{"name": "Films", "color": "blue"}, "color|Films"},
		{"household_subscription_delete", args{"id": huge}, "üüüü"},
		{"household_payment_method_add", args{"name": "Giro", "icon": huge}, "icon|Giro"},
		{"household_import_apply", row(func(r *tools.Recurring) { r.Amount = "x" }), "subscriptions[1].amount|Haftpflicht Nordstern"},
		{"household_import_apply", row(func(r *tools.Recurring) { r.AnchorDay = 40 }), "subscriptions[1].anchor_day|Haftpflicht Nordstern"},
		{"household_import_apply", row(func(r *tools.Recurring) { r.Currency = "eur" }), "subscriptions[1].currency|Haftpflicht Nordstern"},
		{"household_import_apply", row(func(r *tools.Recurring) { r.Evidence[1].Date = date("2099-01-01") }), "subscriptions[1].evidence[1].date|Haftpflicht Nordstern"},
		{"household_import_apply", row(func(r *tools.Recurring) { r.Known, r.Status, r.Currency = id, tools.StatusKnown, "USD" }), "subscriptions[1].currency|Netflix"},
	}
	before, asked := dump(t, a), map[string]bool{}
	for _, r := range rows {
		asked[r.tool] = true
		_, err := a.Apply(a.As("ann"), r.tool, r.in)
		own, is := errors.AsType[*tools.Error](err)
		if !is {
			t.Errorf("%s %.200v: %v", r.tool, r.in, err)
			continue
		}
		if own.Kind == tools.Internal || own.Text.Key == "error.arguments" {
			t.Errorf("%s %.200v: %s", r.tool, r.in, err)
		}
		for _, lang := range []string{"en", "de", "es"} {
			said := a.Catalogue.Say(lang, own.Text)
			for _, w := range strings.Split(r.words, "|") {
				if !strings.Contains(said, w) {
					t.Errorf("%s %.200v: %.300q does not say %q", r.tool, r.in, said, w)
				}
			}
			if strings.Contains(said, "Alien") || len(said) > 600 {
				t.Errorf("%s: %.700q", r.tool, said)
			}
		}
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%s %.200v stored something: %s", r.tool, r.in, diff)
		}
	} // Those that take nothing but which record it is, or have tests of their own.
	for _, name := range []string{"household_subscription_delete", "household_charge_delete", "household_category_delete", "household_settings_update", "household_rate_import", "household_restore"} {
		asked[name] = true
	}
	for _, tool := range a.Registry.Tools() {
		if name := tool.Name; strings.HasPrefix(name, "household_") && tool.Effect != tools.EffectRead && !asked[name] {
			t.Errorf("%s is not tried", name)
		}
	}
}
