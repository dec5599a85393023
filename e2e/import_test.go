package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestImport: a statement is chosen, read, looked through, taken by one card, and
// taken back whole.
func TestImport(t *testing.T) {
	i := demo(t, "en")
	for name, l := range map[string]look{"desktop": desktop, "phone": {width: 375, height: 740, dark: true}} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			w := i.signIn("ana", l)
			w.allow("Failed to load resource") // what is refused
			w.visit("#/import")
			w.see("Drop a bank statement here")
			w.accessible()
			w.keep("choose")

			// What cannot be read says so, and who could.
			w.give(statement("bad_binary.csv"))
			w.see("cannot be read here", "Show it to an assistant")
			w.accessible()
			w.keep("refused")
			w.give(statement("bad_empty.csv"))
			w.see("The file is empty.")

			// A question, with its answers in words.
			w.give(statement("bad_ambiguous_dates.csv"))
			w.see("The file leaves one thing open:", "5 April 2026")
			w.accessible()
			w.keep("question")
			w.click("the fifth of April", `[...document.querySelectorAll("input[type=radio]")].find((e) => e.value === "DMY")`)
			w.press("Go on")
			w.see("6 bookings from", "A table (CSV) · dates with the day first · amounts as in ")
			w.press("Another file")

			// Rows, with what proves them.
			w.give(statement("revolut.csv"))
			w.see("137 bookings from", "Known", "Went out", "2 lines were skipped")
			w.until("a row with its lines", `e2e.press("6 bookings") || e2e.all("button", "").find((e) => / bookings$/.test(e.textContent))`)
			w.click("its lines", `[...document.querySelectorAll(".import-row button")].find((e) => / bookings$/.test(e.textContent))`)
			w.see("Line")
			w.accessible()
			w.keep("review")
			w.click("the edit of a new one", `[...document.querySelectorAll(".import-row")].find((e) => e.innerText.includes("New")).querySelector("button[aria-label^=Edit]")`)
			w.fill("Name", "Called "+name)
			w.see("Edited", "Called "+name)
			w.accessible()
			w.keep("edit")

			// Neither a page that is loaded anew nor another one meanwhile loses anything.
			w.run(`(window.before = true)`)
			w.do(chromedp.Reload())
			w.until("another page", `!window.before && document.querySelector(".import-row")`)
			w.see("Called "+name, "Edited")
			w.visit("#/")
			w.see("Home")
			w.visit("#/import")
			w.see("Called " + name)
			before := i.subscriptions("ana")
			w.press("Review and add")
			w.see("from revolut.csv", "Called "+name)
			w.accessible()
			w.keep("card")
			w.press("Yes, do this")
			w.see("Take the whole import back", "Called "+name)
			w.keep("done")
			if n := i.subscriptions("ana"); n <= before {
				t.Errorf("%d subscriptions, there were %d", n, before)
			}
			w.press("Take the whole import back")
			w.nods(w.press, "Yes, do this", "all is as it was before")
			if n := i.subscriptions("ana"); n != before {
				t.Errorf("%d subscriptions, there were %d", n, before)
			}

			// Pasted text is read as a file is.
			w.tap("Another file") // the word about it may lie over the page
			text, err := os.ReadFile(statement("bad_formula.csv"))
			if err != nil {
				t.Fatal(err)
			}
			w.press("Or paste its text")
			w.fill("Text of the statement", string(text))
			w.press("Read it")
			w.see("24 bookings from")
			w.accessible()
			w.keep("formula")
		})
	}
}

func statement(name string) string {
	path, err := filepath.Abs(filepath.Join("..", "assistant", "reader", "testdata", name))
	if err != nil {
		panic(err)
	}
	return path
}

// give chooses a file.
func (w *tab) give(path string) {
	w.t.Helper()
	w.until("the field for a file", `document.querySelector("input[type=file]")`)
	w.do(chromedp.SetUploadFiles("input[type=file]", []string{path}))
}

func (i *instance) subscriptions(who string) int {
	i.t.Helper()
	all, _ := i.tool(who, "household_subscription_list", map[string]any{"limit": 200})["items"].([]any)
	return len(all)
}
