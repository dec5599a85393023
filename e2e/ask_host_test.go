package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestAskHost asks a model at a host: the agreement first, what its words may do to
// the page, what is said when it breaks, and what happens when one goes away.
func TestAskHost(t *testing.T) {
	i, h := withModel(t, "NODKEEP_MESSAGE_BYTES=5000", "NODKEEP_MESSAGE_BURST=60")
	i.ask("ana", "POST", "/api/nodkeep/me", map[string]any{"language": "de"})
	for name, l := range map[string]look{"desktop": {width: 1280, height: 900, dark: true}, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			i := i.on(t)
			i.try(i.token("ana"), "DELETE", "/api/nodkeep/me/consents/far", nil) // as it was before the first question
			w := i.signIn("ana", l)
			w.visit("#/ask")
			w.asks("Hallo")
			w.see("127.0.0.1") // where it goes
			w.accessible()
			w.keep("consent")
			w.key(kb.Escape)
			w.until("what was written", `document.querySelector(".composer textarea").value === "Hallo"`)
			w.asks("Hallo")
			w.until("the sheet", `document.querySelector("dialog[open] button.main")`)
			w.run(`document.querySelector("dialog[open] button.main").click()`)
			w.answered(1)
			w.see("Fine.", "Token")

			w.asks("odd words")
			w.answered(2)
			w.see("<script>alert(1)</script>", "klick")
			if n := eval[int](w, `document.querySelectorAll(".ask-prose img, .ask-prose script, .ask-prose a, .ask-prose b").length`); n != 0 {
				t.Errorf("%d things of the model's words are more than words", n)
			}
			if eval[int](w, `document.querySelectorAll(".ask-prose li").length`) < 5 {
				t.Error("its lists are none")
			}
			w.fits("odd words")
			w.accessible()
			w.keep("odd")

			w.asks("many questions")
			w.answered(3)
			w.fits("many questions")
			w.accessible()
			w.asks("many changes")
			w.answered(4)
			w.until("cards", `document.querySelector(".turn:last-child .card")`)
			w.fits("many changes")
			w.accessible()
			w.keep("many")

			w.asks("please break")
			w.answered(5)
			w.until("why", `document.querySelector(".turn:last-child .note.warn")`)
			w.keep("broken")

			// What is too long is not asked, and not lost.
			w.allow("413")
			w.asks(strings.Repeat("lang ", 1100))
			w.see("höchstens 5000")
			w.until("what was written", `document.querySelector(".composer textarea").value.length > 5000`)
			w.run(`e2e.put(document.querySelector(".composer textarea"), "")`)

			// An answer goes on without its page, and is taken up by the next.
			w.asks("count slowly")
			w.see("Zahl 3 äöü 🎉.")
			w.reload()
			w.until("more of it", `window.e2e && document.querySelector(".turn:last-child .ask-prose")?.innerText.includes("Zahl 1 äöü 🎉. Zahl 2") && document.querySelector(".composer .main:not([disabled])")`)
			n := len(h.questions())

			// So does one whose connection is lost.
			w.allow("ERR_INTERNET_DISCONNECTED")
			w.offline(true)
			w.see("Die Verbindung ist weg")
			w.offline(false)
			w.miss("Die Verbindung ist weg")
			at := eval[int](w, `document.querySelector(".turn:last-child .ask-prose").innerText.length`)
			w.until("more of it", `document.querySelector(".turn:last-child .ask-prose").innerText.length > `+strconv.Itoa(at+30))
			if now := len(h.questions()); now != n {
				t.Errorf("it was asked again: %d, %d", n, now)
			}
			w.press("Anhalten")
			w.see("Angehalten.")
			if text := eval[string](w, `document.querySelector(".turn:last-child .ask-prose").innerText`); strings.Count(text, "Zahl 2 ") != 1 {
				t.Errorf("told twice: %.200s", text)
			}

			w.attach(t, "Kontoauszug 🧾.csv", "a;b\n")
			w.see("Kontoauszug 🧾.csv", "zeigen")
			w.accessible()
			w.keep("files")
			w.asks("Was steht darin?")
			w.until("the file at the question", `document.querySelector(".turn:last-child .ask-asked .chip")`)
			w.answered(7)
		})
	}
}

// TestAskRestart: a server that ends in mid-answer says so when it is back, and asks nothing again.
func TestAskRestart(t *testing.T) {
	i, h := withModel(t)
	i.ask("ana", "POST", "/api/nodkeep/me/consents", map[string]any{"assistant": "far"})
	w := i.signIn("ana", phone)
	w.allow("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_NETWORK")
	w.visit("#/ask")
	w.asks("count slowly")
	w.see("Zahl 3")
	i.kill()
	w.see("The connection is lost")
	i.start("serve", "--dir", i.dir, "--http", strings.TrimPrefix(i.base, "http://"))
	w.see("nothing is done twice")
	w.keep("interrupted")
	if n := len(h.questions()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// kill ends the server as a power cut does.
func (i *instance) kill() {
	_ = i.process.Process.Kill()
	_ = i.process.Wait()
	i.process = nil
}

// attach gives a file to the one field for files.
func (w *tab) attach(t *testing.T, name, content string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	w.give(path)
}
