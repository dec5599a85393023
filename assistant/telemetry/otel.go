//go:build otel

package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	metricsdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	tracesdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
)

const compiled = true

// New gives what observes turns and requests, and what to call at the end, which sends
// what was not sent yet. Nothing is set up, and nobody asked, before the first
// request: most commands make none.
func New(s Settings, version string, log *slog.Logger) (Observer, func(context.Context) error) {
	if !s.On() {
		return nil, func(context.Context) error { return nil }
	}
	o := &observer{settings: s, version: version, log: log}
	return o, o.close
}

// observer is an Observer that tells OpenTelemetry.
type observer struct {
	settings Settings
	version  string
	log      *slog.Logger

	mu     sync.Mutex
	ready  bool
	tracer trace.Tracer
	meters *meters
	ends   []func(context.Context) error
}

// begun sets up once what measures.
func (o *observer) begun(ctx context.Context) (trace.Tracer, *meters) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ready {
		o.ready = true
		if err := o.start(context.WithoutCancel(ctx)); err != nil {
			// Models answer without being measured.
			o.log.Error("OpenTelemetry cannot be set up", "error", err)
			o.tracer, o.meters = tracenoop.NewTracerProvider().Tracer(scope), newMeters(metricnoop.NewMeterProvider().Meter(scope))
		}
	}
	return o.tracer, o.meters
}

func (o *observer) start(ctx context.Context) error {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.log.Warn("measurements were not taken", "error", err) }))
	res := o.resource()
	var tracers trace.TracerProvider = tracenoop.NewTracerProvider()
	var providers metric.MeterProvider = metricnoop.NewMeterProvider()
	if o.settings.Traces != "" {
		out, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(o.settings.Traces), otlptracehttp.WithHeaders(o.settings.Headers))
		if err != nil {
			return err
		}
		p := tracesdk.NewTracerProvider(tracesdk.WithBatcher(out), tracesdk.WithResource(res))
		tracers, o.ends = p, append(o.ends, p.Shutdown)
	}
	if o.settings.Metrics != "" {
		out, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(o.settings.Metrics), otlpmetrichttp.WithHeaders(o.settings.Headers))
		if err != nil {
			return err
		}
		p := metricsdk.NewMeterProvider(metricsdk.WithReader(metricsdk.NewPeriodicReader(out)), metricsdk.WithResource(res))
		providers, o.ends = p, append(o.ends, p.Shutdown)
	}
	o.tracer, o.meters = tracers.Tracer(scope), newMeters(providers.Meter(scope))
	return nil
}

// resource is what measures: not the machine, and nobody's name.
func (o *observer) resource() *resource.Resource {
	attrs := []attribute.KeyValue{
		attribute.String(resourceSDK, "opentelemetry"), attribute.String(resourceSDKTongue, "go"), attribute.String(resourceVersion, o.version),
	}
	for _, name := range slices.Sorted(maps.Keys(o.settings.Resource)) {
		attrs = append(attrs, attribute.String(name, o.settings.Resource[name]))
	}
	return resource.NewSchemaless(append(attrs, attribute.String(resourceService, o.settings.Service))...)
}

// close sends what was measured, and ends.
func (o *observer) close(ctx context.Context) error {
	o.mu.Lock()
	ends := o.ends
	o.ends = nil
	o.mu.Unlock()
	errs := make([]error, len(ends))
	for i, end := range ends {
		errs[i] = end(ctx)
	}
	return errors.Join(errs...)
}
