package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestAskAlone: what an assistant may do without a nod stands on a card with the way
// back; two windows share a talk; long, empty and odd questions; what is used up.
func TestAskAlone(t *testing.T) {
	i, _ := withModel(t, "ASSISTANT_FAR_MODE=write", "NODKEEP_MESSAGE_BYTES=6000", "NODKEEP_MESSAGE_BURST=60")
	i.ask("ana", "POST", "/api/nodkeep/me/consents", map[string]any{"assistant": "far"})
	w := i.signIn("ana", phone)
	w.visit("#/ask")
	w.asks("one change")
	w.answered(1)
	w.see("Done", "Fondue 1", "Undo")
	w.accessible()
	w.keep("did")
	if n := eval[int](w, `document.querySelectorAll(".ask-beside .yes").length`); n != 0 {
		t.Error("what is done asks for a nod")
	}
	w.press("Undo")
	w.nods(w.press, "Yes, do this", "Taken back")
	w.until("no other way back", `!document.querySelector(".ask-beside .acts button")`)
	w.keep("undid")

	// Another window takes the talk up, and follows it.
	two := i.signIn("ana", desktop)
	two.visit("#/ask")
	two.press("Conversations")
	two.see("one change")
	two.press("one change")
	two.until("the first answer", `document.querySelectorAll(".turn").length === 1`)
	w.asks("   \n ") // nothing
	w.asks(strings.Repeat("🎉", 40))
	w.answered(2)
	two.run(`document.dispatchEvent(new Event("visibilitychange", {bubbles: true}))`)
	two.until("the second", `document.querySelectorAll(".turn").length === 2`)

	// One talks at a time: the other's words stay where they are.
	two.allow("409")
	w.asks("count slowly")
	w.see("Zahl 2")
	two.asks("and me?")
	two.until("why not now, beside what is under way", `document.querySelectorAll(".turn").length === 3 && document.querySelector(".composer [role=alert]") && document.querySelector(".composer textarea").value === "and me?"`)
	two.keep("busy")
	w.press("Stop")
	w.see("Stopped")
	two.until("nothing under way", `!document.querySelector(".ask-going")`)
	two.run(`document.querySelector(".composer textarea").focus()`)
	two.key(kb.Enter)
	two.answered(4)

	w.run(`document.dispatchEvent(new Event("visibilitychange", {bubbles: true}))`)
	w.answered(4)
	w.asks(strings.Repeat("word ", 1000)) // 5 kB
	w.answered(5)
	w.fits("five thousand letters")
	w.keep("long")

	// What is used up says so, and leads to more of it.
	i.ask("ana", "POST", "/api/nodkeep/operator/settings", map[string]any{"name": "NODKEEP_DAILY_CAP", "value": "0"})
	w.allow("429")
	w.asks("Hello?")
	w.until("more", `e2e.press("Ask for more")`)
	w.accessible()
	w.keep("used up")
	w.press("Ask for more")
	w.see("would be twice as high")
	w.accessible()
}
