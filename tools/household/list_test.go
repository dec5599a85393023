package household

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListFiltersAndPages(t *testing.T) {
	a := newHome(t)
	apply[Category](t, a, "ann", "household_category_add", args{"name": "Music"})
	for i := range 7 {
		in := args{"name": fmt.Sprintf("Sub %d", i), "tags": []string{"all"}, "first_date": day(-5)}
		switch i {
		case 0:
			in["category"], in["tags"] = "Music", []string{"all", "one_two"}
		case 1:
			in["tags"] = []string{"onextwo"}
		case 2:
			in["ends_on"] = day(-1)
		case 3:
			in["ends_on"] = day(0)
		case 6:
			in["merchant"] = "Shop GmbH"
		}
		id := add(t, a, "ann", in).ID
		if i == 4 {
			apply[Cancelled](t, a, "ann", "household_subscription_cancel", args{"id": id})
		}
	}
	rows := []struct {
		in   args
		want string
	}{
		{nil, "013456"},
		{args{"status": "current"}, "013456"},
		{args{"status": "active"}, "01356"},
		{args{"status": "cancelled"}, "4"},
		{args{"status": "ended"}, "2"},
		{args{"status": "all"}, "0123456"},
		{args{"category": "music"}, "0"},
		{args{"tag": "one_two"}, "0"},
		{args{"tag": "ALL", "status": "all"}, "023456"},
		{args{"tag": "al"}, ""},
		{args{"search": "ub 5"}, "5"},
		{args{"search": "SHOP"}, "6"},
		{args{"private": false, "search": "ub 5"}, "5"},
		{args{"private": true}, ""},
	}
	for _, r := range rows {
		for _, limit := range []int{50, 2} {
			in, got := args{"limit": limit}, ""
			for k, v := range r.in {
				in[k] = v
			}
			for {
				out := read[subscriptionListOut](t, a, "bob", "household_subscription_list", in)
				for _, s := range out.Items {
					got += s.Name[len("Sub "):]
				}
				if len(out.Items) > limit {
					t.Errorf("%d items", len(out.Items))
				}
				if out.Next == "" {
					break
				}
				in["cursor"] = out.Next
			}
			if got != r.want {
				t.Errorf("%v by %d: %s, want %s", r.in, limit, got, r.want)
			}
		}
	}
}

// A status is found by the word that it is shown as.
func TestListByState(t *testing.T) {
	a, _ := homeAt(t, noon)
	store(t, a, methods, args{"name": "Visa"})
	for name, in := range map[string]args{
		"Plain":         {"payment_method": "Visa"},
		"Tried":         {"trial_ends_on": "2026-03-10"},
		"Tried out":     {"trial_ends_on": "2026-03-09"},
		"Rests":         {"payment_method": "Visa", "private": true},
		"Rests, tried":  {"trial_ends_on": "2026-03-20"},
		"Rested":        {},
		"Will rest":     {"owner": "bob"},
		"Rests, over":   {"ends_on": "2026-03-09"},
		"Rests, leaves": {},
		"Over":          {"ends_on": "2026-03-09"},
	} {
		in["name"], in["first_date"] = name, "2026-01-15"
		id := add(t, a, "ann", in).ID
		switch from, until := "2026-03-01", "2026-03-11"; {
		case name == "Rested":
			store(t, a, pauses, args{"subscription": id, "from": from, "until": "2026-03-10"})
		case name == "Will rest":
			store(t, a, pauses, args{"subscription": id, "from": "2026-03-11"})
		case strings.HasPrefix(name, "Rests"):
			store(t, a, pauses, args{"subscription": id, "from": from, "until": until})
			if name == "Rests, leaves" {
				apply[Cancelled](t, a, "ann", cancelTool, args{"id": id, "last_day": "2026-05-31"})
			}
		}
	}
	for _, row := range []struct {
		who  string
		in   args
		want string
	}{
		{"ann", args{"status": "active"}, "Plain Rested Tried_out Will_rest"},
		{"ann", args{"status": "trial"}, "Tried"},
		{"ann", args{"status": "paused"}, "Rests Rests,_tried"},
		{"bob", args{"status": "paused"}, "Rests,_tried"},
		{"ann", args{"status": "cancelled"}, "Rests,_leaves"},
		{"ann", args{"status": "ended"}, "Over Rests,_over"},
		{"ann", args{"payment_method": "visa"}, "Plain Rests"},
		{"bob", args{"payment_method": "visa"}, "Plain"},
		{"ann", args{"owner": "bob"}, "Will_rest"},
		{"bob", args{"owner": "me"}, "Will_rest"},
		{"bob", args{"owner": "ann", "status": "paused", "search": "TRIED"}, "Rests,_tried"},
	} {
		for _, limit := range []int{50, 1} {
			var got []string
			in := args{"limit": limit}
			maps.Copy(in, row.in)
			for {
				out := read[subscriptionListOut](t, a, row.who, "household_subscription_list", in)
				for _, s := range out.Items {
					got = append(got, strings.ReplaceAll(s.Name, " ", "_"))
					if want := row.in["status"]; want != nil && s.Status != want {
						t.Errorf("%v finds one that is %s", row.in, s.Status)
					}
				}
				if in["cursor"] = out.Next; out.Next == "" {
					break
				}
			}
			if got := strings.Join(got, " "); got != row.want {
				t.Errorf("%s %v by %d: %s, want %s", row.who, row.in, limit, got, row.want)
			}
		}
	}
}

