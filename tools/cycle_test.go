package tools

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"
)

func TestNthKeepsTheDay(t *testing.T) {
	rows := []struct {
		cycle, first string
		anchor       int
		want         string
	}{
		{"P1M", "2026-01-31", 0, "2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31"},
		{"P1M", "2024-01-31", 0, "2024-01-31 2024-02-29 2024-03-31"},
		{"P1M", "2026-01-30", 0, "2026-01-30 2026-02-28 2026-03-30"},
		{"P1M", "2026-02-28", 0, "2026-02-28 2026-03-28 2026-04-28"},
		{"P1M", "2026-02-28", 31, "2026-02-28 2026-03-31 2026-04-30"},
		{"P1M", "2026-02-28", 30, "2026-02-28 2026-03-30 2026-04-30"},
		{"P3M", "2025-11-30", 0, "2025-11-30 2026-02-28 2026-05-30 2026-08-30"},
		{"P3M", "2025-11-30", 31, "2025-11-30 2026-02-28 2026-05-31 2026-08-31"},
		{"P1Y", "2024-02-29", 0, "2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29"},
		{"P1Y", "2096-02-29", 0, "2096-02-29 2097-02-28 2098-02-28 2099-02-28 2100-02-28 2101-02-28 2102-02-28 2103-02-28 2104-02-29"},
		{"P4W", "2026-01-31", 0, "2026-01-31 2026-02-28 2026-03-28"},
		{"P1W", "2024-02-26", 15, "2024-02-26 2024-03-04 2024-03-11"},
		{"P6M", "2025-08-31", 0, "2025-08-31 2026-02-28 2026-08-31"},
	}
	for _, row := range rows {
		c, first := mustCycle(t, row.cycle), mustDate(t, row.first)
		want := strings.Fields(row.want)
		for k := range want {
			if got := c.Nth(first, row.anchor, k).String(); got != want[k] {
				t.Errorf("%s from %s, anchor %d: occurrence %d is %s, want %s", row.cycle, row.first, row.anchor, k, got, want[k])
			}
		}
	}
}

// Every day of 400 years is a start. What is checked for each occurrence needs
// no knowledge of how it is computed.
func TestCyclesNeverDrift(t *testing.T) {
	cycles := []string{"P1W", "P2W", "P4W", "P1M", "P2M", "P3M", "P6M", "P1Y"}
	occurrences := 13
	if testing.Short() {
		occurrences = 5
	}
	for _, name := range cycles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := mustCycle(t, name)
			for first := (Date{1900, time.January, 1}); first.Year < 2300; first = first.AddDays(1) {
				checkSeries(t, c, first, first.Day, occurrences)
				if first.Day == daysIn(first.Year, first.Month) && first.Day < 31 {
					checkSeries(t, c, first, 31, occurrences)
				}
				if t.Failed() {
					return
				}
			}
		})
	}
}

func checkSeries(t *testing.T, c Cycle, first Date, anchor, occurrences int) {
	before := first
	for k := 1; k < occurrences; k++ {
		d := c.Nth(first, anchor, k)
		last := daysIn(d.Year, d.Month)
		switch {
		case d.Day < 1 || d.Day > last:
			t.Fatalf("%s from %s: %s is not in the calendar", c, first, d)
		case !d.After(before):
			t.Fatalf("%s from %s: %s comes after %s", c, first, d, before)
		case c.Unit == Weeks && d.DaysSince(first) != 7*c.N*k:
			t.Fatalf("%s from %s: occurrence %d is %s", c, first, k, d)
		case c.Unit != Weeks && d.Day != anchor && (d.Day != last || d.Day > anchor):
			t.Fatalf("%s from %s: %s has drifted from day %d", c, first, d, anchor)
		case c.Unit != Weeks && monthsBetween(first, d) != k*c.months():
			t.Fatalf("%s from %s: occurrence %d is %s", c, first, k, d)
		}
		// Next finds the same: from the day itself, and from the days since the one before.
		for _, day := range []Date{before.AddDays(1), d} {
			if n, got := c.Next(first, anchor, day); n != k || got != d {
				t.Fatalf("%s from %s: the next after %s is number %d, %s; want %d, %s", c, first, day, n, got, k, d)
			}
		}
		before = d
	}
}

func monthsBetween(a, b Date) int { return (b.Year-a.Year)*12 + int(b.Month-a.Month) }

