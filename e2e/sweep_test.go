package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// paths are all pages that the front end and its plugins have, but those that
// need to be told which record.
func (w *tab) paths() []string {
	w.t.Helper()
	w.until("the pages of plugins", `document.querySelector('nav.nav a[href="#/subscriptions"]')`)
	all := eval[[]string](w, `import("/lib/store.js").then((s) => s.pages.value.map((p) => p.path))`)
	return slices.DeleteFunc(all, func(p string) bool { return strings.Contains(p, "{") })
}

// settled waits until nothing is loading.
func (w *tab) settled() {
	w.t.Helper()
	w.until("the page", `document.querySelector("main h1") && !document.querySelector("main [aria-busy=true]")`)
}

// TestSweep looks at every page in each language, as wide and as narrow as
// windows are, light and dark.
func TestSweep(t *testing.T) {
	looks := map[string]look{
		"en": {width: 1280, height: 900, language: "en"},
		"de": {width: 375, height: 740, dark: true, language: "de"},
		"es": {width: 320, height: 640, language: "es"},
	}
	for lang, l := range looks {
		t.Run(lang, func(t *testing.T) {
			i := demo(t, lang)
			w := i.signIn("ana", l)
			paths := append(w.paths(), "/household/settings?part=file")
			if twice := eval[[]string](w, `[...document.querySelectorAll("nav.nav a path")].map((p) => p.getAttribute("d")).filter((d, i, all) => !d || all.indexOf(d) !== i)`); len(twice) > 0 {
				t.Errorf("ways that have no sign of their own: %s", twice)
			}
			for _, path := range paths {
				w.visit("#" + path)
				w.settled()
				w.fits(path)
				w.tidy(path)
				w.accessible()
				if key := eval[string](w, `(document.body.innerText.match(/\b(web|household\.web|page|nod)\.[a-z_]+(\.[a-z_]+)*\b/) || [""])[0]`); key != "" {
					t.Errorf("%s says the key %s", path, key)
				}
				other := "dark"
				if l.dark {
					other = "light"
				}
				w.scheme(other)
				w.keep(strings.ReplaceAll(path, "/", "-") + "-" + other)
				w.scheme(map[bool]string{true: "dark", false: "light"}[l.dark])
				w.keep(strings.ReplaceAll(path, "/", "-"))
			}
		})
	}
}

func (w *tab) scheme(s string) {
	w.t.Helper()
	command(w, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	w.run(`new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))`)
}

// fits says that nothing stands out of the window sideways.
func (w *tab) fits(path string) {
	w.t.Helper()
	if wide := eval[[]string](w, `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((e) => e.outerHTML.slice(0, 120))`); len(wide) > 0 {
		w.keep("wide")
		w.t.Errorf("%s is wider than the window: %s", path, strings.Join(wide, "\n"))
	}
}

// tidy says that what is written on a page is as it was meant: no word of a heading, a button or a
// column is broken, headings begin with a capital, a sign stands in the line of what it belongs to, and where one is is seen.
func (w *tab) tidy(path string) {
	w.t.Helper()
	if faults := eval[[]string](w, `(() => {
	const faults = []
	for (const e of document.querySelectorAll("main :is(h1, h2, thead th, button, .button, .tabs a, .chip)")) {
		const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT)
		while (walk.nextNode()) for (const word of walk.currentNode.data.matchAll(/[\p{L}\p{N}]+/gu)) {
			const r = new Range()
			r.setStart(walk.currentNode, word.index)
			r.setEnd(walk.currentNode, word.index + word[0].length)
			if (new Set([...r.getClientRects()].map((x) => Math.round(x.top))).size > 1) faults.push("a broken word: " + word[0])
		}
	}
	for (const e of document.querySelectorAll("main :is(h1, h2, h3):not(:has(> .unseen:first-child))")) {
		if (/^\p{Ll}/u.test(e.textContent.trim()) && getComputedStyle(e.querySelector(".capital") || e, "::first-letter").textTransform !== "uppercase") faults.push("begins with a small letter: " + e.textContent)
	}
	const marked = [...document.querySelectorAll("nav.nav a[aria-current]")].filter((e) => e.getClientRects().length)
	if (location.hash !== "#/more" && document.querySelector('nav.nav a[href="' + location.hash + '"]') && marked.length !== 1) faults.push(marked.length + " places are marked as where one is")
	for (const icon of document.querySelectorAll("main .items a > .icon:last-child")) {
		const [a, b] = [icon, icon.parentElement.firstElementChild].map((e) => e.getBoundingClientRect())
		if (a.top >= b.bottom) faults.push("a sign below its line: " + icon.parentElement.textContent)
	}
	return faults
})()`); len(faults) > 0 {
		w.keep("untidy")
		w.t.Errorf("%s: %s", path, strings.Join(faults, "\n"))
	}
	w.until("where one is, in sight", `[...document.querySelectorAll("main nav [aria-current]")].every((e) => {
		const [at, bar] = [e, e.parentElement].map((e) => e.getBoundingClientRect())
		return at.left >= bar.left - 1 && at.right <= bar.right + 1
	})`)
}
