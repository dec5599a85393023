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
	w.pace(1) // it is the page that is slow, not the judge of it
	defer w.pace(slower)
	w.run(`document.getAnimations().forEach((a) => a.finish())`) // what is half seen has no contrast
	if !eval[bool](w, "!!window.axe") {
		eval[bool](w, axe+"; true")
	}
	found := eval[[]string](w, `Promise.allSettled(document.getAnimations().map((a) => a.finished)).then(() => axe.run({resultTypes: ["violations"]}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + v.help + " at " + n.target.join(" ") + " " + n.html.slice(0, 200) + " " + (n.any[0]?.message || "")))))`)
	if len(found) > 0 {
		w.keep("axe")
		w.t.Errorf("axe on %s:\n%s", eval[string](w, "location.hash"), strings.Join(found, "\n"))
	}
}
