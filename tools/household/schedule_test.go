package household

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

func sched(c, first string, anchor int, ends string) schedule {
	return schedule{cycle: cycle(c), first: date(first), anchor: anchor, ends: date(ends), amount: 100, currency: "EUR"}
}

func TestBetween(t *testing.T) {
	rows := []struct {
		s        schedule
		from, to string
		want     []string
	}{
		{sched("P1M", "2025-01-31", 0, ""), "2026-02-01", "2026-05-30", []string{"2026-02-28", "2026-03-31", "2026-04-30"}},
		{sched("P1M", "2025-01-31", 0, "2026-03-30"), "2026-02-01", "2026-05-30", []string{"2026-02-28"}},
		{sched("P1M", "2025-01-31", 0, "2026-03-31"), "2026-02-01", "2026-05-30", []string{"2026-02-28", "2026-03-31"}},
		{sched("P1Y", "2024-02-29", 0, ""), "2026-01-01", "2028-12-31", []string{"2026-02-28", "2027-02-28", "2028-02-29"}},
		{sched("P4W", "2026-03-01", 0, ""), "2026-01-01", "2026-04-01", []string{"2026-03-01", "2026-03-29"}},
		{sched("P1M", "2027-01-01", 0, ""), "2026-01-01", "2026-04-01", nil},
	}
	for _, r := range rows {
		var got []string
		for _, d := range r.s.between(date(r.from), date(r.to), 10) {
			got = append(got, d.String())
		}
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Error(diff)
		}
	}
	if got := len(sched("P1W", "2026-01-01", 0, "").between(date("2026-01-01"), date("2027-01-01"), 7)); got != 7 {
		t.Errorf("%d charges beyond the limit", got)
	}
}

func TestPaidUntilAndLasts(t *testing.T) {
	rows := []struct {
		s                schedule
		day, paid, lasts string
	}{
		{sched("P1M", "2025-01-15", 0, ""), "2026-02-20", "2026-03-14", "2026-03-14"},
		{sched("P1M", "2025-01-15", 0, ""), "2026-02-15", "2026-03-14", "2026-03-14"},
		{sched("P1M", "2025-01-15", 0, ""), "2026-02-14", "2026-02-14", "2026-03-14"}, // booked a day early
		{sched("P1M", "2025-01-31", 0, ""), "2026-02-28", "2026-03-30", "2026-03-30"},
		{sched("P1Y", "2024-02-29", 0, ""), "2027-03-02", "2028-02-28", "2028-02-28"},
		{sched("P1M", "2025-01-15", 0, ""), "2025-01-15", "2025-02-14", "2025-02-14"},
	}
	for _, r := range rows {
		if paid, ok := r.s.paidUntil(date(r.day), nil); !ok || paid.String() != r.paid {
			t.Errorf("on %s it is paid until %s, want %s", r.day, paid, r.paid)
		}
		if got := r.s.lasts(date(r.day)); got.String() != r.lasts {
			t.Errorf("a charge of %s lasts until %s, want %s", r.day, got, r.lasts)
		}
	}
	if _, ok := sched("P1M", "2026-03-01", 0, "").paidUntil(date("2026-02-20"), nil); ok {
		t.Error("paid before it began")
	}
}

func TestAmountOn(t *testing.T) {
	s := sched("P1M", "2025-01-15", 0, "")
	if s.on(date("2020-01-01")) != 100 {
		t.Error("without dated prices the amount always holds")
	}
	s.prices = []price{{from: date("2025-01-15"), amount: 1}, {from: date("2025-06-15"), amount: 2}, {from: date("2026-06-15"), amount: 3}}
	for day, want := range map[string]int64{"2024-12-31": 1, "2025-01-15": 1, "2025-06-14": 1, "2025-06-15": 2, "2026-06-14": 2, "2026-06-15": 3, "2030-01-01": 3} {
		if got := s.on(date(day)); got != want {
			t.Errorf("on %s: %d, want %d", day, got, want)
		}
	}
}

// TestSumsFit is why a sum that stays at the largest number is no case of its
// own: 1,024 of the largest amounts fit to the last cent, and of 50,000 charges
// each can be above a trillion euros.
func TestSumsFit(t *testing.T) {
	var all sums
	for range 1024 {
		all.add(tools.Money{Minor: tools.MaxMinor, Currency: "EUR"})
	}
	if all[0].Minor != 1024*tools.MaxMinor || all[0].count != 1024 {
		t.Errorf("%d", all[0].Minor)
	}
	if all.add(tools.Money{Minor: tools.MaxMinor, Currency: "EUR"}); all[0].Minor != math.MaxInt64 {
		t.Errorf("one more is %d", all[0].Minor)
	}
	const trillion = 1_000_000_000_000_00
	all = nil
	for range 50_000 {
		all.add(tools.Money{Minor: trillion, Currency: "EUR"})
	}
	if all[0].Minor != 50_000*trillion {
		t.Errorf("%d", all[0].Minor)
	}
}

func TestPlus(t *testing.T) {
	if plus(math.MaxInt64-1, 5) != math.MaxInt64 || plus(1, 2) != 3 {
		t.Error("sums overflow")
	}
}

// between lists the charges of the days from until to, at most limit.
func (s schedule) between(from, to tools.Date, limit int) []tools.Date {
	var days []tools.Date
	for d := range s.dues(from) {
		if d.After(to) || len(days) == limit {
			break
		}
		days = append(days, d)
	}
	return days
}
