package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/page"
)

// TestShellToast: a word with a way back does not go while somebody is in it, and then it does.
func TestShellToast(t *testing.T) {
	i := serve(t)
	w := i.signIn("ana", phone)
	command(w, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `{ const own = setTimeout; window.setTimeout = (f, ms, ...a) => own(f, ms / 50, ...a); window.wait = (ms) => new Promise((r) => own(r, ms)) }`})
	w.reload()
	w.run(`import("/parts/toast.js").then((m) => m.say("It was done", { act: { label: "Undo", run() {} } }))`)
	w.run(`(async () => { while (!e2e.press("Undo")) await wait(5); e2e.press("Undo").focus() })()`)
	w.run(`wait(1000)`) // four times as long as it stays
	w.see("It was done")
	w.run(`document.activeElement.blur()`)
	w.miss("It was done")
}
