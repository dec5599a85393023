package e2e

import (
	"fmt"
	"testing"
)

// TestCardFifty: fifty wait at once. They stand one below the other, each can be answered
// by itself without the others moving, and all of one agent at once.
func TestCardFifty(t *testing.T) {
	const cards = 50
	i := demo(t, "de")
	var agents []*agent // of each 20 may wait
	for _, name := range []string{"Claude", "Codex", "Goose"} {
		agents = append(agents, i.agent("ana", name, "ask"))
	}
	for n := range cards {
		agents[n%len(agents)].asks("household_category_add", map[string]any{"name": fmt.Sprintf("Sorte %02d", n)})
	}
	w := i.signIn("ana", look{width: 375, height: 740, dark: true})
	w.visit("#/inbox")
	w.until("all cards", fmt.Sprintf(`document.querySelectorAll("article.card").length === %d`, cards))
	w.until("the number in the navigation", `document.querySelector("nav.nav .badge")?.textContent.startsWith("50")`)
	w.fits("fifty cards")
	w.keep("fifty")
	w.until("the buttons are ready", `document.querySelector(".yes:enabled")`)
	before := eval[float64](w, `document.querySelectorAll("article.card")[1].offsetTop`)
	w.press("Ja, so machen")
	w.until("one is done", `document.querySelectorAll("article.decided").length === 1`)
	if after := eval[float64](w, `document.querySelectorAll("article.card")[1].offsetTop`); after > before+200 {
		t.Errorf("the next card moved from %.0f to %.0f", before, after)
	}
	w.press("Alle 17 verwerfen")
	w.press("Alle verwerfen")
	w.see("17 verworfen")
	w.until("those are decided", `document.querySelectorAll("article.decided").length === 18`)
	w.accessible()
}
