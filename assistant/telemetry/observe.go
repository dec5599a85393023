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
	"github.com/nodkeep/nodkeep/tools"
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
	if e, ok := errors.AsType[*tools.Error](err); ok {
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
	if whose := known(i.Host); whose != "" {
		return whose
	}
	if i.Protocol == gateway.Anthropic {
		return "anthropic"
	}
	return "openai"
}

// known is whose host it is; "" where its address does not say.
func known(host string) string {
	for name, whose := range map[string]string{
		"anthropic.com": "anthropic", "openai.com": "openai", "mistral.ai": "mistral_ai", "googleapis.com": "gcp.gemini", "x.ai": "x_ai", "openrouter.ai": "openrouter",
	} {
		if gateway.IsHost(host, name) {
			return whose
		}
	}
	return ""
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
