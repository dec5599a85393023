package household

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

func TestEveryFieldIsUsable(t *testing.T) {
	a := newHome(t)
	apply[Category](t, a, "ann", "household_category_add", args{"name": "Streaming"})
	got := add(t, a, "ann", args{
		"name": "  Netflix  Premium ", "amount": "17.99", "currency": "CHF", "cycle": "P3M", "first_date": "2025-11-30", "anchor_day": 31, "ends_on": "2199-12-31",
		"category": "streaming", "tags": []string{"fun", "TV", "Fun"}, "private": true, "merchant": "NETFLIX.COM", "notes": "two\nlines", "owner": a.Member("ann").Id,
	}).Subscription
	again := read[Details](t, a, "ann", "household_subscription_get", args{"id": got.ID})
	if diff := cmp.Diff(got, again.Subscription); diff != "" {
		t.Error(diff)
	}
	want := Subscription{
		ID: got.ID, Name: "Netflix Premium", Amount: "17.99", Currency: "CHF", Cycle: "P3M", PerMonth: "6.00", NextCharge: got.NextCharge,
		FirstDate: tools.Date{Year: 2025, Month: 11, Day: 30}, AnchorDay: 31, Status: "active", EndsOn: tools.Date{Year: 2199, Month: 12, Day: 31},
		Category: &Category{ID: got.Category.ID, Name: "Streaming"}, Tags: []string{"fun", "TV"}, Private: true, Owner: tools.Account(a.Member("ann").Id), Mine: true,
		Merchant: "NETFLIX.COM", Notes: "two\nlines",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	updated, receipt := apply[Updated](t, a, "ann", "household_subscription_update", args{
		"id": got.ID, "name": "Netflix", "amount": "20", "currency": "EUR", "cycle": "P1M", "first_date": "2025-12-31", "private": false,
		"merchant": "NF", "clear": []string{"category", "tags", "notes", "ends_on", "anchor_day"},
	})
	want = Subscription{
		ID: got.ID, Name: "Netflix", Amount: "20.00", Currency: "EUR", Cycle: "P1M", PerMonth: "20.00", NextCharge: updated.NextCharge,
		FirstDate: tools.Date{Year: 2025, Month: 12, Day: 31}, Status: "active", Owner: tools.Account(a.Member("ann").Id), Mine: true, Merchant: "NF",
	}
	if diff := cmp.Diff(want, updated.Subscription); diff != "" {
		t.Error(diff)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
		t.Fatal(err)
	}
	back := read[Details](t, a, "ann", "household_subscription_get", args{"id": got.ID})
	if diff := cmp.Diff(got, back.Subscription); diff != "" {
		t.Error(diff)
	}
}

func TestPriceHistory(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", args{"first_date": "2024-01-15"}).ID
	update := func(in args) Updated {
		t.Helper()
		in["id"] = id
		out, _ := apply[Updated](t, a, "ann", "household_subscription_update", in)
		return out
	}
	if got := title(t, a, "ann", "household_subscription_update", args{"id": id, "amount": "17.99", "price_from": "2025-01-15"}); got != "Netflix: 17.99 EUR instead of 15.99 EUR from 15 January 2025" {
		t.Error(got)
	}
	update(args{"amount": "17.99", "price_from": "2025-01-15"})
	update(args{"amount": "16.99", "price_from": "2024-06-15"}) // found later, lies between
	says(t, a, "household_subscription_update", args{"id": id, "amount": "21.99", "price_from": day(100)},
		"Netflix: 21.99 EUR instead of 17.99 EUR from "+said(a, day(100)), "4.00 EUR more a month")
	future := update(args{"amount": "21.99", "price_from": day(100)})
	if future.Amount != "17.99" {
		t.Errorf("a price to come holds already: %s", future.Amount)
	}
	corrected := update(args{"amount": "18.49"})
	if corrected.Amount != "18.49" {
		t.Errorf("the price of today was not corrected: %s", corrected.Amount)
	}
	moved := update(args{"first_date": "2023-12-15"})
	var history []string
	for _, p := range moved.Prices {
		history = append(history, p.From.String()+" "+p.Amount)
	}
	want := []string{"2023-12-15 15.99", "2024-06-15 16.99", "2025-01-15 18.49", day(100) + " 21.99"}
	if diff := cmp.Diff(want, history); diff != "" {
		t.Error(diff)
	}
	same, receipt := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "16.99", "price_from": "2024-08-15"})
	if len(same.Prices) != 4 || len(receipt.Changes) != 0 {
		t.Errorf("a price that holds already changed something: %v", receipt.Changes)
	}
	list := read[subscriptionListOut](t, a, "ann", "household_subscription_list", nil)
	if diff := cmp.Diff(moved.Prices, list.Items[0].Prices); diff != "" {
		t.Error(diff)
	}
}

