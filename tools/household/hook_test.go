package household

import (
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Writers that are not tools, such as a superuser in the dashboard, are held
// to the same rules.
func TestRulesHoldForAnyWriter(t *testing.T) {
	a := newHome(t)
	ann, bob := a.Member("ann").Id, a.Member("bob").Id
	paid := add(t, a, "ann", nil).ID
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": paid, "amount": "1", "price_from": "2025-02-15"})
	secret := add(t, a, "ann", args{"private": true}).ID
	music, _ := apply[Category](t, a, "ann", "household_category_add", args{"name": "Into"})
	apply[Settings](t, a, "ann", "household_settings_update", args{"currency": "EUR"})
	good := map[string]map[string]any{
		subscriptions: {"name": "X", "amount": 1, "currency": "EUR", "cycle": "P1M", "first_date": "2026-01-31", "status": active},
		prices:        {"subscription": paid, "from": "2026-05-01", "amount": 1, "currency": "EUR"},
		charges:       {"subscription": paid, "date": "2026-05-01", "due": "2026-05-01", "amount": 1, "currency": "USD"},
		categories:    {"name": "Music"},
		rates:         {"date": "2026-11-27", "rates": map[string]any{"USD": "1.0812"}, "source": "ECB"},
		reminders:     {"person": ann, "subscription": paid, "kind": remindCharge, "on": "2026-05-01", "said": "2026-04-28T09:00:00+02:00"},
	}
	// One that was dropped ends with its trial, before its first charge.
	if err := a.Save(record(t, a.App, subscriptions, map[string]any{
		"name": "X", "amount": 1, "currency": "EUR", "cycle": "P1M", "first_date": "2026-02-01", "trial_from": "2026-01-01", "trial_ends_on": "2026-01-31",
		"decide_by": "2026-01-01", "ends_on": "2026-01-01", "cancelled_on": "2026-01-02", "status": cancelled, "trial_decided": lose, "url": "http://x.example", "remind_days": -1,
	})); err != nil {
		t.Error(err)
	}
	for collection, values := range good {
		rec := record(t, a.App, collection, values)
		if err := a.Save(rec); err != nil {
			t.Errorf("%s: %v", collection, err)
		}
	}
	bad := []struct {
		collection string
		change     map[string]any
	}{
		{subscriptions, map[string]any{"name": " "}},
		{subscriptions, map[string]any{"name": "\u200b"}},
		{subscriptions, map[string]any{"name": "a\u202eb"}},
		{subscriptions, map[string]any{"amount": -1}},
		{subscriptions, map[string]any{"amount": 1.5}},
		{subscriptions, map[string]any{"amount": float64(tools.MaxMinor) + 1}},
		{subscriptions, map[string]any{"currency": "ABC"}},
		{subscriptions, map[string]any{"currency": "eur"}},
		{subscriptions, map[string]any{"cycle": "P0M"}},
		{subscriptions, map[string]any{"cycle": "P1D"}},
		{subscriptions, map[string]any{"cycle": "P1201M"}},
		{subscriptions, map[string]any{"first_date": "2026-02-31"}},
		{subscriptions, map[string]any{"first_date": ""}},
		{subscriptions, map[string]any{"ends_on": "2026-01-30"}},
		{subscriptions, map[string]any{"ends_on": "2026-02-30"}},
		{subscriptions, map[string]any{"anchor_day": 32}},
		{subscriptions, map[string]any{"cycle": "P1W", "anchor_day": 5}},
		{subscriptions, map[string]any{"status": cancelled}},
		{subscriptions, map[string]any{"status": "ended"}},
		{subscriptions, map[string]any{"cancelled_on": "2026-03-01"}},
		{subscriptions, map[string]any{"noticed_on": "2026-03-01"}},
		{subscriptions, map[string]any{"agreed_ends_on": "2026-03-01"}},
		{subscriptions, map[string]any{"agreed_ends_on": "2026-02-30", "status": cancelled, "ends_on": "2026-04-01"}},
		{subscriptions, map[string]any{"agreed_ends_on": "2200-01-01", "status": cancelled, "ends_on": "2026-04-01"}},
		{subscriptions, map[string]any{"noticed_on": "2026-03-32", "status": cancelled, "ends_on": "2026-04-01"}},
		{subscriptions, map[string]any{"term_from": "2026-02-30"}},
		{subscriptions, map[string]any{"min_term": "P0M"}},
		{subscriptions, map[string]any{"min_term": "24 months"}},
		{subscriptions, map[string]any{"extension": "P9999Y"}},
		{subscriptions, map[string]any{"notice": "P1Y6M"}},
		{subscriptions, map[string]any{"trial_from": "2026-01-31"}},
		{subscriptions, map[string]any{"decide_by": "2026-01-31"}},
		{subscriptions, map[string]any{"trial_decided": keep}},
		{subscriptions, map[string]any{"trial_ends_on": "2026-01-31", "trial_decided": "maybe"}},
		{subscriptions, map[string]any{"trial_ends_on": "2026-01-31", "trial_decided": lose}},
		{subscriptions, map[string]any{"trial_ends_on": "2026-02-31"}},
		{subscriptions, map[string]any{"trial_from": "2026-02-01", "trial_ends_on": "2026-01-31"}},
		{subscriptions, map[string]any{"trial_ends_on": "2026-01-31", "decide_by": "2026-02-01"}},
		{subscriptions, map[string]any{"trial_from": "2026-01-01", "trial_ends_on": "2026-01-31", "decide_by": "2025-12-31"}},
		{subscriptions, map[string]any{"trial_from": "2026-01-01", "trial_ends_on": "2026-01-30", "ends_on": "2025-12-31"}},
		{subscriptions, map[string]any{"remind_days": 91}},
		{subscriptions, map[string]any{"remind_days": -2}},
		{subscriptions, map[string]any{"remind_days": 1.5}},
		{subscriptions, map[string]any{"url": "javascript:alert(1)"}},
		{subscriptions, map[string]any{"url": "ftp://example.com"}},
		{subscriptions, map[string]any{"url": "https://ann:secret@example.com"}},
		{subscriptions, map[string]any{"account": strings.Repeat("a", 501)}},
		{subscriptions, map[string]any{"payment_method": "nobody"}},
		{subscriptions, map[string]any{"private": true}},
		{subscriptions, map[string]any{"owner": "nobody"}},
		{subscriptions, map[string]any{"category": "nobody"}},
		{subscriptions, map[string]any{"tags": "a"}},
		{subscriptions, map[string]any{"tags": []string{"a", "A"}}},
		{subscriptions, map[string]any{"tags": []int{1}}},
		{subscriptions, map[string]any{"tags": []string{" a"}}},
		{prices, map[string]any{"from": "2026-02-31"}},
		{prices, map[string]any{"from": "2025-02-15"}},
		{prices, map[string]any{"amount": -1}},
		{prices, map[string]any{"currency": "USD"}},
		{prices, map[string]any{"subscription": ""}},
		{prices, map[string]any{"subscription": secret}},
		{charges, map[string]any{"date": "2026-02-31"}},
		{charges, map[string]any{"amount": 0.5}},
		{charges, map[string]any{"currency": "XXX"}},
		{charges, map[string]any{"subscription": "nobody"}},
		{rates, map[string]any{"date": "2026-11-27"}},
		{rates, map[string]any{"date": "2026-02-31"}},
		{rates, map[string]any{"source": ""}},
		{rates, map[string]any{"rates": nil}},
		{rates, map[string]any{"rates": "x"}},
		{rates, map[string]any{"rates": map[string]any{"USD": 1.0812}}},
		{rates, map[string]any{"rates": map[string]any{"USD": "0"}}},
		{rates, map[string]any{"rates": map[string]any{"USD": "1.0810"}}},
		{rates, map[string]any{"rates": map[string]any{"USD": "1,08"}}},
		{rates, map[string]any{"rates": map[string]any{"EUR": "2"}}},
		{rates, map[string]any{"rates": map[string]any{"XYZ": "2"}}},
		{charges, map[string]any{"due": "2026-02-31"}},
		{charges, map[string]any{"due": "2026-05-01"}},
		{charges, map[string]any{"state": "expected"}},
		{charges, map[string]any{"state": "skipped", "due": "2026-07-01"}},
		{charges, map[string]any{"state": "skipped", "amount": 0, "due": ""}},
		{subscriptions, map[string]any{"name": "a\nb"}},
		{subscriptions, map[string]any{"merchant": "a\nb"}},
		{subscriptions, map[string]any{"merchant": "a\u200b"}},
		{subscriptions, map[string]any{"account": "a\x00"}},
		{subscriptions, map[string]any{"notes": "a\u202eb"}},
		{subscriptions, map[string]any{"notes": "a\x07"}},
		{subscriptions, map[string]any{"url": "http://example.com/\u202e"}},
		{charges, map[string]any{"text": "\u202ea"}},
		{charges, map[string]any{"text": "a\x00"}},
		{rates, map[string]any{"source": "a\nb"}},
		{rates, map[string]any{"source": "\u202eECB"}},
		{categories, map[string]any{"merged_into": music.ID}},
		{subscriptions, map[string]any{"first_date": "1899-12-31"}},
		{subscriptions, map[string]any{"ends_on": "2200-01-01"}},
		{subscriptions, map[string]any{"trial_from": "1899-12-31", "trial_ends_on": "2026-01-30"}},
		{subscriptions, map[string]any{"trial_ends_on": "2200-01-01"}},
		{subscriptions, map[string]any{"term_from": "2200-01-01"}},
		{subscriptions, map[string]any{"status": cancelled, "ends_on": "2026-04-01", "cancelled_on": "9999-12-31"}},
		{subscriptions, map[string]any{"status": cancelled, "ends_on": "2026-04-01", "noticed_on": "0001-01-01"}},
		{prices, map[string]any{"from": "9999-12-31"}},
		{charges, map[string]any{"date": "9999-12-31"}},
		{charges, map[string]any{"due": "1899-12-31"}},
		{rates, map[string]any{"date": "2200-01-01"}},
		{reminders, map[string]any{"on": "2026-99-99"}},
		{reminders, map[string]any{"on": "2200-01-01"}},
		{reminders, map[string]any{"said": "nonsense"}},
		{categories, map[string]any{"name": "MUSIC"}},
		{categories, map[string]any{"name": " "}},
		{categories, map[string]any{"name": "a\u2069"}},
	}
	for _, b := range bad {
		rec := record(t, a.App, b.collection, good[b.collection])
		if b.collection == prices || b.collection == charges {
			rec.Set("from", "2026-06-01")
		}
		if b.collection == charges {
			rec.Set("due", "2026-06-01")
		}
		if b.collection == categories {
			rec.Set("name", "Books")
		}
		if b.collection == rates {
			rec.Set("date", "2026-11-26")
		}
		if b.collection == reminders {
			rec.Set("on", "2026-06-01")
		}
		rec.Load(b.change)
		if err := a.Save(rec); err == nil {
			t.Errorf("%s %v was stored", b.collection, b.change)
		}
	}
	if _, err := a.DB().NewQuery("INSERT INTO household_charges (id, subscription, date, due) VALUES ('x', '" + paid + "', '2026-05-02', '2026-05-01')").Execute(); err == nil {
		t.Error("a due day was settled twice past all rules")
	}
	second := record(t, a.App, settings, map[string]any{"currency": "EUR", "time_zone": "UTC", "language": "en"})
	if err := a.Save(second); err == nil {
		t.Error("second settings were stored")
	}
	changes := []struct {
		id, field string
		value     any
		ok        bool
	}{
		{paid, "currency", "USD", false}, {secret, "owner", bob, false}, {secret, "currency", "USD", true}, {paid, "repriced", false, false}, {secret, "repriced", true, true}, {secret, "repriced", false, true}, {paid, "owner", bob, true}, {paid, "owner", ann, true},
	}
	for _, c := range changes {
		rec, err := a.FindRecordById(subscriptions, c.id)
		if err != nil {
			t.Fatal(err)
		}
		rec.Set(c.field, c.value)
		if err := a.Save(rec); (err == nil) != c.ok {
			t.Errorf("%s became %v: %v", c.field, c.value, err)
		}
	}
}

// What was stored before a rule was made bars no change of something else.
func TestOldValuesBarNothing(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	if _, err := a.DB().NewQuery(`UPDATE household_subscriptions SET name = 'a' || char(8238) || 'b', merchant = 'a' || char(10), account = char(7), notes = char(8238), tags = '["x","x"]'`).Execute(); err != nil {
		t.Fatal(err)
	}
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "notes": "n"})
	if out, _ := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "name": "ab", "tags": []string{"x"}}); out.Name != "ab" || len(out.Tags) != 1 {
		t.Errorf("%+v", out.Subscription)
	}
}

