package e2e

import "testing"

// named are the subscriptions of a name that the server has.
func (i *instance) named(name string) int {
	i.t.Helper()
	return len(i.tool("ana", "household_subscription_list", map[string]any{"search": name})["items"].([]any))
}

// TestHouseholdLost: the session ends, or the network goes, while a form is filled in.
// What was typed stays, and it is done once.
func TestHouseholdLost(t *testing.T) {
	i := demo(t, "en")
	i.each(t, func(i *instance, w *tab) {
		w.allow("Failed to load resource", "ERR_INTERNET_DISCONNECTED", "api/realtime")
		fills := func(name string) {
			w.visit("#/subscriptions/add")
			w.until("an empty form", `document.querySelector(".sub-form") && e2e.field("Name").value === ""`)
			w.fill("Name", name)
			w.fill("Amount", "7.30")
			w.fill("Charged on", "2026-10-31")
		}
		stands := func(name string) string {
			return `[...document.querySelectorAll(".sub-form input")].some((e) => e.value === ` + quote(name) + `) && [...document.querySelectorAll(".sub-form input")].some((e) => e.value === "7.30")`
		}

		// Another device gives a new password: no session from before is one any more.
		name := "Session " + w.t.Name()
		fills(name)
		i.ask("ana", "POST", "/api/nodkeep/me/password", map[string]string{"password": password, "new": password})
		w.run(`document.querySelector(".sub-form").requestSubmit()`)
		w.see("Sign in again")
		w.until("the form as it was, below", stands(name))
		if n := i.named(name); n != 0 {
			t.Errorf("%d were added by a session that had ended", n)
		}
		w.accessible()
		w.signs("ana", password)
		w.see("Added: " + name)
		if n := i.named(name); n != 1 {
			t.Errorf("it was added %d times", n)
		}

		// No network while it is saved.
		name = "Network " + w.t.Name()
		fills(name)
		w.offline(true)
		w.tap("Add")
		w.see("The server was not reached.")
		w.until("the form as it was", stands(name))
		w.plain()
		w.keep("offline")
		w.offline(false)
		w.tap("Add")
		w.see("Added: " + name)
		if n := i.named(name); n != 1 {
			t.Errorf("it was added %d times", n)
		}

		// The server does it, and its answer does not come.
		name = "Answer " + w.t.Name()
		fills(name)
		w.run(`(() => { const whole = window.fetch; let lost = 0; window.fetch = async (u, o) => {
			const answer = await whole(u, o)
			if (String(u).endsWith("/household_subscription_add") && !lost++) throw new TypeError("Failed to fetch")
			return answer
		} })()`)
		w.tap("Add")
		w.see("Added: " + name)
		if n := i.named(name); n != 1 {
			t.Errorf("it was added %d times", n)
		}
	})
}

// TestHouseholdAsked: what is ticked, and what the page is about, is what a question is about.
func TestHouseholdAsked(t *testing.T) {
	i := demo(t, "en")
	i.each(t, func(i *instance, w *tab) {
		id := i.subscribed("ana", map[string]any{"name": "Asked " + w.t.Name()})
		w.visit("#/subscriptions")
		w.until("the list", names+`.length > 5`)
		w.run(`document.querySelectorAll("input[data-sub]")[0].click()`)
		w.run(`document.querySelectorAll("input[data-sub]")[1].click()`)
		w.see("2 selected")
		w.press("Ask")
		w.until("the chip to say how many", `document.querySelector(".ask-panel .ask-chips .chip")?.innerText.includes("2")`)
		w.press("Close")
		w.until("the end of the panel", `!document.querySelector(".ask-panel")`)

		w.visit("#/subscriptions/" + id)
		w.until("its page", `document.querySelector("h1")?.textContent.startsWith("Asked")`)
		w.press("Ask")
		w.until("what was ticked elsewhere to be forgotten", `document.querySelector(".ask-panel .ask-chips .chip")?.innerText.includes("Everything")`)
		w.click("the chip", `document.querySelector(".ask-panel .ask-chips .chip")`)
		w.until("the sheet", `document.querySelector("dialog[open] input[value=record]")`)
		w.see("Asked " + w.t.Name())
		w.accessible()
		w.run(`document.querySelector("dialog[open] input[value=record]").click()`)
		w.run(`document.querySelector("dialog[open] .acts .main").click()`)
		w.until("the chip to name it", `!document.querySelector("dialog[open]") && document.querySelector(".ask-panel .ask-chips .chip").innerText.includes("Asked")`)
		w.keep("scope")
	})
}
