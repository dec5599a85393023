//go:build otel

package telemetry

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// TestTurns: a turn is a span with its requests and tools below it, and nothing
// that was said or whose it was is in any of them.
func TestTurns(t *testing.T) {
	c := &collector{metrics: map[string]*metrics.Metric{}}
	server := httptest.NewServer(c)
	defer server.Close()
	o, end := New(Settings{Traces: server.URL + "/v1/traces", Metrics: server.URL + "/v1/metrics", Service: "kitchen"}, "1.2.3", slog.New(slog.DiscardHandler))

	turn, over := o.Turn(t.Context(), assistant.Info{Turn: "SECRET-turn", Conversation: "c1", Assistant: "claude", Model: "m1", Host: "api.anthropic.com"})
	_, asked := o.Begin(turn, gateway.Info{Protocol: gateway.Anthropic, Host: "api.anthropic.com", Model: "m1"})
	asked(gateway.Outcome{Took: time.Second})
	_, done := o.Tool(turn, "household_due", "SECRET-call")
	done(nil)
	_, done = o.Tool(turn, "household_charge_add", "SECRET-call")
	done(fmt.Errorf("calling: %w", tools.Fail(tools.Invalid, "SECRET")))
	_, done = o.Tool(turn, "SECRET words of a model", "")
	done(errors.New("SECRET"))
	over(assistant.Facts{
		Turn: "SECRET-turn", Conversation: "c1", Model: "m1", Finish: assistant.Answered, Took: 3 * time.Second, Proposals: []string{"SECRET-proposal"},
		Usage: assistant.Usage{Person: "SECRET-person", Counts: assistant.Counts{Requests: 2, Uncached: 10, CacheRead: 20, CacheWrite: 30, Output: 7}},
		Tools: []assistant.ToolUse{{Name: "household_due", Calls: 1}, {Name: "household_charge_add", Calls: 2, Failed: 1}},
	})
	_, over = o.Turn(t.Context(), assistant.Info{Assistant: "local", Model: "m2", Host: "127.0.0.1:11434"})
	over(assistant.Facts{Finish: assistant.Broken, Took: time.Second})
	if err := end(t.Context()); err != nil {
		t.Fatal(err)
	}

	spans := map[string]*traces.Span{}
	for _, s := range c.spans {
		spans[s.Name] = s
	}
	whole := spans["invoke_agent claude"]
	if whole == nil || len(c.spans) != 6 {
		t.Fatalf("%d spans came", len(c.spans))
	}
	for _, name := range []string{"chat m1", "execute_tool household_due", "execute_tool household_charge_add", "execute_tool _OTHER"} {
		if s := spans[name]; s == nil || !slices.Equal(s.ParentSpanId, whole.SpanId) {
			t.Errorf("%s is not below the turn", name)
		}
	}
	for name, want := range map[string][]string{
		"invoke_agent claude": {
			"gen_ai.agent.name=claude", "gen_ai.conversation.id=c1", "gen_ai.operation.name=invoke_agent", "gen_ai.provider.name=anthropic", "gen_ai.request.model=m1",
			"gen_ai.response.finish_reasons=stop", "gen_ai.usage.cache_read.input_tokens=20", "gen_ai.usage.cache_write.input_tokens=30", "gen_ai.usage.input_tokens=60", "gen_ai.usage.output_tokens=7",
		},
		"invoke_agent local": {
			"error.type=error", "gen_ai.agent.name=local", "gen_ai.operation.name=invoke_agent", "gen_ai.request.model=m2", "gen_ai.response.finish_reasons=error",
			"gen_ai.usage.cache_read.input_tokens=0", "gen_ai.usage.cache_write.input_tokens=0", "gen_ai.usage.input_tokens=0", "gen_ai.usage.output_tokens=0",
		},
		"execute_tool household_due":        {"gen_ai.agent.name=claude", "gen_ai.operation.name=execute_tool", "gen_ai.tool.name=household_due", "gen_ai.tool.type=function"},
		"execute_tool household_charge_add": {"error.type=invalid", "gen_ai.agent.name=claude", "gen_ai.operation.name=execute_tool", "gen_ai.tool.name=household_charge_add", "gen_ai.tool.type=function"},
	} {
		if s := spans[name]; s == nil || !slices.Equal(said(s.Attributes), want) || s.Kind != traces.Span_SPAN_KIND_INTERNAL {
			t.Errorf("%s\n got %q\nwant %q", name, said(s.GetAttributes()), want)
		}
	}
	if s := spans["execute_tool household_charge_add"].GetStatus(); s.GetCode() != traces.Status_STATUS_CODE_ERROR || s.GetMessage() != "invalid" {
		t.Errorf("the tool that failed says %v", s)
	}

	points := func(name string) map[string]float64 {
		all := map[string]float64{}
		for _, p := range c.metrics[name].GetHistogram().GetDataPoints() {
			all[strings.Join(said(p.Attributes), " ")] = p.GetSum()
		}
		return all
	}
	const answered = "gen_ai.agent.name=claude gen_ai.request.model=m1"
	for name, want := range map[string]float64{"gen_ai.invoke_agent.duration": 3, "gen_ai.invoke_agent.inference_calls": 2, "gen_ai.invoke_agent.tool_calls": 3} {
		if got := points(name); len(got) != 2 || got[answered] != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := points("gen_ai.invoke_agent.duration"); got["error.type=error gen_ai.agent.name=local gen_ai.request.model=m2"] != 1 {
		t.Errorf("of the turn that broke: %v", got)
	}
	if got := points("gen_ai.execute_tool.duration"); len(got) != 3 {
		t.Errorf("tools: %v", got)
	}
	if bounds := c.metrics["gen_ai.invoke_agent.duration"].GetHistogram().DataPoints[0].GetExplicitBounds(); len(bounds) != 13 || bounds[0] != 0.1 || bounds[12] != 409.6 {
		t.Errorf("turns in %v", bounds)
	}
	if strings.Contains(c.raw.String(), "SECRET") {
		t.Error("words or ids were sent")
	}
}
