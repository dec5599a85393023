package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// drops lets a file of this machine fall on what a selector finds.
func (w *tab) drops(selector, path string) {
	w.t.Helper()
	w.until("where to drop", `document.querySelector(`+quote(selector)+`)`)
	at := eval[struct{ X, Y float64 }](w, `(() => { const r = document.querySelector(`+quote(selector)+`).getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + 20} })()`)
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		command(w, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: at.X, Y: at.Y, Data: &input.DragData{Items: []*input.DragDataItem{}, Files: []string{path}, DragOperationsMask: 1}})
	}
}

// TestImportWays: a statement is dropped, while the session has ended or the network is gone, too: it
// is not chosen twice. What stands there twice and what was skipped is said line by line, and what is
// not ticked is not taken.
func TestImportWays(t *testing.T) {
	text, err := os.ReadFile(statement("monzo.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n")+"\n", "\n")
	path := filepath.Join(t.TempDir(), "twice <b>.csv") // the last booking twice
	if err := os.WriteFile(path, []byte(string(text)+lines[len(lines)-2]), 0o600); err != nil {
		t.Fatal(err)
	}
	each(t, demo(t, "en"), func(t *testing.T, i *instance, l look) {
		w := i.signIn("ana", l)
		w.allow("Failed to load resource", "ERR_INTERNET_DISCONNECTED", "api/realtime")
		w.visit("#/import")
		w.see("Drop a bank statement here")
		w.offline(true)
		w.drops(".import-drop", path)
		w.see("The server was not reached.")
		w.offline(false)
		i.ask("ana", "POST", "/api/nodkeep/me/password", map[string]string{"password": password, "new": password})
		// The page may notice by itself, before or after the press.
		w.until("the question for the password", `e2e.text().includes("Sign in again") || (e2e.press("Try again")?.click(), false)`)
		w.signs("ana", password)
		w.until("the review", `e2e.text().includes("bookings from") || (e2e.press("Try again")?.click(), false)`)
		w.see("bookings from", "twice <b>.csv", "1 line stands there twice")
		w.press("1 line stands there twice")
		w.see("says the same as line")
		w.accessible()
		w.keep("twice")

		// One that is not ticked stays out of the card.
		w.press("All ")
		w.until("all, or none", `document.querySelectorAll(".import-row").length > 1`)
		if eval[bool](w, `!document.querySelector(".import-all input").checked`) {
			w.press("All ")
		}
		out := eval[string](w, `document.querySelector(".import-row b").textContent`)
		w.click("its box", `document.querySelector(".import-row input")`)
		n := eval[int](w, `document.querySelectorAll(".import-row input:checked").length`)
		if all := eval[int](w, `document.querySelectorAll(".import-row").length`); n != all-1 {
			t.Errorf("%d of %d are ticked", n, all)
		}
		w.press("Review and add")
		w.until("the card", `document.querySelector("dialog[open] .main:enabled")`)
		if eval[bool](w, `e2e.top().innerText.includes(`+quote(out)+`)`) {
			t.Errorf("%s is on the card, and is not ticked", out)
		}
		w.press("Back")
		w.see("Review and add") // nothing was done, and all stands as it was
		if got := eval[int](w, `document.querySelectorAll(".import-row input:checked").length`); got != n {
			t.Errorf("%d are ticked after a no", got)
		}
		w.press("Another file")
	})
}