func TestSimilarIsTold(t *testing.T) {
	a := newHome(t)
	first := add(t, a, "ann", nil)
	second := add(t, a, "bob", args{"name": "NETFLIX"})
	if len(second.Similar) != 1 || second.Similar[0].ID != first.ID {
		t.Errorf("similar: %v", second.Similar)
	}
	if out := add(t, a, "bob", args{"name": "Netflix 2"}); len(out.Similar) != 0 {
		t.Errorf("similar: %v", out.Similar)
	}
	renamed, _ := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": second.ID, "name": "Netflix"})
	if len(renamed.Similar) != 1 || renamed.Similar[0].ID != first.ID {
		t.Errorf("similar after renaming: %v", renamed.Similar)
	}
}

func TestCancel(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", args{"first_date": day(-10), "cycle": "P4W"}).ID
	want := "Cancel Netflix: last day " + said(a, day(17)) + ", saves 15.99 EUR every 4 weeks"
	if got := title(t, a, "ann", "household_subscription_cancel", args{"id": id}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	before := dump(t, a)
	out, receipt := apply[Cancelled](t, a, "ann", "household_subscription_cancel", args{"id": id})
	if out.Status != "cancelled" || out.EndsOn.String() != day(17) || out.CancelledOn.String() != day(0) || out.NextCharge != nil || out.Saves != "15.99" {
		t.Errorf("%+v", out)
	}
	refused(t, a, "household_subscription_cancel", args{"id": id}, tools.Conflict, "Netflix", "cancelled already")
	later, _ := apply[Cancelled](t, a, "ann", "household_subscription_cancel", args{"id": id, "last_day": day(45), "cancelled_on": day(-1)})
	if later.EndsOn.String() != day(45) || later.CancelledOn.String() != day(-1) || later.NextCharge.Date.String() != day(18) {
		t.Errorf("%+v", later)
	}
	kept, keep := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "clear": []string{"ends_on"}})
	if kept.Status != "active" || !kept.EndsOn.IsZero() || !kept.CancelledOn.IsZero() {
		t.Errorf("%+v", kept)
	}
	if got := a.Catalogue.English(keep.Cards[0].Title); got != "Keep Netflix: it goes on" {
		t.Error(got)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err == nil {
		t.Error("an undo went over what was changed since")
	}
	fixed := add(t, a, "ann", args{"name": "Gym", "first_date": day(-10), "ends_on": day(5)}).ID
	if out, _ := apply[Cancelled](t, a, "ann", "household_subscription_cancel", args{"id": fixed}); out.EndsOn.String() != day(5) {
		t.Errorf("a fixed term was made longer: %s", out.EndsOn)
	}
	due := add(t, a, "ann", args{"name": "Due", "first_date": day(0), "cycle": "P1W"}).ID
	if out, _ := apply[Cancelled](t, a, "ann", "household_subscription_cancel", args{"id": due}); out.EndsOn.String() != day(6) {
		t.Errorf("what is due today is paid: last day %s", out.EndsOn)
	}
	apply[Cancelled](t, a, "ann", "household_subscription_cancel", args{"id": due, "last_day": day(0)})
	future := add(t, a, "ann", args{"name": "Future", "first_date": day(20)}).ID
	refused(t, a, "household_subscription_cancel", args{"id": future}, tools.Invalid, "last_day:", "Future")
	over := add(t, a, "ann", args{"name": "Over", "first_date": day(-30), "ends_on": day(-1)}).ID
	refused(t, a, "household_subscription_cancel", args{"id": over}, tools.Conflict, "last_day:", "Over", "ended on")
}

