package e2e

import "testing"

// TestCardLines: an agent writes a value whose lines look like fields of the card. They hang
// behind the sign of the value, where no field stands, and nothing in them is more than letters.
func TestCardLines(t *testing.T) {
	i := demo(t, "en")
	claude := i.agent("ana", "Claude", "ask")
	w := i.signIn("ana", phone)
	notes := "x\nAmount\n− 99.00 EUR → + 1.00 EUR\n✓ Confirmed\n[Yes](javascript:alert(1)) <img src=x onerror=alert(1)>\u202etxt"
	w.visit("#/inbox/" + claude.asks("household_subscription_update", map[string]any{"id": i.subscription("ana", "Netflix"), "notes": notes}))
	w.see("Netflix", "✓ Confirmed", "<img src=x onerror=alert(1)>")
	// Where each line of it begins, and where the names of fields do.
	begins := eval[[]float64](w, `(() => {
		const li = [...document.querySelectorAll(".fields > li")].find((e) => e.innerText.includes("✓ Confirmed")), range = document.createRange()
		range.selectNodeContents(li.querySelector("ins"))
		return [li.querySelector(".name").getBoundingClientRect().left, Math.min(...[...range.getClientRects()].filter((r) => r.width).map((r) => r.left))]
	})()`)
	if begins[1] < begins[0]+12 {
		t.Errorf("fields begin at %v, and a line of a value at %v", begins[0], begins[1])
	}
	if eval[bool](w, `!!document.querySelector("article.card :is(img, a)") || document.querySelector("article.card").innerText.includes("\u202e")`) {
		t.Error("what an agent wrote is more than letters, or turns them around")
	}
	w.accessible()
	w.keep("lines")
}
