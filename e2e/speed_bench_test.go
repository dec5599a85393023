package e2e

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// middling is by how much the processor is slowed: about a phone of the middle class.
const middling = 4

// BenchmarkFirstPaint: with a slow processor and nothing kept, something stands
// within a second.
func BenchmarkFirstPaint(b *testing.B) {
	i := demo(b, "en")
	var paints []float64
	for b.Loop() {
		w := open(b, i.base, phone)
		command(w, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: middling})
		command(w, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
		w.do(chromedp.Navigate(i.base + "/?worker=no"))
		w.until("the form to sign in", `document.querySelector("input[name=identity]")`)
		paints = append(paints, eval[float64](w, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
		w.close()
	}
	report(b, "first paint", paints, 1000)
}

// BenchmarkInteraction: with a slow processor, whatever is pressed is answered
// within a tenth of a second.
func BenchmarkInteraction(b *testing.B) {
	i := demo(b, "en")
	w := i.signIn("ana", phone)
	command(w, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: middling})
	w.run(`(() => { window.pressed = []; new PerformanceObserver((l) => l.getEntries().forEach((e) => e.interactionId && pressed.push(e.duration))).observe({ type: "event", durationThreshold: 16, buffered: true }) })()`)
	for b.Loop() {
		for _, name := range []string{"Subscriptions", "To decide", "More", "Home"} {
			w.press(name)
			w.until("the page", `document.querySelector("main h1")`)
			time.Sleep(150 * time.Millisecond)
		}
	}
	report(b, "interaction", eval[[]float64](w, `pressed`), 100)
}

// report says the middle and the worst, and fails where the worst but one in
// twenty is over the limit.
func report(b *testing.B, what string, ms []float64, limit float64) {
	b.Helper()
	if len(ms) == 0 {
		ms = []float64{0} // all under what a browser reports
	}
	slices.Sort(ms)
	p95 := ms[len(ms)*95/100]
	b.ReportMetric(ms[len(ms)/2], "ms-p50")
	b.ReportMetric(p95, "ms-p95")
	b.ReportMetric(ms[len(ms)-1], "ms-max")
	if p95 > limit {
		b.Errorf("%s: %.0f ms at the 95th percentile, limit %.0f", what, p95, limit)
	}
}
