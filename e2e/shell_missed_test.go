package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/page"
)

// TestShellMissed: what others do after a page has looked, and before the server knows that
// it listens, is not missed: by slow networks there is time for that.
func TestShellMissed(t *testing.T) {
	i := serve(t)
	i.tool("ana", "household_subscription_add", subscription("Chor"))
	w := open(t, i.base, phone)
	command(w, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `{
		const own = fetch, held = new Promise((r) => (window.letGo = r))
		window.fetch = async (u, o) => (String(u.url || u).includes("/api/realtime") && (await held), own(u, o))
	}`})
	w.visit("/#/subscriptions")
	w.signs("ana", password)
	w.see("Chor")
	i.tool("ana", "household_subscription_add", subscription("Turnverein"))
	i.agent("ana", "Claude", "ask").asks("household_category_add", map[string]any{"name": "Sport"})
	w.run(`letGo()`)
	w.see("Turnverein")
	w.until("the number in the navigation", `document.querySelector("nav.nav .badge")?.textContent.startsWith("1")`)
}
