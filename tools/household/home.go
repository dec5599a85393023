package household

import (
	"strconv"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// home is what the household has set, and today in its time zone.
type home struct {
	currency, zone, language string
	today                    tools.Date
	loads                    bool // the zone; else today is that of UTC
	place                    *time.Location
	rec                      *core.Record // nil while nothing has been set
}

// homeOf reads the settings; without any they are EUR, UTC and English.
func homeOf(r *tools.Reader) (home, error) {
	h := home{currency: "EUR", zone: "UTC", language: "en"}
	recs, err := r.List(settings, tools.Query{Limit: 1})
	if err != nil {
		return home{}, err
	}
	if len(recs) > 0 {
		h.rec = recs[0]
		h.currency, h.zone, h.language = h.rec.GetString("currency"), h.rec.GetString("time_zone"), h.rec.GetString("language")
	}
	zone, err := parseZone("time_zone", h.zone)
	if h.loads = err == nil; !h.loads {
		zone = time.UTC // the settings say so; nothing else can wait for them
	}
	h.place, h.today = zone, tools.DateOf(r.Now().In(zone))
	return h, nil
}

// parseZone loads an IANA time zone.
func parseZone(field, name string) (*time.Location, error) {
	if zone := tools.Zone(name); zone != nil {
		return zone, nil
	}
	return nil, invalid("household.error.zone", field, short(name))
}

// How many days before a charge it is said where nothing is set, at which
// hour, and how early it can be.
const remindDays, remindHour, maxRemindDays = 3, 9, 90

// remindDays is how many days before a charge it is said; -1 for never.
func (h home) remindDays() int { return h.number("remind_days", remindDays) }

// remindHour is the hour of the day at which reminders are said.
func (h home) remindHour() int { return h.number("remind_hour", remindHour) }

// number is a setting that is stored as text: 0 means something, and so must
// not stand for what nobody has set.
func (h home) number(field string, unset int) int {
	if h.rec == nil {
		return unset
	}
	n, err := strconv.Atoi(h.rec.GetString(field))
	if err != nil {
		return unset
	}
	return n
}
