package e2e

import "testing"

// TestCardMoved: an agent takes back what stands above another card of its own, so that this one
// comes to lie under the finger. A press that was meant for what stood there does nothing.
func TestCardMoved(t *testing.T) {
	i := demo(t, "en")
	claude := i.agent("ana", "Claude", "ask")
	low := claude.asks("household_category_add", map[string]any{"name": "Low"})
	high := claude.asks("household_subscription_add", subscription("High"))
	w := i.signIn("ana", phone)
	w.visit("#/inbox")
	w.see("High", "Low")
	yes := `[...document.querySelectorAll("article.card")].find((e) => e.innerText.includes("Low")).querySelector(".yes")`
	w.until("both cards to be ready", `document.querySelectorAll(".yes:enabled").length === 2`)
	w.settled()
	w.run(`(() => {
		const yes = ` + yes + `
		let last = yes.getBoundingClientRect().top + scrollY
		window.moved = ""
		const look = () => {
			const at = yes.getBoundingClientRect().top + scrollY
			if (!window.moved && Math.abs(at - last) > 4) window.moved = "moved"
			else if (window.moved === "moved") window.moved = yes.disabled ? "off" : "on"
			last = at
			requestAnimationFrame(look)
		}
		look()
	})()`)
	i.ask("ana", "POST", "/api/nodkeep/proposals/"+high+"/discard", map[string]string{"reason": "no"})
	w.see("Discarded")
	w.until("the other card to move", `["on", "off"].includes(window.moved)`)
	if got := eval[string](w, `window.moved`); got != "off" {
		t.Error("a card that has just moved can be confirmed")
	}
	w.until("it to be ready again", yes+`.matches(":enabled")`)
	if got := i.state("ana", low); got != "pending" {
		t.Errorf("the other is %s", got)
	}
}

// TestCardNewsGoes: word of a card does not lie over the card itself.
func TestCardNewsGoes(t *testing.T) {
	i := demo(t, "en")
	claude := i.agent("ana", "Claude", "ask")
	w := i.signIn("ana", phone)
	w.until("a connection", `performance.getEntriesByType("resource").some((e) => e.name.endsWith("/api/realtime") && e.initiatorType === "fetch" && e.responseEnd)`)
	id := claude.asks("household_category_add", map[string]any{"name": "Films"})
	w.until("word of it", `document.querySelector(".news .new")`)
	w.visit("#/inbox/" + id)
	w.until("the card alone", `document.querySelector("article.card .yes:enabled") && !document.querySelector(".news .new")`)
	w.press("Yes, do this")
	w.see("Done")
}
