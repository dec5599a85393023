package household

import (
	"testing"

	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// rich makes a household that has everything, by the tools where there is one.
func rich(tb testing.TB, a *toolstest.App) map[string]string {
	tb.Helper()
	ids := map[string]string{}
	put := func(name, collection string, values args) {
		tb.Helper()
		rec := record(tb, a.App, collection, values)
		if err := a.Save(rec); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		ids[name] = rec.Id
	}
	do := func(who, tool string, in args) {
		tb.Helper()
		if _, err := a.Apply(a.As(who), tool, in); err != nil {
			tb.Fatalf("%s: %v", tool, err)
		}
	}
	do("ann", "household_settings_update", args{"time_zone": "Europe/Berlin", "language": "de", "remind_hour": 8})
	music, _ := apply[Category](tb, a, "ann", "household_category_add", args{"name": "+Music", "color": "#ff8800", "icon": "🎵"})
	ids["music"] = music.ID
	put("old", categories, args{"name": "Alt"})
	change(tb, a, categories, ids["old"], args{"merged_into": music.ID})
	do("ann", "household_payment_method_add", args{"name": "Visa", "icon": "💳"})
	ids["deezer"] = add(tb, a, "bob", args{"name": "Deezer", "amount": "10.99", "first_date": "2023-12-31", "ends_on": "2027-12-31"}).ID
	do("bob", "household_subscription_cancel", args{"id": ids["deezer"], "last_day": "2025-01-30"})
	ids["spotify"] = add(tb, a, "bob", args{
		"name": "Spotify", "amount": "9.99", "first_date": "2025-01-31", "notes": "a\n=b\n\nc;-d", "tags": []string{"Fun"},
		"payment_method": "Visa", "url": "https://spotify.example/ä?b=1", "account": "bob@x.example",
	}).ID
	do("bob", "household_subscription_update", args{"id": ids["spotify"], "amount": "10.99", "price_from": "2025-06-30"})
	do("bob", shareTool, args{"id": ids["spotify"], "shares": []ShareIn{{Member: "ann", Weight: 2}, {Member: "bob", Weight: 1}, {Person: "Oma", Fixed: "1.50"}}})
	do("bob", "household_logo_set", args{"id": ids["spotify"], "logo": picture("Spotify Logo.png", png)})
	change(tb, a, subscriptions, ids["spotify"], args{"replaces": ids["deezer"]})
	ids["hostile"] = add(tb, a, "ann", args{"name": "=cmd|' /C calc'!A0", "amount": "1500", "currency": "JPY", "cycle": "P1Y", "first_date": "2024-02-29", "tags": []string{"@home", "fun"}, "category": "+Music", "remind_days": -1}).ID
	do("ann", "household_subscription_terms", args{"id": ids["hostile"], "from": "2024-02-01", "min_term": "P24M", "extension": "P12M", "notice": "P3M"})
	do("ann", "household_notice_given", args{"id": ids["hostile"]})
	ids["gym"] = add(tb, a, "ann", args{"name": "Gym", "amount": "4.5", "currency": "KWD", "cycle": "P4W", "first_date": "2025-01-31"}).ID
	change(tb, a, subscriptions, ids["gym"], args{"trial_from": "2025-01-01", "trial_ends_on": "2025-01-30", "decide_by": "2025-01-28", "trial_decided": "keep"})
	put("charge 1", charges, args{"subscription": ids["gym"], "date": "2025-01-31", "amount": 4500, "currency": "KWD", "text": "-GYM"})
	do("ann", "household_charge_skip", args{"subscription": ids["gym"], "due": "2025-02-28"})
	do("ann", pauseTool, args{"id": ids["gym"], "from": "2025-04-01", "resumes": "2025-05-01", "shift": true})
	do("ann", pauseTool, args{"id": ids["gym"], "from": "2029-08-01"})
	put("rates", rates, args{"date": "2025-01-31", "source": "ECB", "rates": map[string]string{"USD": "1.085", "CHF": "0.9321"}})
	ids["secret of ann"] = add(tb, a, "ann", args{"name": "Secret of ann", "private": true}).ID
	ids["secret of bob"] = add(tb, a, "bob", args{"name": "Secret of bob", "private": true}).ID
	ids["paid by bob"] = add(tb, a, "bob", args{"name": "News", "amount": "0", "cycle": "P1W"}).ID
	change(tb, a, subscriptions, ids["paid by bob"], args{"replaces": ids["secret of bob"]})
	return ids
}

// newPlace is a household to restore into, as its operator ann.
func newPlace(tb testing.TB) *toolstest.App {
	tb.Helper()
	a := newHome(tb)
	operator(tb, a, "ann")
	return a
}

// smallPart is a part of an export, for any household.
func smallPart() args {
	return args{
		"version": 1, "categories": []args{{"id": "category0000001", "name": "Restored"}},
		"subscriptions": []args{{"id": "subscription001", "name": "Back", "amount": 100, "currency": "EUR", "cycle": "P1M", "first_date": "2025-01-31", "status": "active", "category": "category0000001", "private": true}},
		"charges":       []args{{"id": "charge000000001", "subscription": "subscription001", "date": "2025-01-31", "amount": 100, "currency": "EUR"}},
	}
}

// change sets fields as any writer does.
func change(tb testing.TB, a *toolstest.App, collection, id string, values args) {
	tb.Helper()
	rec, err := a.FindRecordById(collection, id)
	if err != nil {
		tb.Fatal(err)
	}
	rec.Load(values)
	if err := a.Save(rec); err != nil {
		tb.Fatal(err)
	}
}
