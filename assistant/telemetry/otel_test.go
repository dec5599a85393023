//go:build otel

package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metricpb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// collector takes what is sent to it.
type collector struct {
	mu      sync.Mutex
	spans   []*traces.Span
	metrics map[string]*metrics.Metric
	raw     bytes.Buffer
	header  http.Header
}

func (c *collector) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = r.Header
	var in io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		in, _ = gzip.NewReader(r.Body)
	}
	b, _ := io.ReadAll(in)
	c.raw.Write(b)
	switch r.URL.Path {
	case "/v1/traces":
		var m tracepb.ExportTraceServiceRequest
		_ = proto.Unmarshal(b, &m)
		for _, rs := range m.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				c.spans = append(c.spans, ss.Spans...)
			}
		}
	case "/v1/metrics":
		var m metricpb.ExportMetricsServiceRequest
		_ = proto.Unmarshal(b, &m)
		for _, rm := range m.ResourceMetrics {
			for _, sm := range rm.ScopeMetrics {
				for _, one := range sm.Metrics {
					c.metrics[one.Name] = one
				}
			}
		}
	}
}

func said(attrs []*common.KeyValue) (out []string) {
	for _, a := range attrs {
		v := a.Value
		switch v.Value.(type) {
		case *common.AnyValue_StringValue:
			out = append(out, a.Key+"="+v.GetStringValue())
		case *common.AnyValue_IntValue:
			out = append(out, fmt.Sprintf("%s=%d", a.Key, v.GetIntValue()))
		case *common.AnyValue_BoolValue:
			out = append(out, fmt.Sprintf("%s=%v", a.Key, v.GetBoolValue()))
		case *common.AnyValue_DoubleValue:
			out = append(out, fmt.Sprintf("%s=%v", a.Key, v.GetDoubleValue()))
		case *common.AnyValue_ArrayValue:
			for _, one := range v.GetArrayValue().Values {
				out = append(out, a.Key+"="+one.GetStringValue())
			}
		}
	}
	slices.Sort(out)
	return out
}

