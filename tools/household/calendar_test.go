package household

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

const calendarName = "household_calendar"

// entriesOf are the entries of a calendar: "2026-05-15 charge Netflix expected 15.99".
func entriesOf(c Calendar) []string {
	var all []string
	for _, d := range c.Days {
		for _, e := range d.Entries {
			all = append(all, strings.Join(strings.Fields(fmt.Sprint(d.Date, " ", e.Kind, " ", e.Name, " ", e.State, " ", e.Amount, " ", e.ExpectedAmount, " ", e.EndsOn)), " "))
		}
	}
	return all
}

func TestCalendar(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	tv := add(t, a, "ann", args{"name": "TV", "first_date": "2026-01-31"}).ID
	gym := add(t, a, "ann", args{"name": "Gym", "first_date": "2026-05-02", "cycle": "P1W", "amount": "10", "currency": "CHF"}).ID
	add(t, a, "bob", args{"name": "Hidden", "first_date": "2026-05-05", "private": true})
	paper := add(t, a, "ann", args{"name": "Paper", "first_date": "2026-05-03", "ends_on": "2026-05-20", "amount": "1"}).ID
	trying := add(t, a, "ann", args{"name": "Trying", "first_date": "2026-05-10", "amount": "2"}).ID
	put(t, a, trying, "trial_ends_on", "2026-05-29")
	put(t, a, trying, "decide_by", "2026-05-27")
	simple := add(t, a, "ann", args{"name": "Plain", "first_date": "2026-05-10", "amount": "2"}).ID
	put(t, a, simple, "trial_ends_on", "2026-05-30")
	over := add(t, a, "ann", args{"name": "Over", "first_date": "2026-02-11", "amount": "2"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": over, "from": "2026-05-11", "resumes": "2026-05-25"})
	put(t, a, over, "ends_on", "2026-05-10")
	ending := add(t, a, "ann", args{"name": "Ending", "first_date": "2025-06-01", "cycle": "P1Y", "ends_on": "2026-06-30"}).ID
	put(t, a, ending, "notice", "P2W")
	phone := add(t, a, "ann", args{"name": "Phone", "first_date": "2025-06-01", "cycle": "P3M"}).ID
	put(t, a, phone, "min_term", "P1Y")
	put(t, a, phone, "notice", "P2W")
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": tv, "amount": "16.99", "price_from": "2026-05-31"})
	apply[Paused](t, a, "ann", pauseTool, args{"id": gym, "from": "2026-05-14", "resumes": "2026-05-21"})
	charge(t, a, tv, "2026-05-04", 1599, nil) // of 30 April
	charge(t, a, gym, "2026-05-04", 1100, map[string]any{"currency": "CHF"})
	apply[ChargeSkipped](t, a, "ann", skipTool, args{"subscription": gym, "due": "2026-05-09"})
	apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": paper})
	want := []string{
		"2026-05-03 charge Paper confirmed 1.00", "2026-05-04 charge Gym changed 11.00 10.00", "2026-05-04 charge TV confirmed 15.99",
		"2026-05-09 charge Gym skipped 0.00", "2026-05-10 last_day Over", "2026-05-14 pause Gym", "2026-05-17 notice Phone 2026-05-31", "2026-05-20 last_day Paper", "2026-05-21 resume Gym",
		"2026-05-23 charge Gym expected 10.00", "2026-05-27 decide Trying", "2026-05-29 trial_end Trying", "2026-05-30 trial_end Plain", "2026-05-30 charge Gym expected 10.00",
		"2026-05-31 price TV 16.99 15.99", "2026-05-31 charge TV expected 16.99",
	}
	whole := read[Calendar](t, a, "ann", calendarName, nil)
	if diff := cmp.Diff(want, entriesOf(whole)); diff != "" || whole.From != date("2026-05-01") || whole.To != date("2026-05-31") || whole.Next != "" {
		t.Error(diff)
	}
	totals := []CalendarTotal{
		{Currency: "CHF", Confirmed: "11.00", ConfirmedCount: 1, Expected: "20.00", ExpectedCount: 2},
		{Currency: "EUR", Confirmed: "16.99", ConfirmedCount: 2, Expected: "16.99", ExpectedCount: 1},
	}
	if diff := cmp.Diff(plain(t, totals), plain(t, whole.Totals)); diff != "" {
		t.Error(diff)
	}
	var parts []string
	in := args{"month": "2026-05", "limit": 3}
	for {
		page := read[Calendar](t, a, "ann", calendarName, in)
		if diff := cmp.Diff(plain(t, totals), plain(t, page.Totals)); diff != "" {
			t.Error(diff)
		}
		parts = append(parts, entriesOf(page)...)
		if in["cursor"] = page.Next; page.Next == "" {
			break
		}
	}
	if diff := cmp.Diff(want, parts); diff != "" {
		t.Errorf("in pages: %s", diff)
	}
	var days []string
	for d := whole.From; !d.After(whole.To); d = d.AddDays(3) {
		days = append(days, entriesOf(read[Calendar](t, a, "ann", calendarName, args{"from": d.String(), "to": min(d.AddDays(2).String(), whole.To.String())}))...)
	}
	if diff := cmp.Diff(want, days); diff != "" {
		t.Errorf("in parts: %s", diff)
	}
	one := read[Calendar](t, a, "bob", calendarName, args{"from": "2026-03-01", "to": "2026-04-30", "subscription": tv})
	if diff := cmp.Diff([]string{"2026-03-31 charge TV expected 15.99"}, entriesOf(one)); diff != "" {
		t.Error(diff) // that of 30 April was booked in May
	}
}

// A household that moves to another time zone gets another today, by the clock
// of a change of the hour too, and nothing else moves: no charge is there twice
// and none is lost.
func TestTimeZoneMovesOnlyToday(t *testing.T) {
	for now, want := range map[string][]string{ // today in Kiritimati, Berlin, UTC, Los Angeles
		"2026-03-29T00:59:30Z": {"2026-03-29", "2026-03-29", "2026-03-29", "2026-03-28"}, // Berlin jumps to summer time
		"2026-03-28T23:30:00Z": {"2026-03-29", "2026-03-29", "2026-03-28", "2026-03-28"},
		"2026-10-24T22:15:00Z": {"2026-10-25", "2026-10-25", "2026-10-24", "2026-10-24"}, // the day that has 25 hours there
		"2026-12-31T23:59:59Z": {"2027-01-01", "2027-01-01", "2026-12-31", "2026-12-31"},
		"2028-02-29T07:59:00Z": {"2028-02-29", "2028-02-29", "2028-02-29", "2028-02-28"},
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		a := toolstest.NewWith(t, tools.Config{Now: func() time.Time { return at }}, Plugin{})
		today := tools.DateOf(at)
		for i, first := range []int{-92, -31, -1, 0, 1} {
			id := add(t, a, "ann", args{"name": fmt.Sprint("S", i), "first_date": today.AddDays(first).String(), "cycle": []string{"P1M", "P1W", "P4W"}[i%3]}).ID
			if i == 1 {
				charge(t, a, id, today.AddDays(-30).String(), 1599, nil)
				apply[ChargeSkipped](t, a, "ann", skipTool, args{"subscription": id, "due": today.AddDays(-24).String()})
				apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": id, "due": today.AddDays(4).String()})
			}
		}
		span := args{"from": today.AddDays(-100).String(), "to": today.AddDays(100).String(), "limit": 200}
		list := args{"state": "all", "from": span["from"], "to": span["to"], "limit": 200}
		stored, days, all := plain(t, chargesIn(t, a)), entriesOf(read[Calendar](t, a, "ann", calendarName, span)), listed(t, a, "ann", list)
		seen := map[string]bool{}
		for _, c := range all {
			if seen[c] {
				t.Errorf("at %s %s is there twice", now, c)
			}
			seen[c] = true
		}
		if len(all) < 40 || len(days) != len(all) {
			t.Fatalf("at %s: %d listed, %d in the calendar", now, len(all), len(days))
		}
		for i, zone := range []string{"Pacific/Kiritimati", "Europe/Berlin", "UTC", "America/Los_Angeles"} {
			apply[Settings](t, a, "ann", "household_settings_update", args{"time_zone": zone})
			h := read[Settings](t, a, "ann", "household_settings_get", nil)
			if h.Today.String() != want[i] {
				t.Errorf("at %s today is %s in %s, want %s", now, h.Today, zone, want[i])
			}
			if diff := cmp.Diff(all, listed(t, a, "ann", list)); diff != "" {
				t.Errorf("at %s in %s: %s", now, zone, diff)
			}
			if diff := cmp.Diff(days, entriesOf(read[Calendar](t, a, "ann", calendarName, span))); diff != "" {
				t.Errorf("at %s in %s: %s", now, zone, diff)
			}
			if diff := cmp.Diff(stored, plain(t, chargesIn(t, a))); diff != "" {
				t.Errorf("at %s in %s: %s", now, zone, diff)
			}
		}
		// All is confirmed once, though today has come before and gone again.
		for _, zone := range []string{"Pacific/Kiritimati", "America/Los_Angeles", "Pacific/Kiritimati"} {
			apply[Settings](t, a, "ann", "household_settings_update", args{"time_zone": zone})
			_, _ = a.Apply(a.As("ann"), allTool, args{"from": span["from"]})
		}
		after := listed(t, a, "ann", list)
		for i := range after {
			after[i] = strings.Replace(after[i], " confirmed ", " expected ", 1)
			all[i] = strings.Replace(all[i], " confirmed ", " expected ", 1)
		}
		slices.Sort(after)
		slices.Sort(all)
		if diff := cmp.Diff(all, after); diff != "" {
			t.Errorf("at %s, confirmed: %s", now, diff)
		}
	}
}

// chargesIn are all charges that are stored.
func chargesIn(tb testing.TB, a *toolstest.App) map[string]any {
	tb.Helper()
	found := map[string]any{}
	for key, values := range dump(tb, a) {
		if strings.HasPrefix(key, charges+"/") {
			found[key] = values
		}
	}
	return found
}
