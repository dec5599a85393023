package hooks

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
)

// maxGate is what the look at an account may add to a request.
const maxGate = time.Microsecond

// BenchmarkGate holds a request through the gate against one without, in turns,
// each under a context that can end, as a server's is. It fails above the
// limit.
func BenchmarkGate(b *testing.B) {
	i := newInstance(b)
	const batch = 2000
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	e := &core.RequestEvent{App: i.pb}
	r := httptest.NewRequestWithContext(ctx, "GET", "/api/health", nil)
	w := httptest.NewRecorder()
	through := func(h *hook.Hook[*core.RequestEvent]) time.Duration {
		start := time.Now()
		for range batch {
			e.Request, e.Response = r, http.ResponseWriter(w)
			if err := h.Trigger(e, func(*core.RequestEvent) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(start)
	}
	// The chain is there with or without the gate, which is one link of it.
	bare, gate := &hook.Hook[*core.RequestEvent]{}, &hook.Hook[*core.RequestEvent]{}
	bare.BindFunc(func(e *core.RequestEvent) error { return e.Next() })
	gate.BindFunc(i.admitToken)
	for _, row := range []struct {
		name string
		auth *core.Record
	}{{"member", i.user("ann")}, {"guest", nil}} {
		b.Run(row.name, func(b *testing.B) {
			e.Auth = row.auth
			var more []time.Duration
			for b.Loop() {
				without := through(bare)
				more = append(more, (through(gate)-without)/batch)
			}
			got := median(more)
			b.ReportMetric(float64(got.Nanoseconds()), "ns-more")
			b.ReportMetric(float64(maxGate.Nanoseconds()), "ns-limit")
			if got > maxGate {
				b.Errorf("the gate takes %s, at most %s are allowed", got, maxGate)
			}
		})
	}
}
