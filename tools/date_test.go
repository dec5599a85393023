package tools

import (
	"encoding/json/v2"
	"math/rand/v2"
	"testing"
	"time"
)

func TestParseDate(t *testing.T) {
	rows := []struct {
		in, want string // want "" for an error
	}{
		{"2026-11-29", "2026-11-29"},
		{"2024-02-29", "2024-02-29"},
		{"2000-02-29", "2000-02-29"},
		{"0001-01-01", "0001-01-01"},
		{"9999-12-31", "9999-12-31"},
		{"2026-02-31", ""},
		{"2026-02-29", ""},
		{"1900-02-29", ""},
		{"2026-13-01", ""},
		{"2026-00-10", ""},
		{"2026-01-00", ""},
		{"0000-01-01", ""},
		{"2026-1-1", ""},
		{"26-01-01", ""},
		{"2026/01/01", ""},
		{"01.01.2026", ""},
		{" 2026-01-01", ""},
		{"2026-01-01T00:00:00Z", ""},
		{"+026-01-01", ""},
		{"２026-01-1", ""},
	}
	for _, row := range rows {
		d, err := ParseDate(row.in)
		if (err == nil) != (row.want != "") || d.String() != row.want {
			t.Errorf("ParseDate(%q) = %v, %v; want %q", row.in, d, err, row.want)
		}
	}
	if d, err := ParseDate(""); err != nil || !d.IsZero() || d.String() != "" {
		t.Errorf("the empty date: %v, %v", d, err)
	}
}

// Every day of 400 years, one after the other: the Gregorian calendar repeats
// after them.
func TestDatesCount(t *testing.T) {
	first := Date{1900, time.January, 1}
	d := first
	for n := 0; d.Year < 2301; n++ {
		if got := d.DaysSince(first); got != n {
			t.Fatalf("%s is day %d, got %d", d, n, got)
		}
		if got := first.AddDays(n); got != d {
			t.Fatalf("%s and %d days is %s, got %s", first, n, d, got)
		}
		if back, err := ParseDate(d.String()); err != nil || back != d {
			t.Fatalf("%s is read as %s, %v", d, back, err)
		}
		next := d
		if next.Day++; next.Day > daysIn(d.Year, d.Month) {
			next.Day = 1
			if next.Month++; next.Month > time.December {
				next.Month, next.Year = time.January, next.Year+1
			}
		}
		if got := d.AddDays(1); got != next || !d.Before(next) || !next.After(d) || d.Compare(d) != 0 || d.Compare(next) != -1 {
			t.Fatalf("after %s comes %s, got %s", d, next, got)
		}
		d = next
	}
}

// daysIn is written out, to hold the calendar of package time against.
func daysIn(year int, month time.Month) int {
	switch month {
	case time.April, time.June, time.September, time.November:
		return 30
	case time.February:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

func TestDateOfKeepsTheLocation(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	late := time.Date(2026, time.March, 28, 23, 30, 0, 0, time.UTC)
	if got, want := DateOf(late.In(berlin)), (Date{2026, time.March, 29}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDateInJSON(t *testing.T) {
	type holder struct {
		D Date `json:"d"`
		E Date `json:"e,omitzero"`
	}
	b, err := json.Marshal(holder{D: Date{2026, time.March, 1}})
	if err != nil || string(b) != `{"d":"2026-03-01"}` {
		t.Errorf("%s, %v", b, err)
	}
	var h holder
	if err := json.Unmarshal([]byte(`{"d":"2026-02-30"}`), &h); err == nil {
		t.Error("30 February was read")
	}
}

func FuzzParseDate(f *testing.F) {
	for _, s := range []string{"", "2026-02-31", "2024-02-29", "0000-00-00", "9999-12-31", "2026-1-01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDate(s)
		if err != nil {
			if !d.IsZero() {
				t.Errorf("an error and the date %v", d)
			}
			return
		}
		if d.String() != s {
			t.Errorf("%q is read as %q", s, d)
		}
		if !d.IsZero() && (d.Day < 1 || d.Day > daysIn(d.Year, d.Month)) {
			t.Errorf("%q has the day %d", s, d.Day)
		}
	})
}

// Days are counted as the standard library counts them, over any distance, and
// also from what is no day of the calendar.
func TestDatesCountAsTimeDoes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		d := Date{rnd.IntN(12_000) - 1000, time.Month(rnd.IntN(12) + 1), rnd.IntN(31) + 1}
		if rnd.IntN(20) == 0 {
			d = Date{rnd.IntN(3), time.Month(rnd.IntN(30) - 9), rnd.IntN(40)}
		}
		n := rnd.IntN(2_000_000) - 1_000_000
		want := DateOf(d.Time().AddDate(0, 0, n))
		if got := d.AddDays(n); got != want {
			t.Fatalf("%+v and %d days is %s, got %s", d, n, want, got)
		}
		if got := want.DaysSince(d); got != n {
			t.Fatalf("%s is %d days after %+v, got %d", want, n, d, got)
		}
		last := time.Date(want.Year, want.Month+1, 0, 0, 0, 0, 0, time.UTC).Day()
		if got := lastDay(want.Year, want.Month); got != last {
			t.Fatalf("the month of %s has %d days, got %d", want, last, got)
		}
	}
}
