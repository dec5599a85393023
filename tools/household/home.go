package household

import (
	"time"
	_ "time/tzdata" // zones must load where the system has none

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// home is what the household has set, and today in its time zone.
type home struct {
	currency, zone, language string
	today                    tools.Date
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
	if err != nil {
		return home{}, err
	}
	h.today = tools.DateOf(r.Now().In(zone))
	return h, nil
}

// parseZone loads an IANA time zone. The machine's own is none of them: the
// household's dates must not depend on where it is served.
func parseZone(field, name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, invalid("household.error.zone", field, short(name))
	}
	return zone, nil
}