// TestOldContradictionsBarNothing: each rule asks only where one of its own
// fields is new or another, and what cannot be reckoned with is named.
func TestOldContradictionsBarNothing(t *testing.T) {
	for _, row := range []struct{ old, again string }{
		{"currency = 'HRK'", "currency"},
		{"first_date = '0999-01-31'", "first_date"},
		{"decide_by = '2026-05-01'", "decide_by"},
		{"ends_on = '2020-01-01'", "ends_on"},
		{"cancelled_on = '2026-01-01'", "cancelled_on"},
		{"noticed_on = '2026-01-01'", "noticed_on"},
		{"anchor_day = 5, cycle = 'P1W'", "anchor_day"},
		{"status = 'cancelled'", "status"},
		{"trial_ends_on = '2026-02-01', trial_decided = 'drop'", "trial_decided"},
		{"private = true, owner = ''", "private"},
		{"trial_from = '2026-02-30'", "trial_from"},
	} {
		a := newHome(t)
		id := add(t, a, "ann", nil).ID
		if _, err := a.DB().NewQuery("UPDATE household_subscriptions SET " + row.old).Execute(); err != nil {
			t.Fatal(err)
		}
		rec, err := a.FindRecordById(subscriptions, id)
		if err != nil {
			t.Fatal(err)
		}
		value := rec.Get(row.again)
		rec.Set("remind_days", "5")
		if err := a.Save(rec); err != nil {
			t.Errorf("%s: %v", row.old, err)
		}
		fresh := record(t, a.App, subscriptions, map[string]any{"name": "X", "amount": 1, "currency": "EUR", "cycle": "P1M", "first_date": "2026-01-31", "status": active})
		for _, f := range []string{"currency", "first_date", "decide_by", "ends_on", "cancelled_on", "noticed_on", "anchor_day", "cycle", "status", "trial_ends_on", "trial_decided", "private", "trial_from"} {
			if strings.Contains(row.old, f+" =") {
				fresh.Set(f, rec.Get(f))
			}
		}
		if err := a.Save(fresh); err == nil {
			t.Errorf("%s %v was stored anew", row.again, value)
		}
	}
	a := newHome(t)
	id := add(t, a, "ann", args{"name": "Odd"}).ID
	for _, field := range []string{"trial_from", "ends_on", "first_date", "term_from", "noticed_on", "cycle"} {
		if _, err := a.DB().NewQuery("UPDATE household_subscriptions SET " + field + " = '2026-02-30'").Execute(); err != nil {
			t.Fatal(err)
		}
		_, err := a.Read(a.As("ann"), "household_subscription_get", args{"id": id})
		if tools.KindOf(err) != tools.Conflict || !strings.Contains(err.Error(), "Odd") || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
		if _, err := a.DB().NewQuery("UPDATE household_subscriptions SET trial_from = '', ends_on = '', term_from = '', noticed_on = '', first_date = '2026-01-31', cycle = 'P1M'").Execute(); err != nil {
			t.Fatal(err)
		}
	}
}

func record(tb testing.TB, app core.App, collection string, values map[string]any) *core.Record {
	tb.Helper()
	col, err := app.FindCollectionByNameOrId(collection)
	if err != nil {
		tb.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.Load(values)
	return rec
}
