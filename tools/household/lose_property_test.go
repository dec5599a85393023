package household

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// booking is a charge as the list shows it, with the day that it is for: the
// due day that it settles, or else names.
type booking struct {
	Charge
	day tools.Date
}

// bookings are all charges of a subscription by id, and the days on which
// something is expected besides.
func bookings(t *testing.T, a *toolstest.App, id string) (list map[string]booking, open []tools.Date) {
	t.Helper()
	list = map[string]booking{}
	in := args{"subscription": id, "state": "all", "from": "2020-01-01", "to": "2026-12-31", "limit": 200}
	for {
		out := read[chargeListOut](t, a, "ann", "household_charge_list", in)
		for _, c := range out.Items {
			if c.State == expected {
				open = append(open, c.Date)
			} else {
				rec, err := a.FindRecordById(charges, c.ID)
				if err != nil {
					t.Fatal(err)
				}
				named, _ := tools.ParseDate(rec.GetString("due"))
				if !c.Due.IsZero() {
					named = c.Due
				}
				list[c.ID] = booking{c, named}
			}
		}
		if in["cursor"] = out.Next; out.Next == "" {
			return list, open
		}
	}
}

// paying is a subscription with random charges near its due days.
func paying(t *testing.T, a *toolstest.App, rnd *rand.Rand, today tools.Date) string {
	t.Helper()
	cycle := []string{"P1W", "P2W", "P4W", "P1M", "P1M", "P3M", "P1Y"}[rnd.IntN(7)]
	in := args{"name": "Any", "cycle": cycle, "first_date": today.AddDays(-rnd.IntN(500)).String()}
	if rnd.IntN(4) == 0 {
		in["ends_on"] = today.AddDays(rnd.IntN(300)).String()
	}
	if cycle == "P1M" && rnd.IntN(3) == 0 {
		in["anchor_day"] = 1 + rnd.IntN(31)
	}
	id := add(t, a, "ann", in).ID
	s, err := loadStored(a, id)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range s.between(s.first, today.AddDays(60), 25) {
		switch rnd.IntN(6) {
		case 0, 1:
			charge(t, a, id, earlier(d.AddDays(rnd.IntN(40)-20), today).String(), 1599, map[string]any{"due": d.String(), "state": confirmed})
		case 2, 3:
			charge(t, a, id, d.AddDays(rnd.IntN(9)-4).String(), 1599, nil)
		case 4:
			charge(t, a, id, d.String(), 0, map[string]any{"due": d.String(), "state": skipped})
		}
	}
	return id
}

// redate is a random change of dates.
func redate(rnd *rand.Rand, id string, s schedule, today tools.Date) (string, args) {
	near := func(d tools.Date) string { return d.AddDays(rnd.IntN(60) - 30).String() }
	in := args{"id": id}
	switch rnd.IntN(9) {
	case 0:
		in["trial_ends_on"] = near(s.first)
	case 1:
		in["first_date"] = s.first.AddDays(rnd.IntN(9) - 4).String()
	case 2:
		in["first_date"] = near(today)
	case 3:
		in["cycle"] = []string{"P1W", "P2W", "P4W", "P1M", "P3M", "P1Y"}[rnd.IntN(6)]
		if rnd.IntN(2) == 0 {
			in["first_date"] = near(today.AddDays(90))
		}
	case 4:
		in["anchor_day"] = rnd.IntN(32)
	case 5:
		from := today.AddDays(rnd.IntN(300) - 200)
		in["from"], in["resumes"], in["shift"] = from.String(), from.AddDays(1+rnd.IntN(40)).String(), rnd.IntN(2) == 0
		return pauseTool, in
	case 6:
		in["on"] = today.AddDays(rnd.IntN(300) - 200).String()
		return resumeTool, in
	case 7:
		in["last_day"] = today.AddDays(rnd.IntN(200) - 100).String()
		return "household_subscription_cancel", in
	default:
		in["clear"] = []string{[]string{"ends_on", "anchor_day", "trial_ends_on"}[rnd.IntN(3)]}
	}
	return subUpdateTool, in
}

