//go:build otel

package telemetry

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// Begin starts the span of a request.
func (o *observer) Begin(ctx context.Context, i gateway.Info) (context.Context, func(gateway.Outcome)) {
	tracer, meters := o.begun(ctx)
	same := []attribute.KeyValue{
		attribute.String(operationName, operationChat), attribute.String(providerName, provider(i)), attribute.String(requestModel, i.Model),
	}
	same = append(same, server(i)...)
	attrs := append([]attribute.KeyValue{
		attribute.Int(requestMaxTokens, i.MaxOutput), attribute.Bool(requestStream, i.Stream), attribute.String(outputType, outputText),
	}, same...)
	if i.Effort != "" {
		attrs = append(attrs, attribute.String(requestReasoning, string(i.Effort)))
	}
	ctx, span := tracer.Start(ctx, operationChat+" "+i.Model, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attrs...))
	return ctx, func(out gateway.Outcome) {
		span.SetAttributes(found(out)...)
		if out.Err != nil {
			// Its words stay out: they are the host's, and may repeat what was asked.
			span.SetStatus(codes.Error, kind(out.Err))
		}
		span.End()
		meters.note(ctx, i, out, same)
	}
}

// found is what a span tells of the end.
func found(out gateway.Outcome) []attribute.KeyValue {
	var attrs []attribute.KeyValue
	r := out.Result
	if r.Model != "" {
		attrs = append(attrs, attribute.String(responseModel, r.Model))
	}
	if r.Finish != "" {
		attrs = append(attrs, attribute.StringSlice(responseFinish, []string{finish(r.Finish)}))
	}
	if r.First > 0 {
		attrs = append(attrs, attribute.Float64(responseFirst, r.First.Seconds()))
	}
	if u := r.Usage; u != nil {
		attrs = append(attrs, attribute.Int64(usageInput, whole(u)), attribute.Int64(usageOutput, u.Output), attribute.Int64(usageCacheRead, u.CacheRead),
			attribute.Int64(usageCacheWrite, u.CacheWrite), attribute.Int64(usageReasoning, u.Reasoning))
	}
	if out.Err != nil {
		attrs = append(attrs, attribute.String(errorType, kind(out.Err)))
	}
	return attrs
}

func whole(u *gateway.Usage) int64 { return u.Uncached + u.CacheRead + u.CacheWrite }

// kind is the sort of an error, of which there are few.
func kind(err error) string {
	if e, ok := errors.AsType[*gateway.Error](err); ok {
		return string(e.Kind)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return otherError
}

// finish is why an answer ended, in the words of the conventions.
func finish(f gateway.Finish) string {
	switch f {
	case gateway.ToolUse:
		return "tool_call"
	case gateway.MaxTokens, gateway.ContextWindow:
		return "length"
	case gateway.Refused:
		return "content_filter"
	}
	return string(f)
}

// provider is whose host it is, where its address says so, else whose way of
// speaking it has.
func provider(i gateway.Info) string {
	for name, whose := range map[string]string{
		"anthropic.com": "anthropic", "openai.com": "openai", "mistral.ai": "mistral_ai", "googleapis.com": "gcp.gemini", "x.ai": "x_ai", "openrouter.ai": "openrouter",
	} {
		if gateway.IsHost(i.Host, name) {
			return whose
		}
	}
	if i.Protocol == gateway.Anthropic {
		return "anthropic"
	}
	return "openai"
}

func split(host string) (string, int) {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		return strings.Trim(host, "[]"), 0
	}
	n, _ := strconv.Atoi(port) // 0 says nothing
	return name, n
}

func server(i gateway.Info) []attribute.KeyValue {
	name, port := split(i.Host)
	attrs := []attribute.KeyValue{attribute.String(serverAddress, name)}
	if port > 0 {
		attrs = append(attrs, attribute.Int(serverPort, port))
	}
	return attrs
}

// meters are the instruments.
type meters struct {
	duration, first metric.Float64Histogram
	chunk           metric.Float64Histogram
	input, output   metric.Int64Histogram
	counts          map[string]metric.Int64Counter
}

func newMeters(m metric.Meter) *meters {
	// They fail for a name that cannot be, and these can; what they give is of use
	// even then.
	seconds := func(name, about string) metric.Float64Histogram {
		h, _ := m.Float64Histogram(name, metric.WithUnit(unitSeconds), metric.WithDescription(about),
			metric.WithExplicitBucketBoundaries(0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92))
		return h
	}
	tokens := func(name, about string) metric.Int64Histogram {
		h, _ := m.Int64Histogram(name, metric.WithUnit(unitTokens), metric.WithDescription(about),
			metric.WithExplicitBucketBoundaries(1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864))
		return h
	}
	all := &meters{
		duration: seconds(metricDuration, "How long requests to models take, with all repeats."),
		first:    seconds(metricFirst, "How long until the first piece of an answer comes."),
		chunk:    seconds(metricChunk, "How long until the next piece of an answer comes, after the first."),
		input:    tokens(metricInput, "How long the prompt of a request is."),
		output:   tokens(metricOutput, "How long the answer to a request is."),
		counts:   map[string]metric.Int64Counter{},
	}
	for _, name := range []string{countInput, countOutput, countCacheRead, countCacheWrite, countReasoning} {
		all.counts[name], _ = m.Int64Counter(metricUsage+name, metric.WithUnit(unitTokens))
	}
	return all
}

// note counts a request that is over.
func (m *meters) note(ctx context.Context, i gateway.Info, out gateway.Outcome, same []attribute.KeyValue) {
	ctx = context.WithoutCancel(ctx) // who hung up is counted too
	attrs := append([]attribute.KeyValue{}, same...)
	if out.Result.Model != "" {
		attrs = append(attrs, attribute.String(responseModel, out.Result.Model))
	}
	by := metric.WithAttributeSet(attribute.NewSet(attrs...))
	if out.Err != nil {
		attrs = append(attrs, attribute.String(errorType, kind(out.Err)))
	}
	m.duration.Record(ctx, out.Took.Seconds(), metric.WithAttributeSet(attribute.NewSet(attrs...)))
	if first := out.Result.First; i.Stream && first > 0 {
		m.first.Record(ctx, first.Seconds(), by)
	}
	for _, gap := range out.Gaps {
		m.chunk.Record(ctx, gap.Seconds(), by)
	}
	u := out.Result.Usage
	if u == nil {
		return
	}
	m.input.Record(ctx, whole(u), by)
	m.output.Record(ctx, u.Output, by)
	for name, n := range map[string]int64{
		countInput: whole(u), countOutput: u.Output, countCacheRead: u.CacheRead, countCacheWrite: u.CacheWrite, countReasoning: u.Reasoning,
	} {
		if n > 0 {
			m.counts[name].Add(ctx, n, by)
		}
	}
}
