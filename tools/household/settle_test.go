package household

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// paidOn makes charges of days; "due<date" names the day that it settles.
func paidOn(days ...string) []charged {
	list := make([]charged, len(days))
	for i, d := range days {
		list[i] = charged{id: fmt.Sprintf("%02d", i), date: date(d[len(d)-10:])}
		if len(d) > 10 {
			list[i].due = date(d[:10])
		}
	}
	return list
}

func TestSettle(t *testing.T) {
	monthly := sched("P1M", "2026-01-31", 31, "")
	rows := []struct {
		what string
		s    schedule
		paid []string
		want []string // due:index of the charge
	}{
		{"on a working day after", sched("P1M", "2026-05-01", 0, ""), []string{"2026-05-04"}, []string{"2026-05-01:0", "2026-06-01:-"}},
		{"five days late is another", sched("P1M", "2026-05-01", 0, ""), []string{"2026-05-06"}, []string{"2026-05-01:-", ":0", "2026-06-01:-"}},
		{"weekly, between two", sched("P1W", "2026-05-01", 0, "2026-05-15"), []string{"2026-05-04", "2026-05-05"}, []string{"2026-05-01:0", "2026-05-08:1", "2026-05-15:-"}},
		{"weekly, two late ones", sched("P1W", "2026-05-01", 0, "2026-05-08"), []string{"2026-05-04", "2026-05-11"}, []string{"2026-05-01:0", "2026-05-08:1"}},
		{"weekly, four days late is another", sched("P1W", "2026-05-01", 0, "2026-05-08"), []string{"2026-05-05", "2026-05-08"}, []string{"2026-05-01:-", ":0", "2026-05-08:1"}},
		{"four-weekly", sched("P4W", "2026-04-03", 0, "2026-05-29"), []string{"2026-04-07", "2026-04-26", "2026-05-29"}, []string{"2026-04-03:0", ":1", "2026-05-01:-", "2026-05-29:2"}},
		{"month ends", monthly, []string{"2026-02-02", "2026-03-02", "2026-04-01"}, []string{"2026-01-31:0", "2026-02-28:1", "2026-03-31:2", "2026-04-30:-", "2026-05-31:-"}},
		{"two equal ones on one day", sched("P1M", "2026-05-01", 0, "2026-06-01"), []string{"2026-05-01", "2026-05-01"}, []string{"2026-05-01:0", ":1", "2026-06-01:-"}},
		{"the nearest wins", sched("P1M", "2026-05-10", 0, "2026-05-10"), []string{"2026-05-07", "2026-05-11"}, []string{":0", "2026-05-10:1"}},
		{"of two as near the late one", sched("P1M", "2026-05-10", 0, "2026-05-10"), []string{"2026-05-08", "2026-05-12"}, []string{":0", "2026-05-10:1"}},
		{"named, long before", sched("P1M", "2026-05-10", 0, "2026-06-10"), []string{"2026-05-10<2026-01-10"}, []string{"2026-05-10:0", "2026-06-10:-"}},
		{"named beats near", sched("P1M", "2026-05-10", 0, "2026-05-10"), []string{"2026-05-10", "2026-05-10<2026-05-20"}, []string{"2026-05-10:1", ":0"}},
		{"named, but not due any more", sched("P1M", "2026-05-12", 0, "2026-06-12"), []string{"2026-05-10<2026-05-10"}, []string{"2026-05-12:0", "2026-06-12:-"}},
		{"named twice: the second goes by its date", sched("P1M", "2026-05-01", 0, "2026-06-01"), []string{"2026-05-01<2026-05-01", "2026-05-01<2026-06-02"}, []string{"2026-05-01:0", "2026-06-01:1"}},
	}
	for _, r := range rows {
		list := paidOn(r.paid...)
		var got []string
		for _, p := range r.s.settle(r.s.first, date("2026-06-15"), list) {
			c := "-"
			if p.charge >= 0 {
				c = fmt.Sprint(p.charge)
			}
			got = append(got, p.due.String()+":"+c)
		}
		if diff := gocmp.Diff(r.want, got); diff != "" {
			t.Errorf("%s: %s", r.what, diff)
		}
	}
}

// anyCharges are booked around what is due, some named, some twice, some
// besides.
func anyCharges(rnd *rand.Rand, dues []tools.Date, begin tools.Date) []charged {
	var list []charged
	put := func(due, day tools.Date) {
		list = append(list, charged{id: fmt.Sprintf("c%03d", len(list)), due: due, date: day})
	}
	for i, d := range dues {
		switch rnd.IntN(6) {
		case 0, 1, 2:
			put(tools.Date{}, d.AddDays(rnd.IntN(13)-6))
		case 3:
			put(d, dues[rnd.IntN(len(dues))].AddDays(rnd.IntN(60)-30))
		case 4:
			put(d.AddDays(rnd.IntN(9)-4), d.AddDays(rnd.IntN(9)-4)) // perhaps not due any more
		}
		if rnd.IntN(4) == 0 && len(list) > 0 {
			put(list[len(list)-1].due, list[len(list)-1].date)
		}
		if i%7 == 0 {
			put(tools.Date{}, begin.AddDays(rnd.IntN(3000)))
		}
	}
	return list
}

