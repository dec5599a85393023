package e2e

import "testing"

// TestRouteOdd: an address may say anything. It leads to a page that says so, and asks the server for
// nothing but what pages ask for.
func TestRouteOdd(t *testing.T) {
	i := demo(t, "en")
	w := i.signIn("ana", phone)
	w.allow("Failed to load resource")
	w.settled()
	w.run(`(() => {
		const own = window.fetch
		window.asked = []
		window.fetch = (u, o) => (asked.push(new URL(u, location.origin).pathname), own(u, o))
	})()`)
	goes := func(address string) {
		t.Helper()
		w.run(`(window.was = document.querySelector("main").firstElementChild)`)
		w.visit("#" + address)
		w.until("a page for "+address, `document.querySelector("main").firstElementChild !== window.was && document.querySelector("main h1, main .note") && !document.querySelector("main [aria-busy=true]")`)
		if eval[bool](w, `e2e.text().includes("This page could not be shown")`) {
			t.Errorf("%s breaks the page", address)
		}
	}
	// What would lead elsewhere, were it put into an address of the API.
	for _, odd := range []string{"..%5cconnect", "%2e%2e%5c..%5chealth", "..", "."} {
		for _, place := range []string{"/inbox/", "/activity/"} {
			goes("/settings")
			goes(place + odd)
			w.see("There is no page at this address")
		}
	}
	for _, odd := range []string{
		"..", ".", "%2e%2e", "..%5cme", "..%5cconnect", "%2e%2e%5c..%5chealth", "..%2f..%2fx", "a%3fpreview=1", "a%23b", "__proto__", "constructor", "%00", "%", "%e2%80%ae", "%F0%9F%8E%88", "a%0ab", "'", "<img%20src=x%20onerror=alert(1)>",
	} {
		for _, place := range []string{"/inbox/", "/activity/", "/subscriptions/", "/tool/", "/tools/", "/"} {
			goes(place + odd)
		}
	}
	for _, query := range []string{"?state=__proto__", "?__proto__=x", "?since=x&until=-1&person=%00&record=..", "?status=constructor&sort=__proto__&tag=%e2%80%ae", "?month=9999-99", "?part=__proto__", "??&&=="} {
		for _, place := range []string{"/inbox", "/activity", "/subscriptions", "/calendar", "/spending", "/household/settings", "/operator/figures", "/usage", "/settings"} {
			goes(place + query)
		}
	}
	for _, path := range eval[[]string](w, `window.asked`) {
		if path == "/api/health" || path == "/api/nodkeep/connect" {
			t.Errorf("an address led to %s", path)
		}
	}
}
