package hooks

import (
	"math"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// A page does not know the clock of who reads it: times are said by how far
// away they are.

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
func left(now, until time.Time) tools.Text { return spanOf("nod.left.", until.Sub(now)) }

// ago says how long ago something was.
func ago(now, at time.Time) tools.Text { return spanOf("nod.ago.", now.Sub(at)) }
