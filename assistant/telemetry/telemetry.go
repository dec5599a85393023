// Package telemetry measures turns of assistants and requests to models with
// OpenTelemetry: how many, how long, how much, by which tools; never what was said,
// or who asked. The measuring itself is
// in binaries that are built with -tags otel.
package telemetry

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// Observer sees requests, and the turns and tools that they are for.
type Observer interface {
	gateway.Observer
	assistant.Observer
}

// Settings say where measurements go; nothing is measured without.
type Settings struct {
	Traces, Metrics   string // addresses; "" for none
	Service           string
	Headers, Resource map[string]string
}

// On says that something is to be measured.
func (s Settings) On() bool { return s.Traces != "" || s.Metrics != "" }

// endpoint is the variable that most people set; the others begin like it.
const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"

// Read reads OpenTelemetry's own variables. wrong is told of what cannot be, by
// the name of the variable, and what to do about it.
func Read(get func(name string) string, wrong func(name, what, fix string)) Settings {
	if strings.EqualFold(get("OTEL_SDK_DISABLED"), "true") {
		return Settings{}
	}
	s := Settings{Traces: address(get, wrong, "TRACES"), Metrics: address(get, wrong, "METRICS")}
	if !s.On() {
		return s
	}
	s.Service, s.Headers, s.Resource = cmp.Or(get("OTEL_SERVICE_NAME"), "nodkeep"), map[string]string{}, map[string]string{}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL"} {
		if v := get(name); v != "" && v != "http/protobuf" {
			wrong(name, "is none that this binary speaks", "Give http/protobuf, which collectors take at port 4318, or leave it out.")
		}
	}
	if !compiled {
		wrong(endpoint, "is set, but this binary was built without OpenTelemetry", "Take the image or the binary that is released, build your own with: go build -tags otel, or leave it out.")
	}
	pairs(s.Headers, get("OTEL_EXPORTER_OTLP_HEADERS"))
	pairs(s.Resource, get("OTEL_RESOURCE_ATTRIBUTES"))
	return s
}

// address is where one signal goes: to its own address as it stands, or below
// the common one.
func address(get func(string) string, wrong func(name, what, fix string), signal string) string {
	if strings.EqualFold(get("OTEL_"+signal+"_EXPORTER"), "none") {
		return ""
	}
	name, below := "OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT", ""
	v := get(name)
	if v == "" {
		name, below = endpoint, "/v1/"+strings.ToLower(signal)
		if v = get(name); v == "" {
			return ""
		}
	}
	u, err := url.Parse(v)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		if below == "" || signal == "TRACES" { // the common one is read for both
			wrong(name, "is no address of a collector", "Give one such as http://127.0.0.1:4318, or leave it out.")
		}
		return ""
	}
	return strings.TrimRight(v, "/") + below
}

// pairs reads name=value with commas between.
func pairs(into map[string]string, list string) {
	for pair := range strings.SplitSeq(list, ",") {
		name, value, ok := strings.Cut(pair, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			continue
		}
		value = strings.TrimSpace(value)
		if plain, err := url.PathUnescape(value); err == nil {
			value = plain
		}
		into[name] = value
	}
}
