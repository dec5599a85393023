package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestAskAbout: what a question is about, and how hard the assistant is to think, goes along as the
// chips say; what was private is said and taken away again. Figures and lines come beside the words.
func TestAskAbout(t *testing.T) {
	i, h := withModel(t)
	i.ask("ana", "POST", "/api/nodkeep/me/consents", map[string]any{"assistant": "far"})
	i.each(t, func(i *instance, w *tab) {
		one := i.subscribed("ana", map[string]any{"name": "Eins " + w.t.Name()})
		i.subscribed("ana", map[string]any{"name": "Zwei " + w.t.Name(), "amount": "5.00"})
		// What the page sends is kept, as the server takes it.
		w.run(`(window.sent = [], window.whole = window.fetch, window.fetch = (u, o) => (String(u).endsWith("/ask") && sent.push(JSON.parse(o.body)), whole(u, o)))`)
		scope := func(n int) string {
			t.Helper()
			w.until("the question", `sent.length === `+string(rune('0'+n)))
			return eval[string](w, `JSON.stringify(sent.at(-1).scope)`)
		}
		chosen := func(of string) {
			t.Helper()
			w.click("the chip", `document.querySelector(".ask-panel .ask-chips .chip")`)
			w.until("the sheet", `document.querySelector("dialog[open] input[value=`+of+`]")`)
			w.run(`document.querySelector("dialog[open] input[value=` + of + `]").click()`)
			w.press("Done")
			w.until("the end of the sheet", `!document.querySelector("dialog[open]")`)
		}

		w.visit("#/subscriptions")
		w.until("the list", names+`.length >= 2`)
		w.click("one", tick("Eins "+w.t.Name()))
		w.see("1 selected")
		w.press("Ask")
		w.asks("What of this?")
		w.answered(1)
		if got := scope(1); got != `{"of":"ticked","records":[{"collection":"household_subscriptions","id":"`+one+`"}],"private":false}` {
			t.Error("ticked: ", got)
		}
		chosen("all") // although something is ticked
		w.press("Assistant: ")
		w.see("How much it thinks")
		w.accessible()
		w.click("much", `[...document.querySelectorAll("dialog[open] label.chip")].find((e) => e.textContent === "much")`)
		w.press("Done")
		w.until("the chip to say so", `document.querySelector(".ask-panel .ask-chips").innerText.includes("· much")`)
		w.asks("And of all?")
		w.answered(2)
		if got := scope(2); got != `{"of":"all","private":false}` {
			t.Error("all: ", got)
		}
		if said := h.last(); !strings.Contains(said, `"reasoning_effort":"high"`) {
			t.Errorf("the effort does not come to the host: %.300s", said)
		}
		w.press("Close")

		w.visit("#/subscriptions/" + one)
		w.until("its page", `document.querySelector("h1")?.textContent.startsWith("Eins")`)
		w.press("Ask")
		chosen("tree")
		w.asks("And of what hangs on it?")
		w.answered(3)
		if got := scope(3); got != `{"of":"tree","records":[{"collection":"household_subscriptions","id":"`+one+`"}],"private":false}` {
			t.Error("tree: ", got)
		}

		w.asks("show total")
		w.answered(4)
		w.until("a figure by itself", `document.querySelector(".turn:last-child .ask-totals .big")?.textContent.match(/\d/)`)
		w.asks("show line")
		w.answered(5)
		w.until("a line", `document.querySelector(".turn:last-child .ask-screen figure canvas")`)
		w.until("its table behind it", `document.querySelector(".turn:last-child .ask-screen figure details table")`)
		w.accessible()
		w.keep("screens")
		w.run(`document.querySelector(".composer textarea").focus()`)
		w.key(kb.Escape)

		// What a question took is told in tokens and money, and no word of it.
		w.visit("#/activity?tool=ask")
		w.until("the questions", `document.querySelectorAll(".activity-row").length >= 5`)
		w.click("the first one", `[...document.querySelectorAll(".activity-row")].at(-1)`)
		w.see("far", "1,000", "50", "$0.0012")
		w.miss("What of this?")
	})
}
