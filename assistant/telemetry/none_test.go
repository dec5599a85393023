//go:build !otel

package telemetry

import "testing"

// TestReadWithoutTheTag: where nothing can be sent, an address to send to is
// wrong, whichever of the three it is in.
func TestReadWithoutTheTag(t *testing.T) {
	for _, name := range []string{endpoint, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"} {
		wrong := 0
		Read(func(n string) string { return map[string]string{name: "http://127.0.0.1:4318"}[n] }, func(string, string, string) { wrong++ })
		if wrong != 1 {
			t.Errorf("%s: %d things are wrong", name, wrong)
		}
	}
}
