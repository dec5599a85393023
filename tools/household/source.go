package household

import (
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// Sources names the ECB's rates of the last 90 days, as one file: a server that
// stood still for a while misses none. They come once a working day, in the
// afternoon.
func (Plugin) Sources() []tools.Source {
	return []tools.Source{{
		Name: "household_ecb_rates", Title: "household.source.ecb_rates", URL: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml",
		Every: 6 * time.Hour, Tool: "household_rate_import", Arg: "file",
	}}
}
