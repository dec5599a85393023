package household

import (
	"encoding/json/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// secrets makes a private subscription of ann with everything below it, and a
// shared one. Every word and number of the private one begins with "Secret" or
// 777, so that a leak can be searched for.
func secrets(tb testing.TB, a *toolstest.App) (private, shared string) {
	apply[Category](tb, a, "ann", "household_category_add", args{"name": "Fun"})
	apply[Method](tb, a, "ann", "household_payment_method_add", args{"name": "Visa"})
	private = add(tb, a, "ann", args{
		"name": "Secret Club", "amount": "777.10", "currency": "CHF", "first_date": day(-100), "private": true, "tags": []string{"Secretag", "fun"},
		"merchant": "SECRET CLUB AG", "notes": "Secret note", "category": "fun",
	}).ID
	apply[Updated](tb, a, "ann", "household_subscription_update", args{"id": private, "amount": "777.20", "price_from": day(-50)})
	apply[Paused](tb, a, "ann", pauseTool, args{"id": private, "from": day(200)})
	apply[Divided](tb, a, "ann", shareTool, args{"id": private, "shares": []ShareIn{{Member: "bob", Weight: 1}, {Person: "Secret Eve", Fixed: "777.10"}}})
	shared = add(tb, a, "ann", args{"tags": []string{"fun"}, "category": "fun"}).ID
	for _, id := range []string{private, shared} {
		method, err := a.FindFirstRecordByData(methods, "name", "Visa")
		if err != nil {
			tb.Fatal(err)
		}
		put(tb, a, id, "payment_method", method.Id)
	}
	rows := secretRows()
	rows.Subscriptions[0].Known, rows.Subscriptions[0].Status = private, tools.StatusKnown
	apply[Imported](tb, a, "ann", "household_import_apply", rows)
	return private, shared
}

func secretRows() tools.ImportRows {
	last, _ := tools.ParseDate(day(-9))
	first, _ := tools.ParseDate(day(-100))
	return tools.ImportRows{File: "f.csv", Subscriptions: []tools.Recurring{{
		Merchant: "SECRET CLUB AG", Cycle: tools.Cycle{N: 1, Unit: tools.Months}, Amount: "777.20", Currency: "CHF", FirstDate: first, LastDate: last,
		Occurrences: 4, Active: true, Confidence: 1, Evidence: []tools.Evidence{{Line: 1, Date: last, Amount: "777.20", Text: "Secret text"}},
	}}}
}

// everyRead is a call of each tool that reads, as far as it goes.
func everyRead(tb testing.TB, a *toolstest.App, shared string) map[string]any {
	tb.Helper()
	reads := map[string]any{
		"household_overview":            args{"in": "JPY"},
		"household_upcoming":            args{"days": 400, "limit": 200, "in": "JPY"},
		"household_price_changes":       nil,
		"household_savings":             args{"rise_percent": 0},
		"household_spending":            args{"by": "subscription", "limit": 200},
		"household_subscription_list":   args{"status": "all"},
		"household_subscription_get":    args{"id": shared},
		"household_charge_list":         args{"state": "all"},
		"household_calendar":            args{"from": day(-100), "to": day(100), "limit": 200},
		"household_category_list":       nil,
		"household_payment_method_list": nil,
		"household_tag_list":            nil,
		"household_search":              args{"query": "t"},
		"household_rate_list":           nil,
		"household_settings_get":        nil,
		"household_import_match":        secretRows(),
		"household_reminder_list":       args{"days": 366},
		"household_briefing":            nil,
		shareOverviewName:               nil,
		"household_export":              nil,
	}
	for _, tool := range a.Registry.Tools() {
		if _, ok := reads[tool.Name]; !ok && tool.Effect == tools.EffectRead {
			tb.Errorf("%s is not tried", tool.Name)
		}
	}
	return reads
}

// What bob is shown by any tool that reads is what it would be if ann's
// private subscription had never been there.
func TestPrivateIsNotThereForReads(t *testing.T) {
	a := newHome(t)
	private, shared := secrets(t, a)
	with := map[string]any{}
	reads := everyRead(t, a, shared)
	for tool, in := range reads {
		with[tool] = read[any](t, a, "bob", tool, in)
		b, err := json.Marshal(with[tool])
		if err != nil {
			t.Fatal(err)
		}
		if tool != "household_import_match" && (strings.Contains(strings.ToLower(string(b)), "secret") || strings.Contains(string(b), "777") || strings.Contains(string(b), private)) {
			t.Errorf("%s shows it: %s", tool, b)
		}
		b, err = json.Marshal(read[any](t, a, "ann", tool, in))
		if err != nil {
			t.Fatal(err)
		}
		if hidden := !strings.Contains(string(b), "777") && !strings.Contains(string(b), private); hidden && !strings.Contains("household_category_list household_tag_list household_payment_method_list household_settings_get household_subscription_get household_rate_list", tool) {
			t.Errorf("%s hides it from its owner: %s", tool, b)
		}
	}
	for _, in := range []args{{"tag": "Secretag"}, {"search": "Secret"}, {"tag": "fun", "search": "club"}} {
		if out := read[subscriptionListOut](t, a, "bob", "household_subscription_list", in); len(out.Items) != 0 {
			t.Errorf("found by %v", in)
		}
	}
	apply[Gone](t, a, "ann", "household_subscription_delete", args{"id": private})
	for tool, in := range reads {
		without := read[any](t, a, "bob", tool, in)
		if diff := cmp.Diff(plain(t, without), plain(t, with[tool])); diff != "" {
			t.Errorf("%s is different with it: %s", tool, diff)
		}
	}
}

// plain is a value as a client sees it.
func plain(tb testing.TB, v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// everyNaming is a call of each tool that names a subscription by its id.
func everyNaming(shared, other string) map[string]func(id string) any {
	known := func(id string) any {
		rows := secretRows()
		rows.Subscriptions[0].Known, rows.Subscriptions[0].Status = id, tools.StatusKnown
		return rows
	}
	return map[string]func(id string) any{
		"household_subscription_get":          func(id string) any { return args{"id": id} },
		"household_charge_list":               func(id string) any { return args{"subscription": id} },
		"household_calendar":                  func(id string) any { return args{"subscription": id} },
		"household_subscription_update":       func(id string) any { return args{"id": id, "name": "Mine"} },
		confirmTool:                           func(id string) any { return args{"subscription": id} },
		skipTool:                              func(id string) any { return args{"subscription": id, "due": day(0)} },
		chargeAddName:                         func(id string) any { return args{"subscription": id, "date": day(0), "amount": "1"} },
		allTool:                               func(id string) any { return args{"ids": []string{shared, id}} },
		"household_subscription_cancel":       func(id string) any { return args{"id": id} },
		"household_subscription_delete":       func(id string) any { return args{"id": id} },
		replaceTool:                           func(id string) any { return args{"id": shared, "by": id} },
		bulkCancelName:                        func(id string) any { return args{"ids": []string{shared, id}} },
		handOverName:                          func(id string) any { return args{"to": other, "ids": []string{shared, id}} },
		bulkPauseName:                         func(id string) any { return args{"ids": []string{shared, id}} },
		bulkResumeName:                        func(id string) any { return args{"ids": []string{shared, id}} },
		shareTool:                             func(id string) any { return args{"id": id, "clear": true} },
		pauseTool:                             func(id string) any { return args{"id": id} },
		resumeTool:                            func(id string) any { return args{"id": id} },
		"household_subscriptions_bulk_update": func(id string) any { return args{"ids": []string{shared, id}, "private": false} },
		"household_subscriptions_bulk_delete": func(id string) any { return args{"ids": []string{shared, id}} },
		"household_import_apply":              known,
	}
}

// What names ann's private subscription is refused to bob in the very words
// that a made-up id is refused in, whatever tool it is; nothing is written.
func TestPrivateIsNotThereForWrites(t *testing.T) {
	a := newHome(t)
	private, shared := secrets(t, a)
	before := dump(t, a)
	nobody := strings.Repeat("x", 15)
	calls := everyNaming(shared, "ann")
	for tool, in := range calls {
		run := a.Apply
		if strings.HasSuffix(tool, "_get") || strings.HasSuffix(tool, "_list") || strings.HasSuffix(tool, "_calendar") {
			run = func(who tools.Actor, tool string, in any) (tools.Receipt, error) {
				_, err := a.Read(who, tool, in)
				return tools.Receipt{}, err
			}
		}
		_, err := run(a.As("bob"), tool, in(private))
		_, other := run(a.As("bob"), tool, in(nobody))
		if tools.KindOf(err) != tools.NotFound || tools.KindOf(other) != tools.NotFound {
			t.Errorf("%s: %v; for nobody's: %v", tool, err, other)
			continue
		}
		if strings.ReplaceAll(err.Error(), private, nobody) != other.Error() {
			t.Errorf("%s tells them apart: %q, %q", tool, err, other)
		}
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// What bob does without naming it does not touch it, and tells nothing of it.
func TestPrivateIsNotTouched(t *testing.T) {
	a := newHome(t)
	private, _ := secrets(t, a)
	before, err := a.FindRecordById(subscriptions, private)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := apply[TagRenamed](t, a, "bob", "household_tag_rename", args{"from": "fun", "to": "joy"})
	if out.Count != 1 {
		t.Errorf("renamed on %d", out.Count)
	}
	_, hidden := a.Apply(a.As("bob"), "household_tag_rename", args{"from": "Secretag", "to": "x"})
	_, none := a.Apply(a.As("bob"), "household_tag_rename", args{"from": "Nobodytag", "to": "x"})
	if tools.KindOf(hidden) != tools.NotFound || strings.ReplaceAll(hidden.Error(), "Secretag", "Nobodytag") != none.Error() {
		t.Errorf("a tag is told: %v, %v", hidden, none)
	}
	if same := add(t, a, "bob", args{"name": "Secret Club", "private": true}); len(same.Similar) != 0 {
		t.Errorf("similar tells: %v", same.Similar)
	}
	imported, _ := apply[Imported](t, a, "bob", "household_import_apply", secretRows())
	if len(imported.Added) != 1 || imported.Added[0].Charges != 1 {
		t.Errorf("an import knows it: %+v", imported)
	}
	after, err := a.FindRecordById(subscriptions, private)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain(t, before.PublicExport()), plain(t, after.PublicExport())); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyTheOwnerMakesPrivate(t *testing.T) {
	a := newHome(t)
	ann, bob := a.Member("ann").Id, a.Member("bob").Id
	id := add(t, a, "ann", nil).ID
	rows := []struct {
		who  string
		in   args
		kind tools.Kind // "" when it goes through
	}{
		{"bob", args{"private": true}, tools.Forbidden},
		{"bob", args{"owner": bob}, tools.Forbidden},
		{"bob", args{"owner": bob, "private": true}, tools.Forbidden},
		{"bob", args{"private": false}, ""},
		{"bob", args{"owner": ann}, ""},
		{"ann", args{"owner": "nobody"}, tools.Invalid},
		{"ann", args{"owner": ""}, tools.Invalid},
		{"ann", args{"private": true}, ""},
		{"bob", args{"private": false}, tools.NotFound},
	}
	for _, row := range rows {
		row.in["id"] = id
		if _, err := a.Apply(a.As(row.who), "household_subscription_update", row.in); (err == nil) != (row.kind == "") || (err != nil && tools.KindOf(err) != row.kind) {
			t.Errorf("%s %v: %v, want %q", row.who, row.in, err, row.kind)
		}
	}
	// One without an owner, as a member who left leaves behind.
	free := add(t, a, "ann", args{"name": "Free"}).ID
	rec, err := a.FindRecordById(subscriptions, free)
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("owner", "")
	if err := a.Save(rec); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Apply(a.As("bob"), "household_subscription_update", args{"id": free, "private": true}); tools.KindOf(err) != tools.Invalid {
		t.Errorf("nobody's was made private: %v", err)
	}
	if out, _ := apply[Updated](t, a, "bob", "household_subscription_update", args{"id": free, "private": true, "owner": bob}); !out.Mine || !out.Private {
		t.Errorf("%+v", out.Subscription)
	}
}
