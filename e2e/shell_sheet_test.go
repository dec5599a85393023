package e2e

import "testing"

// TestSheetLeaves: what lies over a page goes with it, by Back as well, and nothing is left behind of
// what the browser closes by itself, as a phone's Back does.
func TestSheetLeaves(t *testing.T) {
	i := demo(t, "en")
	each(t, i, func(t *testing.T, i *instance, l look) {
		w := i.signIn("ana", l)
		gone := func() {
			w.t.Helper()
			w.until("nothing over the page", `!document.querySelector("dialog")`)
		}
		w.visit("#/subscriptions?status=active")
		w.see("Netflix")
		w.run(`[...document.querySelectorAll("a.body")].find((a) => a.textContent.includes("Netflix")).click()`)
		w.press("Cancel subscription")
		w.until("the form", `document.querySelector("dialog[open]")`)
		w.run(`history.back()`)
		w.until("the list", `document.querySelector("h1")?.textContent === "Subscriptions"`)
		gone()
		w.run(`history.forward()`)
		w.press("Cancel subscription")
		w.press("Continue")
		w.until("the card", `e2e.press("Yes, do this")`)
		w.accessible()
		w.keep("card")
		w.run(`[...document.querySelectorAll("dialog[open]")].at(-1).close()`)
		w.until("the form below it", `document.querySelectorAll("dialog").length === 1 && e2e.press("Continue")`)
		w.run(`document.querySelector("dialog").close()`)
		gone()
		w.press(map[bool]string{true: "Search", false: "Search and commands"}[l.width > 600])
		w.until("the palette", `document.querySelector("dialog[open] [role=combobox]")`)
		w.run(`(location.hash = "#/calendar")`)
		gone()
		if got := i.tool("ana", "household_subscription_list", map[string]any{"status": "cancelled"})["items"].([]any); len(got) != 0 {
			t.Error("something was cancelled by going away")
		}

		// Phones have a page of what the bar has no room for; the bar's own are not told twice.
		if l.width > 600 {
			return
		}
		w.visit("#/more")
		w.until("the others", `document.querySelectorAll("main a.way").length > 4`)
		if twice := eval[[]string](w, `[...document.querySelectorAll("main a.way")].map((a) => a.hash).filter((h) => [...document.querySelectorAll("nav.nav a:not(.wide)")].some((a) => a.hash === h))`); len(twice) > 0 {
			t.Errorf("%q are on the bar already", twice)
		}
		w.fits("more")
		w.accessible()
		w.keep("more")
	})
}
