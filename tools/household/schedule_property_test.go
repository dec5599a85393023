package household

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// anySchedule makes one of any cycle, anchor day, trial, end and pauses.
func anySchedule(rnd *rand.Rand) schedule {
	s := schedule{amount: 1599, currency: "EUR"}
	switch rnd.IntN(3) {
	case 0:
		s.cycle = tools.Cycle{N: []int{1, 1, 2, 4, 1 + rnd.IntN(60)}[rnd.IntN(5)], Unit: tools.Weeks}
	case 1:
		s.cycle = tools.Cycle{N: []int{1, 1, 2, 3, 6, 1 + rnd.IntN(30)}[rnd.IntN(6)], Unit: tools.Months}
		s.anchor = rnd.IntN(32)
	default:
		s.cycle = tools.Cycle{N: 1 + rnd.IntN(5), Unit: tools.Years}
		s.anchor = []int{0, 0, rnd.IntN(32)}[rnd.IntN(3)]
	}
	s.first = date("2000-01-01").AddDays(rnd.IntN(8000))
	if rnd.IntN(3) == 0 {
		s.first = date([]string{"2020-02-29", "2021-01-31", "2019-12-31", "2021-02-28", "2022-04-30", "2020-03-01"}[rnd.IntN(6)])
	}
	if rnd.IntN(3) == 0 {
		s.ends = s.first.AddDays(rnd.IntN(9000))
	}
	if rnd.IntN(3) == 0 {
		s.trial = trial{from: s.first.AddDays(-rnd.IntN(10)), ends: s.first.AddDays(rnd.IntN(100))}
	}
	at := s.first.AddDays(rnd.IntN(400) - 100)
	for range rnd.IntN(5) {
		p := pause{from: at.AddDays(rnd.IntN(700)), shift: rnd.IntN(2) == 0}
		p.until = p.from.AddDays(1 + rnd.IntN(200))
		at = p.until // the next may follow at once
		s.pauses = append(s.pauses, p)
	}
	if n := len(s.pauses); n > 0 && rnd.IntN(3) == 0 {
		s.pauses[n-1].until = tools.Date{}
	}
	return s
}

// slowDues is the reference: it walks day by day and asks of each whether the
// count falls on it. It shares no arithmetic with the schedule.
func slowDues(s schedule, to tools.Date) []tools.Date {
	var days []tools.Date
	first, anchor := s.first.Time(), s.anchor
	if anchor == 0 {
		anchor = s.first.Day
	}
	falls := func(d time.Time) bool {
		switch {
		case d.Before(first):
			return false
		case d.Equal(first):
			return true
		case s.cycle.Unit == tools.Weeks:
			return int(d.Sub(first).Hours())/24%(7*s.cycle.N) == 0
		}
		step := s.cycle.N
		if s.cycle.Unit == tools.Years {
			step *= 12
		}
		months := (d.Year()-first.Year())*12 + int(d.Month()) - int(first.Month())
		meant := anchor
		for time.Date(d.Year(), d.Month(), meant, 0, 0, 0, 0, time.UTC).Month() != d.Month() {
			meant--
		}
		return months > 0 && months%step == 0 && d.Day() == meant
	}
	begin := s.first.Time().AddDate(0, 0, -500) // before any pause
	for d := begin; !d.After(to.Time()); d = d.AddDate(0, 0, 1) {
		resting := false
		for _, p := range s.pauses {
			if p.shift && !p.until.IsZero() && d.Equal(p.from.Time()) {
				next := d
				for !falls(next) {
					next = next.AddDate(0, 0, 1)
				}
				first = next.Add(p.until.Time().Sub(p.from.Time()))
				anchor = first.Day()
			}
			resting = resting || (!d.Before(p.from.Time()) && (p.until.IsZero() || d.Before(p.until.Time())))
		}
		over := !s.ends.IsZero() && d.After(s.ends.Time())
		trying := !s.trial.ends.IsZero() && !d.After(s.trial.ends.Time())
		if falls(d) && !resting && !over && !trying {
			days = append(days, tools.DateOf(d))
		}
	}
	return days
}

// For any cycle, anchor, pauses, trial and end, over thirty years: the due
// days are those that the reference finds, and every way of asking for them
// gives the same.
func TestDuesForAnySchedule(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	total, few := 0, 0
	for n := range 150 {
		s := anySchedule(rnd)
		end := s.first.AddDays(30 * 365)
		want := slowDues(s, end)
		begin := s.first.AddDays(-600)
		got := s.between(begin, end, 1<<30)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("schedule %d, %+v: %s", n, s, diff)
		}
		total += len(got)
		if len(got) < 3 {
			few++
		}
		for i, d := range got {
			_, resting := s.pausedOn(d)
			if resting || s.over(d) || s.trial.covers(d) || (i > 0 && !d.After(got[i-1])) {
				t.Fatalf("schedule %d, %+v: charged on %s", n, s, d)
			}
		}
		for range 20 {
			from := begin.AddDays(rnd.IntN(31 * 365))
			rest := got[len(got):]
			if i := slices.IndexFunc(got, func(d tools.Date) bool { return !d.Before(from) }); i >= 0 {
				rest = got[i:]
			}
			next, ok := s.next(from)
			if len(rest) > 0 && (!ok || next != rest[0]) {
				t.Fatalf("schedule %d, %+v: next from %s is %s %v", n, s, from, next, ok)
			}
			if len(rest) == 0 && ok && !next.After(end) {
				t.Fatalf("schedule %d, %+v: next from %s is %s", n, s, from, next)
			}
			if ok != s.isDue(next) {
				t.Fatalf("schedule %d, %+v: %s is due: %v", n, s, next, s.isDue(next))
			}
			cut := from.AddDays(rnd.IntN(4000))
			parts := slices.Concat(s.between(from, cut, 1<<30), s.between(cut.AddDays(1), end, 1<<30))
			if cut.After(end) {
				parts = s.between(from, end, 1<<30)
			}
			if !slices.Equal(rest, parts) {
				t.Fatalf("schedule %d, %+v: from %s in parts cut at %s: %v, want %v", n, s, from, cut, parts, rest)
			}
			if limit := rnd.IntN(5); !slices.Equal(s.between(from, end, limit), rest[:min(limit, len(rest))]) {
				t.Fatalf("schedule %d, %+v: %d from %s", n, s, limit, from)
			}
		}
	}
	if total < 8_000 || few > 40 {
		t.Errorf("%d due days, %d schedules with few: they try little", total, few)
	}
}
