package tools

import (
	"fmt"
	"strconv"
	"time"
)

// Unit of a Cycle.
type Unit byte

// The units that a Cycle can count, written as in ISO 8601 durations.
const (
	Weeks  Unit = 'W'
	Months Unit = 'M'
	Years  Unit = 'Y'
)

// maxWeeks and maxMonths bound a Cycle, so that arithmetic on dates stays
// inside the calendar: a hundred years.
const maxWeeks, maxMonths = 5200, 1200

// Cycle is how often something recurs: every n weeks, months or years.
type Cycle struct {
	N    int
	Unit Unit
}

// ParseCycle reads an ISO 8601 duration of one unit: P1W, P4W, P1M, P3M, P1Y.
func ParseCycle(s string) (Cycle, error) {
	bad := fmt.Errorf("%q is not a cycle; write every n weeks, months or years as P1W, P1M or P1Y", Quoted(s, maxQuoted))
	if len(s) < 3 || s[0] != 'P' || s[1] < '1' || s[1] > '9' {
		return Cycle{}, bad
	}
	n, err := strconv.Atoi(s[1 : len(s)-1])
	c := Cycle{n, Unit(s[len(s)-1])}
	if err != nil || n < 1 {
		return Cycle{}, bad
	}
	longest := maxMonths
	switch c.Unit {
	case Weeks:
		longest = maxWeeks
	case Months:
	case Years:
		longest /= 12
	default:
		return Cycle{}, bad
	}
	if n > longest {
		return Cycle{}, fmt.Errorf("the cycle %q is longer than a hundred years", Quoted(s, maxQuoted))
	}
	return c, nil
}

// String writes the ISO 8601 duration.
func (c Cycle) String() string {
	if c.N == 0 {
		return ""
	}
	return fmt.Sprintf("P%d%c", c.N, c.Unit)
}

// MarshalText makes a Cycle a string in JSON.
func (c Cycle) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (c *Cycle) UnmarshalText(b []byte) error {
	v, err := ParseCycle(string(b))
	if err == nil {
		*c = v
	}
	return err
}

// months is the length in months; 0 for cycles of weeks.
func (c Cycle) months() int {
	switch c.Unit {
	case Months:
		return c.N
	case Years:
		return 12 * c.N
	}
	return 0
}

// Nth is the date of occurrence k (0 is first itself), always computed from
// first and never from the occurrence before, so that 31 January, 28 February,
// 31 March keep their day. anchorDay (1-31) is the day of the month that is
// meant when first stands on a shorter month's end; 0 means first's own day.
func (c Cycle) Nth(first Date, anchorDay, k int) Date {
	if k == 0 {
		return first
	}
	step := c.months()
	if step == 0 {
		return first.AddDays(7 * c.N * k)
	}
	if anchorDay == 0 {
		anchorDay = first.Day
	}
	m := first.Year*12 + int(first.Month) - 1 + step*k
	year, month := floorDiv(m, 12), time.Month(m-12*floorDiv(m, 12)+1)
	return Date{year, month, min(anchorDay, lastDay(year, month))}
}

// Next is the number and date of the first occurrence on or after day; never
// one before first.
func (c Cycle) Next(first Date, anchorDay int, day Date) (int, Date) {
	if !first.Before(day) {
		return 0, first
	}
	k := 0
	if step := c.months(); step == 0 {
		k = day.DaysSince(first) / (7 * c.N)
	} else {
		k = ((day.Year-first.Year)*12 + int(day.Month) - int(first.Month)) / step
	}
	k = max(k-1, 0)
	for c.Nth(first, anchorDay, k).Before(day) {
		k++
	}
	return k, c.Nth(first, anchorDay, k)
}

// PerMonth scales an amount in minor units to one month, rounded half away
// from zero. For comparison only: a month has 365.2425/12 days here.
func (c Cycle) PerMonth(minor int64) int64 {
	if step := c.months(); step > 0 {
		return divRound(minor, int64(step))
	}
	// 365.2425/7/12 weeks in a month is 3652425/840000.
	whole, rest := minor/(840000*int64(c.N)), minor%(840000*int64(c.N))
	return whole*3652425 + divRound(rest*3652425, 840000*int64(c.N))
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func divRound(a, b int64) int64 {
	half := b / 2
	if a < 0 {
		return -((-a + half) / b)
	}
	return (a + half) / b
}
