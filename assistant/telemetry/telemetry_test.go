package telemetry

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	rows := []struct {
		name            string
		env             []string
		traces, metrics string
		wrong           []string // names
	}{
		{"nothing", nil, "", "", nil},
		{"a collector", []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://c:4318/"}, "http://c:4318/v1/traces", "http://c:4318/v1/metrics", nil},
		{"its own address for one", []string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://c/t"}, "https://c/t", "", nil},
		{"both", []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://c", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://d/m"}, "http://c/v1/traces", "http://d/m", nil},
		{"one is not wanted", []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://c", "OTEL_TRACES_EXPORTER=none"}, "", "http://c/v1/metrics", nil},
		{"switched off", []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://c", "OTEL_SDK_DISABLED=TRUE", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}, "", "", nil},
		{"no address", []string{"OTEL_EXPORTER_OTLP_ENDPOINT=c:4317"}, "", "", []string{"OTEL_EXPORTER_OTLP_ENDPOINT"}},
		{"gRPC", []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://c:4317", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}, "http://c:4317/v1/traces", "http://c:4317/v1/metrics", []string{"OTEL_EXPORTER_OTLP_PROTOCOL"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			env := map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "a=b%20c, d = e,f", "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=home"}
			for _, pair := range row.env {
				name, value, _ := strings.Cut(pair, "=")
				env[name] = value
			}
			var wrong []string
			s := Read(func(name string) string { return env[name] }, func(name, what, fix string) {
				if what == "" || fix == "" {
					t.Errorf("%s: %q %q", name, what, fix)
				}
				wrong = append(wrong, name)
			})
			want := row.wrong
			if !compiled && (row.traces != "" || row.metrics != "") {
				want = append(want, endpoint)
			}
			if diff := cmp.Diff(want, wrong); diff != "" {
				t.Errorf("wrong (-want +got):\n%s", diff)
			}
			if s.Traces != row.traces || s.Metrics != row.metrics || s.On() && s.Service != "nodkeep" {
				t.Errorf("got %+v", s)
			}
			if s.On() && (s.Headers["a"] != "b c" || s.Headers["d"] != "e" || len(s.Headers) != 2 || s.Resource["deployment.environment.name"] != "home") {
				t.Errorf("got %+v", s)
			}
		})
	}
}

// TestNotLinked looks at what is in a binary without the tag, and that there is
// something to find with it; gRPC is spoken with neither.
func TestNotLinked(t *testing.T) {
	deps := func(args ...string) string {
		out, err := exec.Command("go", append(append([]string{"list", "-deps"}, args...), "github.com/nodkeep/nodkeep")...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return "\n" + string(out)
	}
	if plain := deps("-tags="); strings.Contains(plain, "\ngo.opentelemetry.io/") || strings.Contains(plain, "\ngoogle.golang.org/") {
		t.Error("OpenTelemetry is in a binary that was not asked to have it")
	}
	with := deps("-tags=otel")
	if !strings.Contains(with, "\ngo.opentelemetry.io/otel/sdk/metric\n") {
		t.Error("OpenTelemetry is not in a binary that was asked to have it")
	}
	for _, grpc := range []string{"otlptracegrpc", "otlpmetricgrpc"} {
		if strings.Contains(with, grpc) {
			t.Errorf("%s is linked", grpc)
		}
	}
}
