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
		return Date{}, fmt.Errorf("%q is not a date as YYYY-MM-DD", Quoted(s, maxQuoted))
	}
	d := Date{digits(s[:4]), time.Month(digits(s[5:7])), digits(s[8:])}
	if s[4] != '-' || s[7] != '-' || d.Year < 1 || d.Month < time.January || d.Month > time.December || d.Day < 1 || d.Day > lastDay(d.Year, d.Month) {
		return Date{}, fmt.Errorf("%q is not a day in the calendar (YYYY-MM-DD)", s)
	}
	return d, nil
}

// digits reads digits and nothing else; -1 where there is anything else. Dates
// are read by the ten thousand.
func digits(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = 10*n + int(s[i]-'0')
	}
	return n
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
func (d Date) AddDays(n int) Date { return dateAt(d.number() + n) }

// DaysSince counts the days from o to d.
func (d Date) DaysSince(o Date) int { return d.number() - o.number() }

// A year is counted from March on, so that 29 February is its last day; after
// 400 of them the calendar repeats.
const yearsOfEra, daysOfEra = 400, 146097

// number counts days, in whole numbers alone: lists of dates are long.
func (d Date) number() int {
	if d.Month < 1 || d.Month > 12 {
		d = DateOf(d.Time()) // the zero Date, or one that is not in the calendar
	}
	year, month := d.Year, int(d.Month)-3
	if month < 0 {
		year, month = year-1, month+12
	}
	era := floorDiv(year, yearsOfEra)
	year -= era * yearsOfEra
	return era*daysOfEra + 365*year + year/4 - year/100 + (153*month+2)/5 + d.Day
}

// dateAt is the day of a number.
func dateAt(n int) Date {
	era := floorDiv(n-1, daysOfEra)
	day := n - 1 - era*daysOfEra
	year := (day - day/1460 + day/36524 - day/146096) / 365
	day -= 365*year + year/4 - year/100
	month := (5*day + 2) / 153
	d := Date{era*yearsOfEra + year, time.Month(month + 3), day - (153*month+2)/5 + 1}
	if d.Month > 12 {
		d.Year, d.Month = d.Year+1, d.Month-12
	}
	return d
}

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
