package household

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// homeAt is a household in Berlin, and the clock that its tests move.
func homeAt(tb testing.TB, now string) (*toolstest.App, *time.Time) {
	tb.Helper()
	clock, err := time.Parse(time.RFC3339, now)
	if err != nil {
		tb.Fatal(err)
	}
	a := toolstest.NewWith(tb, tools.Config{Now: func() time.Time { return clock }}, Plugin{})
	apply[Settings](tb, a, "ann", "household_settings_update", args{"time_zone": "Europe/Berlin"})
	return a, &clock
}

// set changes a stored subscription as another writer would.
func set(tb testing.TB, a *toolstest.App, id string, values args) {
	tb.Helper()
	rec, err := a.FindRecordById(subscriptions, id)
	if err != nil {
		tb.Fatal(err)
	}
	for k, v := range values {
		rec.Set(k, v)
	}
	if err := a.Save(rec); err != nil {
		tb.Fatal(err)
	}
}

// store makes a record as another writer would.
func store(tb testing.TB, a *toolstest.App, collection string, values args) {
	tb.Helper()
	if err := a.Save(record(tb, a.App, collection, values)); err != nil {
		tb.Fatal(err)
	}
}

// told lists reminders as "kind name on at".
func told(tb testing.TB, a *toolstest.App, who string, in args) []string {
	tb.Helper()
	list := []string{}
	for _, m := range read[reminderListOut](tb, a, who, "household_reminder_list", in).Items {
		list = append(list, m.Kind+" "+m.Subscription.Name+" "+m.On.String()+" "+m.At)
	}
	return list
}

// openReminder is what ticks off the first charge that ann is reminded of.
func openReminder(tb testing.TB, a *toolstest.App, id string) args {
	tb.Helper()
	for _, m := range read[reminderListOut](tb, a, "ann", "household_reminder_list", args{"days": 60}).Items {
		if m.Subscription.ID == id && m.Kind == remindCharge {
			return args{"kind": m.Kind, "subscription": id, "on": m.On.String()}
		}
	}
	tb.Fatal("there is no reminder")
	return nil
}

func TestReminders(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	gas := add(t, a, "ann", args{"name": "Gas", "amount": "80.00", "first_date": "2025-01-14"}).ID
	for _, month := range []string{"2025-12-14", "2026-01-14", "2026-02-16"} {
		store(t, a, charges, args{"subscription": gas, "date": month, "amount": 8000, "currency": "EUR"})
	}
	store(t, a, charges, args{"subscription": gas, "date": "2026-03-02", "amount": 14000, "currency": "EUR", "text": "Nachzahlung"})
	tv := add(t, a, "ann", args{"name": "TV", "first_date": "2026-03-21"}).ID
	set(t, a, tv, args{"trial_from": "2026-03-07", "trial_ends_on": "2026-03-20", "decide_by": "2026-03-19", "remind_days": -1})
	net := add(t, a, "ann", args{"name": "Net", "first_date": "2024-04-01"}).ID
	set(t, a, net, args{"min_term": "P24M", "extension": "P12M", "notice": "P1W", "remind_days": -1})
	gym := add(t, a, "ann", args{"name": "Gym", "first_date": "2025-04-01"}).ID // any month: no notice is worth a word
	set(t, a, gym, args{"notice": "P1W", "remind_days": 2})
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": gym, "amount": "20.00", "price_from": "2026-04-01"})

	want := []string{
		"unusual Gas 2026-03-02 2026-03-03T08:00:00Z",
		"notice Net 2026-03-24 2026-03-10T08:00:00Z",
		"charge Gas 2026-03-14 2026-03-11T08:00:00Z",
		"trial TV 2026-03-19 2026-03-16T08:00:00Z",
	}
	if diff := cmp.Diff(want, told(t, a, "ann", nil)); diff != "" {
		t.Error(diff)
	}
	want = append(want,
		"price Gym 2026-04-01 2026-03-25T08:00:00Z",
		"charge Gym 2026-04-01 2026-03-30T07:00:00Z", // summer time has begun
	)
	if diff := cmp.Diff(want, told(t, a, "ann", args{"days": 20})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[:2], told(t, a, "ann", args{"due": true})); diff != "" {
		t.Errorf("due by now: %s", diff)
	}
	if got := told(t, a, "bob", args{"days": 366}); len(got) != 0 {
		t.Errorf("bob is told of ann's: %v", got)
	}
	first := read[reminderListOut](t, a, "ann", "household_reminder_list", nil).Items[0]
	if got := a.Catalogue.English(tools.Text(first.Text)); got != "Gas: 140.00 EUR on 2 March 2026 is unusual; it was about 80.00 EUR before" {
		t.Error(got)
	}
}