func TestCharges(t *testing.T) {
	a := newHome(t)
	apply[Imported](t, a, "ann", "household_import_apply", sampleRows())
	var got []string
	in := args{"limit": 3}
	for {
		out := read[chargeListOut](t, a, "bob", "household_charge_list", in)
		for _, c := range out.Items {
			got = append(got, c.Date.String()+" "+c.Name+" "+c.Amount)
		}
		if out.Next == "" {
			break
		}
		in["cursor"] = out.Next
	}
	want := []string{
		"2025-12-08 Disney+ 10.99", "2025-11-10 Disney+ 8.99", "2025-11-03 Haftpflicht Nordstern 61.40", "2025-10-08 Disney+ 8.99",
		"2025-02-28 Old Gym 29.90", "2025-02-28 Old Gym 29.90", "2025-01-31 Old Gym 29.90", "2024-11-03 Haftpflicht Nordstern 61.40",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if out := read[chargeListOut](t, a, "ann", "household_charge_list", args{"from": "2025-10-08", "to": "2025-11-10"}); len(out.Items) != 3 {
		t.Errorf("%+v", out)
	}
}

func TestUpcomingAndOverview(t *testing.T) {
	a := newHome(t)
	weekly := add(t, a, "ann", args{"name": "Weekly", "amount": "2", "cycle": "P1W", "first_date": day(-7)})
	add(t, a, "ann", args{"name": "Yen", "amount": "900", "currency": "JPY", "first_date": day(10), "cycle": "P1Y"})
	add(t, a, "ann", args{"name": "Mine", "amount": "5", "first_date": day(3), "cycle": "P4W", "private": true})
	add(t, a, "ann", args{"name": "Ending", "amount": "7", "first_date": day(-3), "cycle": "P1W", "ends_on": day(10)})
	gone := add(t, a, "ann", args{"name": "Gone", "amount": "7", "first_date": day(-90), "ends_on": day(-2)})
	add(t, a, "ann", args{"name": "Long gone", "amount": "7", "first_date": day(-300), "ends_on": day(-200)})
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": weekly.ID, "amount": "3", "price_from": day(14)})

	out := read[upcomingOut](t, a, "bob", "household_upcoming", args{"days": 21})
	var got []string
	for _, u := range out.Items {
		got = append(got, u.Date.String()+" "+u.Name+" "+u.Amount)
	}
	want := []string{day(0) + " Weekly 2.00", day(4) + " Ending 7.00", day(7) + " Weekly 2.00", day(10) + " Yen 900", day(14) + " Weekly 3.00", day(21) + " Weekly 3.00"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Total{{Currency: "EUR", Amount: "17.00", Count: 5}, {Currency: "JPY", Amount: "900", Count: 1}}, out.Totals, cmp.Comparer(func(a, b Total) bool {
		return a.Currency == b.Currency && a.Amount == b.Amount && a.Count == b.Count
	})); diff != "" {
		t.Error(diff)
	}
	paged := read[upcomingOut](t, a, "bob", "household_upcoming", args{"days": 21, "limit": 4})
	rest := read[upcomingOut](t, a, "bob", "household_upcoming", args{"days": 21, "limit": 4, "cursor": paged.Next})
	if len(paged.Items) != 4 || len(rest.Items) != 2 || rest.Next != "" || rest.Totals[0].Amount != "17.00" {
		t.Errorf("%+v %+v", paged, rest)
	}

	o := read[Overview](t, a, "ann", "household_overview", nil)
	if o.Active != 4 || o.Cancelled != 0 || o.Private != 1 || len(o.Next) != 5 || len(o.Ending) != 1 || len(o.Ended) != 1 || o.Ended[0].ID != gone.ID {
		t.Errorf("%+v", o)
	}
	bob := read[Overview](t, a, "bob", "household_overview", nil)
	sums := map[string]string{}
	for _, s := range append(o.Sums, bob.Sums...) {
		sums[s.Currency] += fmt.Sprint(s.Subscriptions, " ", s.PerMonth, " ", s.Next30Days, "; ")
	}
	// 2 and 7 EUR a week, and 5 every four weeks for ann.
	if diff := cmp.Diff(map[string]string{"EUR": "3 44.58 25.00; 2 39.14 20.00; ", "JPY": "1 75 900; 1 75 900; "}, sums); diff != "" {
		t.Error(diff)
	}
}

func TestSettingsAndToday(t *testing.T) {
	a := newHome(t)
	if s := read[Settings](t, a, "bob", "household_settings_get", nil); s.Currency != "EUR" || s.TimeZone != "UTC" || s.Language != "en" || s.Today.String() != day(0) {
		t.Errorf("%+v", s)
	}
	east, first := apply[Settings](t, a, "ann", "household_settings_update", args{"time_zone": "Pacific/Kiritimati", "currency": "JPY"})
	west, _ := apply[Settings](t, a, "bob", "household_settings_update", args{"time_zone": "Pacific/Pago_Pago"})
	if d := east.Today.DaysSince(west.Today); d < 1 || d > 2 {
		t.Errorf("today is %s and %s", east.Today, west.Today)
	}
	if len(first.Changes) != 1 || west.Currency != "JPY" {
		t.Errorf("%+v", west)
	}
	out, _ := apply[Added](t, a, "ann", "household_subscription_add", args{"name": "X", "amount": "900", "cycle": "P1M", "first_date": "2026-01-31"})
	if out.Currency != "JPY" || out.Amount != "900" {
		t.Errorf("%+v", out)
	}
}

// Lists stand in the order that is asked for, page by page.
func TestListInOrder(t *testing.T) {
	a := newHome(t)
	for _, in := range []args{
		{"name": "A", "amount": "9.00", "first_date": day(3)},
		{"name": "B", "amount": "100.00", "first_date": day(2)},
		{"name": "C", "amount": "20.00", "first_date": day(1), "ends_on": day(1)},
		{"name": "D", "amount": "900", "currency": "JPY", "first_date": day(4)},
		{"name": "E", "amount": "1.250", "currency": "BHD", "first_date": day(9), "private": true},
	} {
		add(t, a, "ann", in)
	}
	for in, want := range map[string]string{"name": "ABCDE", "next": "CBADE", "per_month": "BCAED", "newest": "EDCBA"} {
		for _, limit := range []int{50, 2} {
			got, cursor := "", ""
			for {
				out := read[subscriptionListOut](t, a, "ann", "household_subscription_list", args{"sort": in, "limit": limit, "cursor": cursor})
				for _, s := range out.Items {
					got += s.Name
				}
				if cursor = out.Next; cursor == "" {
					break
				}
			}
			if got != want {
				t.Errorf("by %s, %d a page: %s, want %s", in, limit, got, want)
			}
		}
	}
	out := read[subscriptionListOut](t, a, "ann", "household_subscription_list", args{"private": true})
	if len(out.Items) != 1 || out.Items[0].Name != "E" {
		t.Errorf("private ones: %+v", out.Items)
	}
	if out := read[subscriptionListOut](t, a, "bob", "household_subscription_list", args{"private": true, "sort": "next"}); len(out.Items) != 0 {
		t.Errorf("bob sees %+v", out.Items)
	}
}

// What a list costs is of all that match, not of a page; what rests or is over costs nothing.
func TestListTotals(t *testing.T) {
	a := newHome(t)
	for _, in := range []args{
		{"name": "A", "amount": "10.00", "tags": []string{"tv"}},
		{"name": "B", "amount": "60.00", "cycle": "P1Y", "tags": []string{"tv"}},
		{"name": "C", "amount": "900", "currency": "JPY", "tags": []string{"far"}},
		{"name": "D", "amount": "7.00", "tags": []string{"tv"}, "private": true},
		{"name": "E", "amount": "99.00", "first_date": day(-90), "ends_on": day(-2), "tags": []string{"tv"}},
	} {
		add(t, a, "ann", in)
	}
	rests := add(t, a, "ann", args{"name": "F", "amount": "50.00", "tags": []string{"tv"}})
	apply[Paused](t, a, "ann", "household_subscription_pause", args{"id": rests.ID})
	eur := func(n int, month, year string) []SubscriptionSum {
		return []SubscriptionSum{{Currency: "EUR", Subscriptions: n, PerMonth: month, PerYear: year}}
	}
	for _, c := range []struct {
		who  string
		in   args
		want SubscriptionTotals
	}{
		{"ann", args{"tag": "tv", "limit": 1}, SubscriptionTotals{Count: 4, Sums: eur(3, "22.00", "264.00")}},
		{"ann", args{"tag": "tv", "sort": "next", "limit": 1}, SubscriptionTotals{Count: 4, Sums: eur(3, "22.00", "264.00")}},
		{"ann", args{"tag": "tv", "status": "all"}, SubscriptionTotals{Count: 5, Sums: eur(3, "22.00", "264.00")}},
		{"ann", args{"search": "b"}, SubscriptionTotals{Count: 1, Sums: eur(1, "5.00", "60.00")}},
		{"ann", args{"status": "paused"}, SubscriptionTotals{Count: 1, Sums: []SubscriptionSum{}}},
		{"bob", args{"tag": "tv"}, SubscriptionTotals{Count: 3, Sums: eur(2, "15.00", "180.00")}},
	} {
		c.in["totals"] = true
		got := read[subscriptionListOut](t, a, c.who, "household_subscription_list", c.in).Totals
		if diff := cmp.Diff(&c.want, got); diff != "" {
			t.Errorf("%s, %v: %s", c.who, c.in, diff)
		}
	}

	// Of one foreign currency, too, it is said what it is in the household's, or what is missing for it.
	far := args{"tag": "far", "totals": true}
	got := read[subscriptionListOut](t, a, "ann", "household_subscription_list", far).Totals.Converted
	if got == nil || got.PerMonth != "" || got.Currency != "EUR" || len(got.Missing) != 1 || got.Missing[0].Currency != "JPY" {
		t.Errorf("without a rate: %+v", got)
	}
	rated(t, a, day(-1), map[string]string{"JPY": "150"})
	if got := read[subscriptionListOut](t, a, "ann", "household_subscription_list", far).Totals.Converted; got == nil || got.PerMonth != "6.00" || got.PerYear != "72.00" {
		t.Errorf("with one: %+v", got)
	}
	if got := read[subscriptionListOut](t, a, "ann", "household_subscription_list", nil).Totals; got != nil {
		t.Errorf("nobody asked: %+v", got)
	}
}