func TestObserver(t *testing.T) {
	c := &collector{metrics: map[string]*metrics.Metric{}}
	server := httptest.NewServer(c)
	defer server.Close()
	o, end := New(Settings{
		Traces: server.URL + "/v1/traces", Metrics: server.URL + "/v1/metrics", Service: "kitchen", Headers: map[string]string{"X-Door": "open"},
	}, "1.2.3", slog.New(slog.DiscardHandler))

	_, over := o.Begin(t.Context(), gateway.Info{Protocol: gateway.OpenAI, Host: "api.mistral.ai:8443", Model: "mistral-large", MaxOutput: 100, Effort: gateway.High, Stream: true})
	over(gateway.Outcome{Took: 1500 * time.Millisecond, Gaps: []time.Duration{250 * time.Millisecond, 500 * time.Millisecond}, Result: gateway.Result{
		Text: "SECRET words", Reasoning: "SECRET thoughts", Calls: []gateway.Call{{ID: "SECRET", Name: "SECRET_tool", Args: []byte(`{"a":"SECRET"}`)}},
		Finish: gateway.ToolUse, Usage: &gateway.Usage{Uncached: 10, CacheRead: 20, CacheWrite: 30, Output: 7, Reasoning: 3},
		Model: "mistral-large-2512", RequestID: "SECRET-id", First: 250 * time.Millisecond,
	}})
	canceled, cancel := context.WithCancel(t.Context())
	_, over = o.Begin(canceled, gateway.Info{Protocol: gateway.Anthropic, Host: "127.0.0.1", Model: "m2"})
	cancel()
	over(gateway.Outcome{Took: time.Second, Result: gateway.Result{Finish: gateway.Failed, First: time.Second}, Err: fmt.Errorf("asking: %w", &gateway.Error{Kind: gateway.Overloaded, Message: "SECRET of the host"})})
	if err := end(t.Context()); err != nil {
		t.Fatal(err)
	}

	if len(c.spans) != 2 {
		t.Fatalf("%d spans came, want 2", len(c.spans))
	}
	span := c.spans[0]
	want := []string{
		"gen_ai.operation.name=chat", "gen_ai.output.type=text", "gen_ai.provider.name=mistral_ai", "gen_ai.request.max_tokens=100", "gen_ai.request.model=mistral-large",
		"gen_ai.request.reasoning.level=high", "gen_ai.request.stream=true", "gen_ai.response.finish_reasons=tool_call", "gen_ai.response.model=mistral-large-2512",
		"gen_ai.response.time_to_first_chunk=0.25", "gen_ai.usage.cache_read.input_tokens=20", "gen_ai.usage.cache_write.input_tokens=30", "gen_ai.usage.input_tokens=60",
		"gen_ai.usage.output_tokens=7", "gen_ai.usage.reasoning.output_tokens=3", "server.address=api.mistral.ai", "server.port=8443",
	}
	if got := said(span.Attributes); !slices.Equal(got, want) || span.Name != "chat mistral-large" || span.Kind != traces.Span_SPAN_KIND_CLIENT {
		t.Errorf("span %s %v\n got %q\nwant %q", span.Name, span.Kind, got, want)
	}
	failed := c.spans[1]
	if got := said(failed.Attributes); !slices.Contains(got, "error.type=overloaded") || failed.Status.GetCode() != traces.Status_STATUS_CODE_ERROR || failed.Status.GetMessage() != "overloaded" {
		t.Errorf("the failed one says %q, %v", got, failed.Status)
	}

	for name, want := range map[string]int64{"input_tokens": 60, "output_tokens": 7, "cache_read.input_tokens": 20, "cache_write.input_tokens": 30, "reasoning.output_tokens": 3} {
		if m := c.metrics["gen_ai.client.inference.usage."+name]; m == nil || m.GetSum().DataPoints[0].GetAsInt() != want || m.Unit != "{token}" {
			t.Errorf("%s: %v, want %d", name, m, want)
		}
	}
	for name, want := range map[string]float64{
		"gen_ai.client.inference.time_to_first_chunk": 0.25, "gen_ai.client.inference.time_per_output_chunk": 0.75, "gen_ai.client.inference.operation.input_tokens": 60, "gen_ai.client.inference.operation.output_tokens": 7,
	} {
		if m := c.metrics[name]; m == nil || m.GetHistogram().DataPoints[0].GetSum() != want {
			t.Errorf("%s: %v, want %v", name, m, want)
		}
	}
	// What came in one piece has no first one.
	first := c.metrics["gen_ai.client.inference.time_to_first_chunk"].GetHistogram().GetDataPoints()
	if bounds := first[0].GetExplicitBounds(); len(first) != 1 || len(bounds) != 14 || bounds[0] != 0.01 || bounds[13] != 81.92 {
		t.Errorf("%d times to a first piece, in %v", len(first), bounds)
	}
	if bounds := c.metrics["gen_ai.client.inference.operation.input_tokens"].GetHistogram().DataPoints[0].GetExplicitBounds(); len(bounds) != 14 || bounds[0] != 1 || bounds[13] != 67108864 {
		t.Errorf("tokens in %v", bounds)
	}
	seen := map[string]float64{}
	for _, p := range c.metrics["gen_ai.client.inference.duration"].GetHistogram().GetDataPoints() {
		seen[strings.Join(said(p.Attributes), " ")] = p.GetSum()
	}
	ok := "gen_ai.operation.name=chat gen_ai.provider.name=mistral_ai gen_ai.request.model=mistral-large gen_ai.response.model=mistral-large-2512 server.address=api.mistral.ai server.port=8443"
	bad := "error.type=overloaded gen_ai.operation.name=chat gen_ai.provider.name=anthropic gen_ai.request.model=m2 server.address=127.0.0.1"
	if len(seen) != 2 || seen[ok] != 1.5 || seen[bad] != 1 {
		t.Errorf("durations %v", seen)
	}
	if strings.Contains(c.raw.String(), "SECRET") {
		t.Error("words or ids were sent")
	}
	if !strings.Contains(c.raw.String(), "kitchen") || c.header.Get("X-Door") != "open" {
		t.Error("the name of the service or the headers did not come")
	}
}

// TestNothingMeasured makes no request, and the collector hears nothing.
func TestNothingMeasured(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("somebody asked") }))
	defer server.Close()
	_, end := New(Settings{Traces: server.URL, Metrics: server.URL}, "", slog.New(slog.DiscardHandler))
	if err := end(t.Context()); err != nil {
		t.Error(err)
	}
	if o, _ := New(Settings{}, "", nil); o != nil {
		t.Error("something observes, and nobody asked for it")
	}
}

func TestKinds(t *testing.T) {
	for want, err := range map[string]error{"canceled": context.Canceled, "timeout": context.DeadlineExceeded, "_OTHER": errors.New("SECRET"), "auth": &gateway.Error{Kind: gateway.Auth}} {
		if got := kind(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
	for host, want := range map[string]string{
		"api.anthropic.com": "anthropic", "api.openai.com": "openai", "generativelanguage.googleapis.com": "gcp.gemini", "api.x.ai": "x_ai", "openrouter.ai": "openrouter", "notx.ai": "openai", "[::1]:8080": "openai",
	} {
		if got := provider(gateway.Info{Protocol: gateway.OpenAI, Host: host}); got != want {
			t.Errorf("%s is of %q, want %q", host, got, want)
		}
	}
}
