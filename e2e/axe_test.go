package e2e

import (
	_ "embed"
	"strings"
)

//go:embed third_party/axe.min.js
var axe string

// accessible fails on what axe-core finds wrong with the page as it stands.
func (w *tab) accessible() {
	w.t.Helper()
	w.judged("")
}

// contrast fails on what is wrong with the colours alone: all that another theme of a page,
// which was looked at already, can be wrong in.
func (w *tab) contrast() {
	w.t.Helper()
	w.judged(`, runOnly: ["color-contrast", "link-in-text-block"]`)
}

func (w *tab) judged(rules string) {
	w.t.Helper()
	w.pace(1) // it is the page that is slow, not the judge of it
	defer w.pace(slower)
	// What is half seen has no contrast; what moves for ever has no end to wait for.
	const moving = `document.getAnimations().filter((a) => a.effect.getComputedTiming().endTime !== Infinity)`
	w.run(moving + `.forEach((a) => a.finish())`)
	if !eval[bool](w, "!!window.axe") {
		eval[bool](w, axe+"; true")
	}
	found := eval[[]string](w, `Promise.allSettled(`+moving+`.map((a) => a.finished)).then(() => axe.run({resultTypes: ["violations"]`+rules+`}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + v.help + " at " + n.target.join(" ") + " " + n.html.slice(0, 200) + " " + (n.any[0]?.message || "")))))`)
	if len(found) > 0 {
		w.keep("axe")
		w.t.Errorf("axe on %s:\n%s", eval[string](w, "location.hash"), strings.Join(found, "\n"))
	}
}
