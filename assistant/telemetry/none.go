//go:build !otel

package telemetry

import (
	"context"
	"log/slog"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

const compiled = false

// New gives nothing to observe with: this binary cannot, and Read has said so.
func New(Settings, string, *slog.Logger) (gateway.Observer, func(context.Context) error) {
	return nil, func(context.Context) error { return nil }
}
