package tools

import (
	"path"
	"strings"
	"time"
	_ "time/tzdata" // zones must load where the system has none

	"github.com/pocketbase/pocketbase/core"
)

// Zone loads an IANA time zone; nil is no such zone. The machine's own, by any
// of its names, is none: what is told must not depend on where it is served.
func Zone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil || !isZone(name) {
		return nil
	}
	return zone
}

// isZone leaves out what stands in the folder of a machine's zones beside them.
func isZone(name string) bool {
	first, _, _ := strings.Cut(strings.ToLower(name), "/")
	switch first {
	case "", "local", "localtime", "posixrules", "factory", "right", "posix":
		return false
	}
	return path.Clean(name) == name
}

// ZoneOf is the time zone that a member has set; nil where there is none.
func ZoneOf(member *core.Record) *time.Location { return Zone(member.GetString("time_zone")) }

// Zone is the time zone of whoever acts, UTC where they have set none.
func (r *Reader) Zone() *time.Location {
	if auth := r.run.info.Auth; auth != nil {
		if zone := ZoneOf(auth); zone != nil {
			return zone
		}
	}
	return time.UTC
}

// Moment says a time as the clocks of a zone show it, and which zone that is.
func Moment(t time.Time, zone *time.Location) Text {
	t = t.In(zone)
	return T("moment", DateOf(t), t.Format("15:04"), zone.String())
}