// What is not charged, or is settled already, is not said.
func TestNothingToRemindOf(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	for name, change := range map[string]func(id string){
		"paused": func(id string) { store(t, a, pauses, args{"subscription": id, "from": "2026-03-01"}) },
		"booked": func(id string) {
			store(t, a, charges, args{"subscription": id, "date": "2026-03-10", "amount": 1599, "currency": "EUR"})
		},
		"skipped": func(id string) {
			store(t, a, charges, args{"subscription": id, "date": "2026-03-12", "due": "2026-03-12", "currency": "EUR", "state": skipped})
		},
		"ending": func(id string) {
			set(t, a, id, args{"status": cancelled, "ends_on": "2026-03-11", "notice": "P1M", "trial_ends_on": "2026-03-11"})
		},
		"decided": func(id string) { set(t, a, id, args{"trial_ends_on": "2026-03-31", "trial_decided": keep}) },
		"noticed": func(id string) {
			set(t, a, id, args{"remind_days": -1, "min_term": "P12M", "first_date": "2025-03-20", "noticed_on": "2026-03-01", "ends_on": "2026-03-19", "status": cancelled})
		},
		"never": func(id string) { set(t, a, id, args{"remind_days": -1}) },
		"free":  func(id string) { set(t, a, id, args{"amount": 0}) },
	} {
		change(add(t, a, "ann", args{"name": name, "first_date": "2025-03-12"}).ID)
	}
	if got := told(t, a, "ann", nil); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// A raised price that is booked a day early is what was due, and a charge that
// nobody expected is not.
func TestUnusual(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	id := add(t, a, "ann", args{"name": "Gas", "amount": "80.00", "first_date": "2025-10-08", "remind_days": -1}).ID
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "120.00", "price_from": "2026-03-08"})
	set(t, a, id, args{"owner": a.Member("ann").Id})
	for _, day := range []string{"2025-10-08", "2025-11-10", "2025-12-08", "2026-01-08", "2026-02-09"} {
		store(t, a, charges, args{"subscription": id, "date": day, "amount": 8000, "currency": "EUR"})
	}
	store(t, a, charges, args{"subscription": id, "date": "2026-03-07", "amount": 12000, "currency": "EUR"})
	want := []string{"price Gas 2026-03-08 2026-03-01T08:00:00Z"}
	if diff := cmp.Diff(want, told(t, a, "ann", nil)); diff != "" {
		t.Error(diff)
	}
	store(t, a, charges, args{"subscription": id, "date": "2026-03-01", "amount": 30000, "currency": "EUR"})
	store(t, a, charges, args{"subscription": id, "date": "2026-03-01", "amount": 29000, "currency": "EUR"})
	want = append(want, "unusual Gas 2026-03-01 2026-03-02T08:00:00Z")
	if diff := cmp.Diff(want, told(t, a, "ann", nil)); diff != "" {
		t.Errorf("with two of one day: %s", diff)
	}
}

