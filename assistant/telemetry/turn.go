//go:build otel

package telemetry

import (
	"context"
	"regexp"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/nodkeep/nodkeep/assistant"
)

// agentKey marks a context with the assistant whose turn it is in.
type agentKey struct{}

// Turn starts the span of a turn. The requests and tools in its context become
// its children. Of the ids only the conversation's is told: it is random, and
// forgotten here after half an hour.
func (o *observer) Turn(ctx context.Context, i assistant.Info) (context.Context, func(assistant.Facts)) {
	tracer, meters := o.begun(ctx)
	same := []attribute.KeyValue{attribute.String(agentName, i.Assistant), attribute.String(requestModel, i.Model)}
	attrs := append([]attribute.KeyValue{attribute.String(operationName, operationAgent)}, same...)
	if i.Conversation != "" {
		attrs = append(attrs, attribute.String(conversationID, i.Conversation))
	}
	if whose := known(i.Host); whose != "" {
		attrs = append(attrs, attribute.String(providerName, whose))
	}
	ctx = context.WithValue(ctx, agentKey{}, i.Assistant)
	ctx, span := tracer.Start(ctx, operationAgent+" "+i.Assistant, trace.WithSpanKind(trace.SpanKindInternal), trace.WithAttributes(attrs...))
	return ctx, func(f assistant.Facts) {
		u := f.Usage
		span.SetAttributes(attribute.StringSlice(responseFinish, []string{string(f.Finish)}),
			attribute.Int64(usageInput, u.Uncached+u.CacheRead+u.CacheWrite), attribute.Int64(usageOutput, u.Output),
			attribute.Int64(usageCacheRead, u.CacheRead), attribute.Int64(usageCacheWrite, u.CacheWrite))
		if f.Finish.Failed() {
			why := string(f.Finish)
			span.SetAttributes(attribute.String(errorType, why))
			span.SetStatus(codes.Error, why)
			same = append(same, attribute.String(errorType, why))
		}
		span.End()
		calls := 0
		for _, tool := range f.Tools {
			calls += tool.Calls
		}
		by, ctx := metric.WithAttributeSet(attribute.NewSet(same...)), context.WithoutCancel(ctx)
		meters.agent.Record(ctx, f.Took.Seconds(), by)
		meters.requests.Record(ctx, u.Requests, by)
		meters.calls.Record(ctx, int64(calls), by)
	}
}

// Tool starts the span of a tool. The id of its call is the model's word, and
// stays out.
func (o *observer) Tool(ctx context.Context, name, _ string) (context.Context, func(error)) {
	tracer, meters := o.begun(ctx)
	name = toolName(name)
	attrs := []attribute.KeyValue{attribute.String(toolNamed, name), attribute.String(toolType, typeFunction)}
	if agent, ok := ctx.Value(agentKey{}).(string); ok {
		attrs = append(attrs, attribute.String(agentName, agent))
	}
	begun := time.Now()
	ctx, span := tracer.Start(ctx, operationTool+" "+name, trace.WithSpanKind(trace.SpanKindInternal),
		trace.WithAttributes(append([]attribute.KeyValue{attribute.String(operationName, operationTool)}, attrs...)...))
	return ctx, func(err error) {
		if err != nil {
			span.SetAttributes(attribute.String(errorType, kind(err)))
			span.SetStatus(codes.Error, kind(err)) // its words may be somebody's
			attrs = append(attrs, attribute.String(errorType, kind(err)))
		}
		span.End()
		meters.tool.Record(context.WithoutCancel(ctx), time.Since(begun).Seconds(), metric.WithAttributeSet(attribute.NewSet(attrs...)))
	}
}

// toolName is the name of a tool. A model may have made one up, and that could
// say anything.
func toolName(name string) string {
	if ok, err := regexp.MatchString(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`, name); !ok || err != nil || len(name) > longestTool {
		return otherError
	}
	return name
}

// longestTool is more than any tool's name has.
const longestTool = 80
