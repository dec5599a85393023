//go:build !otel

package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTelemetryNeedsItsBinary starts one that cannot measure, and was asked to.
func TestTelemetryNeedsItsBinary(t *testing.T) {
	m := newMachine(t)
	m.env = []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318"}
	r := m.run("serve", "--http", "127.0.0.1:0")
	if r.code != 1 || !strings.Contains(r.err, "OTEL_EXPORTER_OTLP_ENDPOINT") || !strings.Contains(r.err, "-tags otel") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(m.dir, "data.db")); !os.IsNotExist(err) {
		t.Error("the folder was opened")
	}
	// Switched off by its own variable, it is not in the way.
	m.env = append(m.env, "OTEL_SDK_DISABLED=true")
	m.ok("account", "add", "ana")
}
