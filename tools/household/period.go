package household

import (
	"strconv"

	"github.com/nodkeep/nodkeep/tools"
)

// period is a length of time in one unit: a notice of P14D, a term of P24M.
type period struct {
	n    int
	unit byte // D, W, M or Y; 0 for none
}

// maxPeriod bounds a period in days and in months: a hundred years.
const maxPeriodDays, maxPeriodMonths = 36525, 1200

// parsePeriod reads an ISO 8601 duration of one unit; "" is none.
func parsePeriod(field, s string) (period, error) {
	if s == "" {
		return period{}, nil
	}
	bad := invalid("household.error.period", field, short(s))
	if len(s) < 3 || s[0] != 'P' || s[1] < '1' || s[1] > '9' {
		return period{}, bad
	}
	n, err := strconv.Atoi(s[1 : len(s)-1])
	if err != nil {
		return period{}, bad
	}
	p := period{n, s[len(s)-1]}
	switch days, months := p.length(); {
	case days == 0 && months == 0, days > maxPeriodDays, months > maxPeriodMonths:
		return period{}, bad
	}
	return p, nil
}

// length is so many days or so many months.
func (p period) length() (days, months int) {
	switch p.unit {
	case 'D':
		return p.n, 0
	case 'W':
		return 7 * p.n, 0
	case 'M':
		return 0, p.n
	case 'Y':
		return 0, 12 * p.n
	}
	return 0, 0
}

func (p period) isZero() bool { return p.unit == 0 }

// String writes the ISO 8601 duration, and nothing for none.
func (p period) String() string {
	if p.isZero() {
		return ""
	}
	return "P" + strconv.Itoa(p.n) + string(p.unit)
}

// after is the day k periods after a day, or before it where k is negative. A
// month without the day ends on its last; each is counted from the same day,
// so nothing drifts.
func (p period) after(day tools.Date, k int) tools.Date { return p.counted(day, 0, k) }

// counted is after, where another day of the month is meant than the one that
// it is counted from; 0 means that one.
func (p period) counted(day tools.Date, anchor, k int) tools.Date {
	days, months := p.length()
	if months == 0 {
		return day.AddDays(k * days)
	}
	if k == 0 {
		return day
	}
	return tools.Cycle{N: months, Unit: tools.Months}.Nth(day, anchor, k)
}

// said is a period in words: "3 months".
func (p period) said() tools.Text {
	switch p.unit {
	case 'D':
		return tools.T("household.period.days", p.n)
	case 'W':
		return tools.T("household.period.weeks", p.n)
	case 'M':
		return tools.T("household.period.months", p.n)
	}
	return tools.T("household.period.years", p.n)
}