// greedy is the reference: of all pairs that are left, take the best, and
// begin again.
func greedy(dues []tools.Date, list []charged, most int) map[string]tools.Date {
	by, done := map[string]tools.Date{}, map[tools.Date]bool{}
	list = slices.SortedFunc(slices.Values(list), func(a, b charged) int {
		return cmp.Or(a.date.Compare(b.date), cmp.Compare(a.id, b.id))
	})
	for _, c := range list {
		if slices.Contains(dues, c.due) && !done[c.due] {
			by[c.id], done[c.due] = c.due, true
		}
	}
	for turn := 0; ; { // those that name none by their dates, the others by what they name, then by their dates
		best, id, due := 2*most+1, "", tools.Date{}
		list := slices.Clone(list)
		for i, c := range list {
			if turn == 1 {
				list[i].date = c.due
			}
		}
		slices.SortFunc(list, func(a, b charged) int { return cmp.Or(a.date.Compare(b.date), cmp.Compare(a.id, b.id)) })
		for _, c := range list {
			if _, ok := by[c.id]; ok || c.due.IsZero() != (turn == 0) {
				continue
			}
			for off := -most; off <= most; off++ {
				d, rank := c.date.AddDays(-off), 2*off-1 // late ones are odd
				if off <= 0 {
					rank = -2 * off
				}
				if rank < best && slices.Contains(dues, d) && !done[d] {
					best, id, due = rank, c.id, d
				}
			}
		}
		switch {
		case id != "":
			by[id], done[due] = due, true
		case turn == 2:
			return by
		default:
			turn++
		}
	}
}

// No due day is settled twice, no charge used twice, none lost, whatever the
// order of the charges, and whichever time is asked for.
func TestSettleForAnySchedule(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	matched, over := 0, 0
	for n := range 400 {
		s := anySchedule(rnd)
		from, to := s.first.AddDays(-rnd.IntN(50)), s.first.AddDays(1500)
		dues := s.between(from, to, 40)
		if len(dues) == 40 {
			to = dues[39]
		}
		list := anyCharges(rnd, dues, from)
		whole := s.settle(from, to, list)
		seenDue, seen, got := map[tools.Date]bool{}, map[int]bool{}, map[string]tools.Date{}
		for _, p := range whole {
			if seenDue[p.due] && !p.due.IsZero() || (p.charge >= 0 && seen[p.charge]) || (p.due.IsZero() && p.charge < 0) {
				t.Fatalf("schedule %d: %+v is there twice", n, p)
			}
			seenDue[p.due] = true
			if p.charge < 0 {
				continue
			}
			if seen[p.charge] = true; !p.due.IsZero() {
				got[list[p.charge].id] = p.due
				matched++
			} else {
				over++
			}
		}
		for _, d := range dues {
			if !seenDue[d] {
				t.Fatalf("schedule %d: %s is lost", n, d)
			}
		}
		if len(seen) != len(list) {
			t.Fatalf("schedule %d: %d of %d charges", n, len(seen), len(list))
		}
		if want := greedy(s.between(from.AddDays(-4000), to.AddDays(4000), 1<<30), list, slackOf(s.cycle)); gocmp.Diff(want, got) != "" {
			t.Fatalf("schedule %d, %+v: %s", n, s, gocmp.Diff(want, got))
		}
		shuffled := slices.Clone(list)
		rnd.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again := map[string]tools.Date{}
		for _, p := range s.settle(from, to, shuffled) {
			if p.charge >= 0 && !p.due.IsZero() {
				again[shuffled[p.charge].id] = p.due
			}
		}
		if diff := gocmp.Diff(got, again); diff != "" {
			t.Fatalf("schedule %d: in another order %s", n, diff)
		}
		partly(t, rnd, s, from, to, list, got)
	}
	if matched < 2000 || over < 500 {
		t.Errorf("%d matched, %d over: they try little", matched, over)
	}
}

// partly asks for a part of the time, with the charges that chargesNear reads.
func partly(t *testing.T, rnd *rand.Rand, s schedule, from, to tools.Date, list []charged, want map[string]tools.Date) {
	a := from.AddDays(rnd.IntN(to.DaysSince(from) + 1))
	b := a.AddDays(rnd.IntN(to.DaysSince(a) + 1))
	inside := func(d tools.Date) bool { return !d.Before(a.AddDays(-reach)) && !d.After(b.AddDays(reach)) }
	part := slices.DeleteFunc(slices.Clone(list), func(c charged) bool { return !inside(c.date) && (c.due.IsZero() || !inside(c.due)) })
	settledBy := map[tools.Date]string{}
	for id, d := range want {
		settledBy[d] = id
	}
	asked := 0
	for _, p := range s.settle(a, b, part) {
		id := ""
		if p.charge >= 0 {
			id = part[p.charge].id
		}
		if day := p.day(part); day.Before(a) || day.After(b) {
			continue
		}
		if asked++; p.due.IsZero() {
			if _, ok := want[id]; ok {
				t.Fatalf("%+v from %s to %s: %s settles nothing", s, a, b, id)
			}
		} else if settledBy[p.due] != id {
			t.Fatalf("%+v from %s to %s: %s is settled by %q, in all by %q", s, a, b, p.due, id, settledBy[p.due])
		}
	}
	if n := len(s.between(a, b, 1<<30)); asked < n {
		t.Fatalf("%+v from %s to %s: %d of %d", s, a, b, asked, n)
	}
}

// BenchmarkSettle matches two years of a thousand monthly subscriptions, and
// holds it to a part of what a read may take.
func BenchmarkSettle(b *testing.B) {
	s := sched("P1M", "2024-01-31", 31, "")
	dues := s.between(s.first, s.first.AddDays(740), 24)
	list := make([]charged, len(dues))
	for i, d := range dues {
		list[i] = charged{id: fmt.Sprint(i), date: d.AddDays(i%7 - 3)}
	}
	for b.Loop() {
		for range 1000 {
			settle(dues, list, s.cycle)
		}
	}
	if each := b.Elapsed().Milliseconds() / int64(b.N); each > 50 {
		b.Errorf("24,000 charges take %d ms", each)
	}
}
