package budget

import (
	"fmt"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// BenchmarkHold is what the check adds to a call, with three months of fifty
// persons in the books; in the same run, what writing a row alone takes.
func BenchmarkHold(b *testing.B) {
	h := newHome(b)
	err := h.RunInTransaction(func(tx core.App) error {
		for person := range 50 {
			for day := range 90 {
				for _, a := range []string{"cloud", "local"} {
					_, err := tx.NonconcurrentDB().Insert(tools.UsageTable, dbx.Params{
						"person": fmt.Sprintf("p%d", person), "day": dayOf(noon.AddDate(0, 0, -day)), "assistant": a, "currency": "USD",
						"requests": 10, "input_uncached": 1000, "output": 100, "cost": 1000,
					}).Execute()
					if err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	h.sql("UPDATE nodkeep_usage SET person = '" + h.ann + "' WHERE person = 'p0'")
	h.put("budgets", map[string]any{"everybody": true, "day_cost": "900000000000", "month_cost": "900000000000", "day_tokens": "900000000000", "month_tokens": "900000000000"})
	h.put("limits", map[string]any{"person": h.ann, "day_cost": "900000000000"})
	h.cap = 900_000_000_000
	request := ask(10_000, 1000)
	var row time.Duration
	b.ReportAllocs()
	for b.Loop() {
		m := h.l.Meter(h.ann, cloud, request)
		if err := m.Hold(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		m.Settle(gateway.Spent{Unbilled: true})
		start := time.Now()
		err := h.RunInTransaction(func(tx core.App) error {
			_, err := tx.NonconcurrentDB().Insert(tools.HoldsTable, dbx.Params{"id": "bare", "person": h.bob, "assistant": "cloud", "day": "2026-01-01", "cost": 1}).Execute()
			return err
		})
		if row += time.Since(start); err != nil {
			b.Fatal(err)
		}
		h.sql("DELETE FROM nodkeep_holds")
		b.StartTimer()
	}
	bare := float64(row.Nanoseconds()) / float64(b.N)
	b.ReportMetric(bare, "ns/insert")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/bare, "inserts/op")
}