// Unusual is more than a quarter off, of three charges before it at least.
func TestUnusualByHowMuch(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	for name, row := range map[string]struct {
		amount int
		before []string
	}{
		"a quarter more": {10000, []string{"2025-12-08", "2026-01-08", "2026-02-08"}},
		"a cent above":   {10001, []string{"2025-12-08", "2026-01-08", "2026-02-08"}},
		"a quarter less": {6000, []string{"2025-12-08", "2026-01-08", "2026-02-08"}},
		"a cent below":   {5999, []string{"2025-12-08", "2026-01-08", "2026-02-08"}},
		"two before it":  {20000, []string{"2026-01-08", "2026-02-08"}},
	} {
		id := add(t, a, "ann", args{"name": name, "amount": "80.00", "first_date": "2025-12-08", "remind_days": -1}).ID
		for _, day := range row.before {
			store(t, a, charges, args{"subscription": id, "date": day, "amount": 8000, "currency": "EUR"})
		}
		store(t, a, charges, args{"subscription": id, "date": "2026-03-08", "amount": row.amount, "currency": "EUR"})
	}
	want := []string{"unusual a cent above 2026-03-08 2026-03-09T08:00:00Z", "unusual a cent below 2026-03-08 2026-03-09T08:00:00Z"}
	if diff := cmp.Diff(want, told(t, a, "ann", nil)); diff != "" {
		t.Error(diff)
	}
}

// What is late is still said until its day, and of prices for fourteen days
// after it, unless it has been said.
func TestLateIsStillSaid(t *testing.T) {
	a, clock := homeAt(t, "2026-03-10T12:00:00Z")
	id := add(t, a, "ann", args{"first_date": "2025-01-15", "remind_days": -1}).ID
	apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": id, "amount": "17.99", "from": "2026-03-12"})
	add(t, a, "ann", args{"name": "TV", "trial_ends_on": "2026-03-26", "first_date": ""})
	phone := add(t, a, "ann", args{"name": "Phone", "first_date": "2025-03-26"}).ID
	set(t, a, phone, args{"min_term": "P12M", "extension": "P12M", "notice": "P1D", "first_date": "2025-03-28"})
	*clock = clock.AddDate(0, 0, 16) // 26 March
	all := []string{"price Netflix 2026-03-12 2026-03-05T08:00:00Z", "notice Phone 2026-03-26 2026-03-12T08:00:00Z", "trial TV 2026-03-26 2026-03-23T08:00:00Z", "charge TV 2026-03-27 2026-03-24T08:00:00Z", "charge Phone 2026-03-28 2026-03-25T08:00:00Z"}
	if diff := cmp.Diff(all, told(t, a, "ann", args{"due": true})); diff != "" {
		t.Error(diff)
	}
	_, receipt := apply[Reminder](t, a, "ann", "household_reminder_done", args{"kind": "price", "subscription": id, "on": "2026-03-12"})
	if diff := cmp.Diff(all[1:], told(t, a, "ann", args{"due": true})); diff != "" {
		t.Errorf("said again: %s", diff)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
		t.Fatal(err)
	}
	*clock = clock.AddDate(0, 0, 1)
	if diff := cmp.Diff(all[3:], told(t, a, "ann", args{"due": true})); diff != "" {
		t.Errorf("a day later: %s", diff)
	}
}

// A subscription may be spoken of on the very day, whatever the household says.
func TestRemindedOnTheDay(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	refused(t, a, "household_subscription_add", args{"name": "X", "amount": "1", "cycle": "P1M", "first_date": "2025-03-12", "remind_days": 91}, tools.Invalid, "0 for its own day")
	id := add(t, a, "ann", args{"first_date": "2025-03-12", "remind_days": 0}).ID
	if diff := cmp.Diff([]string{"charge Netflix 2026-03-12 2026-03-12T08:00:00Z"}, told(t, a, "ann", nil)); diff != "" {
		t.Error(diff)
	}
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "clear": []string{"remind_days"}})
	if diff := cmp.Diff([]string{"charge Netflix 2026-03-12 2026-03-09T08:00:00Z"}, told(t, a, "ann", nil)); diff != "" {
		t.Errorf("as the household says: %s", diff)
	}
}

