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
			for _, path := range w.paths() {
				w.visit("#" + path)
				w.settled()
				w.fits(path)
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
