package e2e

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// frames notes how long each frame takes while it runs, and what the browser itself
// calls a long one: between two frames of a window that draws, nothing else may be done.
const frames = `(() => { window.frames_ = []; window.long_ = []
	let last = 0
	const step = (at) => { if (!window.frames_) return; if (last) frames_.push(at - last); last = at; requestAnimationFrame(step) }
	requestAnimationFrame(step)
	new PerformanceObserver((l) => l.getEntries().forEach((e) => long_.push(e.duration))).observe({ type: "long-animation-frame", buffered: false })
})()`

// BenchmarkRows: a thousand subscriptions are scrolled from the first to the last by
// the wheel, and no frame takes longer than 50 ms.
func BenchmarkRows(b *testing.B) {
	i := serve(b)
	i.restored(1000)
	for name, l := range map[string]look{"desktop": desktop, "phone": phone} {
		b.Run(name, func(b *testing.B) {
			own := i.on(b)
			w := own.signIn("ana", l)
			var all []float64
			longest := 0.0
			for b.Loop() {
				w.visit("#/subscriptions?sort=next")
				w.until("the first fifty", names+`.length === 50`)
				w.run(frames)
				for n := 0; ; n++ {
					if n > 4000 {
						b.Fatal("the end of the list does not come")
					}
					command(w, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: "mouseWheel", X: float64(l.width) / 2, Y: float64(l.height) / 2, DeltaX: 0.001, DeltaY: 240}) // a wheel that says nothing of a direction is refused
					if n%25 == 0 && eval[bool](w, `document.querySelectorAll(".block").length === 20 && scrollY + innerHeight > document.documentElement.scrollHeight - 4`) {
						break
					}
				}
				took := eval[struct{ Frames, Long []float64 }](w, `({Frames: frames_, Long: long_, stop: (window.frames_ = null)})`)
				if len(took.Frames) < 100 {
					b.Fatalf("%d frames were drawn: nothing was measured", len(took.Frames))
				}
				all = append(all, took.Frames...)
				longest = slices.Max(append(took.Long, longest))
				w.visit("#/more")
				w.until("another page", `!document.querySelector("input[data-sub]")`)
			}
			slices.Sort(all)
			p99 := all[len(all)*99/100]
			b.ReportMetric(float64(len(all)), "frames")
			b.ReportMetric(p99, "ms-p99")
			b.ReportMetric(all[len(all)-1], "ms-max")
			b.ReportMetric(longest, "ms-longest-work")
			if p99 > 50 {
				b.Errorf("%.0f ms for a frame at the 99th percentile, limit 50", p99)
			}
		})
	}
}