// Each is said to whose it is, to those who bear a share, and to all where it
// is nobody's. What is private is said to its owner only.
func TestWhoIsReminded(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	in := func(name string) args { return args{"name": name, "first_date": "2025-03-12"} }
	add(t, a, "ann", in("Ann's"))
	shared := add(t, a, "ann", in("Shared")).ID
	store(t, a, shares, args{"subscription": shared, "member": a.Member("bob").Id, "weight": 1, "currency": "EUR"})
	nobody := add(t, a, "ann", in("Nobody's")).ID
	set(t, a, nobody, args{"owner": ""})
	secret := in("Secret")
	secret["private"] = true
	add(t, a, "bob", secret)
	names := func(who string) (list []string) {
		for _, m := range read[reminderListOut](t, a, who, "household_reminder_list", nil).Items {
			list = append(list, m.Subscription.Name)
		}
		return list
	}
	if diff := cmp.Diff([]string{"Ann's", "Nobody's", "Shared"}, names("ann")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Nobody's", "Secret", "Shared"}, names("bob")); diff != "" {
		t.Error(diff)
	}
}

// A reminder is said once, to each person on their own.
func TestRemindedOnce(t *testing.T) {
	a, clock := homeAt(t, "2026-03-10T12:00:00Z")
	id := add(t, a, "ann", args{"first_date": "2025-03-12"}).ID
	set(t, a, id, args{"owner": ""})
	done := args{"kind": "charge", "subscription": id, "on": "2026-03-12", "said": true}
	if got := title(t, a, "ann", "household_reminder_done", done); got != "No more reminder of Netflix: charge, 12 March 2026" {
		t.Error(got)
	}
	var wg sync.WaitGroup
	results := make([]error, 8)
	for i := range results {
		wg.Go(func() { _, results[i] = a.Apply(a.As("ann"), "household_reminder_done", done) })
	}
	wg.Wait()
	once := 0
	for _, err := range results {
		switch {
		case err == nil:
			once++
		case tools.KindOf(err) != tools.Conflict:
			t.Errorf("%v is a %s", err, tools.KindOf(err))
		}
	}
	if once != 1 {
		t.Errorf("it was said %d times", once)
	}
	if got := told(t, a, "ann", args{"due": true}); len(got) != 0 {
		t.Errorf("still due: %q", got)
	}
	if got := told(t, a, "bob", args{"due": true}); len(got) != 1 {
		t.Errorf("to bob it was not said: %q", got)
	}
	if item := read[reminderListOut](t, a, "ann", "household_reminder_list", nil).Items[0]; item.Said != "2026-03-10T12:00:00Z" {
		t.Errorf("said %q", item.Said)
	}
	*clock = clock.AddDate(0, 1, 0)
	if got := told(t, a, "ann", args{"due": true}); len(got) != 1 {
		t.Errorf("the next charge: %q", got)
	}
}

func TestReminderInput(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	id := add(t, a, "ann", args{"first_date": "2025-03-12"}).ID
	secret := add(t, a, "bob", args{"private": true, "first_date": "2025-03-12"}).ID
	before := dump(t, a)
	for _, row := range []struct {
		in   args
		kind tools.Kind
	}{
		{args{"kind": "charge", "subscription": id, "on": "2026-03-13"}, tools.NotFound},
		{args{"kind": "charge", "subscription": id, "on": "2026-02-30"}, tools.Invalid},
		{args{"kind": "birthday", "subscription": id, "on": "2026-03-12"}, tools.Invalid},
		{args{"kind": "price", "subscription": id, "on": "2026-03-12"}, tools.NotFound},
		{args{"kind": "charge", "subscription": secret, "on": "2026-03-12"}, tools.NotFound},
		{args{"kind": "charge", "subscription": "nobody", "on": "2026-03-12"}, tools.NotFound},
	} {
		if _, err := a.Apply(a.As("ann"), "household_reminder_done", row.in); !errors.Is(err, &tools.Error{Kind: row.kind}) {
			t.Errorf("%v: %v", row.in, err)
		}
	}
	for _, in := range []args{{"days": -1}, {"days": 400}, {"limit": 1000}, {"cursor": "x"}} {
		if _, err := a.Read(a.As("ann"), "household_reminder_list", in); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%v: %v", in, err)
		}
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}
