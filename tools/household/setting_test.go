package household

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// A stored zone that does not load, as on a machine with other zones, breaks
// no tool and can be mended.
func TestZoneThatDoesNotLoad(t *testing.T) {
	a := newHome(t)
	apply[Settings](t, a, "ann", "household_settings_update", args{"time_zone": "Europe/Berlin"})
	if _, err := a.DB().NewQuery("UPDATE household_settings SET time_zone = 'Mars/Olympus'").Execute(); err != nil {
		t.Fatal(err)
	}
	s := read[Settings](t, a, "ann", "household_settings_get", nil)
	if said := a.Catalogue.English(tools.Text(s.Problem)); s.TimeZone != "Mars/Olympus" || s.Today.String() != day(0) || !strings.Contains(said, `"Mars/Olympus"`) || !strings.Contains(said, "UTC") {
		t.Errorf("%+v: %s", s, said)
	}
	add(t, a, "ann", nil)
	read[Overview](t, a, "ann", "household_overview", nil)
	if out, _ := apply[Settings](t, a, "ann", "household_settings_update", args{"currency": "CHF"}); out.Currency != "CHF" || out.Problem.Key == "" {
		t.Errorf("%+v", out)
	}
	if out, _ := apply[Settings](t, a, "ann", "household_settings_update", args{"time_zone": "Asia/Tokyo"}); out.TimeZone != "Asia/Tokyo" || out.Problem.Key != "" {
		t.Errorf("%+v", out)
	}
	if s := read[Settings](t, a, "bob", "household_settings_get", nil); s.Problem.Key != "" || s.TimeZone != "Asia/Tokyo" {
		t.Errorf("%+v", s)
	}
}

func TestIsZone(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Berlin", "America/Argentina/Ushuaia", "Etc/GMT+5"} {
		if _, err := parseZone("time_zone", name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "Local", "localtime", "LocalTime", "posixrules", "right/UTC", "Right/Europe/Berlin", "posix/UTC", "Factory", "./UTC", "Europe//Berlin", "../UTC", "/etc/localtime", "Europe"} {
		if _, err := parseZone("time_zone", name); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
}

// Nothing set is three days before, at nine; what is set to 0 is 0, and comes
// back as it was.
func TestWhenTheHouseholdIsReminded(t *testing.T) {
	a := newHome(t)
	when := func(want string) {
		t.Helper()
		s := read[Settings](t, a, "bob", "household_settings_get", nil)
		if got := fmt.Sprint(s.RemindDays, " at ", s.RemindHour); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	when("3 at 9")
	apply[Settings](t, a, "ann", "household_settings_update", args{"currency": "CHF"})
	when("3 at 9")
	_, receipt := apply[Settings](t, a, "ann", "household_settings_update", args{"remind_days": 0, "remind_hour": 0})
	when("0 at 0")
	if got := a.Catalogue.English(receipt.Cards[0].Lines[1]); got != "Reminders of charges come on their day, at 0:00" {
		t.Error(got)
	}
	apply[Settings](t, a, "ann", "household_settings_update", args{"remind_days": -1})
	when("-1 at 0")
	apply[Settings](t, a, "ann", "household_settings_update", args{"remind_days": 90, "remind_hour": 23})
	when("90 at 23")
	before := dump(t, a)
	refused(t, a, "household_settings_update", args{"remind_days": 91}, tools.Invalid, "remind_days", "91", "90")
	refused(t, a, "household_settings_update", args{"remind_days": -2}, tools.Invalid, "remind_days", "-2")
	refused(t, a, "household_settings_update", args{"remind_hour": 24}, tools.Invalid, "remind_hour", "24", "23")
	refused(t, a, "household_settings_update", args{"remind_hour": -1, "currency": "EUR"}, tools.Invalid, "remind_hour", "-1")
	for _, bad := range []args{{"remind_days": "91"}, {"remind_days": -2}, {"remind_days": "03"}, {"remind_hour": 24}, {"remind_hour": "9:00"}} {
		rec, err := a.FindFirstRecordByFilter(settings, "id != ''")
		if err != nil {
			t.Fatal(err)
		}
		rec.Load(bad)
		if err := a.Save(rec); err == nil {
			t.Errorf("%v was stored", bad)
		}
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}
