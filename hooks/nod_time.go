package hooks

import (
	"math"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// A page does not know the clock of who reads it: times are said by how far
// away they are, and by that clock too where its person has set a time zone.

// spanOf says how long something takes, roughly: key is how the keys of its
// units begin.
func spanOf(key string, d time.Duration) tools.Text {
	switch m := int(math.Round(d.Minutes())); {
	case m < 1:
		return tools.T(key + "now")
	case m < 100:
		return tools.T(key+"minutes", m)
	case d < 47*time.Hour:
		return tools.T(key+"hours", int(math.Round(d.Hours())))
	}
	return tools.T(key+"days", int(math.Round(d.Hours()/24)))
}

// left says how much longer something waits.
func (v viewer) left(now, until time.Time) tools.Text {
	return v.onClock("nod.left.until", spanOf("nod.left.", until.Sub(now)), until)
}

// ago says how long ago something was.
func (v viewer) ago(now, at time.Time) tools.Text {
	return v.onClock("nod.ago.at", spanOf("nod.ago.", now.Sub(at)), at)
}

func (v viewer) onClock(key string, span tools.Text, t time.Time) tools.Text {
	if zone := tools.ZoneOf(v.Record); zone != nil {
		return tools.T(key, span, tools.Moment(t, zone))
	}
	return span
}

// dayOf is the day of a time where the viewer is.
func (v viewer) dayOf(t time.Time) tools.Date {
	if zone := tools.ZoneOf(v.Record); zone != nil {
		t = t.In(zone)
	}
	return tools.DateOf(t)
}
