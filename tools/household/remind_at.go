package household

import (
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// at is the moment of an hour on a day in a time zone. Where clocks go forward
// over the hour it is the next moment that exists; where they go back over it,
// the first of the two.
func at(day tools.Date, hour int, zone *time.Location) time.Time {
	t := time.Date(day.Year, day.Month, day.Day, hour, 0, 0, 0, zone)
	start, end := t.ZoneBounds()
	if !sameClock(t, day, hour) {
		if shown := tools.DateOf(t); shown.Before(day) || (shown == day && t.Hour() < hour) {
			return end.UTC()
		}
		return start.UTC()
	}
	if start.IsZero() {
		return t.UTC()
	}
	_, now := t.Zone()
	_, before := start.Add(-time.Second).Zone()
	first := t.Add(-time.Duration(before-now) * time.Second)
	if before > now && first.Before(start) && sameClock(first, day, hour) {
		return first.UTC()
	}
	return t.UTC()
}

func sameClock(t time.Time, day tools.Date, hour int) bool {
	return tools.DateOf(t) == day && t.Hour() == hour && t.Minute() == 0
}
