//go:build otel

package telemetry

import "go.opentelemetry.io/otel/metric"

// meters are the instruments.
type meters struct {
	duration, first metric.Float64Histogram
	chunk           metric.Float64Histogram
	input, output   metric.Int64Histogram
	agent, tool     metric.Float64Histogram // how long they take
	requests, calls metric.Int64Histogram   // of a turn
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
	times := func(name, about string) metric.Int64Histogram {
		h, _ := m.Int64Histogram(name, metric.WithUnit(unitCalls), metric.WithDescription(about), metric.WithExplicitBucketBoundaries(1, 2, 4, 8, 16, 32, 64, 128))
		return h
	}
	turns, _ := m.Float64Histogram(metricAgent, metric.WithUnit(unitSeconds), metric.WithDescription("How long turns take, from the question to the end of the answer."),
		metric.WithExplicitBucketBoundaries(0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6))
	all := &meters{
		agent: turns, tool: seconds(metricTool, "How long tools take that a model calls."),
		requests: times(metricRequests, "How many requests to the model a turn makes."), calls: times(metricCalls, "How many tools a turn calls."),
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