// Whatever dates change, no payment is counted twice: a charge keeps a due day,
// or nothing is expected around its own.
func TestNoPaymentIsCountedTwice(t *testing.T) {
	today := date("2026-03-20")
	done, refusals, history := 0, 0, 0
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 21))
		a := homeOn(t, today.String())
		id := paying(t, a, rnd, today)
		was, _ := bookings(t, a, id)
		for step := range 12 {
			s, err := loadStored(a, id)
			if err != nil {
				t.Fatal(err)
			}
			if days := s.between(today.AddDays(-100), today.AddDays(100), 20); rnd.IntN(3) == 0 && len(days) > 0 {
				due := days[rnd.IntN(len(days))].String()
				if _, err := a.Apply(a.As("ann"), confirmTool, args{"subscription": id, "due": due}); err == nil {
					was, _ = bookings(t, a, id)
				}
			}
			before := dump(t, a)
			tool, in := redate(rnd, id, s, today)
			if _, err := a.Apply(a.As("ann"), tool, in); err != nil {
				if refusals++; tools.KindOf(err) == tools.Internal {
					t.Fatal(err)
				}
				if diff := cmp.Diff(before, dump(t, a)); diff != "" {
					t.Fatalf("%s %v was refused and wrote: %s", tool, in, diff)
				}
				continue
			}
			done++
			what := fmt.Sprintf("seed %d, step %d, %s %v", seed, step, tool, in)
			s, err = loadStored(a, id)
			if err != nil {
				t.Fatal(err)
			}
			now, open := bookings(t, a, id)
			if len(now) != len(was) {
				t.Fatalf("%s: %d charges became %d", what, len(was), len(now))
			}
			settled := map[tools.Date]bool{} // perhaps by one that was for a day which is left out now
			for _, c := range now {
				settled[c.Due] = true
			}
			for key, c := range now {
				day := was[key].day
				if !c.Due.IsZero() || day.IsZero() {
					continue // it has one, or had none
				}
				history++
				if !settled[day] && !day.Before(s.first) && !freeNear(s, day) {
					t.Fatalf("%s: the charge for %s has no due day", what, day)
				}
				for _, d := range open {
					if n := abs(d.DaysSince(day)); n <= slackOf(s.cycle) {
						t.Fatalf("%s: %s is paid (%s) and expected on %s", what, day, c.Date, d)
					}
				}
			}
			counts(t, a, what, now, open)
			was = now
		}
	}
	t.Logf("%d changes, %d refused, %d charges without their day", done, refusals, history)
	if done < 60 || refusals < 60 || history < 20 {
		t.Errorf("%d changes, %d refused, %d charges without their day: it tries little", done, refusals, history)
	}
}

// freeNear says that a due day that a charge of a day could settle may be left
// out.
func freeNear(s schedule, day tools.Date) bool {
	for n := -slack; n <= slack; n++ {
		if d := day.AddDays(n); s.over(d) || s.free(d) {
			return true
		}
	}
	return false
}

// counts wants spending by month to be of just these charges and due days.
func counts(t *testing.T, a *toolstest.App, what string, list map[string]booking, open []tools.Date) {
	t.Helper()
	want := map[string][2]int{}
	count := func(d tools.Date, i int) {
		if d.String() >= "2020-01-01" && d.String() <= "2026-12-31" {
			n := want[d.String()[:7]]
			n[i]++
			want[d.String()[:7]] = n
		}
	}
	for _, c := range list {
		if c.State != skipped {
			count(c.Date, 0)
		}
	}
	for _, d := range open {
		count(d, 1)
	}
	for _, row := range spentBy(t, a, "ann", args{"from": "2020-01-01", "to": "2026-12-31", "limit": 200}).Items {
		got := [2]int{}
		for _, s := range row.Sums {
			got = [2]int{s.Charges, s.Open}
		}
		if got != want[row.Month] {
			t.Fatalf("%s: %s counts %v, not %v", what, row.Month, got, want[row.Month])
		}
	}
}

// loadStored is the schedule of a subscription, past the tools.
func loadStored(a *toolstest.App, id string) (schedule, error) {
	rec, err := a.FindRecordById(subscriptions, id)
	if err != nil {
		return schedule{}, err
	}
	rests, err := storedPauses(a, id, "")
	if err != nil {
		return schedule{}, err
	}
	return scheduleOf(rec, below{pauses: rests})
}
