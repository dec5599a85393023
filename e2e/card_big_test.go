package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestCardSoon: from an agent's call to its card on a page that is open. The issue's
// figure is 300 ms; the test bears a machine that does other things at the same time.
func TestCardSoon(t *testing.T) {
	const bearable = 3 * time.Second
	i := demo(t, "en")
	claude := i.agent("ana", "Claude", "ask")
	w := i.signIn("ana", desktop)
	w.hearsNews()
	best := time.Hour
	for n := range 5 {
		took := w.newsOf(claude, fmt.Sprintf("Category %d", n))
		t.Logf("from the call over /mcp to the card: %d ms", took.Milliseconds())
		best = min(best, took)
	}
	if best > bearable {
		t.Errorf("it took %s at best", best)
	}
	w.see("4 more wait")
	w.keep("news")
}

// hostile are names that must stay names.
func hostile() []string {
	return []string{
		`<img src=x onerror="window.broken=1">`,
		`"><script>window.broken=1</script>`,
		`javascript:window.broken=1 {0} ${window.broken=1}`,
		"مرحبا بالعالم " + strings.Repeat("ש", 40),
		"👩‍👩‍👧‍👦🏳️‍🌈 " + strings.Repeat("🎬", 20),
		strings.Repeat("W", 200),
	}
}

// TestCardNames: markup, script, right to left, emoji and 200 characters in every
// field stay text, and break no card.
func TestCardNames(t *testing.T) {
	i := demo(t, "es")
	for n, name := range hostile() {
		called := firstRunes(name, 60)
		if strings.ContainsRune(name, '\u200d') {
			called = "🎬 Agent" // a token's name has printable characters only
		}
		claude := i.agent("ana", called, "ask")
		add := subscription(firstRunes(name, 120)) // as long as one may be; notes are longer
		add["notes"] = name
		id := claude.asks("household_subscription_add", add)
		if n == 0 {
			i.ask("ana", "POST", "/api/nodkeep/proposals/"+id+"/discard", map[string]string{"reason": name})
		}
	}
	for name, l := range map[string]look{"desktop": desktop, "narrow": {width: 320, height: 640, dark: true}} {
		t.Run(name, func(t *testing.T) {
			own := i.on(t)
			w := own.signIn("ana", l)
			w.visit("#/inbox")
			w.until("the cards", `document.querySelectorAll("article.card").length === 5`)
			if eval[bool](w, `!!window.broken || !!document.querySelector("main img, main script")`) {
				t.Error("a name became markup")
			}
			if wide := eval[string](w, `[...document.querySelectorAll("main *")].filter((e) => !e.closest(".unseen") && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.className + " " + e.tagName).slice(0, 5).join()`); wide != "" {
				t.Error("beyond the edge: ", wide)
			}
			w.accessible()
			w.keep("names")
			w.click("what was discarded", `document.querySelector(".past-one")`)
			w.until("its card", `document.querySelector("article.decided blockquote")`)
			w.see("onerror", "Descartado")
			if eval[bool](w, `!!window.broken`) {
				t.Error("a name became script")
			}
			w.accessible()
		})
	}
}

func firstRunes(s string, n int) string {
	r := []rune(s)
	return string(r[:min(n, len(r))])
}

// TestCardMany: 500 rows on one card. What is alike is said once, the rest comes as one
// scrolls, a few in each frame.
func TestCardMany(t *testing.T) {
	const rows, bearable = 500, 50 // rows in one frame: how long that takes is the machine's
	i := serve(t)
	token := i.token("ana")
	ids := make([]string, rows)
	for n := range ids {
		status, a := i.try(token, "POST", "/api/nodkeep/tools/household_subscription_add", subscription(fmt.Sprintf("Abo %03d", n)))
		if status != 200 {
			t.Fatal(status, a)
		}
		ids[n] = a["output"].(map[string]any)["id"].(string)
	}
	claude := i.agent("ana", "Claude", "ask")
	id := claude.asks("household_subscriptions_bulk_update", map[string]any{"ids": ids, "remind_days": 3})
	w := i.signIn("ana", phone)
	w.visit("#/inbox")
	w.see("500")
	w.visit("#/inbox/" + id)
	w.see("Changed: 500", "In all of them:", "Show all 500")
	w.accessible()
	w.keep("folded")
	w.run(`(window.came = [], window.had = 0, new MutationObserver(() => { const n = document.querySelectorAll(".rows > li").length; came.push(n - had); had = n }).observe(document.body, {subtree: true, childList: true}))`)
	w.press("Show all 500")
	w.run(`(async () => { for (let n = 0; n < 200 && document.querySelectorAll(".rows > li").length < 500; n++) { scrollTo(0, document.body.scrollHeight); await new Promise((r) => setTimeout(r, 30)) } })()`)
	w.until("all rows", `document.querySelectorAll(".rows > li").length === 500`)
	if most := eval[int](w, `Math.max(...came)`); most > bearable {
		t.Errorf("%d rows came at once", most)
	}
	w.press("Yes, do this")
	w.see("Done")
	w.press("Undo")
	w.see("Taken back")
	w.keep("undone")
}

// TestUndoRest: what stands in the way of an undo is said, record and field, and the
// rest can be taken back without it.
func TestUndoRest(t *testing.T) {
	i := demo(t, "en")
	netflix, spotify := i.subscription("ana", "Netflix"), i.subscription("ana", "Spotify")
	var entries []string
	for id, name := range map[string]string{netflix: "Netflix II", spotify: "Spotify II"} {
		a := i.ask("ana", "POST", "/api/nodkeep/tools/household_subscription_update", map[string]any{"id": id, "name": name})
		entries = append(entries, a["receipt"].(map[string]any)["audit"].([]any)[0].(string))
	}
	i.tool("ana", "household_subscription_update", map[string]any{"id": netflix, "name": "Netflix III"})
	w := i.signIn("ana", phone)
	w.allow("Failed to load resource")
	w.run(`import("/parts/act.js").then((m) => { m.undo({audit: ` + fmt.Sprintf("[%q, %q]", entries[0], entries[1]) + `}) })`)
	w.see("This cannot be taken back as it is", "Netflix III", "Name", "Changed since by ana")
	w.accessible()
	w.keep("conflict")
	w.press("Take back the rest")
	w.see("Spotify")
	w.accessible()
	w.press("Yes, do this")
	w.see("Taken back")
	i.subscription("ana", "Spotify")
	i.subscription("ana", "Netflix III")
}