func TestNextFarAway(t *testing.T) {
	first := Date{1600, time.February, 29}
	for _, name := range []string{"P1W", "P4W", "P1M", "P5M", "P1Y", "P100Y", "P5200W"} {
		c := mustCycle(t, name)
		for _, day := range []Date{{1599, time.January, 1}, first, {1893, time.March, 1}, {2026, time.November, 29}, {9000, time.January, 31}} {
			k, d := c.Next(first, 31, day)
			if d.Before(day) || d.Before(first) || c.Nth(first, 31, k) != d {
				t.Errorf("%s: the next after %s is number %d, %s", name, day, k, d)
			}
			if k > 0 && !c.Nth(first, 31, k-1).Before(day) {
				t.Errorf("%s: %s is not the first after %s", name, d, day)
			}
		}
	}
}

func TestParseCycle(t *testing.T) {
	for _, s := range []string{"P1W", "P2W", "P4W", "P1M", "P12M", "P1200M", "P5200W", "P100Y"} {
		if c, err := ParseCycle(s); err != nil || c.String() != s {
			t.Errorf("%q is read as %q, %v", s, c, err)
		}
	}
	for _, s := range []string{
		"", "P", "PM", "P1", "P0M", "P00M", "P01M", "P-1M", "P+1M", "P1.5M", "P1D", "PT1M", "P1M1D", "p1m", "P1m", " P1M", "P1M ", "monthly",
		"P1201M", "P101Y", "P5201W", "P99999999999999999999M", "P768614336404564651Y", "P١M",
	} {
		if c, err := ParseCycle(s); err == nil || c != (Cycle{}) {
			t.Errorf("%q is read as %v", s, c)
		}
	}
	if s := (Cycle{}).String(); s != "" {
		t.Errorf("no cycle is written %q", s)
	}
}

// PerMonth agrees with exact fractions, for both signs and up to the limit.
func TestPerMonth(t *testing.T) {
	for _, name := range []string{"P1W", "P2W", "P4W", "P7W", "P5200W", "P1M", "P2M", "P3M", "P6M", "P1Y", "P7Y", "P100Y"} {
		c := mustCycle(t, name)
		scale := big.NewRat(1, int64(max(c.months(), 1)))
		if c.Unit == Weeks {
			scale = big.NewRat(3652425, 840000*int64(c.N))
		}
		for _, minor := range []int64{0, 1, 2, 3, 5, 6, 7, 11, 1599, 120_00, 999_999_999, MaxMinor - 1, MaxMinor} {
			exact := new(big.Rat).Mul(big.NewRat(minor, 1), scale)
			exact.Add(exact, big.NewRat(1, 2))
			want := new(big.Int).Div(exact.Num(), exact.Denom()).Int64()
			if got := c.PerMonth(minor); got != want {
				t.Errorf("%s of %d is %d a month, want %d", name, minor, got, want)
			}
			if got := c.PerMonth(-minor); got != -want {
				t.Errorf("%s of -%d is %d a month, want %d", name, minor, got, -want)
			}
		}
	}
}

func FuzzParseCycle(f *testing.F) {
	for _, s := range []string{"P1M", "P0M", "P4W", "P1D", "P99999999999Y", ""} {
		f.Add(s, "2026-01-31", 31, 7)
	}
	f.Fuzz(func(t *testing.T, s, start string, anchor, k int) {
		c, err := ParseCycle(s)
		if err != nil {
			return
		}
		if c.String() != s {
			t.Errorf("%q is read as %q", s, c)
		}
		first, err := ParseDate(start)
		if err != nil || first.IsZero() || anchor < 0 || anchor > 31 || k < 0 || k > 60 {
			return
		}
		d := c.Nth(first, anchor, k)
		if d.Day < 1 || d.Day > daysIn(d.Year, d.Month) {
			t.Errorf("%s from %s: %v", s, start, d)
		}
		if n, same := c.Next(first, anchor, d); n != k || same != d {
			t.Errorf("%s from %s, anchor %d: the next after %s is number %d, %s", s, start, anchor, d, n, same)
		}
	})
}

func BenchmarkNext(b *testing.B) {
	c, first, day := Cycle{1, Months}, Date{2020, time.January, 31}, Date{2026, time.November, 29}
	for b.Loop() {
		c.Next(first, 0, day)
	}
}

func mustDate(tb testing.TB, s string) Date {
	tb.Helper()
	d, err := ParseDate(s)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func mustCycle(tb testing.TB, s string) Cycle {
	tb.Helper()
	c, err := ParseCycle(s)
	if err != nil {
		tb.Fatal(fmt.Errorf("%s: %w", s, err))
	}
	return c
}
