package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// firstLoad is what scripts and styles may weigh, compressed, until the first
// page stands; charts, which only some pages need, come later.
const firstLoad = 60_000

// TestFirstLoad counts what a browser that knows nothing is sent until somebody
// sees their first page.
func TestFirstLoad(t *testing.T) {
	i := demo(t, "en")
	w := i.signIn("ana", desktop)
	w.run(`navigator.serviceWorker.ready`)
	w.run(`navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((r) => r.unregister())))`)
	w.run(`caches.keys().then((names) => Promise.all(names.map((n) => caches.delete(n))))`)
	command(w, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	command(w, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	// What is fetched only once the page has stood for a while is no part of it, however slow the machine.
	command(w, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `{ const own = setTimeout; window.setTimeout = (f, ms, ...a) => ms >= 1000 ? 0 : own(f, ms, ...a) }`})
	w.do(chromedp.Navigate(i.base + "/?worker=no"))
	w.until("the first page", `document.querySelector("main h1")`)
	w.see("Netflix")
	w.settled()
	sizes := eval[map[string]int](w, `Object.fromEntries(performance.getEntriesByType("resource").filter((e) => /\.(js|css)$/.test(new URL(e.name).pathname)).map((e) => [new URL(e.name).pathname, e.encodedBodySize]))`)
	sum := 0
	for name, n := range sizes {
		if n == 0 {
			t.Errorf("%s: no size", name)
		}
		if strings.Contains(name, "uplot") || strings.Contains(name, "qrcode") || name == "/lib/talk.js" || name == "/lib/stream.js" || name == "/css/ask.css" {
			t.Errorf("%s is loaded before anybody wants it", name)
		}
		sum += n
	}
	t.Logf("%d files, %d bytes", len(sizes), sum)
	if sum > firstLoad || sum < 20_000 {
		t.Errorf("the first load is %d bytes, and may be %d: %v", sum, firstLoad, sizes)
	}
}
