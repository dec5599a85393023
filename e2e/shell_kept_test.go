package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/page"
)

// keepsNothing is a browser that forbids a page to keep anything, as some do where cookies are blocked.
const keepsNothing = `(() => {
	const no = () => { throw new DOMException("Access is denied for this document.", "SecurityError") }
	const never = () => Promise.reject(new DOMException("The operation is insecure.", "SecurityError"))
	for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get: no })
	for (const name of ["open", "keys", "match", "delete", "has"]) CacheStorage.prototype[name] = never
	ServiceWorkerContainer.prototype.register = never
})()`

// isFull is a browser with no room left.
const isFull = `(() => {
	const full = () => new DOMException("Quota exceeded.", "QuotaExceededError")
	Storage.prototype.setItem = () => { throw full() }
	Cache.prototype.put = Cache.prototype.add = Cache.prototype.addAll = () => Promise.reject(full())
})()`

// TestShellKeepsNothing: a browser that keeps nothing is good for as long as the page is open.
func TestShellKeepsNothing(t *testing.T) {
	i := demo(t, "en")
	claude, netflix := i.agent("ana", "Claude", "ask"), i.subscription("ana", "Netflix")
	for name, script := range map[string]string{"forbidden": keepsNothing, "full": isFull} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			w := open(t, i.base, phone)
			command(w, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
			w.visit("/#/subscriptions")
			w.signs("ana", password)
			w.see("Netflix")
			w.until("a connection", `import("./lib/api.js").then((a) => a.pb.realtime.isConnected)`)
			w.visit("#/ask")
			w.until("the talk", `document.querySelector(".composer textarea")`)
			id := claude.asks("household_category_add", map[string]any{"name": "Kept by nobody " + name})
			w.visit("#/inbox/" + id)
			w.press("Yes, do this")
			w.see("Done")
			w.visit("#/subscriptions/" + netflix + "/edit")
			w.fill("Name", "Netflix "+name)
			w.press("Save")
			w.until("the subscription", `location.hash === "#/subscriptions/`+netflix+`"`)
			w.visit("#/settings")
			w.press("Sign out")
			w.see("Handle or e-mail")
		})
	}
}

// TestShellBack: a page that slept while somebody signed out in another tab wakes, as browsers
// have it on the way back, or after a night. It shows nobody's things any more.
func TestShellBack(t *testing.T) {
	i := demo(t, "en")
	for name, wakes := range map[string]string{
		"the way back": `dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`,
		"a request":    `void import("/lib/api.js").then((m) => m.read("household_subscription_list"))`,
	} {
		t.Run(name, func(t *testing.T) {
			w := i.on(t).signIn("ana", desktop)
			w.allow("Failed to load resource")
			w.visit("#/subscriptions")
			w.see("Netflix")
			w.settled()
			w.run(`(localStorage.removeItem("nodkeep_auth"), ` + wakes + `)`)
			w.see("Handle or e-mail")
			w.miss("Netflix")
		})
	}
}
