package e2e

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkProposalToCard: from an agent's call over /mcp to its card on a page that is
// open, on any page, 20 times. What it may take is the figure.
func BenchmarkProposalToCard(b *testing.B) {
	const times, limit = 20, 300 // ms
	i := demo(b, "en")
	claude := i.agent("ana", "Claude", "ask")
	w := i.signIn("ana", desktop)
	w.hearsNews()
	var took []float64
	for b.Loop() {
		for len(took) < times || len(took)%times > 0 {
			took = append(took, float64(w.newsOf(claude, fmt.Sprintf("Category %d", len(took))).Microseconds())/1000)
		}
	}
	report(b, "from the call to the card", took, limit)
	b.Logf("%d times, in ms: %.0f", len(took), took)
}

// hearsNews waits until a page is told of what agents ask for.
func (w *tab) hearsNews() {
	w.t.Helper()
	w.until("the page hears", `performance.getEntriesByType("resource").some((r) => r.name.endsWith("/parts/news.js"))`)
	w.until("realtime", `import("/lib/api.js").then((a) => a.pb.realtime.isConnected && a.pb.realtime.lastSentSubscriptions.includes("nodkeep/proposals"))`)
}

// newsOf lets an agent ask for a category, and gives how long it took until the page said so.
func (w *tab) newsOf(a *agent, name string) time.Duration {
	w.t.Helper()
	w.run(`(window.came = new Promise((r) => new MutationObserver(() => document.querySelector(".news")?.textContent.includes(` + quote(name) + `) && r(performance.timeOrigin + performance.now())).observe(document.body, {subtree: true, childList: true, characterData: true})), 0)`)
	called := time.Now()
	a.asks("household_category_add", map[string]any{"name": name})
	at := eval[float64](w, `window.came`)
	return time.UnixMicro(int64(at * 1000)).Sub(called)
}
