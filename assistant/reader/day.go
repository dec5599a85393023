package reader

import (
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// day counts days from 1 January 1970: four bytes a row instead of the three
// numbers of a tools.Date.
type day int32

// date is the inverse of civil.
func (d day) date() tools.Date {
	n := int(d) + 719468 // from 1 March of the year 0
	era := n / 146097
	n -= era * 146097
	y := (n - n/1460 + n/36524 - n/146096) / 365
	n -= 365*y + y/4 - y/100
	m := (5*n + 2) / 153
	date := tools.Date{Year: era*400 + y, Month: time.Month(m + 3), Day: n - (153*m+2)/5 + 1}
	if m >= 10 {
		date.Month, date.Year = time.Month(m-9), date.Year+1
	}
	return date
}

// saturday or sunday.
func (d day) weekend() bool { return (int(d)%7+7+3)%7 >= 5 }

func dayOf(d tools.Date) day { return day(d.Time().Unix() / 86400) }

// civil is the day of a date in the Gregorian calendar; false for a date that
// is in no calendar, or in none that a statement could be from.
func civil(y, m, d int) (day, bool) {
	if y < 1950 || y > 2199 || m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, false
	}
	if d > 28 && d > monthDays(y, m) {
		return 0, false
	}
	// Days from the civil calendar after Howard Hinnant, years from March.
	if m <= 2 {
		y, m = y-1, m+12
	}
	return day(365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + d - 1 - 719468), true
}

func monthDays(y, m int) int {
	switch m {
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}