func TestDeleteComesBackWhole(t *testing.T) {
	a := newHome(t)
	rows := sampleRows()
	apply[Imported](t, a, "ann", "household_import_apply", rows)
	list := read[subscriptionListOut](t, a, "ann", "household_subscription_list", args{"status": "all"})
	before := dump(t, a)
	var ids []string
	for _, s := range list.Items {
		ids = append(ids, s.ID)
	}
	p, err := a.Preview(a.As("bob"), "household_subscription_delete", args{"id": ids[0]})
	if err != nil {
		t.Fatal(err)
	}
	if card := p.Items[0].Card; !card.Grave || len(card.Lines) < 2 || a.Catalogue.English(card.Lines[1]) != "3 charges go with it" {
		t.Errorf("%+v", card)
	}
	if _, err := a.Runner.Apply(t.Context(), a.As("bob"), "", a.Call("household_subscription_delete", args{"id": ids[0]})); tools.KindOf(err) != tools.DigestRequired {
		t.Errorf("deleted without having been shown: %v", err)
	}
	_, one := apply[Gone](t, a, "bob", "household_subscription_delete", args{"id": ids[0]})
	_, rest := apply[BulkGone](t, a, "bob", "household_subscriptions_bulk_delete", args{"ids": ids[1:]})
	if left := dump(t, a); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
	if _, err := a.Undo(a.As("bob"), append(one.Audit, rest.Audit...)...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// Every tool that writes is taken back to the byte.
func TestEveryWriteIsUndone(t *testing.T) {
	a := newHome(t)
	operator(t, a, "ann")
	rated(t, a, "2026-11-26", map[string]string{"USD": "2"})
	apply[Category](t, a, "ann", "household_category_add", args{"name": "Music"})
	apply[Category](t, a, "ann", "household_category_add", args{"name": "Sound", "color": "#fff"})
	visa, _ := apply[Method](t, a, "ann", "household_payment_method_add", args{"name": "Visa"})
	apply[Method](t, a, "ann", "household_payment_method_add", args{"name": "Giro"})
	id := add(t, a, "ann", args{"tags": []string{"fun", "tv"}, "first_date": "2024-01-31", "category": "Music"}).ID
	other := add(t, a, "ann", args{"name": "Spotify", "tags": []string{"fun"}, "private": true}).ID
	put(t, a, id, "payment_method", visa.ID)
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "16.99", "price_from": "2025-01-31"})
	apply[Settings](t, a, "ann", "household_settings_update", args{"currency": "CHF"})
	rests := add(t, a, "ann", args{"name": "Rests"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": rests, "from": day(-9)})
	apply[Paused](t, a, "ann", pauseTool, args{"id": id, "from": day(90)})
	apply[Divided](t, a, "ann", shareTool, args{"id": rests, "shares": []ShareIn{{Member: "ann", Weight: 1}, {Person: "Eve", Weight: 1}}})
	paid := charge(t, a, id, "2025-06-01", 1699, map[string]any{"text": "NETFLIX"})
	tried := add(t, a, "ann", args{"name": "Tried", "trial_ends_on": day(9), "first_date": ""}).ID
	writes := []struct {
		tool string
		in   any
	}{
		{"household_subscription_add", args{"name": "New", "amount": "1", "cycle": "P1Y", "first_date": "2026-02-28"}},
		{"household_subscription_update", args{"id": id, "amount": "19.99", "price_from": "2025-06-30", "first_date": "2023-12-31", "category": "sound"}},
		{"household_subscription_add", args{"name": "New", "amount": "9", "cycle": "P1M", "trial_ends_on": "2026-02-28", "intro_amount": "1", "intro_until": "2026-05-31", "payment_method": "VISA", "url": "x.example", "account": "a", "remind_days": 2}},
		{"household_subscription_update", args{"id": other, "private": false, "currency": "JPY", "amount": "900"}},
		{"household_subscription_cancel", args{"id": id}},
		{termsTool, args{"id": id, "from": "2024-01-01", "min_term": "P24M", "extension": "P12M", "notice": "P3M"}},
		{noticeTool, args{"id": id, "on": "2026-01-01"}},
		{"household_logo_set", args{"id": id, "logo": picture("a.png", png)}},
		{decideTool, args{"id": tried, "decision": keep}},
		{decideTool, args{"id": tried, "decision": lose}},
		{"household_subscription_delete", args{"id": id}},
		{pauseTool, args{"id": other, "resumes": day(60), "shift": true}},
		{resumeTool, args{"id": rests}},
		{resumeTool, args{"id": id}},
		{shareTool, args{"id": id, "shares": []ShareIn{{Member: "bob", Weight: 1}, {Person: "Eve", Fixed: "3.00"}}}},
		{shareTool, args{"id": rests, "shares": []ShareIn{{Person: "Carl", Weight: 2}}}},
		{shareTool, args{"id": rests, "clear": true}},
		{replaceTool, args{"id": id, "by": rests}},
		{bulkCancelName, args{"ids": []string{id, rests}}},
		{handOverName, args{"to": "bob"}},
		{bulkPauseName, args{"ids": []string{other}}},
		{bulkResumeName, args{"ids": []string{rests, id}}},
		{"household_subscriptions_bulk_update", args{"ids": []string{id, other}, "category": "music", "add_tags": []string{"x"}, "remove_tags": []string{"FUN"}}},
		{"household_subscriptions_bulk_delete", args{"ids": []string{id, other}}},
		{"household_tag_rename", args{"from": "fun", "to": "TV"}},
		{"household_restore", args{"household": smallPart()}},
		{"household_tag_delete", args{"tag": "FUN"}},
		{"household_category_add", args{"name": "Books"}},
		{"household_category_update", args{"id": "Sound", "name": "Audio", "icon": "🎧", "clear": []string{"color"}}},
		{"household_category_merge", args{"from": "Music", "into": "Sound"}},
		{"household_category_delete", args{"id": "Music"}},
		{"household_payment_method_add", args{"name": "PayPal", "color": "#00F", "icon": "💳"}},
		{"household_payment_method_update", args{"id": "Giro", "color": "#123456"}},
		{"household_payment_method_merge", args{"from": "Visa", "into": "Giro"}},
		{"household_payment_method_delete", args{"id": "Giro"}},
		{"household_settings_update", args{"time_zone": "Asia/Tokyo", "language": "de", "remind_days": 0, "remind_hour": 0}},
		{"household_import_apply", sampleRows()},
		{"household_price_set", args{"subscription": id, "amount": "18.99", "from": "2025-07-31"}},
		{"household_price_delete", args{"subscription": id, "from": "2024-01-31"}},
		{"household_rate_import", args{"file": history}},
		{"household_reminder_done", openReminder(t, a, id)},
		{confirmTool, args{"subscription": id, "amount": "17.99"}},
		{skipTool, args{"subscription": other, "due": "2026-01-15"}},
		{chargeAddName, args{"subscription": other, "date": day(-2), "amount": "1"}},
		{updateTool, args{"id": paid, "date": "2025-06-02", "due": "2025-05-31", "amount": "2", "text": "x"}},
		{deleteTool, args{"id": paid}},
		{allTool, args{"from": "2025-01-01"}},
	}
	listed := map[string]bool{}
	for _, w := range writes {
		listed[w.tool] = true
	}
	for _, tool := range a.Registry.Tools() {
		if tool.Effect != tools.EffectRead && !listed[tool.Name] {
			t.Errorf("%s is not tried", tool.Name)
		}
	}
	before := dump(t, a)
	for _, w := range writes {
		receipt, err := a.Apply(a.As("ann"), w.tool, w.in)
		if err != nil {
			t.Fatalf("%s: %v", w.tool, err)
		}
		if cmp.Equal(before, dump(t, a)) {
			t.Errorf("%s changed nothing", w.tool)
		}
		for _, lang := range []string{"en", "de", "es"} {
			for _, line := range append(receipt.Cards[0].Lines, receipt.Cards[0].Title) {
				if s := a.Catalogue.Say(lang, line); s == "" || strings.ContainsAny(s, "{}") || strings.Contains(s, "household.") || strings.Contains(s, "household_") {
					t.Errorf("%s in %s: %q", w.tool, lang, s)
				}
			}
		}
		if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
			t.Fatalf("undo %s: %v", w.tool, err)
		}
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%s is not undone: %s", w.tool, diff)
		}
	}
}

// reads says by its name that a tool only reads.
func reads(tool string) bool {
	switch tool[strings.LastIndexByte(tool, '_')+1:] {
	case "list", "get", "match",
		"overview", "upcoming", "calendar", "spending",
		"search":
		return true
	}
	return false
}

// refused runs a tool as ann and wants an error of a kind with these words.
func refused(tb testing.TB, a *toolstest.App, tool string, in any, kind tools.Kind, words ...string) {
	tb.Helper()
	var err error
	if reads(tool) {
		_, err = a.Read(a.As("ann"), tool, in)
	} else {
		_, err = a.Apply(a.As("ann"), tool, in)
	}
	if tools.KindOf(err) != kind || err == nil {
		tb.Errorf("%s %v: %v, want kind %s", tool, in, err, kind)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			tb.Errorf("%s %v: %q does not say %q", tool, in, err, w)
		}
	}
}
