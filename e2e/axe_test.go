package e2e

import (
	_ "embed"
	"strings"
)

//go:embed third_party/axe.min.js
var axe string

// accessible fails on what axe-core finds wrong with the page as it stands, in its theme and,
// for the colours, which are all that is different there, in the other one.
func (w *tab) accessible() {
	w.t.Helper()
	w.pace(1) // it is the page that is slow, not the judge of it
	defer w.pace(slower)
	w.judged("in its theme", "")
	w.run(`(() => {
		const root = document.documentElement, theme = getComputedStyle(root).colorScheme
		const dark = theme === "light dark" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark"
		root.style.colorScheme = dark ? "light" : "dark"
	})()`)
	w.judged("in the other theme", `, runOnly: ["color-contrast", "link-in-text-block"]`)
	w.run(`document.documentElement.style.removeProperty("color-scheme")`)
}

func (w *tab) judged(how, rules string) {
	w.t.Helper()
	// What is half seen has no contrast; what moves for ever has no end to wait for.
	const moving = `document.getAnimations().filter((a) => a.effect.getComputedTiming().endTime !== Infinity)`
	w.run(moving + `.forEach((a) => a.finish())`)
	if !eval[bool](w, "!!window.axe") {
		eval[bool](w, axe+"; true")
	}
	found := eval[[]string](w, `Promise.allSettled(`+moving+`.map((a) => a.finished)).then(() => axe.run({resultTypes: ["violations"]`+rules+`}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + v.help + " at " + n.target.join(" ") + " " + n.html.slice(0, 200) + " " + (n.any[0]?.message || "")))))`)
	if len(found) > 0 {
		w.keep("axe")
		w.t.Errorf("axe on %s, %s:\n%s", eval[string](w, "location.hash"), how, strings.Join(found, "\n"))
	}
}
