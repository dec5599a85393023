package hooks

import (
	"context"
	"time"

	"github.com/nodkeep/nodkeep/assistant/telemetry"
)

// flushTime is how long a collector has to take the last measurements.
const flushTime = 5 * time.Second

// openTelemetry lets requests to models be measured, where the settings say so.
func (a *App) openTelemetry() {
	a.observer, a.observed = telemetry.New(a.settings.Telemetry, version(), a.pb.Logger())
}

// closeTelemetry sends what was measured. A collector that is gone is no reason
// to end otherwise than well.
func (a *App) closeTelemetry() {
	if a.observed == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	if err := a.observed(ctx); err != nil {
		a.pb.Logger().Warn("the last measurements were not taken", "error", err)
	}
	a.observed = nil
}
