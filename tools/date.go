package tools

import (
	"fmt"
	"time"
)

// Date is a calendar day without time zone. The zero Date means "none" and is
// written as the empty string.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// maxQuoted bounds what an error repeats of a value, in bytes.
const maxQuoted = 60

// ParseDate reads YYYY-MM-DD. A day that is not in the calendar (31 February)
// is an error; the empty string is the zero Date.
func ParseDate(s string) (Date, error) {
	if s == "" {
		return Date{}, nil
	}
	if len(s) != len("2006-01-02") {
		return Date{}, fmt.Errorf("%q is not a date as YYYY-MM-DD", clip(s, maxQuoted))
	}
	t, err := time.Parse("2006-01-02", s)
	if err != nil || t.Year() < 1 {
		return Date{}, fmt.Errorf("%q is not a day in the calendar (YYYY-MM-DD)", s)
	}
	return DateOf(t), nil
}

// DateOf is the calendar day of t in t's own location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// IsZero says that there is no date.
func (d Date) IsZero() bool { return d == Date{} }

// Time is midnight UTC of the day.
func (d Date) Time() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// AddDays moves by whole days.
func (d Date) AddDays(n int) Date { return DateOf(d.Time().AddDate(0, 0, n)) }

// DaysSince counts the days from o to d. It counts seconds, since a Duration
// ends at 292 years.
func (d Date) DaysSince(o Date) int { return int((d.Time().Unix() - o.Time().Unix()) / (24 * 60 * 60)) }

// Before says that d is an earlier day than o.
func (d Date) Before(o Date) bool { return d.Compare(o) < 0 }

// After says that d is a later day than o.
func (d Date) After(o Date) bool { return d.Compare(o) > 0 }

// Compare orders two days: -1, 0 or 1.
func (d Date) Compare(o Date) int {
	switch a, b := d.ordinal(), o.ordinal(); {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// ordinal grows with the day; it is for comparing only.
func (d Date) ordinal() int { return (d.Year*16+int(d.Month))*32 + d.Day }

// String writes YYYY-MM-DD, and nothing for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day)
}

// MarshalText makes a Date a string in JSON.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (d *Date) UnmarshalText(b []byte) error {
	v, err := ParseDate(string(b))
	if err == nil {
		*d = v
	}
	return err
}

// lastDay is the number of days in a month of the Gregorian calendar.
func lastDay(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
